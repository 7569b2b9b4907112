import { useEffect, useRef, useState, type RefObject } from 'react'
import { type FieldValues, type Path, type UseFormReturn } from 'react-hook-form'

/**
 * Faults that were found once a form was sent, each at its field until that is edited; the first takes the focus.
 *
 * @param fields those that the form has
 */
export function useShownFaults<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  fields: readonly Path<Values>[],
): {
  /** For the element of the form. */
  readonly element: RefObject<HTMLFormElement | null>
  /** @returns whether any of them has a field here */
  readonly show: (faults: Readonly<Record<string, string>>) => boolean
} {
  const element = useRef<HTMLFormElement>(null)
  const [shows, setShows] = useState(0)
  useEffect(() => {
    // Once they are drawn.
    if (shows > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [shows])

  function show(faults: Readonly<Record<string, string>>): boolean {
    const found = Object.entries(faults).filter(([name]) =>
      fields.some((one) => one === rootOf(name)),
    )
    for (const [name, message] of found) form.setError(name as Path<Values>, { message })
    if (found.length > 0) setShows((before) => before + 1)
    return found.length > 0
  }

  return { element, show }
}

/** The field of the form that holds it: `sources` of `sources.1.date`. */
function rootOf(name: string): string {
  return name.split('.')[0] ?? name
}
