import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { type SubmissionRow } from '#contracts/review.ts'
import { approveBody, NEW_APPROVAL } from './approve-form.tsx'
import { dryRunQuery, submissionQuery } from './calls.ts'
import { isOpen } from './submission-list.tsx'

/** The row one is on, and the three after it. */
const AHEAD = 4
/** What was fetched so long ago is still shown at once, and fetched again when it is opened. */
const FRESH_MS = 30_000

/** Fetches what approving the next rows would publish, so that opening them waits for nothing. */
export function useAhead(rows: readonly SubmissionRow[], current: SubmissionRow | null): void {
  const client = useQueryClient()
  const from = rows.findIndex(({ id }) => id === current?.id)
  const next = from < 0 ? [] : rows.slice(from, from + AHEAD).filter(isOpen)
  const key = next.map(({ id, version }) => `${id} ${String(version)}`).join()
  const fetchAhead = useEffectEvent(async (): Promise<void> => {
    for (const { id } of next) {
      try {
        const one = { ...submissionQuery(id), staleTime: FRESH_MS }
        // oxlint-disable-next-line no-await-in-loop -- the row one is on comes first
        const detail = await client.fetchQuery(one)
        const body = approveBody(NEW_APPROVAL, detail)
        // oxlint-disable-next-line no-await-in-loop -- one row after the other
        await client.fetchQuery({ ...dryRunQuery(id, body), staleTime: FRESH_MS })
      } catch {
        // Opening it asks again, and says what is wrong.
        return
      }
    }
  })
  useEffect(() => void fetchAhead(), [key])
}
