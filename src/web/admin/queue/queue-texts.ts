import { type QueueItem } from '#contracts/posts.ts'
import { READ_STEPS } from '#domain/posts/post-queue.ts'
import { showMoment } from '#web/ui/show-moment.ts'

/** Addresses are cut behind so many characters (administrator-tools.md §9). */
const LONGEST_URL = 50

export function shortUrl(url: string): string {
  return url.length > LONGEST_URL ? `${url.slice(0, LONGEST_URL)}...` : url
}

/** What an item still needs, which is more than whether it has been read. */
export type QueueState =
  | 'pending'
  | 'processing'
  | 'failed'
  | 'to decide'
  | 'submitted'
  | 'nothing here'

export function stateOf({ status, submitted, step }: QueueItem): QueueState {
  if (submitted > 0) return 'submitted'
  if (status !== 'completed') return status
  return step === READ_STEPS.none ? 'nothing here' : 'to decide'
}

/** The state in words. */
export function stateText(item: QueueItem): string {
  const state = stateOf(item)
  return state === 'submitted' ? `submitted (${String(item.submitted)})` : state
}

/** What is to be known of an item beside its state; empty where that says it all. */
export function stepText({
  status,
  step,
  error_message: reason,
  next_try_at: at,
}: QueueItem): string {
  if (status === 'failed') return `because: ${reason ?? 'Processing failed'}`
  if (status === 'completed') return ''
  if (reason === null) return step
  return `${reason} ${at === null ? 'It is tried again soon.' : `It is tried again at ${showMoment(at)}.`}`
}

/** A state is a shape first, a colour second, and always a word. */
export const STATE_SIGNS: Readonly<Record<QueueState, string>> = {
  pending: '◇',
  processing: '◔',
  failed: '✕',
  'to decide': '●',
  submitted: '✓',
  'nothing here': '–',
}

export function countWord(count: number, one: string): string {
  return `${String(count)} ${one}${count === 1 ? '' : 's'}`
}
