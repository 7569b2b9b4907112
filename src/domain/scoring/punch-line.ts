import { type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { closedOutsideBy, leadOf, missedBy, showPercent } from '#domain/judging/verdict-text.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { showUsd } from '#domain/price-text.ts'
import { wayToGoText } from './odds-text.ts'

/**
 * What came of a prediction in a few words, to be read at a glance: `97 % short`, `Hit three months after the call`,
 * `+38 % in 112 days; luck says 9 %`.
 */
export function punchLine(prediction: Prediction, mode: JudgeMode, today: Day): string {
  const verdict = prediction.verdicts[mode]
  const lead = leadOf(prediction, mode)
  switch (verdict.reason) {
    case 'reached':
      return lead === null ? 'Hit' : `Hit ${lead}`
    case 'broken':
      return lead === null ? 'Broken' : `Broken ${lead}`
    case 'held':
      return 'Held until the deadline'
    case 'closed-inside':
      return prediction.claim.type === 'range'
        ? 'Inside the range at the end'
        : `${verdict.direction === 'below' ? 'Below' : 'Above'} the level at the end`
    case 'closed-outside': {
      const outside = closedOutsideBy(verdict)
      return outside === null
        ? 'Outside at the end'
        : `${showPercent(outside.share)} ${outside.side} ${showUsd(outside.edge)} at the end`
    }
    case 'not-reached': {
      const away = missedBy(verdict)
      if (away === null || away === 0) return 'Never reached'
      return `${showPercent(away / 100)} ${verdict.direction === 'down' ? 'too high' : 'short'}`
    }
    case 'not-started':
      return 'Has not begun yet'
    case 'open':
    case 'needs-range':
    case 'awaiting-prices': {
      const left = wayToGoText(prediction, mode, today)
      return left === null ? 'Still open' : left.charAt(0).toUpperCase() + left.slice(1)
    }
    case 'already-true':
      return 'Already true when it was said'
    case 'already-broken':
      return 'Already broken when it was said'
    case 'depends-on-day':
      return 'Depends on the day it was said'
    case 'overridden':
      return 'Decided by an administrator'
  }
}
