import { type adminHome } from '#contracts/review.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { dayOfTime, timeOfDay } from '#domain/day.ts'
import { replyCounts } from '#server/replies/reply-counts.service.ts'
import { type z } from 'zod'
import { countReportStates } from '#server/reports/reports.rows.ts'
import { type ReviewKit } from './review-kit.ts'
import {
  decidedSince,
  decidersSince,
  failedThings,
  oldestOf,
  oldestPending,
} from './review-counts.store.ts'

const MOST_SHOWN = 10
const MOST_FAILED = 50
const FAILED_FOR_MS = 30 * 86_400_000

/** @param seesAll failures of payments, prices and notices, too; without it those of the queue alone */
export async function reviewHome(
  { db, clock, counts }: ReviewKit,
  seesAll: boolean,
): Promise<z.input<typeof adminHome.reply>> {
  const now = clock.now()
  const today = new Date(timeOfDay(dayOfTime(now))).toISOString()
  const since = new Date(now - FAILED_FOR_MS).toISOString()
  const [counted, oldest, latest, by, failed, waiting, replies, reports] = await Promise.all([
    counts.read(),
    oldestPending(db, MOST_SHOWN),
    decidedSince(db, today, MOST_SHOWN),
    decidersSince(db, today),
    failedThings(db, since, MOST_FAILED),
    Promise.all(ASSET_KEYS.map((asset) => oldestOf(db, asset))),
    seesAll ? replyCounts({ db, clock }) : null,
    countReportStates(db),
  ])
  return {
    at: new Date(now).toISOString(),
    waiting: ASSET_KEYS.map((asset, i) => ({
      asset_type: asset,
      counts: counted[asset],
      oldest_at: waiting[i] ?? null,
    })),
    open_reports: reports.open,
    oldest: oldest.map((row) => ({
      ...row,
      waits_ms: Math.max(0, now - Date.parse(row.created_at)),
    })),
    decided_today: {
      approved: by.reduce((sum, one) => sum + one.approved, 0),
      rejected: by.reduce((sum, one) => sum + one.rejected, 0),
      by,
      latest,
    },
    replies: replies && { waiting: replies.waiting, overdue: replies.overdue },
    failed: seesAll ? failed : failed.filter(({ kind }) => kind === 'queue'),
  }
}
