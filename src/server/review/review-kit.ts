import { type Kit } from '#server/kit/kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { openPresence } from './presence.service.ts'
import { reviewCounts } from './review-counts.service.ts'
import { reviewLists } from './review-list.service.ts'

export type ReviewKit = ReturnType<typeof openReview>

/** What reading, editing and deciding submissions needs. */
export function openReview(
  { db, clock, signals }: Pick<Kit, 'db' | 'clock' | 'signals'>,
  record: PublicRecord,
) {
  const counts = reviewCounts(db)
  return {
    db,
    clock,
    record,
    counts,
    presence: openPresence({ clock, signals }),
    readPage: reviewLists(db, counts, record),
  }
}
