import { useEffect, useEffectEvent, useState, useRef, type RefObject } from 'react'
import { useForm, useWatch, type FieldValues, type UseFormReturn, type Path } from 'react-hook-form'
import { type z } from 'zod'
import { deviceStore, keep, storedText, readStored } from '#web/ui/device-store.ts'
import { changedIn } from './values.ts'

/** An edit of something stored that is in progress. */
type Edit<Row, Values extends FieldValues> = {
  readonly form: UseFormReturn<Values>
  readonly values: Values
  /** The state the edit was begun from; as it is now, while nothing is changed. */
  readonly base: Row
  readonly changed: Partial<Values>
  readonly isChanged: boolean
  /** Goes on from another state, with these changes or the ones there are. */
  readonly rebase: (next: Row, changes?: Partial<Values>) => void
  /** Shows what is stored. */
  readonly drop: () => void
}

/**
 * A form over something stored. While nothing is typed it follows what the server says, and later only where no field of
 * it has changed there; what is typed is kept in this tab, so that it is there again when the screen is closed, the page is loaded again or the session ends.
 *
 * @param now the row as the server last sent it
 * @param storedAs the name of its place in the storage of the tab: one for each administrator and row
 * @param kept how what was kept is read
 */
export function useEdit<Row extends object, Values extends FieldValues>({
  now,
  valuesOf,
  storedAs,
  schema,
}: {
  readonly now: Row
  readonly valuesOf: (row: Row) => Values
  readonly storedAs: string
  readonly schema: z.ZodType<{ readonly base: Row; readonly values: Values }>
}): Edit<Row, Values> {
  const [store] = useState(() => deviceStore('session'))
  const [opened] = useState(() => readStored(store, storedAs, schema))
  // Null: nothing is typed, and the form is to show what is stored now.
  const [begun, setBegun] = useState<Row | null>(opened?.base ?? null)
  const [first] = useState(() => opened?.values ?? valuesOf(now))
  const form = useForm<Values>({ values: first, reValidateMode: 'onSubmit' })
  const typed = useWatch({ control: form.control, compute: (all: Values) => ({ ...all }) })
  const base = begun ?? now
  const values = begun === null ? valuesOf(now) : typed
  const changed = changedIn(valuesOf(base), values)
  const isChanged = Object.keys(changed).length > 0

  if (begun !== null && begun !== now) {
    const isSame = Object.keys(changedIn(valuesOf(begun), valuesOf(now))).length === 0
    if (!isChanged) setBegun(null)
    else if (isSame) setBegun(now)
  }

  const begin = useEffectEvent(() => setBegun((before) => before ?? now))
  useEffect(() => form.subscribe({ formState: { values: true }, callback: () => begin() }), [form])
  useEffect(() => {
    if (begun === null) form.reset(valuesOf(now))
  }, [begun, now, form, valuesOf])

  const text = isChanged ? storedText({ base, values }) : null
  useEffect(() => keep(store, storedAs, text), [store, storedAs, text])

  return {
    form,
    values,
    base,
    changed,
    isChanged,
    rebase(next: Row, changes: Partial<Values> = changed): void {
      setBegun(next)
      form.reset({ ...valuesOf(next), ...changes })
    },
    drop: () => setBegun(null),
  }
}

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
