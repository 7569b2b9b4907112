import { findAsset } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { type NoticeEvent } from '#domain/notice.ts'
import { type DueNotice } from '#server/store/notices.ts'

export type NoticeText = {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** For the comment of a payment: the shortest that still says it, then the address. */
  readonly short: string
}

/** What a submitter is told. @param link of the receipt */
export function noticeText(
  event: NoticeEvent,
  about: DueNotice['about'],
  { link, predictionLink }: { link: string; predictionLink: string | null },
): NoticeText {
  const day = readDay(about.targetTime)
  const symbol = findAsset(about.asset)?.symbol ?? about.asset
  const by = day === null ? about.targetTime : showDay(day)
  const what = `${about.expertName}: ${symbol} ${about.pricePrediction} by ${by}`
  const [subject, sentence] = wording(event)
  const reason = event === 'rejected' && about.adminComment ? `Reason: ${about.adminComment}` : null
  const see = predictionLink === null ? null : `See it: ${predictionLink}`
  const lines = [
    sentence,
    what,
    reason,
    see,
    `Your receipt: ${link}`,
    `You asked to be told. To hear no more of this submission: ${link}?unsubscribe=1`,
  ].filter((line) => line !== null)
  return {
    subject: `${subject}: ${oneLine(what)}`,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${lines.map(paragraph).join('')}</body></html>`,
    short: `Proof of Price: ${subject}. ${link}`,
  }
}

function wording(event: NoticeEvent): readonly [subject: string, sentence: string] {
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

function paragraph(line: string): string {
  const escaped = line
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  return `<p>${escaped.replaceAll(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`)}</p>`
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, ' ').slice(0, 150)
}
