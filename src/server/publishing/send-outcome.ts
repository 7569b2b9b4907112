import { isoNow } from '#server/kit/now.ts'
import { type NotPosted } from './ports.ts'
import { type ResultValues, type StoredResult, type TakenResult } from './posts.store.ts'
import { type SendKit } from './publishing-kit.ts'

const MINUTE_MS = 60_000
const UNSENT_PAUSE_MS = 30_000

/** What a try writes down. */
export type Outcome = Pick<StoredResult, 'state'> & ResultValues

export const POSTED = { state: 'posted', error: null, fault: null, nextTryAt: null } as const

/**
 * What a fault leaves behind.
 *
 * @param until the last moment for another automatic try, milliseconds since 1970; null allows none
 */
export function failed(
  { clock }: Pick<SendKit, 'clock'>,
  fault: NotPosted,
  taken: TakenResult,
  until: number | null,
): Outcome {
  const base = {
    error: fault.message,
    fault: fault.state === 'refused' ? fault.reason : fault.state,
  }
  const finishedAt = isoNow({ clock })
  if (fault.state === 'unknown') return { ...base, state: 'unknown', nextTryAt: null, finishedAt }
  const againAt =
    fault.state === 'limited'
      ? (fault.until ?? clock.now() + MINUTE_MS)
      : fault.state === 'unsent'
        ? clock.now() + UNSENT_PAUSE_MS * taken.attempts
        : Infinity
  if (until === null || againAt > until) {
    return { ...base, state: 'failed', nextTryAt: null, finishedAt }
  }
  // Nothing is out: what was noted before the request is withdrawn.
  const nextTryAt = new Date(againAt).toISOString()
  return { ...base, state: 'waiting', postingAt: null, nextTryAt }
}

/** A network that has no keys. */
export function notSetUp(message: string): NotPosted {
  return { state: 'refused', reason: 'other', message }
}
