import { MOST_BLUESKY_IMAGE_BYTES } from '#domain/publishing/image-file.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { postPictures } from '#server/publishing/pictures/pictures.service.ts'
import { type NotPosted, type Picture } from '#server/publishing/ports.ts'
import { noteResult, type StoredPost, type TakenResult } from '#server/publishing/posts.store.ts'
import { type SendKit } from '#server/publishing/publishing-kit.ts'
import { failed, notSetUp, POSTED, type Outcome } from '#server/publishing/send-outcome.ts'
import { NO_BLUESKY, type BlueskyAccount } from './bluesky-account.service.ts'
import { recordKey, timeOfKey } from './record-key.ts'

const ABSENT = 'The post is not on Bluesky. It can be sent again.'
const FULL = 'Bluesky takes no more posts for now, as it said with the last one.'
const OUR_FAULT = 'Something went wrong on our side.'
const LATE = 'It could not be sent within ten minutes of its time, so it was not sent late.'

const NOT_SEEN: NotPosted = { state: 'unknown', message: OUR_FAULT }

const MINUTE_MS = 60_000
/** Pauses before the server looks again for a post that may be out. */
const LOOK_PAUSES_MS = [1, 2, 5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS)

/** Another process has taken the work over; it alone goes on. */
class LeaseLost extends Error {}

/**
 * Posts on Bluesky. The address that the post is going to have is written down before it is sent, and sent again it is the same
 * post there. So what a process left behind, and what got no answer, is looked for, and no person has to say whether it is there.
 *
 * @param until the last moment for another automatic try; null where an administrator waits for the outcome
 * @returns null when another process has taken the work over
 */
export async function sendToBluesky(
  kit: SendKit,
  post: StoredPost,
  taken: TakenResult,
  until: number | null,
): Promise<Outcome | null> {
  const { bluesky, clock, limits } = kit
  const mayBeOut = taken.remoteId !== null
  if (!bluesky) {
    return mayBeOut
      ? inDoubt(kit, taken, NO_BLUESKY)
      : failed(kit, notSetUp(NO_BLUESKY), taken, null)
  }
  const signal = AbortSignal.timeout(limits.sendWithinMs)
  let key: string | null = null
  if (taken.remoteId !== null) {
    key = taken.remoteId.split('/').at(-1) ?? ''
    const seen = await bluesky.publisher.find(taken.remoteId, signal).catch(() => NOT_SEEN)
    if (seen.state === 'found') return { ...POSTED, finishedAt: isoNow(kit) }
    if (seen.state !== 'absent') return inDoubt(kit, taken, seen.message)
    // Only looked for: whether it is sent again is for a person to say.
    if (taken.state === 'unknown')
      return failed(kit, { state: 'unsent', message: ABSENT }, taken, null)
    if (until !== null && clock.now() > until) {
      return failed(kit, { state: 'unsent', message: LATE }, taken, null)
    }
    // What was under way would have arrived: under its old key it would stand among the posts of that time.
    if (clock.now() > timeOfKey(key) + limits.missedAfterMs) key = null
  }
  const closedUntil = bluesky.closedUntil()
  if (closedUntil !== null) {
    return failed(kit, { state: 'limited', until: closedUntil, message: FULL }, taken, until)
  }
  return put(kit, bluesky, post, taken, { key, until, signal })
}

async function put(
  kit: SendKit,
  bluesky: BlueskyAccount,
  post: StoredPost,
  taken: TakenResult,
  {
    key,
    until,
    signal,
  }: {
    /** Of a try that may still arrive; null for a post of its own time. */
    readonly key: string | null
    readonly until: number | null
    readonly signal: AbortSignal
  },
): Promise<Outcome | null> {
  const { db, log, clock } = kit
  const address = key === null ? null : taken.remoteId
  let begun: string | null = address
  try {
    const pictures = await smallPictures(kit, post)
    const outcome = await bluesky.publisher.post(
      { key: key ?? recordKey(clock.now(), post.id), text: post.blueskyText, pictures },
      {
        signal,
        beforePost: async (uri) => {
          const values = { remoteId: uri, postingAt: isoNow(kit) }
          if (!(await noteResult(db, taken, values))) throw new LeaseLost()
          begun = uri
        },
      },
    )
    bluesky.noteOutcome(outcome)
    if (outcome.state === 'posted') {
      return { ...POSTED, remoteId: outcome.uri, finishedAt: isoNow(kit) }
    }
    if (outcome.state === 'unknown') return inDoubt(kit, taken, outcome.message)
    // Surely not out: another try is a post of its own time. An address from an earlier try stays, to be looked for.
    return { ...failed(kit, outcome, taken, until), remoteId: address }
  } catch (error) {
    if (error instanceof LeaseLost) return null
    log.warn({ post: post.id }, `Posting on Bluesky failed: ${messageOf(error)}`)
    if (begun !== null) return inDoubt(kit, taken, OUR_FAULT)
    return failed(kit, { state: 'unsent', message: OUR_FAULT }, taken, until)
  }
}

/** It may be out, and the server looks again by itself, after longer and longer pauses. */
function inDoubt(kit: SendKit, taken: TakenResult, message: string): Outcome {
  const pauseMs = LOOK_PAUSES_MS[taken.attempts - 1]
  const fault: NotPosted = { state: 'unknown', message }
  const nextTryAt = pauseMs === undefined ? null : isoIn(kit, pauseMs)
  return { ...failed(kit, fault, taken, null), nextTryAt }
}

/** The pictures, each as small as Bluesky wants it. @throws Error where one is gone, or cannot be made smaller */
async function smallPictures({ db, shrinkPicture }: SendKit, post: StoredPost): Promise<Picture[]> {
  const small: Picture[] = []
  for (const picture of await postPictures(db, post)) {
    if (picture.bytes.length <= MOST_BLUESKY_IMAGE_BYTES) {
      small.push(picture)
      continue
    }
    const shrunk = await shrinkPicture(picture.bytes, MOST_BLUESKY_IMAGE_BYTES)
    if ('fault' in shrunk) throw new Error(shrunk.fault)
    small.push({ ...shrunk, alt: picture.alt })
  }
  return small
}
