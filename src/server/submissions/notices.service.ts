import { z } from 'zod'
import { refuseMail } from '#contracts/following.ts'
import { confirmPath, receiptPath } from '#contracts/paths.ts'
import { unsubscribe } from '#contracts/payments.ts'
import { findAsset } from '#domain/asset.ts'
import { DAY_MS, readDay, showDay } from '#domain/day.ts'
import { payAddressOf, type Contact } from '#domain/money/contact.ts'
import { type NoticeEvent, NOTIFY_AFTER_MS } from '#domain/publishing/following.ts'
import { predictionPath } from '#domain/site.ts'
import { type Answer, type Delivery } from '#server/kit/deliver.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { momentText, isoIn, isoNow } from '#server/kit/time.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { type NoteInvoices, type Wallet } from '#server/payments/ports.ts'
import { type NoticeWays } from '#server/payments/receipts.service.ts'
import { REFUSED, type MailAddresses } from './mail-addresses.service.ts'
import { mailText, type MailPart, type Mailer } from './mail.ts'
import * as store from './notices.rows.ts'

type NoticeText = {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** For the comment of a payment: as short as possible, then the address. */
  readonly short: string
}

/** The text about an event, and the token of the receipt that it links to. */
function textOf(
  { tokens, origin }: NoticeKit,
  { submissionId, about }: store.DueNotice,
  event: Exclude<NoticeEvent, 'confirm'>,
): { text: NoticeText; token: string } {
  const { predictionId, adminComment } = about
  const token = tokens.receipt(submissionId)
  const link = origin + receiptPath(token)
  const day = readDay(about.targetTime)
  const symbol = findAsset(about.asset)?.symbol ?? about.asset
  const by = day === null ? about.targetTime : showDay(day)
  // Nothing typed by a submitter: only level and date, not names and notes.
  const what = `${symbol} ${about.pricePrediction} by ${by}`
  const [subject, sentence] = WORDING[event]
  const parts: readonly (MailPart | null)[] = [
    sentence,
    what,
    event === 'rejected' && adminComment ? `Reason: ${adminComment}` : null,
    predictionId === null ? null : ['See it', origin + predictionPath(predictionId)],
    ['Your receipt', link],
    ['To stop mails about this submission', `${link}?unsubscribe=1`],
  ]
  const text = {
    ...mailText(parts.filter((part) => part !== null)),
    subject: `${subject}: ${what}`,
    short: `Proof of Price: ${subject}. ${link}`,
  }
  return { text, token }
}

/** @param until `29/11/2026 at 12:00 UTC` */
function confirmText({ link, origin }: { link: string; origin: string }, until: string) {
  const subject = 'Please confirm your address'
  const parts: readonly MailPart[] = [
    'Someone, probably you, has asked Proof of Price to write to this address when a prediction that was submitted there is approved, rejected or decided.',
    ['To agree, open this page and press the button', link],
    `The link works until ${until}. If it was not you, do nothing: we will not write again. On the same page you can also block this site from writing to you.`,
    ['This mail was sent by', origin],
  ]
  return { ...mailText(parts), subject, short: `Proof of Price: ${subject}. ${link}` }
}

/** Subject and first sentence. */
const WORDING: Readonly<Record<Exclude<NoticeEvent, 'confirm'>, readonly [string, string]>> = {
  approved: ['Prediction approved', 'The prediction you submitted has been approved and is live.'],
  rejected: [
    'Prediction not published',
    'The prediction you submitted has been reviewed and was not published.',
  ],
  'verdict:hit': ['SUCCESS', 'The prediction you submitted came true.'],
  'verdict:miss': ['MISS', 'The prediction you submitted did not come true.'],
  'verdict:void': [
    'VOID',
    'The prediction you submitted cannot be judged: it was already decided when it was made.',
  ],
}

const SATS = 1
/** Counted in advance, as wallets do not report the fee. */
const MOST_FEE_SATS = 5
const SEND_WITHIN_MS = 30_000

type NoticeKit = Pick<SiteKit, 'db' | 'clock' | 'outbox'> & {
  readonly origin: string
  readonly tokens: Tokens
  readonly ways: NoticeWays
  readonly addresses: Pick<MailAddresses, 'openQuestion' | 'askLater' | 'isRefused'>
  readonly mailer: Mailer | null
  readonly wallet: Wallet | null
  readonly invoices: NoteInvoices
  readonly satsADay: number
}

const SENT: Answer = { state: 'sent' }
const DROPPED: Answer = { state: 'dropped' }

/** The notice cannot be sent at present, through no fault of its own. */
const notNow = (error: string): Answer => ({
  state: 'waiting',
  error,
  dueMs: NOT_NOW_MS,
  isFree: true,
})

/** Dropped if there is nothing to confirm any more, or nothing may be sent yet. */
async function mail(kit: NoticeKit, notice: store.DueNotice, to: string): Promise<Answer> {
  const { mailer, addresses, origin } = kit
  if (!mailer) return notNow('No mail server is set up.')
  if (await addresses.isRefused(to)) throw new SourceError('refused', REFUSED)
  const { event } = notice
  if (event === 'confirm') {
    const question = notice.isConfirmed
      ? null
      : await addresses.openQuestion(notice.submissionId, to)
    if (!question) return DROPPED
    const { token, expiresAt } = question
    const link = origin + confirmPath(token)
    const text = confirmText({ link, origin }, momentText(expiresAt))
    return sendMail(kit, notice, to, text, refuseMail.path.replace(':token', token))
  }
  if (!notice.isConfirmed) return DROPPED
  const { text, token } = textOf(kit, notice, event)
  return sendMail(kit, notice, to, text, unsubscribe.path.replace(':token', token))
}

async function sendMail(
  { mailer, origin, outbox }: NoticeKit,
  { row }: store.DueNotice,
  to: string,
  { subject, text: plain, html }: NoticeText,
  wayOut: string,
): Promise<Answer> {
  const id = `notice-${String(row.id)}@${new URL(origin).hostname}`
  const unsubscribeUrl = origin + wayOut
  const parts = { to, subject, text: plain, html, id, unsubscribeUrl }
  await mailer?.send(parts, AbortSignal.timeout(SEND_WITHIN_MS), () => outbox.asking(row))
  return SENT
}

async function pay(
  kit: NoticeKit,
  notice: store.DueNotice,
  contact: Exclude<Contact, { kind: 'email' }>,
): Promise<Answer> {
  const { db, ways, wallet, invoices, satsADay, outbox } = kit
  const { event, row, sats: before } = notice
  // The contact was an email address when the notice was written.
  if (event === 'confirm') return DROPPED
  if (!ways.lightning || !wallet?.pay) return notNow('The wallet cannot pay for notices.')
  if ((await store.noticeSatsSince(db, isoIn(kit, -DAY_MS))) + SATS + MOST_FEE_SATS > satsADay) {
    return notNow('The budget for notices over Lightning is spent for today.')
  }
  const signal = AbortSignal.timeout(SEND_WITHIN_MS)
  const ask = {
    sats: SATS,
    message: textOf(kit, notice, event).text.short,
    network: wallet.network,
  }
  const bolt11 = await invoices.invoiceFor(payAddressOf(contact), ask, signal)
  await outbox.asking(row, { event, sats: before + SATS + MOST_FEE_SATS })
  try {
    await wallet.pay(bolt11, signal)
  } catch (error) {
    if (error instanceof SourceError && error.fault === 'refused') {
      await outbox.notePayload(row, { event, sats: before })
      throw error
    }
    throw new SourceError('unsure', 'The wallet did not say whether it paid.')
  }
  return SENT
}

/** For addresses from before confirmations existed. */
const MOST_ASKED_AT_ONCE = 50
const NOT_NOW_MS = 60 * 60_000

/** Notices that may have been sent or paid are not repeated automatically. */
export function noticeService(kit: NoticeKit & Pick<SiteKit, 'jobs' | 'signals' | 'outages'>) {
  const { db, mailer, addresses, outbox, signals } = kit
  /** Position of the last search, so that addresses over today's limit do not block later ones. */
  let lastRequested: string | null = null

  outbox.define({
    kind: store.NOTICES,
    title: 'Notices to submitters',
    takenForMs: 120_000,
    once: [store.NOTICES],
    isDecidedAlone: true,
    lostText: 'It may have been sent, or paid for, before the server stopped.',
    send: async (rows) => rows.map((row) => send(kit, row)),
  })

  async function write(): Promise<void> {
    // Without a mail server no confirmation is requested: its link would expire.
    if (mailer) {
      const never = await store.unconfirmedNews(db, isoNow(kit), {
        after: lastRequested,
        most: MOST_ASKED_AT_ONCE,
      })
      for (const { id, address } of never) await addresses.askLater(id, address)
      lastRequested = never.length < MOST_ASKED_AT_ONCE ? null : (never.at(-1)?.id ?? null)
    }
    await db.transaction(async (tx) => {
      if (await store.writeNotices(tx, isoNow(kit)))
        await outbox.wake(tx, store.NOTICES, store.NOTICES)
    })
  }

  const job = kit.jobs.define({
    name: 'notices',
    title: 'Writing notices to submitters',
    data: z.object({ when: z.enum(['now', 'settled']) }),
    key: ({ when }) => when,
    every: { seconds: 300, data: [{ when: 'settled' }] },
    run: write,
  })

  /** Decisions and verdicts can be undone for some seconds; confirmation requests need not wait. */
  const ask = (): void => {
    const settled = job.send(db, { when: 'settled' }, NOTIFY_AFTER_MS / 1_000 + 1)
    Promise.all([job.send(db, { when: 'now' }), settled]).catch(kit.outages.notice)
  }

  return {
    write,
    follow: (): (() => void) => {
      const ends = [signals.listen('receipt', ask), signals.listen('record', ask)]
      return () => ends.forEach((end) => end())
    },
  }
}

/** @throws SourceError */
async function send(kit: NoticeKit, row: Delivery): Promise<Answer> {
  const notice = await store.noticeOf(kit.db, row)
  const { contact } = notice
  if (!contact) throw new SourceError('refused', 'The submitter has unsubscribed.')
  return contact.kind === 'email' ? mail(kit, notice, contact.address) : pay(kit, notice, contact)
}
