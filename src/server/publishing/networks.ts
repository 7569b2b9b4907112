import { MOST_BLUESKY_IMAGE_BYTES, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { pauseAfter, TakenOver, type Answer } from '#server/kit/deliver.ts'
import { messageOf } from '#server/kit/text.ts'
import { isoNow } from '#server/kit/time.ts'
import { recordKey, timeOfKey } from './bluesky.ts'
import { postPictures } from './pictures/pictures.service.ts'
import { hasNote, NOT_SET_UP, PostFault, type NotPosted, type Picture } from './ports.ts'
import { type StoredPost, type StoredResult } from './posts.store.ts'
import { type SendKit } from './publishing-kit.ts'

const MINUTE_MS = 60_000
const UNSENT_PAUSE_MS = 30_000

export const OUR_FAULT = 'Something went wrong on our side.'
export const LATE = 'It could not be sent within ten minutes of its time, so it was not sent late.'
const ABSENT = 'The post is not on Bluesky. You can send it again.'
const NO_RELAY = 'No relay has accepted the note.'
const HALF_SENT =
  'Something went wrong on our side while the note was sent; relays may have it. Trying again sends the same note.'

/** One attempt to post to a network. */
export type Attempt = {
  readonly kit: SendKit
  readonly post: StoredPost
  readonly taken: StoredResult
  /** The last time for another automatic attempt, Unix time in ms; null if an administrator is waiting. */
  readonly until: number | null
  readonly signal: AbortSignal
  /** Stores that the request which publishes is about to be sent. @throws TakenOver */
  readonly asking: (payload?: { readonly remoteId: string }) => Promise<void>
}

/**
 * Sends to each network.
 * @throws PostFault or TakenOver; any other error is a fault of ours, after which the post may be out if `asking` was called
 */
export const SEND_TO: Readonly<Record<SocialNetwork, (attempt: Attempt) => Promise<Answer>>> = {
  x: sendToX,
  nostr: sendToNostr,
  bluesky: sendToBluesky,
}

/** @param until the last time for another automatic attempt, Unix time in ms; null allows none */
export function failed(
  kit: Pick<SendKit, 'clock'>,
  fault: NotPosted,
  { attempts }: Pick<StoredResult, 'attempts'>,
  until: number | null,
): Answer {
  const error = fault.message
  const payload = { fault: fault.state === 'refused' ? fault.reason : fault.state }
  const ended = { error, payload: { ...payload, finishedAt: isoNow(kit) } }
  const now = kit.clock.now()
  switch (fault.state) {
    case 'unknown':
      return { ...ended, state: 'unknown' }
    case 'refused':
      return { ...ended, state: 'failed' }
    case 'limited':
      return again(fault.until ?? now + MINUTE_MS)
    case 'unsent':
      return again(now + UNSENT_PAUSE_MS * attempts)
  }

  function again(at: number): Answer {
    return until === null || at > until
      ? { ...ended, state: 'failed' }
      : { error, payload, state: 'waiting', dueMs: at - now, isUnasked: true }
  }
}

export function unsent(message: string): NotPosted {
  return { state: 'unsent', message }
}

function posted(kit: SendKit, payload: object = {}): Answer {
  return { state: 'sent', payload: { fault: null, finishedAt: isoNow(kit), ...payload } }
}

function missing(network: SocialNetwork): PostFault {
  return new PostFault({ state: 'refused', reason: 'other', message: NOT_SET_UP[network] })
}

/** Bluesky is searched again for a post that may be there, and relays that did not answer get the same event again. */
function later(attempts: number, moreMs = 0): Pick<Answer, 'dueMs'> {
  const pauseMs = pauseAfter(attempts)
  return pauseMs === undefined ? {} : { dueMs: pauseMs + moreMs }
}

async function sendToX({ kit, post, signal, asking }: Attempt): Promise<Answer> {
  if (!kit.x) throw missing('x')
  const pictures = await postPictures(kit.db, post)
  const content = { key: post.id, text: post.x_text, pictures }
  return posted(kit, {
    remoteId: await kit.x.post(content, { signal, beforePost: () => asking() }),
  })
}

/**
 * The post's future address is stored before sending, and sending again is idempotent. After a crash or a
 * missing answer, the server therefore searches for the post itself.
 */
async function sendToBluesky(attempt: Attempt): Promise<Answer> {
  const { kit, post, taken, until, signal, asking } = attempt
  const { bluesky, clock, limits, log } = kit
  const { remote_id: remoteId } = taken
  if (!bluesky) {
    if (remoteId === null) throw missing('bluesky')
    return inDoubt(attempt, NOT_SET_UP.bluesky)
  }
  let key: string | null = null
  if (remoteId !== null) {
    key = remoteId.split('/').at(-1) ?? ''
    try {
      const ask = { text: post.bluesky_text, sinceMs: timeOfKey(key), remoteId }
      if ((await bluesky.publisher.find(ask, signal)) !== null) return posted(kit)
    } catch (error) {
      return inDoubt(attempt, error instanceof PostFault ? error.message : OUR_FAULT)
    }
    // Only search: an administrator decides whether it is sent again.
    if (taken.state === 'unknown') return failed(kit, unsent(ABSENT), taken, null)
    if (until !== null && clock.now() > until) return failed(kit, unsent(LATE), taken, null)
    // Under the old key it would appear among posts of that time.
    if (clock.now() > timeOfKey(key) + limits.missedAfterMs) key = null
  }
  const address = key === null ? null : remoteId
  let isRequested = address !== null
  try {
    const pictures = await smallPictures(kit, post)
    const content = {
      key: key ?? recordKey(clock.now(), post.id),
      text: post.bluesky_text,
      pictures,
    }
    const beforePost = async (uri = ''): Promise<void> => {
      await asking({ remoteId: uri })
      isRequested = true
    }
    return posted(kit, { remoteId: await bluesky.post(content, { signal, beforePost }) })
  } catch (error) {
    if (error instanceof TakenOver) throw error
    if (error instanceof PostFault && error.not.state !== 'unknown') {
      // Certainly not out: another attempt gets a key of its own time. An address from an earlier attempt
      // stays, to be searched for.
      const answer = failed(kit, error.not, taken, until)
      return { ...answer, payload: { ...answer.payload, remoteId: address } }
    }
    if (!isRequested) throw error
    if (error instanceof PostFault) return inDoubt(attempt, error.message)
    log.warn({ post: post.id }, `Posting on Bluesky failed: ${messageOf(error)}`)
    return inDoubt(attempt, OUR_FAULT)
  }
}

/** The post may be out; the server searches again with growing delays. */
function inDoubt({ kit, taken }: Attempt, message: string): Answer {
  const answer = failed(kit, { state: 'unknown', message }, taken, null)
  return { ...answer, ...later(taken.attempts) }
}

/** @throws Error if a picture is missing, or cannot be made small enough */
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

/** Sends a note to relays that lack it. The signed event is stored before it is sent, so that sending again is idempotent. */
async function sendToNostr({ kit, post, taken, until, signal }: Attempt): Promise<Answer> {
  const { db, clock, log, nostr, outbox } = kit
  // A post accepted by one relay stays posted; another relay later does not make it newer.
  const stays = taken.relays?.some(hasNote) ?? false
  const before = taken.state === 'posted' && taken.finished_at ? taken.finished_at : undefined
  const onRelays = (payload: object = {}): Answer =>
    posted(kit, { ...(before && { finishedAt: before }), ...payload })
  if (!nostr) {
    if (stays) return onRelays()
    throw missing('nostr')
  }
  let { event } = taken
  if (!event) {
    const pictures = await postPictures(db, post)
    event = await nostr.prepare({ text: post.nostr_text, pictures, at: clock.now() }, signal)
    await outbox.notePayload(taken.row, { event, remoteId: event.id })
  }
  const known = new Map((taken.relays ?? []).map((one) => [one.relay, one]))
  const isQueued = taken.relays !== null
  if (isQueued) {
    for (const result of await nostr.results(event.id)) known.set(result.relay, result)
  }
  // The outbox is first.
  const nextLook = later(taken.attempts, MINUTE_MS)
  const finishedAt = isoNow(kit)
  // The outbox continues with queued notes; an administrator's request is sent now.
  if (!isQueued || until === null) {
    const open = nostr.relays.filter((relay) => {
      const state = known.get(relay)?.state ?? 'later'
      // A refusing relay may have been paid or configured since, so an administrator's request goes there too.
      return state === 'later' || (state === 'refused' && until === null)
    })
    try {
      const results = await nostr.publish(event, signal, open)
      for (const result of results) known.set(result.relay, result)
    } catch (error) {
      log.warn({ post: post.id }, `A note may have been sent: ${messageOf(error)}`)
      if (stays) return { ...onRelays(), ...nextLook }
      const payload = { fault: 'unsent', finishedAt }
      return { state: 'failed', error: HALF_SENT, payload, ...nextLook }
    }
  }
  const relays = [...known.values()]
  const isOpen = relays.some((one) => one.state === 'later')
  const next = isOpen ? nextLook : {}
  if (relays.some(hasNote)) return { ...onRelays({ relays }), ...next }
  const payload = { fault: isOpen ? 'unsent' : 'other', relays, finishedAt }
  return { state: 'failed', error: NO_RELAY, payload, ...next }
}
