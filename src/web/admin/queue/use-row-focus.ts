import { useEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the focus in a list whose buttons go away with what they do: it moves to the link of the same row or, when that
 * is gone, of the one in its place. Never to another button, which a second press would set off.
 *
 * @param items of the rows, in their order; undefined while they are loading
 * @param returnTo the row to begin at
 */
export function useRowFocus(
  items: readonly { readonly id: number }[] | undefined,
  returnTo: number | null,
): { readonly list: RefObject<HTMLElement | null>; readonly keep: (id: number) => void } {
  const list = useRef<HTMLElement>(null)
  const acted = useRef(returnTo === null ? null : { id: returnTo, index: 0, isReturn: true })

  useEffect(() => {
    const at = acted.current
    const section = list.current
    if (!items || !section || at === null || document.activeElement !== document.body) return
    acted.current = null
    const index = items.findIndex(({ id }) => id === at.id)
    const rows = section.querySelectorAll('tbody tr')
    const row = rows[index >= 0 ? index : Math.min(at.index, rows.length - 1)]
    const next = row?.querySelector('a') ?? section.querySelector('button')
    // What was scrolled to meanwhile stays in sight.
    next?.focus({ preventScroll: !at.isReturn })
  }, [items])

  return {
    list,
    keep: (id) => {
      const index = items?.findIndex((item) => item.id === id) ?? -1
      acted.current = { id, index: Math.max(0, index), isReturn: false }
    },
  }
}
