import { type PublishKit, postDetail, NO_POST } from './read-posts.service.ts'
import { isoNow } from '#server/kit/now.ts'
import { type checkPost, type PostInput, type SocialPost } from '#contracts/publishing.ts'
import { mayTurn, type PostState, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import {
  addPost,
  answerUnknown,
  beginResults,
  lockPost,
  postById,
  postByIdempotency,
  resultsOf,
  turnPost,
  type StoredPost,
} from './posts.store.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type z } from 'zod'
import { checkPictures, checkTexts, inputReader } from './post-input.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { NO_X } from './x/x-account.service.ts'

/** How long somebody waits for a post that another process is sending, or that the same key has begun. */
const WAIT_MS = 60_000
const LOOK_MS = 200
const LOOK_BACK_MS = 10 * 60_000
const GONE_OUT = 'This post has begun to go out; it cannot be changed any more.'

/** How a request can be told to be the same one again; null where its sender gave no key. */
export type Repeat = { readonly key: string | null; readonly of: unknown }

/** Two changes within a millisecond are told apart, too. */
function isoAfter(kit: PublishKit, before: string): string {
  const { clock } = kit
  return new Date(Math.max(clock.now(), Date.parse(before) + 1)).toISOString()
}

/** What is written down of a change. */
async function auditPost(
  kit: PublishKit,
  tx: Db,
  admin: Admin,
  action: string,
  id: string,
  before: object | null,
  after: object | null,
): Promise<void> {
  await writeAudit(tx, {
    at: isoNow(kit),
    admin,
    action,
    subject: { kind: 'social post', id },
    before: before === null ? null : { ...before },
    after: after === null ? null : { ...after },
  })
}

/** Sends what waits of a post, and waits for it; another process may be sending it. */
async function sendAll(
  kit: PublishKit,
  id: string,
  networks: readonly SocialNetwork[],
): Promise<void> {
  const { sender } = kit
  await Promise.all(networks.map((network) => sender.sendPart(id, network)))
  await waitSettled(kit, id)
}

async function waitSettled(kit: PublishKit, id: string): Promise<void> {
  const { db } = kit
  const until = performance.now() + WAIT_MS
  while ((await postById(db, id))?.state === 'sending' && performance.now() < until) {
    await pause(LOOK_MS)
  }
}

async function replayPost(
  kit: PublishKit,
  hash: string,
  fingerprint: string,
): Promise<SocialPost | null> {
  const { db } = kit
  const before = await postByIdempotency(db, hash)
  if (!before) return null
  if (before.fingerprint !== fingerprint) {
    throw failure('conflict', 'This Idempotency-Key was used for another post.')
  }
  await waitSettled(kit, before.id)
  return postDetail(kit, before.id)
}

/** Keeps, plans or sends a post. The same key with the same content gives the same post. */
export async function writePost(
  kit: PublishKit,
  admin: Admin,
  input: PostInput,
  action: 'draft' | 'schedule' | 'send',
  repeat: Repeat,
): Promise<SocialPost> {
  const { db } = kit
  const idempotencyHash =
    repeat.key === null ? null : sha256(`post ${String(admin.id)} ${repeat.key}`)
  const fingerprint = repeat.key === null ? null : sha256(JSON.stringify([action, repeat.of]))
  const before =
    idempotencyHash === null ? null : await replayPost(kit, idempotencyHash, fingerprint ?? '')
  if (before) return before
  const values = await inputReader(kit)(input, action)
  const id = randomUUID()
  const at = isoNow(kit)
  const isAdded = await db.transaction(async (tx) => {
    const isNew = await addPost(tx, {
      id,
      ...values,
      state: ACTION_STATES[action],
      approval: action === 'send' && values.submissionId !== null ? 'waiting' : null,
      idempotencyHash,
      fingerprint,
      askedBy: action === 'draft' ? null : admin.id,
      createdBy: admin.id,
      createdAt: at,
      updatedAt: at,
    })
    if (!isNew) return false
    if (action === 'send') await beginResults(tx, id, values.networks, at)
    await auditPost(kit, tx, admin, ACTION_WORDS[action], id, null, values)
    return true
  })
  if (!isAdded) {
    const same = await replayPost(kit, idempotencyHash ?? '', fingerprint ?? '')
    if (same) return same
    throw failure('conflict', 'This post is being sent already.')
  }
  if (action === 'send') await sendAll(kit, id, values.networks)
  return postDetail(kit, id)
}

/** @param seenAt when it had been changed last, as somebody saw it; null overwrites whatever stands there */
export async function changePost(
  kit: PublishKit,
  admin: Admin,
  id: string,
  input: PostInput,
  action: 'draft' | 'schedule',
  seenAt: string | null,
): Promise<SocialPost> {
  const { db } = kit
  const values = await inputReader(kit)(input, action)
  await db.transaction(async (tx) => {
    const before = await lockPost(tx, id)
    if (!before) throw failure('not_found', NO_POST)
    const askedBy = action === 'draft' ? null : admin.id
    const next = { ...values, askedBy, updatedAt: isoAfter(kit, before.updatedAt) }
    refuseToTurn(before, ACTION_STATES[action])
    refuseUnseen(before, seenAt)
    await turnPost(tx, id, ACTION_STATES[action], next)
    await auditPost(kit, tx, admin, 'post edited', id, factsOf(before), values)
  })
  return postDetail(kit, id)
}

/** Sends a post now, or once more to the networks and relays that did not take it. */
export async function sendNow(
  kit: PublishKit,
  admin: Admin,
  id: string,
  {
    evenIfUnknown,
    only,
    seenAt,
    input,
  }: {
    evenIfUnknown: boolean
    only: readonly SocialNetwork[] | null
    seenAt: string | null
    /** What goes out in the place of what is stored. */
    input: PostInput | null
  },
): Promise<SocialPost> {
  const { db } = kit
  const values = input && (await inputReader(kit)(input, 'send'))
  const networks = await db.transaction(async (tx) => {
    const stored = await lockPost(tx, id)
    if (!stored) throw failure('not_found', NO_POST)
    refuseToTurn(stored, 'sending')
    refuseUnseen(stored, seenAt)
    if (values) refuseToTurn(stored, 'draft')
    const before = { ...stored, ...values }
    checkTexts(before)
    await checkPictures(tx, before)
    const results = await resultsOf(tx, [id])
    // What was never sent goes everywhere at once.
    const asked = before.state === 'done' && only !== null ? only : before.networks
    const isAsked = (network: SocialNetwork): boolean => asked.includes(network)
    const isOpenQuestion = results.some(
      ({ network, state }) => state === 'unknown' && isAsked(network),
    )
    if (isOpenQuestion && !evenIfUnknown) throw failure('conflict', UNKNOWN)
    const open = before.networks.filter(isAsked).filter((network) => {
      const result = results.find((one) => one.network === network)
      const state = result?.state
      if (state === undefined || state === 'failed' || state === 'unknown') return true
      // The very same note again, to the relays that did not answer or asked to wait.
      return state === 'posted' && result?.relays?.some((one) => one.state === 'later')
    })
    if (open.length === 0) throw failure('conflict', 'This post is out already.')
    const at = isoNow(kit)
    const approval = before.submissionId === null ? null : (before.approval ?? 'waiting')
    const next = { ...values, scheduledAt: at, updatedAt: at, approval, askedBy: admin.id }
    await turnPost(tx, id, 'sending', next)
    await beginResults(tx, id, open, at)
    const facts = values ? factsOf(stored) : { state: stored.state }
    await auditPost(kit, tx, admin, 'post sent', id, facts, { ...values, networks: open })
    return open
  })
  await sendAll(kit, id, networks)
  return postDetail(kit, id)
}

export async function cancelPlanned(
  kit: PublishKit,
  admin: Admin,
  id: string,
): Promise<SocialPost> {
  const { db } = kit
  await db.transaction(async (tx) => {
    const before = await lockPost(tx, id)
    if (!before) throw failure('not_found', NO_POST)
    if (before.state === 'cancelled') return
    refuseToTurn(before, 'cancelled')
    await turnPost(tx, id, 'cancelled', { updatedAt: isoNow(kit) })
    await auditPost(kit, tx, admin, 'post cancelled', id, { state: before.state }, null)
  })
  return postDetail(kit, id)
}

/** Looks on X for a post whose outcome nobody knows. */
export async function lookUpPost(
  kit: PublishKit,
  admin: Admin,
  id: string,
): Promise<z.input<typeof checkPost.reply>> {
  const { db, x, sender } = kit
  const post = await postById(db, id)
  if (!post) throw failure('not_found', NO_POST)
  const unknown = (await resultsOf(db, [id])).find(
    (one) => one.network === 'x' && one.state === 'unknown',
  )
  if (!unknown) throw failure('conflict', KNOWN)
  if (!x.publisher) throw failure('unavailable', NO_X)
  const begun = Date.parse(unknown.postingAt ?? post.scheduledAt ?? post.createdAt)
  const ask = { text: post.xText, sinceMs: begun - LOOK_BACK_MS }
  const seen = await x.publisher.find(ask, AbortSignal.timeout(WAIT_MS))
  const finishedAt = isoNow(kit)
  if (seen.state === 'found' || seen.state === 'absent') {
    const values =
      seen.state === 'found'
        ? { state: 'posted' as const, remoteId: seen.id, error: null, fault: null, finishedAt }
        : { state: 'failed' as const, error: ABSENT, fault: 'unsent', finishedAt }
    await db.transaction(async (tx) => {
      if (!(await answerUnknown(tx, id, values))) return
      await auditPost(kit, tx, admin, 'post looked for on X', id, { state: 'unknown' }, values)
    })
    await sender.settle(id)
  }
  return {
    success: true,
    found: seen.state === 'found' ? true : seen.state === 'absent' ? false : null,
    message:
      seen.state === 'found'
        ? 'The post is on X.'
        : seen.state === 'absent'
          ? ABSENT
          : seen.message,
    post: await postDetail(kit, id),
  }
}

/** Notes what somebody saw on X of a post whose outcome nobody knew, or that X has already. */
export async function settleUnknown(
  kit: PublishKit,
  admin: Admin,
  id: string,
  isPosted: boolean,
): Promise<SocialPost> {
  const { db, sender } = kit
  const finishedAt = isoNow(kit)
  const values = isPosted
    ? { state: 'posted' as const, error: null, fault: null, finishedAt }
    : { state: 'failed' as const, error: ABSENT, fault: 'unsent', finishedAt }
  await db.transaction(async (tx) => {
    if (!(await lockPost(tx, id))) throw failure('not_found', NO_POST)
    const [before] = (await resultsOf(tx, [id])).filter(({ network }) => network === 'x')
    const isNoted = await answerUnknown(tx, id, values, { orDuplicate: isPosted })
    if (!before || !isNoted) throw failure('conflict', KNOWN)
    await auditPost(kit, tx, admin, 'post marked', id, { state: before.state }, values)
  })
  await sender.settle(id)
  return postDetail(kit, id)
}

const ABSENT = 'The post is not on X. It can be sent again.'
const KNOWN = 'What became of this post on X is known.'
const CANCELLED = 'This post was taken back. Please write a new one.'
const UNKNOWN =
  'We don’t know whether this post is on X already. Look there first, or send it again on purpose.'
const ACTION_STATES = { draft: 'draft', schedule: 'scheduled', send: 'sending' } as const
const ACTION_WORDS = { draft: 'post drafted', schedule: 'post planned', send: 'post sent' } as const

/** @param post as it stands, locked. @throws AppError `conflict` where it has gone too far for that */
function refuseToTurn({ state }: StoredPost, to: PostState): void {
  if (!mayTurn(state, to)) throw failure('conflict', state === 'cancelled' ? CANCELLED : GONE_OUT)
}

/** @throws AppError `conflict` where it was changed since somebody saw it */
function refuseUnseen(post: StoredPost, seenAt: string | null): void {
  if (seenAt === null || Date.parse(post.updatedAt) === Date.parse(seenAt)) return
  throw failure('conflict', 'This post has been changed meanwhile.')
}

function factsOf(post: StoredPost): object {
  const { state, networks, xText, nostrText, pictures, scheduledAt, zone } = post
  return { state, networks, xText, nostrText, pictures, scheduledAt, zone }
}
