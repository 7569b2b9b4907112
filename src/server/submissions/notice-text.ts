import { findAsset } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { type NoticeEvent } from '#domain/publishing/notice.ts'
import { mailText, type MailPart } from './mail-text.ts'
import { type DueNotice } from './notices.store.ts'

export type NoticeText = {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** For the comment of a payment: the shortest that still says it, then the address. */
  readonly short: string
}

/** What a notice says. @param link of the receipt */
export function noticeText(
  event: Exclude<NoticeEvent, 'confirm'>,
  about: DueNotice['about'],
  { link, predictionLink }: { link: string; predictionLink: string | null },
): NoticeText {
  const day = readDay(about.targetTime)
  const symbol = findAsset(about.asset)?.symbol ?? about.asset
  const by = day === null ? about.targetTime : showDay(day)
  // Nothing that a submitter typed: a level and a date are ours to write, names and notes are not.
  const what = `${symbol} ${about.pricePrediction} by ${by}`
  const [subject, sentence] = wording(event)
  const reason = event === 'rejected' && about.adminComment ? `Reason: ${about.adminComment}` : null
  const parts: readonly (MailPart | null)[] = [
    sentence,
    what,
    reason,
    predictionLink === null ? null : ['See it', predictionLink],
    ['Your receipt', link],
    ['To stop mails about this submission', `${link}?unsubscribe=1`],
  ]
  return {
    ...mailText(parts.filter((part) => part !== null)),
    subject: `${subject}: ${what}`,
    short: `Proof of Price: ${subject}. ${link}`,
  }
}

/**
 * Asks an address to agree before anything else is sent to it. It repeats nothing that a visitor typed.
 *
 * @param until the last moment of the link, `29/11/2026 at 12:00 UTC`
 */
export function confirmText(
  { link, origin }: { link: string; origin: string },
  until: string,
): NoticeText {
  const subject = 'Please confirm your address'
  const parts: readonly MailPart[] = [
    'Someone, probably you, has asked Proof of Price to write to this address when a prediction that was submitted there is approved, rejected or decided.',
    ['To agree, open this page and press the button', link],
    `The link works until ${until}. If it was not you, do nothing: we will not write again. On the same page you can also block this site from writing to you.`,
    ['This mail was sent by', origin],
  ]
  return { ...mailText(parts), subject, short: `Proof of Price: ${subject}. ${link}` }
}

function wording(
  event: Exclude<NoticeEvent, 'confirm'>,
): readonly [subject: string, sentence: string] {
  switch (event) {
    case 'approved':
      return ['Prediction approved', 'The prediction you submitted has been approved and is live.']
    case 'rejected':
      return [
        'Prediction not published',
        'The prediction you submitted has been reviewed and was not published.',
      ]
    case 'verdict:hit':
      return ['SUCCESS', 'The prediction you submitted came true.']
    case 'verdict:miss':
      return ['MISS', 'The prediction you submitted did not come true.']
    case 'verdict:void':
      return [
        'VOID',
        'The prediction you submitted cannot be judged: it was already decided when it was made.',
      ]
  }
}
