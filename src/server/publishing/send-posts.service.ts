import {
  MISSED_AFTER_MS,
  platformText,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { type RelayResult } from './nostr/ports.ts'
import { type Admin, type Clock, type Log } from '#server/kit/ports.ts'
import { type NostrPublisher, type NotPosted, type Picture, type XLimits } from './ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { type Db } from '#server/kit/db.ts'
import {
  beginDuePost,
  beginPosting,
  lockPost,
  noteApproval,
  noteResult,
  postById,
  resultsOf,
  settleLost,
  settlePost,
  takeResult,
  unsettledPosts,
  type StoredPost,
  type StoredResult,
  type TakenResult,
} from './posts.store.ts'
import { pictureBytes } from './pictures/pictures.store.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { NO_X, type XDesk } from './x/x-account.service.ts'

export type SendLimits = {
  /** The longest that one try takes, with its pictures. */
  readonly sendWithinMs: number
  /** Longer than that: a process that dies leaves its work to the others after this. */
  readonly takenForMs: number
  /** What is due for longer is asked about instead of sent. */
  readonly missedAfterMs: number
}

export const SEND_LIMITS: SendLimits = {
  sendWithinMs: 120_000,
  takenForMs: 180_000,
  missedAfterMs: MISSED_AFTER_MS,
}

export const NO_NOSTR =
  'Nostr is not set up. Add the setting NOSTR_PRIVATE_KEY (see .env.example) and start the server again.'
const LOST =
  'The server stopped while X was asked to publish this. Please look at the account before sending it again.'
const WAS_OFF = 'It could not be sent within ten minutes of its time, so it was not sent late.'
const NO_RELAY = 'No relay has taken the note.'
const HALF_SENT =
  'Something went wrong on our side while the note was sent; relays may have it. Another try sends the same note.'

const MINUTE_MS = 60_000
const UNSENT_PAUSE_MS = 30_000
const KEEP_TRIES = 5
const KEEP_PAUSE_MS = 1_000
/** Relays that asked to wait, or did not answer, get the very same event again; so often it is looked how that went. */
const RELAY_PAUSES_MS = [2, 5, 30, 120, 480, 1_440].map((minutes) => minutes * MINUTE_MS)

/** Approves the submission that a post was made from; see the review. */
export type ApproveAfterPost = (
  admin: Admin,
  submissionId: string,
  /** `X`, `Nostr` or `X and Nostr`. */
  platform: string,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>

type Sent = Partial<Omit<StoredResult, 'postId' | 'network' | 'lease'>>

export type SocialSender = ReturnType<typeof socialSender>

/**
 * Sends what is due, each part of it once. A part belongs to the process that holds its lease. Just before the one request
 * that makes a post on X, that is written down, and only the holder may write it: whoever finds it later with no outcome
 * knows that nobody knows. On Nostr the signed event is stored before it is sent, and sending it again is the same note.
 */
export function socialSender({
  db,
  clock,
  log,
  x,
  nostr,
  approve,
  limits = SEND_LIMITS,
}: {
  db: Db
  clock: Clock
  log: Log
  x: XDesk
  nostr: NostrPublisher | null
  approve: ApproveAfterPost
  limits?: SendLimits
}) {
  const isoIn = (ms: number): string => new Date(clock.now() + ms).toISOString()

  async function picturesOf(post: StoredPost): Promise<Picture[]> {
    const pictures: Picture[] = []
    for (const { id, alt } of post.pictures) {
      const row = await pictureBytes(db, id)
      if (!row) throw new Error(`picture ${id} is gone`)
      const { bytes, type, width, height } = row
      pictures.push({ bytes, type, width, height, alt })
    }
    return pictures
  }

  /** What a fault leaves behind. @param until the last moment for another try by itself; null makes none */
  function failed(fault: NotPosted, taken: TakenResult, until: number | null): Sent {
    const base = { error: fault.message, fault: faultWord(fault) }
    if (fault.state === 'unknown') {
      return { ...base, state: 'unknown', nextTryAt: null, finishedAt: isoIn(0) }
    }
    const againAt =
      fault.state === 'limited'
        ? (fault.until ?? clock.now() + MINUTE_MS)
        : fault.state === 'unsent'
          ? clock.now() + UNSENT_PAUSE_MS * taken.attempts
          : Infinity
    if (until !== null && againAt <= until) {
      // Nothing is out: what was noted of the request before it is taken back.
      return {
        ...base,
        state: 'waiting',
        postingAt: null,
        nextTryAt: new Date(againAt).toISOString(),
      }
    }
    return { ...base, state: 'failed', nextTryAt: null, finishedAt: isoIn(0) }
  }

  async function sendToX(
    post: StoredPost,
    taken: TakenResult,
    until: number | null,
  ): Promise<Sent | null> {
    const { publisher } = x
    if (!publisher) return failed(off(NO_X), taken, null)
    const closedUntil = await x.closedUntil()
    if (closedUntil !== null) {
      const message = 'X takes no more posts for now, as it said with the last one.'
      return failed({ state: 'limited', until: closedUntil, message }, taken, until)
    }
    const pictures = await picturesOf(post)
    const progress = { hasBegun: false }
    const told: XLimits[] = []
    try {
      const outcome = await publisher.post(
        { text: post.xText, pictures },
        {
          signal: AbortSignal.timeout(limits.sendWithinMs),
          beforePost: async () => {
            if (!(await beginPosting(db, taken, isoIn(0)))) throw new LeaseLost()
            progress.hasBegun = true
          },
          onLimits: (limitsTold) => void told.push(limitsTold),
        },
      )
      await learn(outcome, told)
      if (outcome.state !== 'posted') return failed(outcome, taken, until)
      return { ...POSTED, remoteId: outcome.id, finishedAt: isoIn(0) }
    } catch (error) {
      if (error instanceof LeaseLost) return null
      const state = progress.hasBegun ? 'unknown' : 'unsent'
      log.warn({ post: post.id }, `Posting on X failed: ${messageOf(error)}`)
      return failed({ state, message: 'Something went wrong on our side.' }, taken, until)
    }
  }

  async function sendToNostr(
    post: StoredPost,
    taken: TakenResult,
    /** Null: somebody waits for the outcome. */
    until: number | null,
  ): Promise<Sent | null> {
    // What relays have taken stays posted, whatever comes between it and the others.
    const stays = taken.relays?.some(isTaken) ?? false
    const posted = (): Sent => {
      // Another relay later does not make it a newer post.
      const before = taken.state === 'posted' ? taken.finishedAt : null
      return { ...POSTED, finishedAt: before ?? isoIn(0) }
    }
    if (!nostr) return stays ? posted() : failed(off(NO_NOSTR), taken, null)
    const signal = AbortSignal.timeout(limits.sendWithinMs)
    let { event } = taken
    if (!event) {
      const note = { text: post.nostrText, pictures: await picturesOf(post), at: clock.now() }
      const prepared = await nostr.prepare(note, signal)
      if (prepared.state !== 'ready') return failed(prepared, taken, until)
      event = prepared.event
      // Stored before it is sent: another try is another sending of the same note.
      if (!(await noteResult(db, taken, { event, remoteId: event.id }))) return null
    }
    const known = new Map((taken.relays ?? []).map((one) => [one.relay, one]))
    const isElsewhere = taken.relays !== null && nostr.results !== null
    if (isElsewhere) {
      for (const result of (await nostr.results?.(event.id)) ?? []) known.set(result.relay, result)
    }
    const open = nostr.relays.filter((relay) => {
      const state = known.get(relay)?.state ?? 'later'
      // A relay that refused may have been paid, or set up anew, since: who asks again means it, too.
      return state === 'later' || (state === 'refused' && until === null)
    })
    // Somebody else goes on sending it by and by; who asks for it now gets it now.
    const pauseMs = RELAY_PAUSES_MS[taken.attempts - 1]
    if (!isElsewhere || until === null) {
      try {
        const results = await nostr.publish(event, signal, open)
        for (const result of results) known.set(result.relay, result)
      } catch (error) {
        log.warn({ post: post.id }, `A note was perhaps sent: ${messageOf(error)}`)
        const nextTryAt = pauseMs === undefined ? null : isoIn(pauseMs)
        if (stays) return { ...posted(), nextTryAt }
        return {
          state: 'failed',
          error: HALF_SENT,
          fault: 'unsent',
          nextTryAt,
          finishedAt: isoIn(0),
        }
      }
    }
    const relays = [...known.values()]
    const isOpen = relays.some((one) => one.state === 'later')
    const nextTryAt = isOpen && pauseMs !== undefined ? isoIn(pauseMs) : null
    if (relays.some(isTaken)) return { ...posted(), relays, nextTryAt }
    const fault = isOpen ? 'unsent' : 'other'
    const error = { error: NO_RELAY, fault }
    return { ...error, state: 'failed', relays, nextTryAt, finishedAt: isoIn(0) }
  }

  /** @param isAsked somebody waits for the outcome and decides himself what comes next */
  async function work(taken: TakenResult, isAsked: boolean): Promise<void> {
    const post = await postById(db, taken.postId)
    if (!post) throw new Error('a result without a post')
    const dueMs = Date.parse(post.scheduledAt ?? post.createdAt)
    const until = dueMs + limits.missedAfterMs
    let sent: Sent | null
    try {
      const isFresh = taken.state === 'sending' && taken.event === null
      if (isFresh && clock.now() > until) {
        sent = failed({ state: 'unsent', message: WAS_OFF }, taken, null)
      } else {
        const send = taken.network === 'x' ? sendToX : sendToNostr
        sent = await send(post, taken, isAsked ? null : until)
      }
    } catch (error) {
      // Nothing has been published by what can throw here.
      log.warn({ post: post.id }, `A post could not be sent: ${messageOf(error)}`)
      const message = 'Something went wrong on our side. Nothing was published.'
      sent = failed({ state: 'unsent', message }, taken, null)
    }
    if (sent && (await keep(post, taken, sent)) && sent.state !== 'waiting') await settle(post.id)
  }

  /** An approval needs a second connection to the database; many at once would wait for one another's. */
  let settling: Promise<void> = Promise.resolve()

  /** Ends a post whose networks all have their results, and looks after the submission it was made from. */
  function settleNow(postId: string): Promise<void> {
    const turn = settling.then(() => settleOne(postId))
    settling = turn.catch(() => {})
    return turn
  }

  /** The same for what is out already: what cannot be ended now is ended by `repair`, and no answer hangs on it. */
  async function settle(postId: string): Promise<void> {
    try {
      await settleNow(postId)
    } catch (error) {
      log.warn({ post: postId }, `A post could not be ended yet: ${messageOf(error)}`)
    }
  }

  async function settleOne(postId: string): Promise<void> {
    await settlePost(db, postId, isoIn(0))
    await db.transaction(async (tx) => {
      const post = await lockPost(tx, postId)
      if (post?.state !== 'done' || post.approval !== 'waiting' || !post.submissionId) return
      const posted = (await resultsOf(tx, [postId])).filter((one) => one.state === 'posted')
      if (posted.length === 0) return
      const author = post.asker ?? { id: post.createdBy, username: post.author }
      const platform = platformText(posted.map((one) => one.network))
      const outcome = await approve(author, post.submissionId, platform)
      const approval = outcome.ok ? ('done' as const) : ('failed' as const)
      const approvalError = outcome.ok ? null : outcome.message
      await noteApproval(tx, postId, { approval, approvalError })
    })
  }

  /** Keeps what X told beside the outcome; the outcome does not hang on it. */
  async function learn(
    outcome: { readonly state: 'posted' } | NotPosted,
    told: readonly XLimits[],
  ): Promise<void> {
    try {
      for (const one of told) await x.noteLimits(one)
      await x.noteOutcome(outcome)
    } catch (error) {
      log.warn({}, `What X told of its limits was not kept: ${messageOf(error)}`)
    }
  }

  /** Writes an outcome down, which must not be lost: a database that is away for a moment is waited for. */
  async function keep(post: StoredPost, taken: TakenResult, sent: Sent): Promise<boolean> {
    const isNews = sent.state !== 'waiting' && sent.state !== taken.state
    for (let left = KEEP_TRIES; ; left -= 1) {
      try {
        return await db.transaction(async (tx) => {
          if (!(await noteResult(tx, taken, sent))) return false
          const { state, remoteId = taken.remoteId, fault = null } = sent
          if (isNews) {
            await writeAudit(tx, {
              at: isoIn(0),
              admin: post.asker,
              action: `${STATE_WORDS[state ?? 'sending']} on ${platformText([taken.network])}`,
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

  return {
    settle,

    /** Sends one part of a post now, if it is there to be sent. */
    async sendPart(postId: string, network: SocialNetwork): Promise<void> {
      const lease = randomUUID()
      const span = { now: isoIn(0), until: isoIn(limits.takenForMs), lease }
      const taken = await takeResult(db, span, { postId, network })
      if (taken) await work(taken, true)
    },

    /** Does the piece of work that has waited longest, of one network or of all. @returns false when there is none */
    async sendOne(network?: SocialNetwork): Promise<boolean> {
      for (const id of await settleLost(db, isoIn(0), LOST)) await settle(id)
      const missedBefore = isoIn(-limits.missedAfterMs)
      const due = await beginDuePost(db, { now: isoIn(0), missedBefore })
      if (due?.isMissed) log.warn({ post: due.id }, 'A planned post missed its time.')
      const lease = randomUUID()
      const span = { now: isoIn(0), until: isoIn(limits.takenForMs), lease }
      const taken = await takeResult(db, span, network === undefined ? {} : { network })
      if (taken) await work(taken, false)
      return due !== null || taken !== null
    },

    /** Ends what a process that died could not end any more. */
    async repair(): Promise<void> {
      for (const id of await unsettledPosts(db)) await settleNow(id)
    },
  }
}

const POSTED = { state: 'posted', error: null, fault: null, nextTryAt: null } as const

/** As the audit log tells them. */
const STATE_WORDS: Readonly<Record<StoredResult['state'], string>> = {
  waiting: 'waiting to be posted',
  sending: 'being posted',
  posted: 'posted',
  failed: 'not posted',
  unknown: 'perhaps posted',
}

/** Another process has taken the work over; it alone goes on. */
class LeaseLost extends Error {}

function off(message: string): NotPosted {
  return { state: 'refused', reason: 'other', message }
}

function faultWord(fault: NotPosted): string {
  return fault.state === 'refused' ? fault.reason : fault.state
}

function isTaken({ state }: RelayResult): boolean {
  return state === 'accepted' || state === 'already'
}
