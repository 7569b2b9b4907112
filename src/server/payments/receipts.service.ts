import { receiptPath } from '#contracts/paths.ts'
import { type Receipt, type ReceiptKind } from '#contracts/payments.ts'
import { dayOfTime, showDay } from '#domain/day.ts'
import { maskContact, readContact, type Contact } from '#domain/money/contact.ts'
import { arrivalOf, mayBePaid, showMsat, DEMONSTRATION, isPaid } from '#domain/money/invoice.ts'
import { type Db } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { oneAtATime, type Signals } from '#server/kit/signals.ts'
import { iso, isoOrNull, isoNow } from '#server/kit/time.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { successStatus } from '#server/predictions/wire.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type MailAddresses } from '#server/submissions/mail-addresses.service.ts'
import {
  type StoredSubmission,
  setContact,
  submissionByReceipt,
  submitted,
} from '#server/submissions/submissions.rows.ts'
import { OTHER_WALLET } from './check-invoice.service.ts'
import { type Payment, paymentsOf } from './payments.rows.ts'
import { paymentBy } from './payments.store.ts'

const WITHDRAWN =
  'The submission was approved, and the prediction has been withdrawn since; its page says why.'

function stateSentence(row: StoredSubmission, tries: readonly Payment[]): string {
  switch (row.status) {
    case 'unpaid': {
      const latest = tries.at(-1)
      return (latest && unpaidText(latest)) ?? 'Not paid yet.'
    }
    case 'pending':
      return 'Payment received. The submission will be reviewed before going live.'
    case 'approved':
      return row.predictionId === null
        ? 'The submission has been approved and goes live shortly.'
        : 'The submission has been approved and is live.'
    case 'rejected':
      return 'The submission has been reviewed and was not published.'
  }
}

/** Text of a receipt before any payment; null without an invoice. */
export function unpaidText(payment: Payment): string | null {
  if (isStranded(payment)) {
    return 'The payment cannot be checked at the moment. Please do not pay this invoice now.'
  }
  return UNPAID[payment.status] ?? null
}

const UNPAID: Readonly<Partial<Record<Payment['status'], string>>> = {
  pending: 'Waiting for the payment. You may close this page: we notice the payment without it.',
  expired: 'Not paid. The invoice has expired; if the payment still arrives, it counts.',
  cancelled: 'Not paid. The payment was cancelled; if it still arrives, it counts.',
}

/** Instructions for exceptional cases; null otherwise. @param paying the payment that brought it into review */
function hintOf(
  row: StoredSubmission,
  tries: readonly Payment[],
  { paying, overpaidSats }: { paying: Payment | null; overpaidSats: number },
): string | null {
  const arrived = [
    paying && amountHint(paying),
    overpaidSats > 0 &&
      `${satsOf(overpaidSats * 1_000)} arrived in addition, from another attempt to pay. They are noted for the administrator to give back: please write to us with the address of this receipt.`,
    tries.some((one) => one.status === 'paid_late') &&
      'The payment arrived after the invoice had expired. It still counts.',
  ].filter((hint) => typeof hint === 'string')
  if (arrived.length > 0) return arrived.join(' ')
  if (row.status === 'unpaid' && tries.some(isStranded)) {
    return 'The site has changed its wallet since this invoice was made, so the payment cannot be checked at the moment. If you have paid, please write to us with the address of this receipt: we can look in the former wallet.'
  }
  if (tries.some((one) => one.status === 'pending' && one.lastError !== null)) {
    return 'The wallet does not answer at the moment, so the payment cannot be checked. We keep checking; nothing is lost.'
  }
  const until = tries
    .filter((one) => one.status === 'expired')
    .map((one) => (one.watchUntil === null ? 0 : Date.parse(one.watchUntil)))
  if (row.status === 'unpaid' && until.length > 0) {
    const day = showDay(dayOfTime(Math.max(...until)))
    return `Has your wallet paid? Payments can take a while to arrive, and this one is watched until ${day}. If it still shows as unpaid then, please write to us with the address of this receipt.`
  }
  return null
}

/** Whether sats may have arrived in a wallet no longer configured, even after expiry, as it could not be checked. */
function isStranded({ status, lastError }: Payment): boolean {
  return mayBePaid(status) && lastError === OTHER_WALLET
}

/** Whether a receipt still offers the invoice. */
export function isPayable(payment: Payment, nowMs: number): boolean {
  const { status, expiresAt } = payment
  const isOver = expiresAt === null || Date.parse(expiresAt) <= nowMs
  return status === 'pending' && !isStranded(payment) && !isOver
}

/** What every receipt shows of a payment. */
export function shownPayment(payment: Payment) {
  const { status, sats, bolt11, preimage } = payment
  return {
    status,
    sats,
    demonstration: payment.wallet === DEMONSTRATION,
    created_at: iso(payment.createdAt),
    bolt11,
    payment_hash: payment.paymentHash,
    preimage: isPaid(status) ? preimage : null,
  }
}

/** Null if the requested amount arrived, or the wallet does not report it. */
function amountHint({ sats, receivedMsat }: Payment): string | null {
  const arrival = arrivalOf(sats, receivedMsat)
  const { receivedMsat: arrivedMsat, missingMsat, extraMsat, countedSats } = arrival
  if (arrivedMsat === null) return null
  if (missingMsat > 0) {
    return `Our wallet says that ${showMsat(arrivedMsat)} of ${satsOf(sats * 1_000)} arrived: ${satsOf(missingMsat)} less than was asked. The submission is still reviewed, and counts with ${satsOf(countedSats * 1_000)}. This is noted for the administrator; if you have paid the whole amount, please write to us with the address of this receipt.`
  }
  if (extraMsat > 0) {
    return `Our wallet says that ${satsOf(arrivedMsat)} arrived: ${satsOf(extraMsat)} more than was asked. The submission counts with ${satsOf(sats * 1_000)}; to get the rest back, please write to us with the address of this receipt.`
  }
  return null
}

/** `1 sat`, `20.999 sats` */
function satsOf(msat: number): string {
  return `${showMsat(msat)} ${msat === 1_000 ? 'sat' : 'sats'}`
}

const NO_RECEIPT =
  'There is no receipt at this address. A submission that is never paid is removed after 30 days, together with its receipt.'

export type NoticeWays = { readonly email: boolean; readonly lightning: boolean }

export type Receipts = ReturnType<typeof receiptService>

type ReceiptKit = Pick<Kit, 'db' | 'clock'> & {
  readonly signals: Pick<Signals, 'listen'>
  readonly record: Pick<PublicRecord, 'find'>
  readonly tokens: Tokens
  readonly ways: NoticeWays
  readonly addresses: Pick<MailAddresses, 'ask'>
}

export function receiptService(kit: ReceiptKit) {
  const { db, clock, record, signals, tokens, ways, addresses } = kit

  async function find(token: string): Promise<StoredSubmission> {
    const found = await submissionByReceipt(db, tokens.hash(token))
    if (!found) throw failure('not_found', NO_RECEIPT)
    return found
  }

  async function receiptOf(row: StoredSubmission, token: string): Promise<Receipt> {
    const tries = await paymentsOf(db, row.id)
    const paying = tries.find((one) => one.id === row.paymentId) ?? null
    const overpaidSats = tries
      .filter((one) => one.status === 'overpaid')
      .reduce((sum, one) => sum + arrivalOf(one.sats, one.receivedMsat).countedSats, 0)
    const prediction = row.predictionId === null ? null : await record.find(row.predictionId)
    return {
      path: receiptPath(token),
      created_at: iso(row.createdAt),
      submission: submitted(row),
      demonstration: tries.at(-1)?.wallet === DEMONSTRATION,
      payment: {
        paid: row.paymentId !== null,
        paid_at: isoOrNull(row.paidAt),
        sats: row.paidSats,
        asked_sats: paying?.sats ?? null,
        received_msat: paying?.receivedMsat ?? null,
        late: paying?.status === 'paid_late',
        overpaid_sats: overpaidSats,
        tries: tries.filter((one) => one.bolt11 !== null).map(tryOf),
      },
      review: {
        status: row.status,
        comment: row.adminComment,
        decided_at: isoOrNull(row.decidedAt),
      },
      prediction: prediction
        ? {
            id: prediction.id,
            path: `/predictions/${encodeURIComponent(prediction.id)}`,
            success_status: successStatus(prediction.verdicts.touch.outcome),
          }
        : null,
      contact: contactOf(row),
      state: prediction?.withdrawn ? WITHDRAWN : stateSentence(row, tries),
      hint: hintOf(row, tries, { paying, overpaidSats }),
    }
  }

  function tryOf(payment: Payment) {
    const leftMs = payment.expiresAt === null ? null : Date.parse(payment.expiresAt) - clock.now()
    return {
      ...shownPayment(payment),
      expires_at: isoOrNull(payment.expiresAt),
      expires_in_ms: leftMs === null ? null : Math.max(0, Math.round(leftMs)),
      payment_request: isPayable(payment, clock.now()) ? payment.bolt11 : null,
      checking_id: tokens.checking(payment.id),
    }
  }

  return {
    async receipt(token: string): Promise<Receipt> {
      return receiptOf(await find(token), token)
    },

    /** @param onChange called at once and on each change @returns stops it */
    async follow(
      token: string,
      onChange: (receipt: Receipt) => void,
      onFault: (error: unknown) => void,
    ): Promise<() => void> {
      const { id } = await find(token)
      let published: string | null = null
      let sent = ''
      const read = oneAtATime(async () => {
        const row = await find(token)
        published = row.predictionId
        const receipt = await receiptOf(row, token)
        // Countdowns run in the page.
        const text = JSON.stringify(receipt, (key, value: unknown) =>
          key === 'expires_in_ms' ? null : value,
        )
        if (text !== sent) onChange(receipt)
        sent = text
      })
      const again = (): void => void read().catch(onFault)
      const unlisten = signals.listen('receipt', again, id)
      const unfollow = signals.listen('record', () => {
        if (published !== null) again()
      })
      const end = (): void => {
        unlisten()
        unfollow()
      }
      await read().catch((error: unknown) => {
        end()
        throw error
      })
      return end
    },

    async setContact(
      token: string,
      text: string,
      kind: 'email' | 'lightning' | null,
      from: string,
    ): Promise<NonNullable<Receipt['contact']>> {
      const row = await find(token)
      const contact = readContact(text, kind === 'lightning')
      const refused = typeof contact === 'string' ? contact : refusalOf(contact, ways)
      if (typeof contact === 'string' || refused !== null) {
        throw invalid({ contact: refused ?? 'Please check the contact.' })
      }
      const isSame = row.contactKind === contact.kind && row.contactAddress === contact.address
      const isConfirmed = contact.kind !== 'email' || (isSame && row.contactConfirmedAt !== null)
      if (!isSame || !isConfirmed) {
        await db.transaction(async (tx) => {
          if (!isConfirmed) await addresses.ask(tx, row.id, contact.address, from)
          await setContact(tx, row.id, contact)
        })
      }
      return shownContact(contact, isConfirmed)
    },

    async unsubscribe(token: string): Promise<{ unsubscribed: true }> {
      const row = await find(token)
      await setContact(db, row.id, null, isoNow({ clock }))
      return { unsubscribed: true }
    },
  }
}

export async function receiptKind(
  { db, tokens }: { readonly db: Db; readonly tokens: Tokens },
  token: string,
): Promise<ReceiptKind | null> {
  const hash = tokens.hash(token)
  if (await submissionByReceipt(db, hash)) return 'submission'
  return (await paymentBy(db, 'checkingHash', hash))?.submissionId === null ? 'payment' : null
}

function refusalOf(contact: Contact, ways: NoticeWays): string | null {
  const way = wayOf(contact.kind)
  if (ways[way]) return null
  if (!ways.email && !ways.lightning) {
    return 'This site cannot send notices at the moment. Keep the link of your receipt instead: it shows the status of your submission.'
  }
  return way === 'email'
    ? 'This site sends no email. Please enter a Lightning address or an LNURL.'
    : 'The wallet of this site cannot send notices over Lightning. Please enter an email address.'
}

function wayOf(kind: Contact['kind']): keyof NoticeWays {
  return kind === 'email' ? 'email' : 'lightning'
}

function shownContact(contact: Contact, confirmed: boolean) {
  return { kind: wayOf(contact.kind), shown: maskContact(contact), confirmed }
}

function contactOf({ contactKind: kind, contactAddress, contactConfirmedAt }: StoredSubmission) {
  if (kind === null || contactAddress === null) return null
  const isConfirmed = kind !== 'email' || contactConfirmedAt !== null
  return shownContact({ kind, address: contactAddress }, isConfirmed)
}
