import {
  type adminHome,
  type DryRunBody,
  type listInfluencers,
  type oneSubmission,
} from '#contracts/review.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { dayOfTime, timeOfDay } from '#domain/day.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin, type Clock } from '#server/kit/ports.ts'
import { loadActions } from '#server/prices/corporate-actions.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { paymentsOf } from '#server/payments/payments.rows.ts'
import {
  decidedSince,
  decidersSince,
  failedThings,
  oldestOf,
  oldestPending,
} from './review-counts.store.ts'
import { reviewLists } from './review-list.service.ts'
import {
  auditOf,
  noticesOf,
  peopleWithNames,
  reviewedById,
  submissionRow,
  type ReviewedSubmission,
} from './review.store.ts'
import { type z } from 'zod'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { type ReviewCounts } from './review-counts.service.ts'
import { dryRunOf } from './dry-run.service.ts'
import { comparedOf, duplicatesOf } from './duplicates.service.ts'
import { suggestionsFor } from './submission-person.service.ts'
import { lastDecision, undoLeft } from './refuse.ts'

const MOST_AUDIT = 100
const MOST_SHOWN = 10
const MOST_FAILED = 50
const FAILED_FOR_MS = 30 * 86_400_000

export type ReviewDesk = ReturnType<typeof reviewDesk>

/** What administrators look at before they decide. */
export function reviewDesk({
  db,
  clock,
  catalog,
  counts,
}: {
  db: Db
  clock: Clock
  catalog: Pick<Catalog, 'snapshot' | 'today'>
  counts: Pick<ReviewCounts, 'read' | 'changes'>
}) {
  async function find(id: string): Promise<ReviewedSubmission> {
    const row = await reviewedById(db, id)
    if (!row) throw failure('not_found', 'There is no submission of this number.')
    return row
  }

  return {
    page: reviewLists({ db, counts }),

    async detail(admin: Admin, id: string): Promise<z.input<typeof oneSubmission.reply>> {
      const row = await find(id)
      const compared = comparedOf(row, await loadActions(db))
      const [suggestions, duplicates, tries, audit, told, decision] = await Promise.all([
        suggestionsFor(db, row),
        compared ? duplicatesOf({ db, catalog }, compared) : [],
        paymentsOf(db, id),
        auditOf(db, id, MOST_AUDIT),
        noticesOf(db, id),
        lastDecision(db, row),
      ])
      return {
        submission: submissionRow(row),
        suggestions,
        duplicates,
        payments: tries.map((one) => ({
          id: one.id,
          status: one.status,
          sats: one.sats,
          wallet: one.wallet,
          created_at: iso(one.createdAt),
          paid_at: isoOrNull(one.paidAt),
          counts: one.id === row.paymentId,
          last_error: one.lastError,
        })),
        audit,
        notices: told,
        told_by:
          row.contactKind === null ? null : row.contactKind === 'email' ? 'email' : 'lightning',
        undo_ms: decision ? Math.max(0, undoLeft(decision, admin, clock.now())) : 0,
      }
    },

    async dryRun(id: string, body: DryRunBody) {
      return dryRunOf({ db, clock, catalog }, await find(id), body)
    },

    async influencers(): Promise<z.input<typeof listInfluencers.reply>> {
      return peopleWithNames(db)
    },

    /** @param seesAll failures of payments, prices and notices, too; without it those of the queue alone */
    async home(seesAll: boolean): Promise<z.input<typeof adminHome.reply>> {
      const now = clock.now()
      const today = new Date(timeOfDay(dayOfTime(now))).toISOString()
      const since = new Date(now - FAILED_FOR_MS).toISOString()
      const [counted, oldest, latest, by, failed, waiting] = await Promise.all([
        counts.read(),
        oldestPending(db, MOST_SHOWN),
        decidedSince(db, today, MOST_SHOWN),
        decidersSince(db, today),
        failedThings(db, since, MOST_FAILED),
        Promise.all(ASSET_KEYS.map((asset) => oldestOf(db, asset))),
      ])
      return {
        at: new Date(now).toISOString(),
        waiting: ASSET_KEYS.map((asset, i) => ({
          asset_type: asset,
          counts: counted[asset],
          oldest_at: waiting[i] ?? null,
        })),
        oldest: oldest.map((row) => ({
          ...submissionRow(row),
          waits_ms: Math.max(0, now - Date.parse(row.createdAt)),
        })),
        decided_today: {
          approved: by.reduce((sum, one) => sum + one.approved, 0),
          rejected: by.reduce((sum, one) => sum + one.rejected, 0),
          by,
          latest: latest.map(submissionRow),
        },
        failed: seesAll ? failed : failed.filter(({ kind }) => kind === 'queue'),
      }
    },
  }
}
