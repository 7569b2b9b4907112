import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type z } from 'zod'
import { blueskyStatus, nostrStatus, testX, xRateLimit } from '#contracts/publishing.ts'
import { adminCall } from '#web/api/admin-call.ts'

/** Connection as the panels show it (administrator-tools.md §4); `not set up` is one without keys, which is no error. */
export type Connection = 'unknown' | 'connected' | 'error' | 'not set up'
export type Networks = ReturnType<typeof useNetworks>
export type XRate = z.infer<typeof xRateLimit.reply>
export type BlueskyQuery = UseQueryResult<z.infer<typeof blueskyStatus.reply>>
export type NostrQuery = UseQueryResult<z.infer<typeof nostrStatus.reply>>

/** Limits change with each post; relays come and go. */
const STATUS_MS = 60_000
const PATIENCE_MS = 30_000

/** Whether the networks can be posted to, and what they last said of their limits. */
export function useNetworks() {
  // The server keeps the answer for a day, as X charges for it.
  const x = useQuery({
    queryKey: ['social', 'x'],
    queryFn: ({ signal }) => adminCall(testX, { signal, patienceMs: PATIENCE_MS }),
    staleTime: STATUS_MS,
  })
  const { data: rate } = useQuery({
    queryKey: ['social', 'rate'],
    queryFn: ({ signal }) => adminCall(xRateLimit, { signal }),
    refetchInterval: STATUS_MS,
  })
  const nostr: NostrQuery = useQuery({
    queryKey: ['social', 'nostr'],
    queryFn: ({ signal }) => adminCall(nostrStatus, { signal, patienceMs: PATIENCE_MS }),
    refetchInterval: STATUS_MS,
  })
  const bluesky: BlueskyQuery = useQuery({
    queryKey: ['social', 'bluesky'],
    queryFn: ({ signal }) => adminCall(blueskyStatus, { signal, patienceMs: PATIENCE_MS }),
    refetchInterval: STATUS_MS,
  })
  const readiness = {
    x: connection(x, ({ success }) => success),
    nostr: connection(nostr, ({ connectedRelays }) => connectedRelays > 0),
    bluesky: connection(bluesky, ({ success }) => success),
    rate,
    isPartly: nostr.data !== undefined && nostr.data.connectedRelays < nostr.data.totalRelays,
  }
  return { x, rate, nostr, bluesky, readiness }
}

function connection<Status extends { readonly configured: boolean }>(
  { data, isError }: { readonly data: Status | undefined; readonly isError: boolean },
  isConnected: (status: Status) => boolean,
): Connection {
  if (data === undefined) return isError ? 'error' : 'unknown'
  if (!data.configured) return 'not set up'
  return isConnected(data) ? 'connected' : 'error'
}
