import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type PaymentPurpose, memoOf, supportMemo } from '#domain/money/invoice.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { reports } from '#server/database/schema/reports.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { hasEffect, type Db } from '#server/kit/db.ts'
import { predictionById } from '#server/predictions/predictions.rows.ts'
import { messagesOf, recordChanged } from '#server/record/record-state.ts'
import { submissionById } from '#server/submissions/submissions.rows.ts'
import { type Payment } from './payments.rows.ts'

/** `countedSats` support the prediction; `paidAt` is ISO. */
type Arrival = { readonly countedSats: number; readonly paidAt: string }

/** Purposes of a payment. Each starts differently: see `orderPayment`. */
type Purpose = {
  /** The invoice's memo, and the text whose hash replaces it. */
  readonly describe: (
    db: Db,
    payment: Payment,
  ) => Promise<{ readonly memo: string; readonly hashed: string | null }>
  /** Locks what is paid for. @returns false if it was already paid: these sats arrived in addition */
  readonly lock: (tx: Db, payment: Payment) => Promise<boolean>
  /** Runs in the transaction that records the sats. @returns false if it was withdrawn meanwhile: refunded by hand */
  readonly paid: (tx: Db, payment: Payment, arrival: Arrival) => Promise<boolean>
  /** Paid to the Lightning address, where its payer checks the invoice. */
  readonly isAddressed?: boolean
  /** The state of a paid receipt. A submission has a receipt of its own. */
  readonly state: (payment: Payment) => string
}

const submission: Purpose = {
  describe: async (db, { id, submissionId }) => {
    const of = submissionId === null ? null : await submissionById(db, submissionId)
    if (!of) throw new Error('payment for a submission that does not exist')
    return { memo: memoOf(of, id), hashed: null }
  },
  // The row decides between concurrent payments.
  lock: async (tx, { submissionId }) => {
    const rows = await tx
      .select({ status: submissions.status })
      .from(submissions)
      .where(eq(submissions.id, submissionId ?? ''))
      .for('update')
    return rows[0]?.status === 'unpaid'
  },
  paid: async (tx, { id, submissionId }, { countedSats, paidAt }) => {
    await tx
      .update(submissions)
      .set({ status: 'pending', paymentId: id, paidSats: countedSats, paidAt })
      .where(and(eq(submissions.id, submissionId ?? ''), eq(submissions.status, 'unpaid')))
    return true
  },
  state: () => 'Payment received. The submission will be reviewed before going live.',
}

/** For a published prediction, or else for the site. */
const support: Purpose = {
  describe: async (db, { id, predictionId, description }) => {
    const of = predictionId === null ? null : await predictionById(db, predictionId)
    return { memo: supportMemo(of, id), hashed: description }
  },
  lock: async () => true,
  paid: async (tx, { id, predictionId }, { countedSats }) => {
    if (predictionId === null) return true
    const credit = tx
      .update(predictions)
      .set({ voteScore: sql`${predictions.voteScore} + ${countedSats}` })
      .where(and(eq(predictions.id, predictionId), isNull(predictions.withdrawnAt)))
    if (!(await hasEffect(credit))) return false
    await tx.update(payments).set({ creditedSats: countedSats }).where(eq(payments.id, id))
    const boosted = await messagesOf(tx, sql`predictions.id = ${predictionId}`)
    await recordChanged(tx, { predictions: boosted })
    return true
  },
  state: ({ predictionId, creditedSats }) => {
    if (predictionId === null) return 'Payment received. Thank you for supporting this site.'
    return creditedSats === null
      ? 'Payment received, but the prediction had been withdrawn before it came, so it counts nowhere. Please write to us: it should be sent back.'
      : 'Payment received. The sats count in support of the prediction. Thank you!'
  },
}

/** Deposits of reports, required by earlier versions: those reports are open without them. */
const report: Purpose = {
  ...support,
  // The row decides between concurrent payments.
  lock: async (tx, { reportNumber }) => {
    const number = reportNumber ?? 0
    await tx.select().from(reports).where(eq(reports.number, number)).for('update')
    const isPaid = inArray(payments.status, ['paid', 'paid_late'])
    return (await tx.$count(payments, and(eq(payments.reportNumber, number), isPaid))) === 0
  },
  state: ({ status, reportNumber }) =>
    status === 'overpaid'
      ? 'Payment received, but the deposit of this report had been paid already. Please write to us: it should be sent back.'
      : `Payment received. Report ${String(reportNumber)} is with the administrators.`,
}

export const PURPOSES: Readonly<Record<PaymentPurpose, Purpose>> = {
  submission,
  boost: support,
  zap: { ...support, isAddressed: true },
  support: { ...support, isAddressed: true },
  report,
}
