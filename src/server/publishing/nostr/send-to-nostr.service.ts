import { messageOf } from '#server/kit/message-of.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { postPictures } from '#server/publishing/pictures/pictures.service.ts'
import { noteResult, type StoredPost, type TakenResult } from '#server/publishing/posts.store.ts'
import { type SendKit } from '#server/publishing/publishing-kit.ts'
import { failed, notSetUp, POSTED, type Outcome } from '#server/publishing/send-outcome.ts'
import { hasNote } from './ports.ts'

export const NO_NOSTR =
  'Nostr is not set up. Add the setting NOSTR_PRIVATE_KEY (see .env.example) and start the server again.'
const NO_RELAY = 'No relay has taken the note.'
const HALF_SENT =
  'Something went wrong on our side while the note was sent; relays may have it. Trying again sends the same note.'

const MINUTE_MS = 60_000
/** Pauses before the result is read again, while relays that asked to wait or did not answer get the same event again. */
const RELAY_PAUSES_MS = [2, 5, 30, 120, 480, 1_440].map((minutes) => minutes * MINUTE_MS)

/**
 * Sends a note to the relays that do not have it. The signed event is stored before it is sent, and sending it again is
 * the same note.
 *
 * @param until the last moment for another automatic try; null where an administrator waits for the outcome
 * @returns null when another process has taken the work over
 */
export async function sendToNostr(
  kit: SendKit,
  post: StoredPost,
  taken: TakenResult,
  until: number | null,
): Promise<Outcome | null> {
  const { db, clock, log, nostr, limits } = kit
  // What a relay has taken stays posted, whatever happens with the others.
  const stays = taken.relays?.some(hasNote) ?? false
  const posted = (): Outcome => {
    // Another relay later does not make it a newer post.
    const before = taken.state === 'posted' ? taken.finishedAt : null
    return { ...POSTED, finishedAt: before ?? isoNow(kit) }
  }
  if (!nostr) return stays ? posted() : failed(kit, notSetUp(NO_NOSTR), taken, null)
  const signal = AbortSignal.timeout(limits.sendWithinMs)
  let { event } = taken
  if (!event) {
    const pictures = await postPictures(db, post)
    const note = { text: post.nostrText, pictures, at: clock.now() }
    const prepared = await nostr.prepare(note, signal)
    if (prepared.state !== 'ready') return failed(kit, prepared, taken, until)
    event = prepared.event
    // Stored before it is sent: another try sends the same note.
    if (!(await noteResult(db, taken, { event, remoteId: event.id }))) return null
  }
  const known = new Map((taken.relays ?? []).map((one) => [one.relay, one]))
  const isQueued = taken.relays !== null && nostr.results !== null
  if (isQueued) {
    for (const result of (await nostr.results?.(event.id)) ?? []) known.set(result.relay, result)
  }
  const pauseMs = RELAY_PAUSES_MS[taken.attempts - 1]
  // The outbox goes on sending a queued note by and by; an administrator who asks gets it sent now.
  if (!isQueued || until === null) {
    const open = nostr.relays.filter((relay) => {
      const state = known.get(relay)?.state ?? 'later'
      // A relay that refused may have been paid or set up since, so an administrator's request goes there too.
      return state === 'later' || (state === 'refused' && until === null)
    })
    try {
      const results = await nostr.publish(event, signal, open)
      for (const result of results) known.set(result.relay, result)
    } catch (error) {
      log.warn({ post: post.id }, `A note was perhaps sent: ${messageOf(error)}`)
      const nextTryAt = pauseMs === undefined ? null : isoIn(kit, pauseMs)
      if (stays) return { ...posted(), nextTryAt }
      const fault = { error: HALF_SENT, fault: 'unsent' }
      return { ...fault, state: 'failed', nextTryAt, finishedAt: isoNow(kit) }
    }
  }
  const relays = [...known.values()]
  const isOpen = relays.some((one) => one.state === 'later')
  const nextTryAt = isOpen && pauseMs !== undefined ? isoIn(kit, pauseMs) : null
  if (relays.some(hasNote)) return { ...posted(), relays, nextTryAt }
  const fault = { error: NO_RELAY, fault: isOpen ? 'unsent' : 'other' }
  return { ...fault, state: 'failed', relays, nextTryAt, finishedAt: isoNow(kit) }
}
