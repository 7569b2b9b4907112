import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState, createContext, use } from 'react'
import { type z } from 'zod'
import * as calls from '#contracts/publishing.ts'
import { type SocialPost } from '#contracts/publishing.ts'
import {
  fieldOf,
  NETWORKS_OF_POSTS,
  platformText,
  type SocialNetwork,
  NETWORK_NAMES,
} from '#domain/publishing/social-post.ts'
import { useCall } from '#web/admin/kit/list.tsx'
import { useDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError, newKey, sentenceOf } from '#web/api/call.ts'
import { deviceStore, keep, storedText, readStored } from '#web/ui/device-store.ts'
import { useNow } from '#web/ui/hooks.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import {
  afterSending,
  askOf,
  Composition,
  compositionOf,
  EMPTY,
  hasContent,
  type Aim,
  type Ask,
  aimOf,
  type Readiness,
  isUnderWay,
  minutesText,
  type Connection,
  type XRate,
} from './composition.ts'
import { usePictures } from './use-pictures.ts'

const SET_ASIDE = 'Your unsaved post was set aside.'
/** X with pictures takes longest. */
export const SEND_PATIENCE = { patienceMs: 150_000 }

export type Work = SocialNetwork | 'all' | 'schedule' | 'draft'
type Action = 'draft' | 'schedule' | 'soon' | 'send'
export type Composer = ReturnType<typeof useComposer>
type HandOver = { readonly submissionId: string | null; readonly predictionId: string | null }
type Sent = { readonly post: SocialPost }

const keyOf = (owner: string): string => `post of ${owner}`

export function makePost(action: Action, ask: Ask, key: string): Promise<Sent> {
  const headers = { 'idempotency-key': key }
  return adminCall(calls.createPost, { body: { ...ask, action }, headers, ...SEND_PATIENCE })
}

/**
 * The post being written, with its actions.
 *
 * @param options the owner of the post stored in this tab, and the hand-over from the address; different values need a
 *   new composer
 */
export function useComposer(options: HandOver & { readonly owner: string }) {
  const store = deviceStore('session')
  const [stored] = useState(() => readStored(store, keyOf(options.owner), Composition) ?? EMPTY)
  const { submissionId, predictionId } = options
  const isHandedOver =
    submissionId === null
      ? predictionId !== null && predictionId !== stored.prediction_id
      : submissionId !== stored.submission_id
  const [composition, setComposition] = useState<Composition>(() =>
    isHandedOver ? { ...EMPTY, submission_id: submissionId, prediction_id: predictionId } : stored,
  )
  const [last, setLast] = useState<Work>('all')
  const decision = useDecision()
  const toasts = useToasts()
  const latest = useRef(composition)
  const pictures = usePictures(composition.pictures, (list) => change({ pictures: [...list] }))
  const now = (): Composition => latest.current
  const { failed, isBusy } = decision

  function change(part: Partial<Composition>): void {
    latest.current = { ...latest.current, ...part }
    setComposition(latest.current)
    keep(store, keyOf(options.owner), storedText(latest.current))
  }

  function show(next: Composition): void {
    change(next)
    decision.forget()
    pictures.replace(next.pictures)
  }

  function replace(next: Composition, message = SET_ASIDE): void {
    const before = now()
    show(next)
    if (hasContent(before)) toasts.undoable(message, () => show(before))
  }

  const offerStored = useEffectEvent(() => {
    if (isHandedOver && hasContent(stored)) toasts.undoable(SET_ASIDE, () => show(stored))
  })
  useEffect(() => offerStored(), [])

  async function storePost(action: Action, ask: Ask): Promise<Sent> {
    const { editing, asked } = now()
    if (editing === null) {
      // A retry after a lost answer reuses the key.
      const what = JSON.stringify([action, ask])
      const key = asked?.what === what ? asked.key : newKey()
      change({ asked: { key, what } })
      return makePost(action, ask, key)
    }
    const input = { params: { id: editing.id }, ...SEND_PATIENCE }
    const seen_at = editing.updated_at
    try {
      if (action === 'draft' || action === 'schedule') {
        return await adminCall(calls.editPost, { ...input, body: { ...ask, action, seen_at } })
      }
      return await adminCall(calls.sendPost, { ...input, body: { post: ask, seen_at } })
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'conflict') throw error
      // Another administrator was faster: keep their version.
      change({ editing: null, event_id: null })
      throw new CallError(`${error.message} Your text is kept as a new post.`, error.status)
    }
  }

  return {
    composition,
    pictures,
    isHandedOver,
    work: isBusy ? last : null,
    /** Server errors by the place that shows them. */
    faults: (failed === null ? {} : { [last]: faultText(failed) }) as Partial<Record<Work, string>>,
    change: (part: Partial<Composition>): void => {
      decision.forget()
      change(part)
    },
    clear: () => replace(EMPTY, 'The post was cleared.'),

    /** @param obstacle why it cannot be scheduled, shown as the error; null if it can */
    async save(
      action: 'draft' | 'schedule',
      aim: Aim,
      obstacle: string | null = null,
    ): Promise<void> {
      setLast(action)
      await decision.run(async () => {
        if (obstacle !== null) throw new CallError(obstacle, 400)
        await storePost(action, askOf(aim, now(), action === 'draft'))
        show(EMPTY)
        return { message: action === 'draft' ? 'The draft is saved.' : 'The post is scheduled.' }
      })
    },

    /**
     * Sends a new post by the common button after ten seconds with undo; otherwise immediately.
     *
     * @param place where a failure is shown
     * @param obstacle why it cannot be sent now, shown as the error; null if it can
     */
    async send(
      aim: Aim,
      place: SocialNetwork | 'all',
      obstacle: string | null = null,
    ): Promise<void> {
      const before = now()
      const isSoon = place === 'all' && before.editing === null
      setLast(place)
      await decision.run(
        async () => {
          if (obstacle !== null) throw new CallError(obstacle, 400)
          // Otherwise the previous outcome would be shown as the new one.
          change({ sent: null })
          const { post } = await storePost(isSoon ? 'soon' : 'send', askOf(aim, before))
          show(afterSending(now(), aim, post.id))
          const message = `Posting on ${platformText(post.networks)} in ten seconds.`
          return isSoon ? { post, message } : { post }
        },
        {
          undo: isSoon
            ? async ({ post }) => {
                await adminCall(calls.cancelPost, { params: { id: post.id } })
                replace({ ...before, asked: null, sent: null })
              }
            : undefined,
        },
      )
    },

    takeUp(from: SocialPost | calls.Proposal): void {
      replace(compositionOf(from))
      if ('has_chart' in from && from.has_chart) void pictures.addChart(from.prediction_id)
    },

    /** Copies a sent post for some of its networks; its outcome stays on screen. */
    reuse: (post: SocialPost, networks: Aim) =>
      replace({ ...compositionOf(post), networks: [...networks], sent: now().sent }),

    fill(part: Partial<Composition>): void {
      const before = now()
      change({ event_id: null, ...part, asked: null })
      decision.forget()
      const isLost = NETWORKS_OF_POSTS.map(fieldOf).some((one) => {
        return part[one] !== undefined && before[one].trim() !== '' && before[one] !== part[one]
      })
      if (isLost) toasts.undoable('The texts were replaced.', () => show(before))
    },

    /** A post was sent from a list; it may be the one being edited here. */
    sent({ id }: SocialPost): void {
      if (now().editing?.id === id) replace({ ...EMPTY, sent: id })
      else change({ sent: id })
    },
  }
}

/** Without an answer, a retry is safe. */
function faultText({ message, status, fields }: CallError): string {
  return status === 0
    ? `${message} Nothing you typed is lost. Press again: it is not posted twice.`
    : [...new Set([message, ...Object.values(fields)])].join(' ')
}

const TICK_MS = 30_000
const UNDER_WAY_MS = 1_500
export const LISTS_MS = 20_000

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
  const nowMs = useNow(TICK_MS)
  const text = useRef<HTMLTextAreaElement>(null)
  const day = useRef<HTMLInputElement>(null)
  const readiness: Readiness = {
    x: networks.x.connection,
    nostr: networks.nostr.connection,
    bluesky: networks.bluesky.connection,
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
    calls.readPost,
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
    // X's answer also shows whether the keys work, and how much it still takes.
    if (!isDone) return
    for (const { path } of [calls.testX, calls.xRateLimit])
      void client.invalidateQueries({ queryKey: [path] })
  }, [isDone, id, client])
  return post
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
  const test = useCall(calls.testX, SLOW, STATUS)
  const { data: rate } = useCall(calls.xRateLimit, SLOW, STATUS)
  const x = accountOf('x', test)
  return {
    x: { ...x, facts: [...x.facts, ...(rate && test.data?.configured ? [rateText(rate)] : [])] },
    nostr: relaysOf(useCall(calls.nostrStatus, SLOW, STATUS)),
    bluesky: accountOf('bluesky', useCall(calls.blueskyStatus, SLOW, STATUS)),
    rate,
    profile: test.data?.handle == null ? null : `https://x.com/${test.data.handle}`,
  }
}

type Status<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
type NetworkState = {
  readonly connection: Connection
  readonly facts: readonly string[]
  readonly isPartly?: boolean
  /** Null if nothing is wrong. */
  readonly recheck?: (() => unknown) | null
}

/** @param setUp the state of a network that is set up, from its reply */
function stateOf<Data extends { readonly configured: boolean }>(
  { data, error, refetch }: Status<Data>,
  what: string,
  missing: string,
  setUp: (data: Data) => NetworkState,
): NetworkState {
  if (data?.configured) return setUp(data)
  if (data) return { connection: 'not set up', facts: [missing] }
  return error
    ? { connection: 'error', facts: [`Error: ${sentenceOf(error)}`], recheck: refetch }
    : { connection: 'unknown', facts: [`Checking the ${what}…`] }
}

function accountOf(network: 'x' | 'bluesky', query: Status<z.infer<typeof calls.testX.reply>>) {
  const address = `@${query.data?.handle ?? '…'}`
  const missing = query.data?.error ?? `${NETWORK_NAMES[network]} is not set up.`
  const state = stateOf(query, 'account', missing, ({ error }) =>
    error === null
      ? { connection: 'connected', facts: [`Posts as ${address}`] }
      : { connection: 'error', facts: [`Error: ${error}`], recheck: query.refetch },
  )
  return { address, ...state }
}

function relaysOf(query: Status<z.infer<typeof calls.nostrStatus.reply>>) {
  const address = `${query.data?.publicKey?.slice(0, KEY_CHARACTERS) ?? 'npub'}…`
  const state = stateOf(query, 'relays', NO_KEY, (data) => {
    const { connectedRelays: connected, totalRelays: total, error, faults } = data
    const count = `${String(connected)} of ${String(total)} relays connected`
    return {
      connection: connected > 0 ? 'connected' : 'error',
      isPartly: connected > 0 && connected < total,
      facts: [
        `Configured, public key ${address}`,
        error === null ? count : `${count}. ${error}`,
        ...faults,
      ],
      recheck: connected < total ? query.refetch : null,
    }
  })
  return { address, ...state }
}

/** `97 of 100 posts left, reset in 12 minutes` */
function rateText({ remaining, limit, minutesUntilReset: minutes, canPost }: XRate): string {
  if (remaining === null || limit === null) return 'Rate limit: known after the first post.'
  const reset = minutes === null ? '' : `, reset in ${minutesText(minutes)}`
  return `Rate limit: ${String(remaining)} of ${String(limit)} posts left${reset}${canPost ? '' : '. X accepts no posts for now'}`
}
