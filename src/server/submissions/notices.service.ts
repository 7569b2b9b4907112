import { confirmPath, refuseMail } from '#contracts/mail.ts'
import { receiptPath, unsubscribe } from '#contracts/receipt.ts'
import { payAddressOf, type Contact } from '#domain/money/contact.ts'
import { type NoticeEvent } from '#domain/publishing/notice.ts'
import { momentText } from '#server/kit/iso.ts'
import { SourceError, type Clock, type Log } from '#server/kit/ports.ts'
import { type Mailer, type NoteInvoices } from './ports.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type Db } from '#server/kit/db.ts'
import {
  dropNotice,
  endNotice,
  neverAsked,
  noteNoticeSats,
  noticeSatsSince,
  postponeNotice,
  takeNotice,
  writeNotices,
  type DueNotice,
} from './notices.store.ts'
import { REFUSED, type MailAddresses } from './mail-addresses.service.ts'
import { confirmText, noticeText, type NoticeText } from './notice-text.ts'
import { type NoticeWays } from '#server/payments/receipts.service.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { type Wallet } from '#server/payments/ports.ts'

const SATS = 1
/** What the way of one sat may cost. */
const MOST_FEE_SATS = 5
const SEND_WITHIN_MS = 30_000
/** A process that dies while sending leaves the notice to the others after this. */
const TAKEN_FOR_MS = 120_000
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Pauses between attempts; after the last one it is given up. */
const PAUSES_MS = [1, 5, 30, 120, 480, 1_440].map((minutes) => minutes * MINUTE_MS)
/** Of addresses from before they were confirmed. */
const MOST_ASKED_AT_ONCE = 50
const NOT_NOW_MS = 60 * MINUTE_MS

export type Notices = ReturnType<typeof noticeService>

/**
 * Notifies submitters of what has become of their submissions, each thing once. A mail may come twice when the server dies
 * between sending and writing it down (its Message-ID stays the same); a payment is never made twice.
 */
export function noticeService({
  db,
  clock,
  log,
  origin,
  tokens,
  ways,
  addresses,
  mailer,
  wallet,
  invoices,
  satsADay,
}: {
  db: Db
  clock: Clock
  log: Log
  origin: string
  tokens: Tokens
  ways: NoticeWays
  addresses: Pick<MailAddresses, 'openQuestion' | 'askLater' | 'isRefused'>
  mailer: Mailer | null
  wallet: Wallet | null
  invoices: NoteInvoices
  satsADay: number
}) {
  function textOf(
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
  async function mail(notice: DueNotice, to: string): Promise<boolean> {
    if (!mailer) throw new NotNow('No mail server is set up.')
    if (await addresses.isRefused(to)) throw new SourceError('refused', REFUSED)
    const { event } = notice
    if (event === 'confirm') {
      const asked = notice.isConfirmed
        ? null
        : await addresses.openQuestion(notice.submissionId, to)
      if (!asked) return false
      const { token, expiresAt } = asked
      const link = origin + confirmPath(token)
      const text = confirmText({ link, origin }, momentText(expiresAt))
      await send(notice, to, text, refuseMail.path.replace(':token', token))
      return true
    }
    if (!notice.isConfirmed) return false
    const { text, token } = textOf(notice, event)
    await send(notice, to, text, unsubscribe.path.replace(':token', token))
    return true
  }

  async function send(
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
    notice: DueNotice,
    contact: Exclude<Contact, { kind: 'email' }>,
  ): Promise<boolean> {
    const { event } = notice
    // It was an e-mail address when it was to be asked.
    if (event === 'confirm') return false
    if (!ways.lightning || !wallet?.pay) throw new NotNow('The wallet cannot pay for notices.')
    if (notice.sats > 0) throw new Unknown('It may have been paid for before the server stopped.')
    if ((await noticeSatsSince(db, isoIn({ clock }, -DAY_MS))) + SATS + MOST_FEE_SATS > satsADay) {
      throw new NotNow('The budget for notices over Lightning is spent for today.')
    }
    const signal = AbortSignal.timeout(SEND_WITHIN_MS)
    const ask = { sats: SATS, message: textOf(notice, event).text.short, network: wallet.network }
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

  /** @returns false where it is not to be sent */
  async function deliver(notice: DueNotice): Promise<boolean> {
    const { contact } = notice
    if (!contact) throw new SourceError('refused', 'The submitter has unsubscribed.')
    return contact.kind === 'email' ? mail(notice, contact.address) : pay(notice, contact)
  }

  async function fault(notice: DueNotice, error: unknown): Promise<void> {
    const lastError = error instanceof Error ? error.message : String(error)
    const end = { lastError, sentAt: null }
    const { attempts } = notice
    if (error instanceof NotNow) {
      const again = { attempts: attempts - 1, nextTryAt: isoIn({ clock }, NOT_NOW_MS), lastError }
      return postponeNotice(db, notice.id, again)
    }
    if (error instanceof Unknown) return endNotice(db, notice.id, { ...end, status: 'unknown' })
    const pauseMs = PAUSES_MS[attempts - 1]
    const isFinal = error instanceof SourceError && error.fault === 'refused'
    if (isFinal || pauseMs === undefined) {
      log.warn({ notice: notice.id }, `A notice was not delivered. ${lastError}`)
      return endNotice(db, notice.id, { ...end, status: 'failed' })
    }
    return postponeNotice(db, notice.id, {
      attempts,
      nextTryAt: isoIn({ clock }, pauseMs),
      lastError,
    })
  }

  /** Where the last round ended: what may not be asked today holds up nothing behind it. */
  let askedLast: string | null = null

  return {
    /** Writes the notices that are due to be written. */
    async write(): Promise<void> {
      // Where no mail can be sent no address is asked: the days of the link would pass.
      if (mailer) {
        const never = await neverAsked(db, isoNow({ clock }), {
          after: askedLast,
          most: MOST_ASKED_AT_ONCE,
        })
        for (const { id, address } of never) await addresses.askLater(id, address)
        askedLast = never.length < MOST_ASKED_AT_ONCE ? null : (never.at(-1)?.id ?? null)
      }
      await writeNotices(db, isoNow({ clock }))
    },

    /** Sends the notice that has waited longest. @returns false when none waits */
    async sendOne(): Promise<boolean> {
      const notice = await takeNotice(db, {
        now: isoNow({ clock }),
        until: isoIn({ clock }, TAKEN_FOR_MS),
      })
      if (!notice) return false
      try {
        if (!(await deliver(notice))) {
          await dropNotice(db, notice.id)
          return true
        }
      } catch (error) {
        await fault(notice, error)
        return true
      }
      await endNotice(db, notice.id, { status: 'sent', lastError: null, sentAt: isoNow({ clock }) })
      return true
    },
  }
}

/** It cannot be sent at present, through no fault of its own. */
class NotNow extends Error {}

/** It may have been sent; trying again could pay twice. */
class Unknown extends Error {}
