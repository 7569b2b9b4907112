import { CORRECTION_KINDS, CORRECTION_NAMES } from '#contracts/public-logs.ts'
import { headline, statementText, type Prediction } from '#domain/claim/prediction.ts'
import { showDay, type Day } from '#domain/day.ts'
import { ruleSentence, verdictSentence } from '#domain/judging/verdict-text.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { predictionPath } from '#domain/site.ts'
import { changesRecord, whatAndWhy } from '#server/corrections/corrections-log.service.ts'
import { type RecordEvent } from '#server/judging/verdicts.rows.ts'

export const NEWS_KINDS = ['published', ...CORRECTION_KINDS] as const
export type NewsEvent = RecordEvent<(typeof NEWS_KINDS)[number]>

export type NewsItem = {
  readonly title: string
  readonly text: string
  readonly path: string
  readonly picture: string | null
}

/** Kind of news for an event; null if no claim changed. */
export function newsKindOf(event: NewsEvent): 'call' | 'verdict' | 'correction' | null {
  const { kind, verdict } = event
  if (kind === 'published') return 'call'
  // A verdict changed only by a new rule set is not news.
  if (verdict?.change === 'rules') return null
  if (changesRecord({ ...event, kind })) return 'correction'
  const isDecision =
    verdict?.mode === 'touch' &&
    verdict.outcome !== 'pending' &&
    verdict.before?.outcome !== verdict.outcome
  return isDecision ? 'verdict' : null
}

export function itemOf(
  prediction: Prediction,
  what: string,
  text: string,
  picture: string | null = null,
) {
  const title = `${what}: ${cleanHeadline(prediction)}`
  return { title, text: cleanText(text), path: predictionPath(prediction.id), picture }
}

/** @param reports public reports that led to it */
export function itemOfEvent(event: NewsEvent, prediction: Prediction, reports: readonly number[]) {
  const { kind, verdict } = event
  const { outcome } = prediction.verdicts.touch
  switch (newsKindOf(event)) {
    case 'call': {
      const text =
        outcome === 'pending'
          ? ruleOf(prediction)
          : `${outcomeWord(outcome)}: ${verdictSentence(prediction, 'touch')}`
      return itemOf(prediction, 'New call', text)
    }
    case 'verdict': {
      const decided = verdict?.outcome ?? outcome
      // A verdict changed since then has a correction of its own.
      const why = decided === outcome ? verdictSentence(prediction, 'touch') : event.text
      const picture = `${predictionPath(prediction.id)}/picture.png?v=${outcome}`
      return itemOf(prediction, outcomeWord(decided), why, picture)
    }
    case 'correction': {
      if (kind === 'published') return null
      const { what, why } = whatAndWhy(event)
      const reported = reports.map((number) => `report ${String(number)}`).join('; ')
      const text = [
        what,
        ...(why === null ? [] : [`Reason: ${why}`]),
        ...(reports.length === 0 ? [] : [`Reported: ${reported}.`]),
      ].join(' ')
      return itemOf(prediction, CORRECTION_NAMES[kind], text)
    }
    case null:
      return null
  }
}

/** @returns null once it is decided */
export function itemOfDeadline(prediction: Prediction, today: Day): NewsItem | null {
  if (prediction.verdicts.touch.outcome !== 'pending') return null
  const left = prediction.by - today
  const near = new Map([
    [1, 'tomorrow'],
    [0, 'today'],
  ])
  const when = near.get(left) ?? (left > 1 ? `in ${String(left)} days` : 'has passed')
  const text = `${ruleOf(prediction)} The deadline is ${showDay(prediction.by)}.`
  return itemOf(prediction, `Deadline ${when}`, text)
}

function ruleOf(prediction: Prediction): string {
  const { direction, window } = prediction.verdicts.touch
  return ruleSentence(prediction, 'touch', direction, window)
}

export function cleanHeadline(prediction: Prediction): string {
  const name = cleanText(prediction.expert.name)
  return name === ''
    ? statementText(prediction)
    : headline({ ...prediction, expert: { ...prediction.expert, name } })
}

/** Removes line breaks and direction marks. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}
