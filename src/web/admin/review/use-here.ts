import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type z } from 'zod'
import { reviewHere } from '#contracts/review.ts'
import { adminCall } from '#web/api/admin-call.ts'

/** As often the server hears what this page is at, and this page what waits and who else is where. */
const EVERY_MS = 10_000
const HERE_KEY = ['review-here'] as const

/** Distinguishes the pages of one administrator. */
const tab = `${String(Date.now())}-${Math.random().toString(36).slice(2)}`
let openedId: string | null = null

type Here = z.infer<typeof reviewHere.reply>

/** What waits for review, and who else looks at which submission. */
export function useHere(isOn = true): Here | undefined {
  const { data } = useQuery({
    queryKey: HERE_KEY,
    queryFn: ({ signal }) =>
      adminCall(reviewHere, { body: { tab, submission_id: openedId }, signal }),
    refetchInterval: EVERY_MS,
    enabled: isOn,
  })
  return data
}

/** Says that this page is at a submission until it is closed. @returns who else is */
export function useLookingAt(id: string): readonly string[] {
  const client = useQueryClient()
  useEffect(() => {
    openedId = id
    void client.invalidateQueries({ queryKey: HERE_KEY })
    return () => {
      openedId = null
      void client.invalidateQueries({ queryKey: HERE_KEY })
    }
  }, [client, id])
  return namesAt(useHere(), id)
}

/** Who else looks at a submission. */
export function namesAt(here: Here | undefined, id: string): readonly string[] {
  return (here?.others ?? [])
    .filter((one) => one.submission_id === id)
    .map(({ username }) => username)
}
