import { REPLY_WITHIN_DAYS } from '#domain/reply.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoIn } from '#server/kit/now.ts'
import { countReplies } from './replies.store.ts'

const DAY_MS = 86_400_000

/** How many replies there are in each state, and how many wait for longer than the page promises. */
export function replyCounts({
  db,
  clock,
}: Pick<Kit, 'db' | 'clock'>): ReturnType<typeof countReplies> {
  return countReplies(db, isoIn({ clock }, -REPLY_WITHIN_DAYS * DAY_MS))
}
