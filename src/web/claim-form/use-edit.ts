import { useEffect, useEffectEvent, useState, useRef, type RefObject } from 'react'
import { useForm, useWatch, type FieldValues, type UseFormReturn, type Path } from 'react-hook-form'
import { type z } from 'zod'
import { deviceStore, keep, storedText, readStored } from '#web/ui/device-store.ts'
import { changedIn } from './values.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { MESSAGES } from '#domain/submission.ts'

/** An edit of a stored row in progress. */
type Edit<Row, Values extends FieldValues> = {
  readonly form: UseFormReturn<Values>
  readonly values: Values
  /** The row when editing began; the current row while nothing is changed. */
  readonly base: Row
  readonly changed: Partial<Values>
  readonly isChanged: boolean
  /** Continues on another row, with these changes or the current ones. */
  readonly rebase: (next: Row, changes?: Partial<Values>) => void
  readonly drop: () => void
}

/**
 * A form over a stored row. It follows the server while unchanged; later only if the server changed none of its fields.
 * Edits are stored in this tab, so they survive closing the screen, a reload and the end of the session.
 *
 * @param now the row as last sent by the server
 * @param storedAs storage key, unique to administrator and row
 * @param schema parses a stored edit
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
  // Null while unchanged.
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
 * Faults found on submit, each shown at its field until edited; the first gets the focus.
 *
 * @param fields fields of the form
 */
export function useVisibleFaults<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  fields: readonly Path<Values>[],
): {
  readonly element: RefObject<HTMLFormElement | null>
  readonly show: (faults: Readonly<Record<string, string>>) => boolean
} {
  const element = useRef<HTMLFormElement>(null)
  const [shows, setShows] = useState(0)
  useEffect(() => {
    // After rendering.
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

/** Maps `sources.1.date` to its form field `sources`. */
function rootOf(name: string): string {
  return name.split('.')[0] ?? name
}

export function faultAt<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: Path<Values>,
): string | undefined {
  return form.getFieldState(name, form.formState).error?.message
}

/**
 * The value to store for entered text; clears the field's fault. A secret key is rejected with an error, and the field
 * keeps its value.
 */
export function taken<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: Path<Values>,
  text: string,
): string {
  form.clearErrors(name)
  if (!holdsSecretKey(text)) return text
  form.setError(name, { message: MESSAGES.secretKey })
  const before = String(form.getValues(name))
  return name === 'nostr_npub' || holdsSecretKey(before) ? '' : before
}
