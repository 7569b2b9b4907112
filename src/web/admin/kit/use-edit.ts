import { useEffect, useState } from 'react'
import { z } from 'zod'
import { changedIn, secretFaults, storable } from '#web/claim-form/values.ts'
import { deviceStore, keep, readStored, storedText } from '#web/ui/device-store.ts'
import { useFaults } from '#web/ui/use-change.ts'

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
      faults.typed(part, secretFaults(part))
    },
    /** Continues on another version of the row, with these edits or the current ones. */
    rebase: (next: Values, edits: Partial<Values> = changed): void => setEdit({ was: next, edits }),
    drop: (): void => setEdit({ was: row, edits: {} }),

    ...faults,
  }
}
