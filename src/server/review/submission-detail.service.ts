import { type DryRunBody, type listInfluencers, type oneSubmission } from '#contracts/review.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { paymentsOf } from '#server/payments/payments.rows.ts'
import { type z } from 'zod'
import { dryRunOf } from './dry-run.service.ts'
import { comparedOf, duplicatesOf } from './duplicates.service.ts'
import { lastDecision, undoLeft } from './refuse.ts'
import { type ReviewKit } from './review-kit.ts'
import { auditOf, noticesOf, peopleWithNames } from './review.store.ts'
import { storedAndRow } from './submission-rows.store.ts'
import { suggestionsFor } from './submission-person.service.ts'

const MOST_AUDIT = 100

async function find(db: Db, id: string) {
  const found = await storedAndRow(db, id)
  if (!found) throw failure('not_found', 'There is no submission of this number.')
  return found
}

/** One submission with all that helps to decide it. */
export async function submissionDetail(
  kit: ReviewKit,
  admin: Admin,
  id: string,
): Promise<z.input<typeof oneSubmission.reply>> {
  const { db, clock, record } = kit
  const { stored: row, row: submission } = await find(db, id)
  const compared = comparedOf(row, (await record.prices()).actions)
  const [suggestions, duplicates, tries, audit, notices, decision] = await Promise.all([
    suggestionsFor(db, row),
    compared ? duplicatesOf(kit, compared) : [],
    paymentsOf(db, id),
    auditOf(db, id, MOST_AUDIT),
    noticesOf(db, id),
    lastDecision(db, row),
  ])
  return {
    submission,
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
    notices,
    told_by: row.contactKind === null ? null : row.contactKind === 'email' ? 'email' : 'lightning',
    undo_ms: decision ? Math.max(0, undoLeft(decision, admin, clock.now())) : 0,
  }
}

export async function dryRunById(
  kit: Pick<ReviewKit, 'db' | 'clock' | 'record'>,
  id: string,
  body: DryRunBody,
) {
  return dryRunOf(kit, (await find(kit.db, id)).stored, body)
}

/** Influencers on record, to choose from. */
export async function influencersToChoose({
  db,
}: ReviewKit): Promise<z.input<typeof listInfluencers.reply>> {
  return peopleWithNames(db)
}
