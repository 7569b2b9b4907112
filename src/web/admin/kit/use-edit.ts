import { useEffect, useState } from 'react'
import { z } from 'zod'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { MESSAGES } from '#domain/submission.ts'
import { CallError } from '#web/api/call.ts'
import { changedIn, storable } from '#web/claim-form/values.ts'
import { deviceStore, keep, readStored, storedText } from '#web/ui/device-store.ts'
import { useFirstFault } from '#web/ui/hooks.ts'

/** Messages by field; items of a list by path, such as `sources.1.date`. */
export type Faults = Readonly<Record<string, string>>

/**
 * An edit of a row that may change meanwhile: untouched fields follow the row, edited ones keep the input.
 *
 * @param row form values of the row as last sent by the server
 * @param stored where the edit survives closing the screen, a reload and the end of the session, in this tab only; the
 *   key is unique to administrator and row
 */
export function useEdit<Values extends object>(
  row: Values,
  stored?: { readonly key: string; readonly schema: z.ZodType<Values> },
) {
  const [store] = useState(() => (stored ? deviceStore('session') : null))
  const [edit, setEdit] = useState(() => {
    const schema = stored && z.object({ was: stored.schema, values: stored.schema })
    const opened = schema && readStored(store, stored.key, schema)
    const edits: Partial<Values> = opened ? changedIn(opened.was, opened.values) : {}
    return { was: opened?.was ?? row, edits }
  })
  const changed = changedIn(row, edit.edits)
  const isChanged = Object.keys(changed).length > 0
  const was = isChanged ? edit.was : row
  // What equals the row is no edit any more, even if the row changes again.
  if (Object.keys(edit.edits).length !== Object.keys(changed).length) {
    setEdit({ was, edits: changed })
  }

  const key = stored?.key ?? ''
  const text = isChanged ? storedText({ was, values: { ...was, ...changed } }) : null
  useEffect(() => keep(store, key, text), [store, key, text])

  const faults = useFaults()

  return {
    values: { ...row, ...changed },
    /** The row when editing began; the current one while nothing is changed. */
    was,
    changed,
    isChanged,
    /** Changes fields and clears their faults. Secret keys are refused, as edits are stored. */
    change: (part: Readonly<Record<string, unknown>>): void => {
      const before: Readonly<Record<string, unknown>> = { ...row, ...changed }
      const edits = Object.entries(part).map(([name, value]) => [
        name,
        typeof value === 'string' ? storable(name, value, String(before[name])) : value,
      ])
      setEdit((now) => ({ was, edits: { ...now.edits, ...Object.fromEntries(edits) } }))
      faults.typed(part)
    },
    /** Continues on another version of the row, with these edits or the current ones. */
    rebase: (next: Values, edits: Partial<Values> = changed): void => setEdit({ was: next, edits }),
    drop: (): void => setEdit({ was: row, edits: {} }),

    ...faults,
  }
}

/** Messages at the fields of a form, each shown until its field changes; the first gets the focus. */
export function useFaults() {
  const [faults, setFaults] = useState<Faults>({})
  const { element, focusFault } = useFirstFault()

  function show(found: Faults): void {
    setFaults(found)
    if (Object.keys(found).length > 0) focusFault()
  }

  return {
    element,
    faults,
    show,
    /** Clears the faults of changed fields, and says which values are refused as secret keys. */
    typed: (part: Readonly<Record<string, unknown>>): void => {
      const secrets = Object.entries(part).filter(
        ([, value]) => typeof value === 'string' && holdsSecretKey(value),
      )
      setFaults((now) => ({
        ...Object.fromEntries(
          Object.entries(now).filter(([path]) => !((path.split('.')[0] ?? path) in part)),
        ),
        ...Object.fromEntries(secrets.map(([name]) => [name, MESSAGES.secretKey])),
      }))
    },
    /**
     * Sends the form and shows the faults found by the server.
     *
     * @param placed maps fields of the call to those of the form
     */
    sending: async <Answer>(
      work: () => Promise<Answer>,
      placed = (fields: Faults): Faults => fields,
    ): Promise<Answer> => {
      setFaults({})
      try {
        return await work()
      } catch (error) {
        if (error instanceof CallError && error.status !== 409) show(placed(error.fields))
        throw error
      }
    },
  }
}
