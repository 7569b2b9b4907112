import { barsFrom, published, statement } from '#tests/support/builders.ts'
import { describe, expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { judge } from './judge.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { seriesOf } from './series.ts'
import {
  missedBy,
  ruleSentence,
  showBar,
  showReference,
  splitNote,
  verdictSentence,
} from './verdict-text.ts'

const BARS = barsFrom('2024-01-01', [
  '90..130>100',
  '95..105>102',
  '101..119>110',
  ...Array<string>(7).fill('100..110>105'),
])

function prediction(claim: Claim, upTo = BARS.length): Prediction {
  const said = statement(claim)
  const series = seriesOf('every-day', BARS.slice(0, upTo))
  const today = day('2024-01-05')
  return published(said, {
    touch: judge(series, said, 'touch', today),
    close: judge(series, said, 'close', today),
  })
}

describe('a verdict in words', () => {
  it.each<[Claim, number, string, string]>([
    [
      { type: 'target', usd: 115 },
      10,
      'First touched $115 on 03/01/2024: high $119; said 2 days earlier.',
      '$115 was not reached by 10/01/2024; highest close in the window $110 on 03/01/2024.',
    ],
    [
      { type: 'target', usd: 110 },
      10,
      'First touched $110 on 03/01/2024: high $119; said 2 days earlier.',
      'First closed at or above $110 on 03/01/2024: close $110; said 2 days earlier.',
    ],
    [
      { type: 'target', usd: 96 },
      10,
      'First touched $96 on 02/01/2024: low $95; said 1 day earlier.',
      '$96 was not reached by 10/01/2024; lowest close in the window $102 on 02/01/2024.',
    ],
    [
      { type: 'target', usd: 200 },
      4,
      'Open until 10/01/2024; highest price so far $119 on 03/01/2024.',
      'Open until 10/01/2024; highest close so far $110 on 03/01/2024.',
    ],
    [
      { type: 'range', min: 90, max: 104 },
      10,
      'The last close of the window, $105 on 10/01/2024, was outside $90 - $104.',
      'The last close of the window, $105 on 10/01/2024, was outside $90 - $104.',
    ],
    [
      { type: 'by-date', usd: 99 },
      4,
      'Open until 10/01/2024; last close $105 on 04/01/2024.',
      'Open until 10/01/2024; last close $105 on 04/01/2024.',
    ],
    [
      { type: 'top', usd: 112 },
      10,
      'Exceeded $112 on 03/01/2024: high $119; said 2 days earlier.',
      'Never above $112 up to 10/01/2024; highest close in the window $110 on 03/01/2024.',
    ],
    [
      { type: 'bottom', usd: 200 },
      10,
      'Void: already broken. The price was at $100 below $200 when this was said.',
      'Void: already broken. The price was at $100 below $200 when this was said.',
    ],
    [
      { type: 'target', usd: 100 },
      10,
      'Void: already true. The price was at $100 when this was said.',
      'Void: already true. The price was at $100 when this was said.',
    ],
  ])('a verdict is put in words for %j after %d days', (claim, upTo, touch, close) => {
    const given = prediction(claim, upTo)
    expect(verdictSentence(given, 'touch')).toBe(touch)
    expect(verdictSentence(given, 'close')).toBe(close)
  })

  it('a verdict says by how much a miss missed', () => {
    expect(missedBy(prediction({ type: 'target', usd: 140 }).verdicts.touch)).toBeCloseTo(15)
  })
})

describe('a rule in words', () => {
  it.each<[Claim, string]>([
    [{ type: 'target', usd: 90 }, 'Hit if BTC trades at or below $90 from 02/01/2024'],
    [{ type: 'range', min: 120, max: 140 }, 'Hit if BTC trades inside $120 - $140 from'],
    [{ type: 'range', min: 90, max: 140 }, 'The price was already in the range'],
    [{ type: 'top', usd: 140 }, 'Hit if BTC never trades above $140 from'],
    [{ type: 'bottom', usd: 40 }, 'Hit if BTC never trades below $40 from'],
  ])('a rule is put in words for %j', (claim, start) => {
    const { verdicts, ...said } = prediction(claim)
    const { direction, window } = verdicts.touch
    expect(ruleSentence(said, 'touch', direction, window)).toContain(start)
  })
})

it('a lead is shown no more precisely than the day it was said is known', () => {
  const given = { ...prediction({ type: 'target', usd: 115 }), madePrecision: 'month' as const }
  expect(verdictSentence(given, 'touch')).toBe(
    'First touched $115 on 03/01/2024: high $119; said in Jan 2024.',
  )
})

it('a stock rule ends with the last session on or before its deadline', () => {
  const given = statement({ type: 'top', usd: 9 }, { asset: 'mstr', by: day('2024-01-14') })
  const window = { from: day('2024-01-02'), to: given.by }
  expect(ruleSentence(given, 'touch', 'never-above', window)).toBe(
    'Hit if MSTR never trades above $9 from 02/01/2024 to the New York close of 12/01/2024.',
  )
})

it('a level from before a split is shown in both units', () => {
  const said: Claim = { type: 'target', usd: 1_800 }
  const given = { ...prediction({ type: 'target', usd: 180 }), said, splitFactor: 10 }
  expect(splitNote(given)).toBe('said $1,800 = $180 today')
  expect(splitNote(prediction(said))).toBeNull()
})

describe('a day that is not over', () => {
  const last = BARS.length - 1
  const bars = BARS.map((bar, i) => (i === last ? { ...bar, moving: true as const } : bar))
  const judged = (claim: Claim, made = day('2024-01-01')): Prediction => {
    const said = statement(claim, { made, by: day('2024-02-01') })
    const series = seriesOf('every-day', bars)
    const by = (mode: 'touch' | 'close') => judge(series, said, mode, day('2024-01-10'))
    return published(said, { touch: by('touch'), close: by('close') })
  }

  it('a day that is not over has no close: its last price is called so, and highs and lows are so far', () => {
    const hit = judged({ type: 'target', usd: 108 }, day('2024-01-09'))
    expect(verdictSentence(hit, 'touch')).toBe(
      'First touched $108 on 10/01/2024: high $110 so far; said 1 day earlier.',
    )
    const { bar } = hit.verdicts.touch
    expect(bar && showBar(bar)).toBe('open $105, high $110, low $100, last price $105 (so far)')
    const open = judged({ type: 'by-date', usd: 99 })
    expect(verdictSentence(open, 'touch')).toContain('; last price $105 on 10/01/2024.')
    expect(verdictSentence(open, 'close')).toContain('; last close $105 on 09/01/2024.')
    const { reference } = judged({ type: 'target', usd: 300 }, day('2024-01-10')).verdicts.touch
    expect(reference && showReference(reference)).toBe('$105, last price of 10/01/2024 so far')
  })
})
