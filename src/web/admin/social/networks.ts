import { useQuery } from '@tanstack/react-query'
import { type z } from 'zod'
import { blueskyStatus, nostrStatus, testX, xRateLimit } from '#contracts/publishing.ts'
import { NETWORK_NAMES } from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { sentenceOf, type Callable } from '#web/api/call.ts'
import { minutesText } from './moments.ts'

/** Connection as the panels show it (administrator-tools.md §4); `not set up` is one without keys, which is no error. */
export type Connection = 'unknown' | 'connected' | 'error' | 'not set up'
export type XRate = z.infer<typeof xRateLimit.reply>

/** Limits change with each post; relays come and go. */
const STATUS_MS = 60_000
const PATIENCE_MS = 30_000
/** The first characters of a public key are enough to know it (administrator-tools.md §2). */
const KEY_SHOWN = 20
const NO_KEY =
  'Not configured. Add the private key setting NOSTR_PRIVATE_KEY (nsec1… or hex) to the server’s settings and start it again.'

/** A network answers in its own time: no decision waits for it. */
function useStatus<Called extends Callable>(route: Called) {
  return useQuery<z.infer<Called['reply']>>({
    queryKey: ['status', route.path],
    queryFn: ({ signal }) => adminCall(route, { signal, patienceMs: PATIENCE_MS } as never),
    refetchInterval: STATUS_MS,
    meta: { isOutside: true },
  })
}

/**
 * Whether the networks can be posted to: the account of the site there as people see it, what is known of it as sentences,
 * and how to ask once more where something is wrong.
 */
export function useNetworks() {
  // The server asks X once a day, as X charges for it.
  const test = useStatus(testX)
  const { data: rate } = useStatus(xRateLimit)
  const x = accountOf('x', test)
  return {
    x: { ...x, facts: [...x.facts, ...(rate && test.data?.configured ? [rateText(rate)] : [])] },
    nostr: relaysOf(useStatus(nostrStatus)),
    bluesky: accountOf('bluesky', useStatus(blueskyStatus)),
    rate,
    /** Where the newest posts of the account on X are seen; null where its name is not known. */
    profile: test.data?.handle == null ? null : `https://x.com/${test.data.handle}`,
  }
}

type Status<Data> = {
  readonly data: Data | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

function accountOf(
  network: 'x' | 'bluesky',
  { data, error, refetch }: Status<z.infer<typeof blueskyStatus.reply>>,
) {
  const address = `@${data?.handle ?? '…'}`
  const state = connectionOf(data, error, data?.success ?? false)
  const common = { ...state, address, isPartly: false, recheck: null }
  if (data?.configured === false) {
    return { ...common, facts: [data.error ?? `${NETWORK_NAMES[network]} is not set up.`] }
  }
  const why = data ? (data.success ? null : data.error) : error ? sentenceOf(error) : null
  if (why !== null) return { ...common, facts: [`Error: ${why}`], recheck: refetch }
  return { ...common, facts: [data ? `Posts as ${address}` : 'Checking the account…'] }
}

function relaysOf({ data, error, refetch }: Status<z.infer<typeof nostrStatus.reply>>) {
  const { connectedRelays: connected = 0, totalRelays: total = 0, faults = [] } = data ?? {}
  const state = connectionOf(data, error, connected > 0)
  const isPartly = connected > 0 && connected < total
  const address = `${data?.publicKey?.slice(0, KEY_SHOWN) ?? 'npub'}…`
  const common = { ...state, address, isPartly, recheck: null }
  if (!data && error) return { ...common, facts: [`Error: ${sentenceOf(error)}`], recheck: refetch }
  if (!data) return { ...common, facts: ['Checking the relays…'] }
  if (!data.configured) return { ...common, facts: [NO_KEY] }
  const count = `${String(connected)} of ${String(total)} relays connected`
  const said = data.error === null ? count : `${count}. ${data.error}`
  return {
    ...common,
    facts: [`Configured, public key ${address}`, said, ...faults],
    recheck: connected < total ? refetch : null,
  }
}

function connectionOf(
  data: { readonly configured: boolean } | undefined,
  error: unknown,
  isConnected: boolean,
): { readonly connection: Connection } {
  if (data === undefined) return { connection: error ? 'error' : 'unknown' }
  if (!data.configured) return { connection: 'not set up' }
  return { connection: isConnected ? 'connected' : 'error' }
}

/** `97 of 100 posts left, reset in 12 minutes` */
function rateText({ remaining, limit, minutesUntilReset: minutes, canPost }: XRate): string {
  if (remaining === null || limit === null) return 'Rate limit: known after the first post.'
  const reset = minutes === null ? '' : `, reset in ${minutesText(minutes)}`
  return `Rate limit: ${String(remaining)} of ${String(limit)} posts left${reset}${canPost ? '' : '. X accepts no posts for now'}`
}
