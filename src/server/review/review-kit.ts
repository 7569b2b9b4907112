import { type Kit } from '#server/kit/kit.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { openPresence } from './presence.service.ts'
import { reviewCounts } from './review-counts.service.ts'
import { reviewLists } from './review-list.service.ts'

export type ReviewKit = ReturnType<typeof openReview>

/** What reading, editing and deciding submissions needs. */
export function openReview(
  { db, clock, signals }: Pick<Kit, 'db' | 'clock' | 'signals'>,
  catalog: Pick<Catalog, 'snapshot' | 'today'>,
) {
  const counts = reviewCounts(db)
  return {
    db,
    clock,
    catalog,
    counts,
    presence: openPresence({ clock, signals }),
    readPage: reviewLists(db, counts, catalog),
  }
}
