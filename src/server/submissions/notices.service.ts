import { isoIn, isoNow } from '#server/kit/now.ts'
import { SourceError } from '#server/kit/ports.ts'
import {
  dropNotice,
  endNotice,
  neverAsked,
  postponeNotice,
  takeNotice,
  writeNotices,
  type DueNotice,
} from './notices.store.ts'
import { deliver, NotNow, Unknown, type NoticeKit } from './send-notice.ts'

/** A process that dies while sending leaves the notice to the others after this. */
const TAKEN_FOR_MS = 120_000
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
export function noticeService(kit: NoticeKit) {
  const { db, mailer, addresses } = kit
  /** Where the last round ended: what may not be asked today holds up nothing behind it. */
  let askedLast: string | null = null

  return {
    /** Writes the notices that are due to be written. */
    async write(): Promise<void> {
      // Where no mail can be sent no address is asked: the days of the link would pass.
      if (mailer) {
        const never = await neverAsked(db, isoNow(kit), {
          after: askedLast,
          most: MOST_ASKED_AT_ONCE,
        })
        for (const { id, address } of never) await addresses.askLater(id, address)
        askedLast = never.length < MOST_ASKED_AT_ONCE ? null : (never.at(-1)?.id ?? null)
      }
      await writeNotices(db, isoNow(kit))
    },

    /** Sends the notice that has waited longest. @returns false when none waits */
    async sendOne(): Promise<boolean> {
      const notice = await takeNotice(db, {
        now: isoNow(kit),
        until: isoIn(kit, TAKEN_FOR_MS),
      })
      if (!notice) return false
      try {
        if (!(await deliver(kit, notice))) {
          await dropNotice(db, notice.id)
          return true
        }
      } catch (error) {
        await fault(kit, notice, error)
        return true
      }
      await endNotice(db, notice.id, { status: 'sent', lastError: null, sentAt: isoNow(kit) })
      return true
    },
  }
}

async function fault(kit: NoticeKit, notice: DueNotice, error: unknown): Promise<void> {
  const { db, log } = kit
  const lastError = error instanceof Error ? error.message : String(error)
  const end = { lastError, sentAt: null }
  const { attempts } = notice
  if (error instanceof NotNow) {
    const again = { attempts: attempts - 1, nextTryAt: isoIn(kit, NOT_NOW_MS), lastError }
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
    nextTryAt: isoIn(kit, pauseMs),
    lastError,
  })
}
