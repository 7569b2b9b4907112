import { and, asc, eq, lte } from 'drizzle-orm'
import {
  NETWORKS_OF_POSTS,
  ONCE_ONLY,
  platformText,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { socialPosts } from '#server/database/schema/publishing.ts'
import { writeAudit } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { TakenOver, type Answer } from '#server/kit/deliver.ts'
import { messageOf } from '#server/kit/text.ts'
import { isoNow } from '#server/kit/time.ts'
import { failed, LATE, OUR_FAULT, SEND_TO, unsent } from './networks.ts'
import { PostFault } from './ports.ts'
import * as store from './posts.store.ts'
import { type SendKit } from './publishing-kit.ts'

const LOST =
  'The server stopped while asking X to publish this. Please look at the account before sending it again.'
const UNSENT = `${OUR_FAULT} Nothing was published.`
/** Concurrent senders per network and process, so that a hanging one does not block others. */
const AT_ONCE = 3

/** For the audit log. */
const STATE_WORDS: Readonly<Record<store.StoredResult['state'], string>> = {
  waiting: 'waiting to be posted',
  sending: 'being posted',
  posted: 'posted',
  failed: 'not posted',
  unknown: 'perhaps posted',
}

/** Defines posts as deliveries of the outbox. */
export function definePosts(kit: SendKit): void {
  kit.outbox.define({
    kind: store.POSTS,
    title: 'Posting to X, Nostr and Bluesky',
    lanes: NETWORKS_OF_POSTS.length,
    atOnce: AT_ONCE,
    takenForMs: kit.limits.takenForMs,
    once: ONCE_ONLY,
    lostText: LOST,
    hasScreen: true,
    send: async (rows, _, isAwaited) => {
      return rows.map(async (row) => send(kit, store.storedResult(row), isAwaited))
    },
    noted: (tx, row, answer) => audit(kit, tx, store.storedResult(row), answer),
    ended: async (row, { state }) => {
      if (state !== 'waiting') await endPost(kit, row.ref)
    },
  })
}

/** Sends one waiting part of a post now, for an administrator who waits for the outcome. */
export function sendPart(kit: SendKit, postId: string, network: SocialNetwork): Promise<void> {
  return kit.outbox.deliverOne(store.POSTS, store.keyOfResult(postId, network))
}

/** Begins due posts. @returns whether there were any */
export async function beginDue(kit: SendKit): Promise<boolean> {
  for (let some = false; ; some = true) {
    const begun = await kit.db.transaction((tx) => beginNext(kit, tx))
    if (begun === null) return some
    if (begun.isMissed) kit.log.warn({ post: begun.id }, 'A planned post missed its time.')
  }
}

/** Begins the longest overdue post: queues its deliveries, or marks it as missed. @returns null when none is due */
async function beginNext(kit: SendKit, tx: Db) {
  const now = isoNow(kit)
  const { state, scheduled_at: at } = socialPosts
  const [due] = await tx
    .select()
    .from(socialPosts)
    .where(and(eq(state, 'scheduled'), lte(at, now)))
    .orderBy(asc(at))
    .limit(1)
    .for('update')
  if (!due) return null
  const { id, networks, submission_id: submission } = due
  if (Date.parse(due.scheduled_at ?? now) < kit.clock.now() - kit.limits.missedAfterMs) {
    await store.setPostState(tx, id, 'missed', { updated_at: now })
    return { id, isMissed: true }
  }
  const approval = submission === null ? null : 'waiting'
  await store.setPostState(tx, id, 'sending', { updated_at: now, approval })
  await store.beginResults(tx, id, networks, now)
  for (const network of networks) await kit.outbox.wake(tx, store.POSTS, network)
  return { id, isMissed: false }
}

/** @param isAwaited an administrator waits for the outcome and decides what comes next */
async function send(kit: SendKit, taken: store.StoredResult, isAwaited: boolean): Promise<Answer> {
  const { clock, db, limits, log, outbox } = kit
  const { row, state, event, remote_id: remoteId, network } = taken
  const post = await store.postById(db, row.ref)
  if (!post) throw new Error('delivery has no post')
  const last = Date.parse(post.scheduled_at ?? post.created_at) + limits.missedAfterMs
  // A post that may be out is searched for or continued, however late.
  const isFresh = state === 'sending' && event === null && remoteId === null
  if (isFresh && clock.now() > last) return failed(kit, unsent(LATE), taken, null)
  const until = isAwaited ? null : last
  const signal = AbortSignal.timeout(limits.sendWithinMs)
  let isRequested = false
  const asking = async (payload?: { readonly remoteId: string }): Promise<void> => {
    await outbox.asking(row, payload)
    isRequested = true
  }
  try {
    return await SEND_TO[network]({ kit, post, taken, until, signal, asking })
  } catch (error) {
    if (error instanceof TakenOver) throw error
    if (error instanceof PostFault) return failed(kit, error.not, taken, until)
    log.warn({ post: post.id, network }, `A post could not be sent: ${messageOf(error)}`)
    return isRequested
      ? failed(kit, { state: 'unknown', message: OUR_FAULT }, taken, null)
      : failed(kit, unsent(UNSENT), taken, until)
  }
}

async function audit(kit: SendKit, tx: Db, before: store.StoredResult, answer: Answer) {
  if (answer.state === 'dropped' || answer.state === 'waiting') return
  const state = answer.state === 'sent' ? 'posted' : answer.state
  if (state === before.state) return
  const { network, row } = before
  const { remoteId = before.remote_id, fault = null } = answer.payload ?? {}
  const post = await store.postById(tx, row.ref)
  await writeAudit(tx, {
    at: isoNow(kit),
    admin: post && store.askerOf(post),
    action: `${STATE_WORDS[state]} on ${platformText([network])}`,
    subject: { kind: 'social post', id: row.ref },
    after: { network, state, remote_id: remoteId, fault },
  })
}

/**
 * Ends a post once all of its networks have results, and approves its submission. Failures are only logged, as
 * the post is out; `endPosts` retries.
 */
export async function endPost(kit: SendKit, postId: string): Promise<void> {
  try {
    await kit.approvals(() => endAndApprove(kit, postId))
  } catch (error) {
    kit.log.warn({ post: postId }, `A post could not be completed yet: ${messageOf(error)}`)
  }
}

/** Ends posts left by a process that died. */
export async function endPosts(kit: SendKit): Promise<void> {
  for (const id of await store.postsToEnd(kit.db)) {
    await kit.approvals(() => endAndApprove(kit, id))
  }
}

async function endAndApprove(kit: SendKit, postId: string): Promise<void> {
  const { db, approve } = kit
  await store.endSent(db, postId, isoNow(kit))
  await db.transaction(async (tx) => {
    const post = await store.lockPost(tx, postId)
    if (post?.state !== 'done' || post.approval !== 'waiting' || !post.submission_id) return
    const posted = (await store.resultsOf(tx, [postId])).filter((one) => one.state === 'posted')
    if (posted.length === 0) return
    const author = store.askerOf(post) ?? { id: post.createdBy, username: post.created_by }
    const platform = platformText(posted.map((one) => one.network))
    const outcome = await approve(author, post.submission_id, platform)
    await store.changePost(tx, postId, {
      approval: outcome.ok ? 'done' : 'failed',
      approvalError: outcome.ok ? null : outcome.message,
    })
  })
}
