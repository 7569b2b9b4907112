import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useRef, useState } from 'react'
import { type z } from 'zod'
import {
  readPost,
  type SocialPost,
  blueskyStatus,
  nostrStatus,
  testX,
  xRateLimit,
} from '#contracts/publishing.ts'
import { eachNetwork, type SocialNetwork, NETWORK_NAMES } from '#domain/publishing/social-post.ts'
import { useCall } from '#web/admin/kit/list.tsx'
import { sentenceOf } from '#web/api/call.ts'
import {
  aimOf,
  type Readiness,
  isUnderWay,
  minutesText,
  type Connection,
  type XRate,
} from './composition.ts'
import { useComposer } from './use-composer.ts'

const TICK_MS = 30_000
const UNDER_WAY_MS = 1_500
export const LISTS_MS = 20_000

type Composer = ReturnType<typeof useComposer>
type Desk = ReturnType<typeof useNewDesk>
export const DeskContext = createContext<Desk | null>(null)

/** The composer and network states, shared by the parts of the screen. */
export function useDesk(): Desk {
  const desk = use(DeskContext)
  if (!desk) throw new Error('outside of the publisher')
  return desk
}

/** @param limit weighted text limit on X */
export function useNewDesk(limit: number, options: Parameters<typeof useComposer>[0]) {
  const composer = useComposer(options)
  const { composition, pictures, work } = composer
  const networks = useNetworks()
  const sent = useSentPost(composer)
  const nowMs = useNow()
  const text = useRef<HTMLTextAreaElement>(null)
  const day = useRef<HTMLInputElement>(null)
  const readiness: Readiness = {
    ...eachNetwork((one) => networks[one].connection),
    rate: networks.rate,
    isPosting: work !== null,
    openPictures: pictures.slots.filter(({ picture }) => picture === null).length,
    limit,
  }
  /** @param isPlanned focuses the date instead of the text */
  function showComposer(isPlanned = false): void {
    const place = (isPlanned ? day : text).current
    place?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'center' })
  }
  return {
    composer,
    networks,
    readiness,
    aim: aimOf(composition, readiness),
    sent,
    nowMs,
    places: { text, day },
    showComposer,
    takeUp: (from: Parameters<Composer['takeUp']>[0], isPlanned = false): void => {
      composer.takeUp(from)
      showComposer(isPlanned)
    },
    reuse: (post: SocialPost, networks: readonly SocialNetwork[]): void => {
      composer.reuse(post, networks)
      showComposer()
    },
  }
}

/** Polled until every network has an outcome. */
function useSentPost({ composition: { sent: id } }: Composer): SocialPost | null {
  const client = useQueryClient()
  const params = { id: id ?? '' }
  const { data } = useCall(
    readPost,
    { params },
    {
      enabled: id !== null,
      refetchInterval: ({ state: { data: last } }) =>
        last && !isUnderWay(last.post) ? LISTS_MS : UNDER_WAY_MS,
    },
  )
  const post = id === null ? null : (data?.post ?? null)
  const isDone = post?.state === 'done'
  useEffect(() => {
    // X's answer also shows whether the keys work.
    if (isDone) void client.invalidateQueries({ queryKey: [testX.path] })
  }, [isDone, id, client])
  return post
}

function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

/** X limits change with each post, and relays come and go. */
const STATUS_MS = 60_000
/** Characters shown of a public key (administrator-tools.md §2). */
const KEY_CHARACTERS = 20
const NO_KEY =
  'Not configured. Add the private key setting NOSTR_PRIVATE_KEY (nsec1… or hex) to the server’s settings and start it again.'

/** Networks may be slow, so decisions do not wait for these queries. */
const SLOW = { patienceMs: 30_000 }
const STATUS = { refetchInterval: STATUS_MS, meta: { isOutside: true } }

/** State of each network: the account, facts as sentences, and a retry if something is wrong. */
function useNetworks() {
  // X charges for this call, so the server makes it once a day.
  const test = useCall(testX, SLOW, STATUS)
  const { data: rate } = useCall(xRateLimit, SLOW, STATUS)
  const x = accountOf('x', test)
  return {
    x: { ...x, facts: [...x.facts, ...(rate && test.data?.configured ? [rateText(rate)] : [])] },
    nostr: relaysOf(useCall(nostrStatus, SLOW, STATUS)),
    bluesky: accountOf('bluesky', useCall(blueskyStatus, SLOW, STATUS)),
    rate,
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
  const address = `${data?.publicKey?.slice(0, KEY_CHARACTERS) ?? 'npub'}…`
  const common = { ...state, address, isPartly, recheck: null }
  if (!data && error) return { ...common, facts: [`Error: ${sentenceOf(error)}`], recheck: refetch }
  if (!data) return { ...common, facts: ['Checking the relays…'] }
  if (!data.configured) return { ...common, facts: [NO_KEY] }
  const count = `${String(connected)} of ${String(total)} relays connected`
  const message = data.error === null ? count : `${count}. ${data.error}`
  return {
    ...common,
    facts: [`Configured, public key ${address}`, message, ...faults],
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
