import { confirmPath, refuseMail } from '#contracts/mail.ts'
import { receiptPath, unsubscribe } from '#contracts/receipt.ts'
import { payAddressOf, type Contact } from '#domain/money/contact.ts'
import { type NoticeEvent } from '#domain/publishing/notice.ts'
import { momentText } from '#server/kit/iso.ts'
import { SourceError, type Clock, type Log } from '#server/kit/ports.ts'
import { type Mailer, type NoteInvoices } from './ports.ts'
import { isoIn } from '#server/kit/now.ts'
import { type Db } from '#server/kit/db.ts'
import { noteNoticeSats, noticeSatsSince, type DueNotice } from './notices.store.ts'
import { REFUSED, type MailAddresses } from './mail-addresses.service.ts'
import { confirmText, noticeText, type NoticeText } from './notice-text.ts'
import { type NoticeWays } from '#server/payments/receipts.service.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { type Wallet } from '#server/payments/ports.ts'

const SATS = 1
/** What the way of one sat may cost. */
const MOST_FEE_SATS = 5
const SEND_WITHIN_MS = 30_000
const DAY_MS = 86_400_000

export type NoticeKit = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly origin: string
  readonly tokens: Tokens
  readonly ways: NoticeWays
  readonly addresses: Pick<MailAddresses, 'openQuestion' | 'askLater' | 'isRefused'>
  readonly mailer: Mailer | null
  readonly wallet: Wallet | null
  readonly invoices: NoteInvoices
  readonly satsADay: number
}

/** It cannot be sent at present, through no fault of its own. */
export class NotNow extends Error {}

/** It may have been sent; trying again could pay twice. */
export class Unknown extends Error {}

function textOf(
  { tokens, origin }: NoticeKit,
  notice: DueNotice,
  event: Exclude<NoticeEvent, 'confirm'>,
): { text: NoticeText; token: string } {
  const token = tokens.receipt(notice.submissionId)
  const { predictionId } = notice.about
  const text = noticeText(event, notice.about, {
    link: `${origin}${receiptPath(token)}`,
    predictionLink:
      predictionId === null ? null : `${origin}/predictions/${encodeURIComponent(predictionId)}`,
  })
  return { text, token }
}

/** @returns false where there is nothing to be asked any more, or nothing may be sent yet */
async function mail(kit: NoticeKit, notice: DueNotice, to: string): Promise<boolean> {
  const { mailer, addresses, origin } = kit
  if (!mailer) throw new NotNow('No mail server is set up.')
  if (await addresses.isRefused(to)) throw new SourceError('refused', REFUSED)
  const { event } = notice
  if (event === 'confirm') {
    const asked = notice.isConfirmed ? null : await addresses.openQuestion(notice.submissionId, to)
    if (!asked) return false
    const { token, expiresAt } = asked
    const link = origin + confirmPath(token)
    const text = confirmText({ link, origin }, momentText(expiresAt))
    await send(kit, notice, to, text, refuseMail.path.replace(':token', token))
    return true
  }
  if (!notice.isConfirmed) return false
  const { text, token } = textOf(kit, notice, event)
  await send(kit, notice, to, text, unsubscribe.path.replace(':token', token))
  return true
}

async function send(
  { mailer, origin }: NoticeKit,
  notice: DueNotice,
  to: string,
  { subject, text: plain, html }: NoticeText,
  wayOut: string,
): Promise<void> {
  const id = `notice-${String(notice.id)}@${new URL(origin).hostname}`
  const unsubscribeUrl = origin + wayOut
  const parts = { to, subject, text: plain, html, id, unsubscribeUrl }
  await mailer?.send(parts, AbortSignal.timeout(SEND_WITHIN_MS))
}

async function pay(
  kit: NoticeKit,
  notice: DueNotice,
  contact: Exclude<Contact, { kind: 'email' }>,
): Promise<boolean> {
  const { db, ways, wallet, invoices, satsADay } = kit
  const { event } = notice
  // It was an e-mail address when it was to be asked.
  if (event === 'confirm') return false
  if (!ways.lightning || !wallet?.pay) throw new NotNow('The wallet cannot pay for notices.')
  if (notice.sats > 0) throw new Unknown('It may have been paid for before the server stopped.')
  if ((await noticeSatsSince(db, isoIn(kit, -DAY_MS))) + SATS + MOST_FEE_SATS > satsADay) {
    throw new NotNow('The budget for notices over Lightning is spent for today.')
  }
  const signal = AbortSignal.timeout(SEND_WITHIN_MS)
  const ask = {
    sats: SATS,
    message: textOf(kit, notice, event).text.short,
    network: wallet.network,
  }
  const bolt11 = await invoices.invoiceFor(payAddressOf(contact), ask, signal)
  await noteNoticeSats(db, notice.id, SATS + MOST_FEE_SATS)
  try {
    await wallet.pay(bolt11, { feeSats: MOST_FEE_SATS }, signal)
  } catch (error) {
    if (error instanceof SourceError && error.fault === 'refused') {
      await noteNoticeSats(db, notice.id, 0)
      throw error
    }
    throw new Unknown('The wallet did not say whether it paid.')
  }
  return true
}

/**
 * Sends a notice by the contact that was left.
 *
 * @returns false where it is not to be sent
 * @throws {NotNow} {Unknown} {SourceError}
 */
export async function deliver(kit: NoticeKit, notice: DueNotice): Promise<boolean> {
  const { contact } = notice
  if (!contact) throw new SourceError('refused', 'The submitter has unsubscribed.')
  return contact.kind === 'email' ? mail(kit, notice, contact.address) : pay(kit, notice, contact)
}
