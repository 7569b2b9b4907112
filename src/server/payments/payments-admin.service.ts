import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { PAYMENT_KINDS, type AdminPayment, type listPaymentsAdmin } from '#contracts/operations.ts'
import { ASSETS } from '#domain/asset.ts'
import { claimOfColumns } from '#domain/claim/fields.ts'
import { claimText } from '#domain/claim/text.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { reports } from '#server/database/schema/reports.ts'
import { payments, submissions, paymentSettlements } from '#server/database/schema/submissions.ts'
import { type Admin, writeAudit } from '#server/kit/admin.ts'
import { hasEffect, type Db, PAGE_SIZE, paged, readRows } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { isoOf, isoNow } from '#server/kit/time.ts'
import { checkNow, type InvoiceChecks } from './check-invoice.service.ts'
import { IS_EXTRA, IS_ODD, IS_SHORT, IS_UNUSED } from './payments.rows.ts'
import { hasInvoice, paymentBy } from './payments.store.ts'

type PaymentKind = (typeof PAYMENT_KINDS)[number]

const WHERE: Readonly<Record<PaymentKind, SQL>> = {
  all: sql`true`,
  overpaid: sql`${payments.status} = 'overpaid'`,
  late: sql`${payments.status} = 'paid_late'`,
  short: IS_SHORT,
  odd: IS_ODD,
}

const Counts = z.record(z.enum(PAYMENT_KINDS), z.int())

type Selected = Awaited<ReturnType<typeof selectDetails>>[number]

function selectDetails(db: Db) {
  return db
    .select({
      id: payments.id,
      purpose: payments.purpose,
      submission_id: payments.submissionId,
      prediction_id: payments.predictionId,
      report: payments.reportNumber,
      comment: payments.comment,
      status: payments.status,
      sats: payments.sats,
      received_msat: payments.receivedMsat,
      wallet: payments.wallet,
      network: payments.network,
      created_at: isoOf(payments.createdAt),
      expires_at: isoOf(payments.expiresAt),
      paid_at: isoOf(payments.paidAt),
      bolt11: payments.bolt11,
      payment_hash: payments.paymentHash,
      wallet_ref: payments.walletRef,
      settled_at: isoOf(payments.settledAt),
      last_look_at: isoOf(payments.lastLookAt),
      next_look_at: isoOf(payments.nextLookAt),
      last_error: payments.lastError,
      expert_name: sql<string | null>`coalesce(${submissions.expertName}, ${influencers.name})`,
      submission_status: submissions.status,
      short: IS_SHORT,
      extra: IS_EXTRA,
      unused: IS_UNUSED,
      settled: {
        at: isoOf(paymentSettlements.at),
        by: paymentSettlements.username,
        note: paymentSettlements.note,
      },
      priceSubmitted: submissions.pricePrediction,
      prediction: predictions,
    })
    .from(payments)
    .leftJoin(submissions, eq(submissions.id, payments.submissionId))
    .leftJoin(reports, eq(reports.number, payments.reportNumber))
    .leftJoin(
      predictions,
      eq(predictions.id, sql`coalesce(${payments.predictionId}, ${reports.predictionId})`),
    )
    .leftJoin(influencers, eq(influencers.id, predictions.influencerId))
    .leftJoin(paymentSettlements, eq(paymentSettlements.paymentId, payments.id))
    .$dynamic()
}

export type PaymentsAdmin = ReturnType<typeof paymentsAdminService>

export function paymentsToSettle(db: Db): Promise<number> {
  return db.$count(payments, WHERE.odd)
}

/** Payments for administrators. The server never sends sats: refunds are made by hand in the wallet. */
export function paymentsAdminService(checks: InvoiceChecks) {
  const { db, clock } = checks
  async function find(on: Db, id: string): Promise<Selected> {
    const [found] = await selectDetails(on).where(eq(payments.id, id))
    if (!found) throw noPayment()
    return found
  }

  async function show(on: Db, id: string): Promise<AdminPayment> {
    const detail = await find(on, id)
    const { submission_id: submissionId } = detail
    const { status, sats, createdAt, paidAt } = payments
    const tries = await on
      .select({
        id: payments.id,
        status,
        sats,
        created_at: isoOf(createdAt),
        paid_at: isoOf(paidAt),
      })
      .from(payments)
      .where(submissionId === null ? eq(payments.id, id) : eq(payments.submissionId, submissionId))
      .orderBy(createdAt, payments.id)
    return { ...rowOf(detail), tries }
  }

  return {
    async list(kind: PaymentKind, page: number): Promise<z.input<typeof listPaymentsAdmin.reply>> {
      const kinds = PAYMENT_KINDS.map(
        (one) => sql`count(*) filter (where ${WHERE[one]})::int as ${sql.identifier(one)}`,
      )
      const [counted] = await readRows(db, Counts)`
        select ${sql.join(kinds, sql`, `)} from ${payments}`
      const counts = Counts.parse(counted)
      const rows = await selectDetails(db)
        .where(WHERE[kind])
        .orderBy(sql`${payments.createdAt} desc, ${payments.id}`)
        .limit(PAGE_SIZE)
        .offset((page - 1) * PAGE_SIZE)
      return { ...paged(counts[kind], page), counts, rows: rows.map(rowOf) }
    },

    one: (id: string): Promise<AdminPayment> => show(db, id),

    markHandled(admin: Admin, id: string, note: string): Promise<AdminPayment> {
      const missing = 'Please say how it was settled, such as “sent back from the wallet today”.'
      if (note === '') throw invalid({ note: missing })
      return db.transaction(async (tx) => {
        const { status, sats, short, extra, unused } = await find(tx, id)
        if (status !== 'overpaid' && !short && !extra && !unused) {
          throw failure('conflict', 'Nothing is odd about this payment.')
        }
        const at = isoNow({ clock })
        const values = { paymentId: id, at, username: admin.username, note }
        const mark = tx.insert(paymentSettlements).values(values).onConflictDoNothing()
        if (!(await hasEffect(mark))) {
          const { settled } = await find(tx, id)
          throw failure(
            'conflict',
            `${settled?.by ?? 'Another administrator'} has marked it as settled already.`,
          )
        }
        await writeAudit(tx, {
          at,
          admin,
          action: 'payment settled',
          subject: { kind: 'payment', id },
          before: { settled: false },
          after: { settled: true, status, sats },
          reason: note,
        })
        return show(tx, id)
      })
    },

    reopen(admin: Admin, id: string, note: string): Promise<AdminPayment> {
      return db.transaction(async (tx) => {
        const { settled } = await find(tx, id)
        const drop = tx.delete(paymentSettlements).where(eq(paymentSettlements.paymentId, id))
        if (!(await hasEffect(drop))) {
          throw failure('conflict', 'This payment is not marked as settled.')
        }
        await writeAudit(tx, {
          at: isoNow({ clock }),
          admin,
          action: 'payment reopened',
          subject: { kind: 'payment', id },
          before: { settled: true, by: settled?.by, note: settled?.note },
          after: { settled: false },
          reason: note || null,
        })
        return show(tx, id)
      })
    },

    async look(id: string) {
      const payment = await paymentBy(db, 'id', id)
      if (!payment) throw noPayment()
      if (!hasInvoice(payment)) {
        throw failure(
          'conflict',
          'No invoice was ever made for it, so there is nothing to look up.',
        )
      }
      const found = await checkNow(checks, payment)
      return { found, payment: await show(db, id) }
    },
  }
}

const noPayment = () => failure('not_found', 'There is no such payment.')

function rowOf({ prediction, priceSubmitted, ...row }: Selected) {
  const level =
    prediction && `${ASSETS[prediction.asset].symbol} ${claimText(claimOfColumns(prediction))}`
  return {
    ...row,
    price_prediction: priceSubmitted ?? level,
    overpaid: row.status === 'overpaid',
    late: row.status === 'paid_late',
  }
}
