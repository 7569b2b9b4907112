import { platformText, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sendToBluesky } from './bluesky/send-to-bluesky.service.ts'
import { sendToNostr } from './nostr/send-to-nostr.service.ts'
import {
  beginDuePost,
  noteResult,
  postById,
  markLost,
  takeResult,
  type StoredPost,
  type StoredResult,
  type TakenResult,
} from './posts.store.ts'
import { type SendKit } from './publishing-kit.ts'
import { failed, type Outcome } from './send-outcome.ts'
import { endPost } from './end-posts.service.ts'
import { sendToX } from './x/send-to-x.service.ts'

/*
 * Sends what is due, each part of it once. A part is one network of a post and belongs to the process that holds its lease.
 */

const LOST =
  'The server stopped while X was asked to publish this. Please look at the account before sending it again.'
const WAS_OFF = 'It could not be sent within ten minutes of its time, so it was not sent late.'
const OUR_FAULT = 'Something went wrong on our side. Nothing was published.'
const KEEP_TRIES = 5
const KEEP_PAUSE_MS = 1_000

/** How each network is written to: what came of it, or null when another process has taken the work over. */
const SEND_TO: Readonly<
  Record<
    SocialNetwork,
    (
      kit: SendKit,
      post: StoredPost,
      taken: TakenResult,
      until: number | null,
    ) => Promise<Outcome | null>
  >
> = { x: sendToX, nostr: sendToNostr, bluesky: sendToBluesky }

/** For the audit log. */
const STATE_WORDS: Readonly<Record<StoredResult['state'], string>> = {
  waiting: 'waiting to be posted',
  sending: 'being posted',
  posted: 'posted',
  failed: 'not posted',
  unknown: 'perhaps posted',
}

/** Sends one part of a post now, where it still waits. */
export async function sendPart(
  kit: SendKit,
  postId: string,
  network: SocialNetwork,
): Promise<void> {
  const taken = await take(kit, { postId, network })
  if (taken) await send(kit, taken, true)
}

/** Sends the part that has waited longest, of one network or of all. @returns false when there was nothing to do */
export async function sendOne(kit: SendKit, network?: SocialNetwork): Promise<boolean> {
  const { db, log, limits } = kit
  for (const id of await markLost(db, isoNow(kit), LOST)) await endPost(kit, id)
  const missedBefore = isoIn(kit, -limits.missedAfterMs)
  const due = await beginDuePost(db, { now: isoNow(kit), missedBefore })
  if (due?.isMissed) log.warn({ post: due.id }, 'A planned post missed its time.')
  const taken = await take(kit, { network })
  if (taken) await send(kit, taken, false)
  return due !== null || taken !== null
}

function take(kit: SendKit, only: Parameters<typeof takeResult>[2]): Promise<TakenResult | null> {
  const span = { now: isoNow(kit), until: isoIn(kit, kit.limits.takenForMs), lease: randomUUID() }
  return takeResult(kit.db, span, only)
}

/** @param isAsked an administrator waits for the outcome and decides what comes next */
async function send(kit: SendKit, taken: TakenResult, isAsked: boolean): Promise<void> {
  const post = await postById(kit.db, taken.postId)
  if (!post) throw new Error('a result without a post')
  const until = Date.parse(post.scheduledAt ?? post.createdAt) + kit.limits.missedAfterMs
  // What may be out already is looked for, or sent on, however late it is.
  const isFresh = taken.state === 'sending' && taken.event === null && taken.remoteId === null
  let outcome: Outcome | null
  try {
    if (isFresh && kit.clock.now() > until) {
      outcome = failed(kit, { state: 'unsent', message: WAS_OFF }, taken, null)
    } else {
      outcome = await SEND_TO[taken.network](kit, post, taken, isAsked ? null : until)
    }
  } catch (error) {
    // What can throw here has published nothing.
    kit.log.warn({ post: post.id }, `A post could not be sent: ${messageOf(error)}`)
    outcome = failed(kit, { state: 'unsent', message: OUR_FAULT }, taken, null)
  }
  if (outcome && (await keep(kit, post, taken, outcome)) && outcome.state !== 'waiting') {
    await endPost(kit, post.id)
  }
}

/**
 * Writes an outcome down. It must not be lost, so it waits for a database that is away for a moment.
 *
 * @returns false when the lease has gone to another process
 */
async function keep(
  kit: SendKit,
  post: StoredPost,
  taken: TakenResult,
  outcome: Outcome,
): Promise<boolean> {
  const { state, remoteId = taken.remoteId, fault = null } = outcome
  for (let left = KEEP_TRIES; ; left -= 1) {
    try {
      return await kit.db.transaction(async (tx) => {
        if (!(await noteResult(tx, taken, outcome))) return false
        if (state !== 'waiting' && state !== taken.state) {
          await writeAudit(tx, {
            at: isoNow(kit),
            admin: post.asker,
            action: `${STATE_WORDS[state]} on ${platformText([taken.network])}`,
            subject: { kind: 'social post', id: post.id },
            after: { network: taken.network, state, remote_id: remoteId, fault },
          })
        }
        return true
      })
    } catch (error) {
      if (left <= 1) throw error
      await pause(KEEP_PAUSE_MS)
    }
  }
}
