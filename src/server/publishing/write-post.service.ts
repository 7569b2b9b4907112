import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type z } from 'zod'
import {
  type PostInput,
  type SocialPost,
  type checkPost,
  type sendPost,
} from '#contracts/publishing.ts'
import {
  canTransition,
  ONCE_ONLY,
  type PostState,
  type SocialNetwork,
  NETWORK_NAMES,
} from '#domain/publishing/social-post.ts'
import { writeAudit, type AuditState, type Admin } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { isoOrNull, isoNow } from '#server/kit/time.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { NOT_SET_UP, PostFault } from './ports.ts'
import { checkContent, readInput, saysTheSame, type Action } from './post-input.ts'
import { found, postDetail } from './posts.service.ts'
import * as store from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'
import { sendPart, endPost } from './send-posts.service.ts'

/** How long a request waits for a post that another process sends, or that has the same key. */
const WAIT_MS = 60_000
const CHECK_MS = 200

const TAKEN_UP = 'There is a post about this already. Please look at the scheduled and sent ones.'
const CANCELLED = 'This post was withdrawn. Please write a new one.'
const GONE_OUT = 'This post is already being sent and can no longer be changed.'
const LOOK_FIRST = 'Please look on X first, and say whether the post is there.'
const UNKNOWN =
  'We don’t know whether this post is on X already. Look there first, or send it again anyway.'

const ACTIONS = {
  draft: { state: 'draft', word: 'post drafted' },
  schedule: { state: 'scheduled', word: 'post planned' },
  soon: { state: 'scheduled', word: 'post planned' },
  send: { state: 'sending', word: 'post sent' },
} as const satisfies Record<Action, { state: PostState; word: string }>

/** Identifies a repeated request; the key is null if none was given. */
export type Repeat = { readonly key: string | null; readonly of: unknown }

/** Stores, schedules or sends a post; idempotent by key. */
export async function writePost(
  kit: PublishingKit,
  admin: Admin,
  input: PostInput,
  action: Action,
  { key, of }: Repeat,
): Promise<SocialPost> {
  const { db } = kit
  const repeat = key !== null && {
    idempotencyHash: sha256(`post ${String(admin.id)} ${key}`),
    fingerprint: sha256(JSON.stringify([action, of])),
  }
  const before = repeat && (await replayPost(kit, repeat))
  if (before) return before
  const values = await readInput(kit, input, action)
  const id = randomUUID()
  const at = isoNow(kit)
  const isAdded = await db.transaction(async (tx) => {
    const isNew = await store.addPost(tx, {
      id,
      ...values,
      ...repeat,
      event_id: input.event_id ?? null,
      state: ACTIONS[action].state,
      approval: action === 'send' && values.submission_id !== null ? 'waiting' : null,
      askedBy: action === 'draft' ? null : admin.id,
      createdBy: admin.id,
      created_at: at,
      updated_at: at,
    })
    if (!isNew) return false
    if (action === 'send') await store.beginResults(tx, id, values.networks, at)
    else if (action !== 'draft') await kit.planned(tx, values.scheduled_at)
    await audit(kit, tx, admin, id, { action: ACTIONS[action].word, before: null, after: values })
    return true
  })
  if (!isAdded) {
    const same = repeat && (await replayPost(kit, repeat))
    if (same) return same
    throw failure('conflict', input.event_id ? TAKEN_UP : 'This post is already being sent.')
  }
  if (action === 'send') await sendParts(kit, id, values.networks)
  return postDetail(kit, id)
}

/** The post made by the same request before. */
async function replayPost(
  kit: PublishingKit,
  { idempotencyHash, fingerprint }: { idempotencyHash: string; fingerprint: string },
): Promise<SocialPost | null> {
  const before = await store.postByIdempotency(kit.db, idempotencyHash)
  if (!before) return null
  if (before.fingerprint !== fingerprint) {
    throw failure('conflict', 'This Idempotency-Key was used for another post.')
  }
  await waitUntilSent(kit, before.id)
  return postDetail(kit, before.id)
}

type Entry = { readonly action: string; readonly before: AuditState; readonly after: AuditState }

async function audit(
  kit: Pick<PublishingKit, 'clock'>,
  tx: Db,
  admin: Admin,
  id: string,
  entry: Entry,
): Promise<void> {
  await writeAudit(tx, { ...entry, at: isoNow(kit), admin, subject: { kind: 'social post', id } })
}

/** Changes a locked post. @param work returns the audit entry; null without a change @throws AppError `not_found` */
async function changing(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  work: (tx: Db, post: store.StoredPost) => Promise<Entry | null>,
): Promise<void> {
  await kit.db.transaction(async (tx) => {
    const entry = await work(tx, found(await store.lockPost(tx, id)))
    if (entry) await audit(kit, tx, admin, id, entry)
  })
}

/** @throws AppError `conflict` */
function refuseTransition({ state }: store.StoredPost, to: PostState): void {
  if (!canTransition(state, to))
    throw failure('conflict', state === 'cancelled' ? CANCELLED : GONE_OUT)
}

/** @param seenAt row version seen by the administrator; null overwrites any */
function isStale({ updated_at: at }: store.StoredPost, seenAt: string | null): boolean {
  return seenAt !== null && Date.parse(at) !== Date.parse(seenAt)
}

const STALE = () => failure('conflict', 'This post has been changed in the meantime.')

function auditedFields(post: store.StoredPost) {
  const { state, networks, x_text, nostr_text, bluesky_text, pictures, scheduled_at, zone } = post
  return { state, networks, x_text, nostr_text, bluesky_text, pictures, scheduled_at, zone }
}

/** Changes a draft or a scheduled post. @param seenAt see `isStale` */
export async function changePost(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  input: PostInput,
  action: 'draft' | 'schedule',
  seenAt: string | null,
): Promise<SocialPost> {
  const values = await readInput(kit, input, action)
  const { state } = ACTIONS[action]
  await changing(kit, admin, id, async (tx, before) => {
    refuseTransition(before, state)
    if (isStale(before, seenAt)) {
      const isRepeated =
        before.state === state &&
        isoOrNull(before.scheduled_at) === values.scheduled_at &&
        saysTheSame(before, values)
      if (!isRepeated) throw STALE()
      // Repeated after a lost response.
      return null
    }
    // Strictly increasing, even within the same millisecond.
    const updatedMs = Math.max(kit.clock.now(), Date.parse(before.updated_at) + 1)
    await store.setPostState(tx, id, state, {
      ...values,
      askedBy: action === 'draft' ? null : admin.id,
      updated_at: new Date(updatedMs).toISOString(),
    })
    if (action === 'schedule') await kit.planned(tx, values.scheduled_at)
    return { action: 'post edited', before: auditedFields(before), after: values }
  })
  return postDetail(kit, id)
}

export async function cancelPlanned(kit: PublishingKit, admin: Admin, id: string) {
  await changing(kit, admin, id, async (tx, post) => {
    const { state } = post
    if (state === 'cancelled') return null
    refuseTransition(post, 'cancelled')
    await store.setPostState(tx, id, 'cancelled', { updated_at: isoNow(kit) })
    return { action: 'post cancelled', before: { state }, after: null }
  })
  return postDetail(kit, id)
}

/** Dismisses the failure of a post. */
export async function leavePost(kit: PublishingKit, admin: Admin, id: string): Promise<SocialPost> {
  await changing(kit, admin, id, async (tx, { left_at: leftAt }) => {
    if (leftAt !== null) return null
    const states = (await store.resultsOf(tx, [id])).map(({ state }) => state)
    if (states.includes('unknown')) throw failure('conflict', LOOK_FIRST)
    if (!states.includes('failed')) throw failure('conflict', 'This post has no failure.')
    const at = isoNow(kit)
    await store.changePost(tx, id, { left_at: at, updated_at: at })
    return { action: 'failed post left as it is', before: null, after: null }
  })
  return postDetail(kit, id)
}

/** Sends a post now, or again to networks and relays that failed. */
export async function sendNow(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  body: z.output<NonNullable<typeof sendPost.body>>,
): Promise<SocialPost> {
  const { even_if_unknown: evenIfUnknown, networks: only, seen_at: seenAt = null } = body
  const values = body.post && (await readInput(kit, body.post, 'send'))
  let open: SocialNetwork[] = []
  await changing(kit, admin, id, async (tx, stored) => {
    const isOut = stored.state === 'sending' || stored.state === 'done'
    // A retry after a lost response: the post is already being sent.
    if (values && isOut && saysTheSame(stored, values)) return null
    refuseTransition(stored, values ? 'draft' : 'sending')
    if (isStale(stored, seenAt)) throw STALE()
    const post = { ...stored, ...values }
    await checkContent(tx, post)
    const results = new Map((await store.resultsOf(tx, [id])).map((one) => [one.network, one]))
    const requested = post.networks.filter(
      // A post never sent goes to all networks at once.
      (network) => post.state !== 'done' || !only || only.includes(network),
    )
    const isUnknown = requested.some(
      (network) => ONCE_ONLY.includes(network) && results.get(network)?.state === 'unknown',
    )
    if (isUnknown && !evenIfUnknown) throw failure('conflict', UNKNOWN)
    open = requested.filter((network) => isOpen(results.get(network)))
    if (open.length === 0) throw failure('conflict', 'This post is out already.')
    const at = isoNow(kit)
    await store.setPostState(tx, id, 'sending', {
      ...values,
      scheduled_at: at,
      updated_at: at,
      approval: post.submission_id === null ? null : (post.approval ?? 'waiting'),
      askedBy: admin.id,
      left_at: null,
    })
    await store.beginResults(tx, id, open, at)
    const before = values ? auditedFields(stored) : { state: stored.state }
    return { action: 'post sent', before, after: { ...values, networks: open } }
  })
  await sendParts(kit, id, open)
  return postDetail(kit, id)
}

/** Whether a network may be asked: not if it already has the post, except for relays that still lack the note. */
function isOpen(result: store.StoredResult | undefined): boolean {
  if (!result || result.state === 'failed' || result.state === 'unknown') return true
  const { state, relays } = result
  return state === 'posted' && (relays?.some((one) => one.state === 'later') ?? false)
}

/** Sends waiting parts of a post and waits for the outcome; another process may be sending it. */
async function sendParts(kit: PublishingKit, id: string, networks: readonly SocialNetwork[]) {
  await Promise.all(networks.map((network) => sendPart(kit, id, network)))
  await waitUntilSent(kit, id)
}

async function waitUntilSent({ db }: PublishingKit, id: string): Promise<void> {
  const until = performance.now() + WAIT_MS
  while ((await store.postById(db, id))?.state === 'sending' && performance.now() < until) {
    await pause(CHECK_MS)
  }
}

const FIND_WITHIN_MS = 60_000
const FIND_BEFORE_MS = 10 * 60_000

type Doubtful = Exclude<SocialNetwork, 'nostr'>

/** Searches a network for a post of unknown outcome. */
export async function lookUpPost(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  network: Doubtful,
): Promise<z.input<typeof checkPost.reply>> {
  const name = NETWORK_NAMES[network]
  const post = found(await store.postById(kit.db, id))
  const results = await store.resultsOf(kit.db, [id])
  const unknown = results.find((one) => one.network === network && one.state === 'unknown')
  if (!unknown) throw isKnown(name)
  const account = kit[network]
  if (!account) throw failure('unavailable', NOT_SET_UP[network])
  const { remote_id, row } = unknown
  const begun = Date.parse(row.askedAt ?? post.scheduled_at ?? post.created_at)
  let remoteId: string | null
  try {
    remoteId = await account.publisher.find(
      { text: post.x_text, sinceMs: begun - FIND_BEFORE_MS, remoteId: remote_id },
      AbortSignal.timeout(FIND_WITHIN_MS),
    )
  } catch (error) {
    if (!(error instanceof PostFault)) throw error
    const { message } = error
    return { success: true, found: null, message, post: await postDetail(kit, id) }
  }
  const isPosted = remoteId !== null
  const known = { ...knownNow(kit, name, isPosted), ...(remoteId !== null && { remoteId }) }
  await changing(kit, admin, id, async (tx) => {
    if (!(await store.answerUnknown(tx, id, network, known))) return null
    const action = `post looked for on ${name}`
    return { action, before: { state: 'unknown' }, after: known }
  })
  await endPost(kit, id)
  const message = isPosted ? `The post is on ${name}.` : absent(name)
  return { success: true, found: isPosted, message, post: await postDetail(kit, id) }
}

/** Stores what an administrator found out about a post of unknown outcome, or one that X refused as a duplicate. */
export async function markOutcome(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  { posted, network }: { readonly posted: boolean; readonly network: Doubtful },
): Promise<SocialPost> {
  const name = NETWORK_NAMES[network]
  const known = knownNow(kit, name, posted)
  await changing(kit, admin, id, async (tx) => {
    const before = (await store.resultsOf(tx, [id])).find((one) => one.network === network)
    const isNoted = await store.answerUnknown(tx, id, network, known, posted)
    if (!before || !isNoted) throw isKnown(name)
    return { action: 'post marked', before: { state: before.state }, after: known }
  })
  await endPost(kit, id)
  return postDetail(kit, id)
}

function knownNow(kit: PublishingKit, name: string, isPosted: boolean): store.Known {
  return {
    state: isPosted ? 'posted' : 'failed',
    error: isPosted ? null : absent(name),
    fault: isPosted ? null : 'unsent',
    finishedAt: isoNow(kit),
  }
}

function isKnown(name: string) {
  return failure('conflict', `It is already known whether this post is on ${name}.`)
}

function absent(name: string): string {
  return `Marked as not on ${name}. You can send it again.`
}
