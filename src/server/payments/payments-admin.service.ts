import {
  type AdminPayment,
  type listPaymentsAdmin,
  type lookAtPayment,
} from '#contracts/payments-admin.ts'
import { failure } from '#server/kit/failure.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin, type Clock } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { PAGE_SIZE } from '#server/kit/paging.ts'
import { type Db } from '#server/kit/db.ts'
import {
  countPayments,
  dropHandled,
  listPayments,
  paymentDetail,
  addHandled,
  type PaymentDetail,
  type PaymentKind,
} from './payments-admin.store.ts'
import { isShown } from './payments.store.ts'
import { depositsOf, paymentsOf, type Payment } from './payments.rows.ts'
import { type z } from 'zod'
import { checkNow, type InvoiceChecks } from './check-invoice.service.ts'

export type PaymentsAdmin = ReturnType<typeof paymentsAdminService>

type ListRow = z.input<typeof listPaymentsAdmin.reply>['rows'][number]

/** Payments as administrators see them. Sats are never sent from here: refunds are made by hand in the wallet. */
export function paymentsAdminService({
  db,
  clock,
  checks,
}: {
  db: Db
  clock: Clock
  checks: InvoiceChecks
}) {
  async function find(on: Db, id: string): Promise<PaymentDetail> {
    const found = await paymentDetail(on, id)
    if (!found) throw failure('not_found', 'There is no such payment.')
    return found
  }

  async function show(on: Db, id: string): Promise<AdminPayment> {
    const detail = await find(on, id)
    const { payment } = detail
    return {
      ...rowOf(detail),
      bolt11: payment.bolt11,
      payment_hash: payment.paymentHash,
      wallet_ref: payment.walletRef,
      settled_at: isoOrNull(payment.settledAt),
      last_look_at: isoOrNull(payment.lastLookAt),
      next_look_at: isoOrNull(payment.nextLookAt),
      last_error: payment.lastError,
      tries: (await triesOf(on, payment)).map((one) => ({
        id: one.id,
        status: one.status,
        sats: one.sats,
        created_at: iso(one.createdAt),
        paid_at: isoOrNull(one.paidAt),
      })),
    }
  }

  return {
    async list(kind: PaymentKind, page: number): Promise<z.input<typeof listPaymentsAdmin.reply>> {
      const counts = await countPayments(db)
      const rows = await listPayments(db, kind, page)
      const total = counts[kind]
      const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
      return { total, page, pages, counts, rows: rows.map(rowOf) }
    },

    one: (id: string): Promise<AdminPayment> => show(db, id),

    markHandled(admin: Admin, id: string, note: string): Promise<AdminPayment> {
      const missing = 'Please say how it was settled, such as “sent back from the wallet today”.'
      if (note === '') throw failure('invalid', missing, { note: missing })
      return db.transaction(async (tx) => {
        const { payment, isShort, isExtra, isUnused } = await find(tx, id)
        if (payment.status !== 'overpaid' && !isShort && !isExtra && !isUnused) {
          throw failure('conflict', 'Nothing is odd about this payment.')
        }
        const at = isoNow({ clock })
        const given = { paymentId: id, at, username: admin.username, note }
        if (!(await addHandled(tx, given))) {
          const { settled } = await find(tx, id)
          throw failure(
            'conflict',
            `${settled?.username ?? 'Another administrator'} has marked it as settled already.`,
          )
        }
        await writeAudit(tx, {
          at,
          admin,
          action: 'payment settled',
          subject: { kind: 'payment', id },
          before: { settled: false },
          after: { settled: true, status: payment.status, sats: payment.sats },
          reason: note,
        })
        return show(tx, id)
      })
    },

    reopen(admin: Admin, id: string, note: string): Promise<AdminPayment> {
      return db.transaction(async (tx) => {
        const { settled } = await find(tx, id)
        if (!(await dropHandled(tx, id))) {
          throw failure('conflict', 'This payment is not marked as settled.')
        }
        await writeAudit(tx, {
          at: isoNow({ clock }),
          admin,
          action: 'payment reopened',
          subject: { kind: 'payment', id },
          before: { settled: true, by: settled?.username, note: settled?.note },
          after: { settled: false },
          reason: note || null,
        })
        return show(tx, id)
      })
    },

    /** Asks the wallet now; what it says is written down as always. */
    async look(
      id: string,
    ): Promise<Pick<z.input<typeof lookAtPayment.reply>, 'found' | 'payment'>> {
      const { payment } = await find(db, id)
      if (!isShown(payment)) {
        throw failure('conflict', 'No invoice was ever made for it, so there is nothing to ask.')
      }
      const found = await checkNow(checks, payment)
      return { found, payment: await show(db, id) }
    },
  }
}

/** Every try to pay for the same thing, where there can be several. */
function triesOf(on: Db, payment: Payment): Payment[] | Promise<Payment[]> {
  const { submissionId, reportNumber } = payment
  if (submissionId !== null) return paymentsOf(on, submissionId)
  return reportNumber === null ? [payment] : depositsOf(on, reportNumber)
}

function rowOf({ payment, settled, isShort, isExtra, isUnused, ...about }: PaymentDetail): ListRow {
  return {
    id: payment.id,
    purpose: payment.purpose,
    submission_id: payment.submissionId,
    prediction_id: payment.predictionId,
    report: payment.reportNumber,
    comment: payment.comment,
    status: payment.status,
    sats: payment.sats,
    received_msat: payment.receivedMsat,
    wallet: payment.wallet,
    network: payment.network,
    created_at: iso(payment.createdAt),
    expires_at: isoOrNull(payment.expiresAt),
    paid_at: isoOrNull(payment.paidAt),
    expert_name: about.expertName,
    price_prediction: about.pricePrediction,
    submission_status: about.submissionStatus,
    overpaid: payment.status === 'overpaid',
    late: payment.status === 'paid_late',
    short: isShort,
    extra: isExtra,
    unused: isUnused,
    settled: settled && { at: iso(settled.at), by: settled.username, note: settled.note },
  }
}
