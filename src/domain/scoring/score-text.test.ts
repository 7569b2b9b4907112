import { it } from 'vitest'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import { claimOf, judgedOn, TEN_DAYS, statement } from '#tests/support/builders.ts'
import { datedPart, storedCases } from '#tests/support/stored-cases.ts'
import { predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { type Band } from './call-filter.ts'
import { resultText } from './odds-text.ts'
import {
  comparedText,
  personFinding,
  undatedText,
  findingSentence,
  selectionSentence,
  totalsSentence,
  cardLine,
  punchLine,
} from './score-text.ts'

const TODAY = day('2024-01-05')
const LEFT = { day: day('2024-01-04'), usd: 105, change: 0.9, days: 6, chance: 0.02 }

/** Made on the first of ten days and due on the last. */
function prediction(words: string, days: string, known = '{}'): Prediction {
  const bars = TEN_DAYS.slice(0, Number(days))
  const judged = judgedOn('2024-01-05', bars, statement(claimOf(words)))
  const touch = { ...judged.verdicts.touch, ...datedPart(known) }
  return { ...judged, verdicts: { touch, close: touch } }
}

it('scores are put in words as stored', () =>
  storedCases('score-text', {
    'the finding about people': (text) => {
      const decided = { calls: 9, hits: 6, expected: 4.1 }
      const people = datedPart<[string, Band | null, number | null][]>(text)
      return findingSentence(
        people.flatMap(([name, band, replayed]) =>
          Array(name === 'Others' ? 42 : 1).fill({ name, band, replayed, decided }),
        ),
      )
    },
    'the totals': (text) => {
      const counts = { timeIsUp: 180, calls: 180, hits: 55, expected: 58.2 }
      const margin = { low: 35, high: 80 }
      return totalsSentence({ asset: null, ...counts, margin, ...datedPart<object>(text) })
    },
    'the first day of the record': (text) => selectionSentence(datedPart(text)),
    "luck's expectation": (text) => undatedText(datedPart(text)),
    'the finding about a person': (up, compared) => {
      const [n, hits] = datedPart<[number, number]>(up)
      const [calls, came, expected] = datedPart<[number, number, number]>(compared)
      const tallies = { time_is_up: { n, hits }, decided: { calls, hits: came, expected } }
      return [personFinding('Expert A', tallies), comparedText(tallies)]
    },
    'the outcome in a few words': (known) => {
      const row = predictionOfRow(predictionRow())!
      const verdicts = { ...row.verdicts, touch: verdict(datedPart(known)) }
      return resultText({ ...row, verdicts }, 'touch', day('2026-11-20'))
    },
    'the punch line': (...call) =>
      punchLine(prediction(...(call as [string, string])), 'touch', TODAY),
    'the card, and the punch line if it differs': (words, days, left) => {
      const odds = {
        luck: 0.1,
        noLuck: null,
        motion: null,
        left: left === 'null' ? null : { ...LEFT, ...datedPart(left) },
      }
      const stated = { ...prediction(words, days), odds: { touch: odds, close: odds } }
      const lines = [cardLine(stated, 'touch', TODAY), punchLine(stated, 'touch', TODAY)]
      return [...new Set(lines)].join(' / ').replaceAll('\u00a0', ' ')
    },
  }))
