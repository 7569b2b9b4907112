import { type QueueItem } from '#contracts/posts.ts'
import { showMoment } from '#web/ui/show-moment.ts'

/** Addresses are cut behind so many characters (administrator-tools.md §9). */
const LONGEST_URL = 50

export function shortUrl(url: string): string {
  return url.length > LONGEST_URL ? `${url.slice(0, LONGEST_URL)}...` : url
}

/** When an item was added; N/A where that is not known (administrator-tools.md §2). */
export function createdText(iso: string | null): string {
  return iso === null || iso === '' ? 'N/A' : showMoment(iso)
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
