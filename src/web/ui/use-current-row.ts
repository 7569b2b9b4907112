import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'

/**
 * The row one is on. It stays the same while the list around it changes; when it leaves the list, the one that took its
 * place is next. The focus goes along, so that keys and screen readers are where the eye is.
 *
 * @param place holds the elements of the rows, each with its id as `data-row`
 * @param isCovered a dialog is open over the list and has the focus
 */
export function useCurrentRow<Row extends { readonly id: string }>(
  rows: readonly Row[],
  place: RefObject<HTMLElement | null>,
  isCovered: boolean,
) {
  const [spot, setSpot] = useState<{ id: string | null; at: number }>({ id: null, at: 0 })
  const found = rows.findIndex(({ id }) => id === spot.id)
  const at = found >= 0 ? found : Math.min(spot.at, rows.length - 1)
  const current = rows[at] ?? null
  const currentId = current?.id ?? null
  if (current && (spot.id !== current.id || spot.at !== at)) setSpot({ id: current.id, at })

  // Whether the focus was in the list before it was lost.
  const hadFocus = useRef(false)
  const wasCovered = useRef(isCovered)
  const focusRow = (id: string): void => {
    const all = place.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []
    const row = [...all].find((one) => one.dataset['row'] === id)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  const restore = useEffectEvent(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (!isCovered && isLost && hadFocus.current && currentId !== null) focusRow(currentId)
  })
  useEffect(() => {
    if (isCovered) hadFocus.current = true
    // A dialog gives the focus back once it is gone; where it came from may be gone, too.
    const frame = wasCovered.current && !isCovered ? requestAnimationFrame(() => restore()) : null
    wasCovered.current = isCovered
    restore()
    return () => {
      if (frame !== null) cancelAnimationFrame(frame)
    }
  }, [isCovered, currentId])

  return {
    current,
    /** Goes to the next or previous row. */
    step: (by: 1 | -1): void => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
      if (!next) return
      // The first key press begins where one is.
      const target = hadFocus.current ? next : (current ?? next)
      hadFocus.current = true
      setSpot({ id: target.id, at: rows.indexOf(target) })
      focusRow(target.id)
    },
    reach: (row: Row): void => {
      hadFocus.current = true
      if (row.id !== currentId) setSpot({ id: row.id, at: rows.indexOf(row) })
    },
  }
}
