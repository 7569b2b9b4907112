import { type QueueItem } from '#contracts/posts.ts'
import { READ_STEPS } from '#domain/posts/post-queue.ts'

/** Addresses are cut behind so many characters (administrator-tools.md §9). */
const LONGEST_URL = 50

export function shortUrl(url: string): string {
  return url.length > LONGEST_URL ? `${url.slice(0, LONGEST_URL)}...` : url
}

/** What is to be known of an item beside its status; empty where that says it all. */
export function stepText({ status, step, error_message: reason }: QueueItem): string {
  if (status === 'failed') return reason ?? 'Processing failed'
  return status === 'completed' && step === READ_STEPS.found ? '' : step
}

/** A status is a shape first, a colour second, and always a word. */
export const STATUS_SIGNS: Readonly<Record<QueueItem['status'], string>> = {
  pending: '◇',
  processing: '◔',
  completed: '✓',
  failed: '✕',
}

export function countWord(count: number, one: string): string {
  return `${String(count)} ${one}${count === 1 ? '' : 's'}`
}
