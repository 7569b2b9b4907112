import { useState } from 'react'
import { type SubmissionRow } from '#contracts/review.ts'
import { isOpen } from './submission-list.tsx'

/** Which submissions are chosen to be rejected together, also over several pages. @param rows those on screen */
export function useSelection(rows: readonly SubmissionRow[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, SubmissionRow>>(new Map())
  // What another administrator has decided meanwhile cannot be rejected with the others.
  const selected = new Map(
    [...chosen].filter(([id]) => {
      const shown = rows.find((row) => row.id === id)
      return shown === undefined || isOpen(shown)
    }),
  )

  function select(row: SubmissionRow): void {
    if (!isOpen(row)) return
    const next = new Map(selected)
    if (!next.delete(row.id)) next.set(row.id, row)
    setChosen(next)
  }

  function selectAll(on: boolean): void {
    const next = new Map(selected)
    for (const row of rows.filter(isOpen)) {
      if (on) next.set(row.id, row)
      else next.delete(row.id)
    }
    setChosen(next)
  }

  return { selected, select, selectAll, clear: (): void => setChosen(new Map()) }
}
