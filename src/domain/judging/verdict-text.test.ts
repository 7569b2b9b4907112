import { expect, it } from 'vitest'
import { type Prediction, splitNote } from '#domain/claim/prediction.ts'
import { day, type DatePrecision } from '#domain/day.ts'
import {
  barsFrom,
  claimOf,
  judgedOn,
  TEN_DAYS as FULL,
  statement,
  target,
} from '#tests/support/builders.ts'
import { datedPart, storedCases } from '#tests/support/stored-cases.ts'
import { type AgreedBar } from './bar.ts'
import {
  ruleSentence,
  saysTheSame,
  showBar,
  shortVerdictSentence,
  showReference,
  verdictSentence,
} from './verdict-text.ts'
import { type JudgeMode, type Verdict } from './verdict.ts'

const QUIET = Array<number>(7).fill(105)
/** The same days without highs and lows. */
const CLOSES = barsFrom('2024-01-01', [100, 102, 110, ...QUIET])
const BARS: Readonly<Record<string, readonly AgreedBar[]>> = {
  full: FULL,
  closes: CLOSES,
  mixed: barsFrom('2024-01-01', [100, 102, '101..119>110', ...QUIET]),
  // The day that came nearest is unknown.
  'highest unknown': barsFrom('2024-01-01', [100, '95..105>102', 110, ...QUIET]),
  'one unknown': FULL.map((bar, i) => (i === 6 ? { ...bar, high: null, low: null } : bar)),
  more: [...barsFrom('2023-12-30', [80, 85]), ...FULL, ...barsFrom('2024-01-11', [90])],
  'last price': [...CLOSES.slice(0, -2), ...barsFrom('2024-01-09', [100, 107])],
}

function prediction(words: string, bars = 'full', days = '10', overrides?: string): Prediction {
  const more: Partial<Prediction> = datedPart(overrides)
  const known = BARS[bars]?.slice(0, Number(days)) ?? []
  return judgedOn('2024-01-05', known, statement(claimOf(words), more), more)
}

it('verdicts and rules are put in words as stored', () =>
  storedCases('verdict-text', {
    'by touch and by close': (...call) => {
      const row = prediction(...(call as [string]))
      const [touch, close] = [verdictSentence(row, 'touch'), verdictSentence(row, 'close')]
      return saysTheSame(row) && touch === close ? touch : { touch, close, same: saysTheSame(row) }
    },
    'whether some days are known by closes only': (...call) => {
      const { touch, close } = prediction(...(call as [string])).verdicts
      return { touch: touch.someClosesOnly, close: close.someClosesOnly }
    },
    'by touch, with a verdict that knows something else': (words, days, known, overrides) => {
      const row = prediction(words, 'full', days, overrides)
      const touch: Verdict = { ...row.verdicts.touch, ...datedPart(known) }
      return verdictSentence({ ...row, verdicts: { touch, close: touch } }, 'touch')
    },
    'a hit for a call of this day': (made, precision) => {
      const known = { made: day(made), madePrecision: precision as DatePrecision }
      return verdictSentence({ ...prediction('target 115'), ...known }, 'touch')
    },
    'in a post': (words, mode) => shortVerdictSentence(prediction(words), mode as JudgeMode),
    'the rule': (words, overrides) => {
      const { verdicts, ...stated } = prediction(words, 'full', '10', overrides)
      return ruleSentence(stated, 'touch', verdicts.touch.direction, verdicts.touch.window)
    },
    'on an unfinished day': (words, made, bars) => {
      const moving = BARS[bars]?.map((bar, i) =>
        i === 9 ? { ...bar, moving: true as const } : bar,
      )
      const stated = statement(claimOf(words), { made: day(made), by: day('2024-02-01') })
      const row = judgedOn('2024-01-10', moving ?? [], stated)
      const { bar, reference } = row.verdicts.touch
      const sentences = {
        touch: verdictSentence(row, 'touch'),
        close: verdictSentence(row, 'close'),
      }
      return { ...sentences, bar: bar && showBar(bar), from: reference && showReference(reference) }
    },
  }))

it("a call on a stock from before a split is judged and shown in today's units", () => {
  const bars = barsFrom('2024-01-02', ['101..119>110', '100..104>103', '100..104>104'])
  const split = { statedClaim: target(2_000), splitFactor: 10 }
  const row = { ...split, asset: 'mstr', by: day('2024-01-04') } as const
  const judged = (level: number) => judgedOn('2024-01-05', bars, statement(target(level), row), row)
  expect(verdictSentence(judged(200), 'touch')).toBe(
    'Missed. The highest price before the deadline was $119 (2 Jan 2024), 41% short.',
  )
  expect(verdictSentence(judged(104), 'close')).toBe(
    'Hit on 2 Jan 2024, the day after the call. Strategy closed at $110.',
  )
  expect(splitNote(judged(200))).toBe('said $2,000 = $200 today')
  expect(splitNote(prediction('target 200'))).toBeNull()
})
