import { describe, expect, it } from 'vitest'
import { type Claim } from '#domain/claim/claim.ts'
import { type Prediction, splitNote } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import {
  barsFrom,
  judgedOn,
  TEN_DAYS as BARS,
  statement,
  target,
  range,
  atLeast,
  top,
  bottom,
} from '#tests/support/builders.ts'
import { type AgreedBar } from './bar.ts'
import {
  ruleSentence,
  saysTheSame,
  showBar,
  shortVerdictSentence,
  showReference,
  verdictSentence,
} from './verdict-text.ts'
import { type Verdict } from './verdict.ts'

/** The same days without highs and lows. */
const CLOSES = barsFrom('2024-01-01', [100, 102, 110, ...Array<number>(7).fill(105)])
/** Highs and lows of some days only. */
const MIXED = barsFrom('2024-01-01', [100, 102, '101..119>110', ...Array<number>(7).fill(105)])
/** The same with the day unknown that came nearest. */
const HALF = [100, '95..105>102', 110, ...Array<number>(7).fill(105)]
const NEAREST_UNKNOWN = barsFrom('2024-01-01', HALF)

function prediction(
  claim: Claim,
  upTo = BARS.length,
  bars = BARS,
  overrides: Partial<Prediction> = {},
): Prediction {
  return judgedOn('2024-01-05', bars.slice(0, upTo), statement(claim, overrides), overrides)
}

const HIGHEST = 'The highest close before the deadline was $110 (3 Jan 2024)'
const LOWEST = 'The lowest close before the deadline was $102 (2 Jan 2024)'
const HIGH = 'The highest price before the deadline was $119 (3 Jan 2024)'
const LOW = 'The lowest price before the deadline was $95 (2 Jan 2024)'
const HIGH_SO_FAR = 'The highest price so far is $119 (3 Jan 2024)'
const LAST = 'Bitcoin closed at $105 on 10 Jan 2024, the last day:'
const NEVER_CLOSED = 'Hit. The price never closed above $112 before the deadline:'
const HIT_2 = 'Hit on 2 Jan 2024, the day after the call.'
const HIT_3 = 'Hit on 3 Jan 2024, two days after the call.'
const ROSE = 'Bitcoin traded as high as $119 that day'
const FELL = 'Bitcoin traded as low as $95 that day'

/** The sentence about a prediction, by touch, with some fields of its verdict replaced. */
function changed(row: Prediction, known: Partial<Verdict>): string {
  const touch = { ...row.verdicts.touch, ...known }
  return verdictSentence({ ...row, verdicts: { touch, close: touch } }, 'touch')
}

describe('a verdict in words', () => {
  // The claim; its sentence by highs and lows; its sentence by closes, also by touch if only closes are known.
  it.each<[Claim, string, string]>([
    [target(115), `${HIT_3} ${ROSE}.`, `Missed. ${HIGHEST}, 4.3% short.`],
    [target(110), `${HIT_3} ${ROSE}.`, `${HIT_3} Bitcoin closed at $110.`],
    [target(96), `${HIT_2} ${FELL}.`, `Missed. ${LOWEST}, 6.3% too high.`],
    [target(110.05), `${HIT_3} ${ROSE}.`, `Missed. ${HIGHEST}, less than 0.1% short.`],
    [target(1_000_000), `Missed. ${HIGH}, 99% short.`, `Missed. ${HIGHEST}, 99% short.`],
    [range(117, 140), `${HIT_3} ${ROSE}.`, `Missed. ${HIGHEST}, 6% short.`],
    [range(20, 40), `Missed. ${LOW}, 138% too high.`, `Missed. ${LOWEST}, 155% too high.`],
    [atLeast(112), `${HIT_3} ${ROSE}.`, `Missed. ${HIGHEST}, 1.8% short.`],
    [
      top(112),
      `Missed on 3 Jan 2024, two days after the call. ${ROSE}, above $112.`,
      `${NEVER_CLOSED} the highest close was $110 (3 Jan 2024).`,
    ],
  ])('%j says what highs and lows show, and what closes show', (claim, touch, close) => {
    const full = prediction(claim)
    expect(verdictSentence(full, 'touch')).toBe(touch)
    expect(verdictSentence(full, 'close')).toBe(close)
    expect(saysTheSame(full)).toBe(false)
    const closesOnly = prediction(claim, 10, CLOSES)
    // A near miss by closes alone waits for the range of its day.
    const isNear = closesOnly.verdicts.touch.reason === 'needs-range'
    expect(saysTheSame(closesOnly)).toBe(!isNear)
    const day = close.includes('lowest') ? '2' : '3'
    const soFar = close.replace('Missed. ', '').replace('before the deadline was', 'so far is')
    const near = `Open: needs the high and low of ${day} Jan 2024. ${soFar}`
    expect(verdictSentence(closesOnly, 'touch')).toBe(isNear ? near : close)
    expect(verdictSentence(closesOnly, 'close')).toBe(close)
  })

  it.each<[Claim, string]>([
    [
      bottom(40),
      'Hit. No known price went below $40 before the deadline: the lowest known price was $101 (3 Jan 2024).',
    ],
    [target(119), `${HIT_3} ${ROSE}.`],
    [range(90, 104), `Missed. ${LAST} 1% above $104.`],
  ])('%j says that highs and lows are known of some days only', (claim, touch) => {
    const row = prediction(claim, 10, MIXED)
    expect(verdictSentence(row, 'touch')).toBe(touch)
    const all = prediction(claim, 10, BARS)
    expect(verdictSentence(row, 'close')).toBe(verdictSentence(all, 'close'))
  })

  it('the highest close is named if the high of that day is unknown', () => {
    const row = prediction(target(200), 10, NEAREST_UNKNOWN)
    expect(verdictSentence(row, 'touch')).toBe(`Missed. ${HIGHEST}, 45% short.`)
    expect(saysTheSame(row)).toBe(true)
    expect(row.verdicts.touch.someClosesOnly).toBe(false)
  })

  it('a single day with unknown high and low is enough to say so', () => {
    const bars = BARS.map((bar, i) => (i === 6 ? { ...bar, high: null, low: null } : bar))
    expect(prediction(target(200), 10, bars).verdicts.touch.someClosesOnly).toBe(true)
  })

  it('unknown highs and lows are not mentioned if closes decide', () => {
    expect(prediction(target(200), 10, MIXED).verdicts.close.someClosesOnly).toBe(false)
    expect(prediction(atLeast(99), 3, MIXED).verdicts.touch.someClosesOnly).toBe(false)
  })

  it('ignores days outside the window', () => {
    const bars = [...barsFrom('2023-12-30', [80, 85]), ...BARS, ...barsFrom('2024-01-11', [90])]
    expect(prediction(target(200), bars.length, bars).verdicts.touch.someClosesOnly).toBe(false)
  })

  it.each<[Claim, string]>([
    [range(90, 104), `Missed. ${LAST} 1% above $104.`],
    [range(90, 108), `Hit. ${LAST} inside $90 - $108.`],
    [atLeast(99), `Hit. ${LAST} at or above $99.`],
    [target(100), 'Void: already true. The price was $100 when this was said.'],
    [bottom(200), 'Void: already broken. The price was $100 when this was said, below $200.'],
    [top(40), 'Void: already broken. The price was $100 when this was said, above $40.'],
  ])('%j says the same in both modes, with and without highs and lows', (claim, sentence) => {
    for (const bars of [BARS, CLOSES]) {
      const row = prediction(claim, 10, bars)
      expect(verdictSentence(row, 'touch')).toBe(sentence)
      expect(verdictSentence(row, 'close')).toBe(sentence)
    }
  })

  const CLOSE_4 = 'The last close was $105 (4 Jan 2024).'
  it.each<[Claim, string, string]>([
    [top(140), `${HIGH_SO_FAR}.`, 'The highest close so far is $110 (3 Jan 2024).'],
    [atLeast(99), CLOSE_4, CLOSE_4],
  ])('%j says how far an open call has come', (claim, touch, close) => {
    const row = prediction(claim, 4)
    expect(verdictSentence(row, 'touch')).toBe(`Open until 10 Jan 2024. ${touch}`)
    expect(verdictSentence(row, 'close')).toBe(`Open until 10 Jan 2024. ${close}`)
    const closesOnly = prediction(claim, 4, CLOSES)
    expect(verdictSentence(closesOnly, 'touch')).toBe(`Open until 10 Jan 2024. ${close}`)
  })

  it('a window that has not begun says when it runs', () => {
    const row = prediction(target(115), 4, BARS, { from: day('2024-01-06') })
    expect(verdictSentence(row, 'touch')).toBe('Runs from 6 Jan 2024 to 10 Jan 2024.')
  })

  it('an ended window without prices is awaiting them', () => {
    const row = prediction(target(200), 4, BARS, { by: day('2024-01-04') })
    const known = { outcome: 'pending', reason: 'awaiting-prices', day: null } as const
    expect(changed(row, known)).toBe(
      `Waiting for prices: not every day up to 4 Jan 2024 is known yet. ${HIGH_SO_FAR}, 41% short.`,
    )
  })

  it('an outcome set by an administrator says so', () => {
    const ruled = changed(prediction(target(200)), { reason: 'overridden', outcome: 'hit' })
    expect(ruled).toBe('Hit, decided by an administrator; the reason is in the history.')
  })

  it.each<[string, Prediction['madePrecision'], string]>([
    ['2024-01-01', 'day', 'two days after the call'],
    ['2024-01-01', 'month', 'in the month of the call'],
    ['2023-11-30', 'month', 'two months after the call'],
    ['2022-12-31', 'month', '13 months after the call'],
    ['2019-12-31', 'year', 'five years after the call'],
    ['2024-01-01', 'year', 'in the year of the call'],
    ['2023-12-31', 'day', 'three days after the call'],
    ['2023-12-20', 'day', '14 days after the call'],
    ['2023-11-02', 'day', 'two months after the call'],
    ['2023-01-03', 'day', '12 months after the call'],
    ['2016-07-01', 'day', '7.5 years after the call'],
    ['2014-01-03', 'day', 'ten years after the call'],
    ['2009-01-03', 'day', '15 years after the call'],
  ])('a call of %s, known to the %s, was right %s', (made, madePrecision, lead) => {
    const row = { ...prediction(target(115)), made: day(made), madePrecision }
    expect(verdictSentence(row, 'touch')).toBe(`Hit on 3 Jan 2024, ${lead}. ${ROSE}.`)
  })

  it("a call on a stock from before a split is judged and shown in today's units", () => {
    const bars = barsFrom('2024-01-02', ['101..119>110', '100..104>103', '100..104>104'])
    const split = { statedClaim: target(2_000), splitFactor: 10 }
    const row = { ...split, asset: 'mstr', by: day('2024-01-04') } as const
    const judged = (level: number) =>
      judgedOn('2024-01-05', bars, statement(target(level), row), row)
    expect(verdictSentence(judged(200), 'touch')).toBe(
      'Missed. The highest price before the deadline was $119 (2 Jan 2024), 41% short.',
    )
    expect(verdictSentence(judged(104), 'close')).toBe(
      'Hit on 2 Jan 2024, the day after the call. Strategy closed at $110.',
    )
    expect(splitNote(judged(200))).toBe('said $2,000 = $200 today')
    expect(splitNote(prediction(target(200)))).toBeNull()
  })

  const AT = { reference: null }
  it.each<[Claim, Partial<Verdict>, string]>([
    [target(115), { bar: null }, `${HIT_3} Bitcoin was there.`],
    [target(200), { nearest: null }, 'Missed. There was no price at $200 before the deadline.'],
    [top(140), { nearest: null }, 'Hit. The price never went above $140 before the deadline.'],
    [atLeast(99), { bar: null }, 'Hit. The last close of Bitcoin is not known.'],
    [target(100), AT, 'Void: already true. The price was at $100 when this was said.'],
    [top(40), AT, 'Void: already broken. The price was already above $40 when this was said.'],
    [bottom(200), AT, 'Void: already broken. The price was already below $200 when this was said.'],
  ])('a verdict about %j with %j says what it knows', (claim, lost, sentence) => {
    expect(changed(prediction(claim), lost)).toBe(sentence)
  })

  it('an open call without any price says until when it runs', () => {
    const row = prediction(target(200), 4)
    expect(changed(row, { nearest: null })).toBe('Open until 10 Jan 2024.')
  })

  it('a post omits the outcome and the day of the call', () => {
    const row = prediction(target(115))
    expect(shortVerdictSentence(row, 'touch')).toBe(`Hit on 3 Jan 2024. ${ROSE}.`)
    expect(shortVerdictSentence(row, 'close')).toBe(`${HIGHEST}, 4.3% short.`)
    const broken = shortVerdictSentence(prediction(bottom(200)), 'touch')
    expect(broken).toBe('The price was $100 when this was said, below $200.')
  })
})

it.each<[Claim, string]>([
  [target(90), 'Hit if BTC trades at or below $90 from 02/01/2024'],
  [range(120, 140), 'Hit if BTC trades inside $120 - $140 from'],
  [range(90, 140), 'The price was already in the range'],
  [top(140), 'Hit if BTC never trades above $140 from'],
  [bottom(40), 'Hit if BTC never trades below $40 from'],
])('a rule is put in words for %j', (claim, start) => {
  const { verdicts, ...statement } = prediction(claim)
  const { direction, window } = verdicts.touch
  expect(ruleSentence(statement, 'touch', direction, window)).toContain(start)
})

it('a stock rule ends with the last session on or before its deadline', () => {
  const row = statement(top(9), { asset: 'mstr', by: day('2024-01-14') })
  const window = { from: day('2024-01-02'), to: row.by }
  expect(ruleSentence(row, 'touch', 'never-above', window)).toBe(
    'Hit if MSTR never trades above $9 from 02/01/2024 to the New York close of 12/01/2024.',
  )
})

const last = BARS.length - 1
const moving = (bars: readonly AgreedBar[]) =>
  bars.map((bar, i) => (i === last ? { ...bar, moving: true as const } : bar))
const judged = (claim: Claim, made = '2024-01-01', bars = moving(BARS)): Prediction =>
  judgedOn('2024-01-10', bars, statement(claim, { made: day(made), by: day('2024-02-01') }))

it('an unfinished day has a last price instead of a close, and highs and lows so far', () => {
  const hit = judged(target(108), '2024-01-09')
  expect(verdictSentence(hit, 'touch')).toBe(
    'Hit on 10 Jan 2024, the day after the call. Bitcoin has traded as high as $110 that day so far.',
  )
  const { bar } = hit.verdicts.touch
  expect(bar && showBar(bar)).toBe('open $105, high $110, low $100, last price $105 (so far)')
  const open = judged(atLeast(99))
  expect(verdictSentence(open, 'touch')).toContain(' The last price was $105 (10 Jan 2024).')
  expect(verdictSentence(open, 'close')).toContain(' The last close was $105 (9 Jan 2024).')
  const { reference } = judged(target(300), '2024-01-10').verdicts.touch
  expect(reference && showReference(reference)).toBe('$105, last price of 10/01/2024 so far')
})

it('an unfinished day with only a last price names it', () => {
  const bars = moving([...CLOSES.slice(0, -2), ...barsFrom('2024-01-09', [100, 107])])
  const hit = judged(target(105), '2024-01-09', bars)
  expect(verdictSentence(hit, 'touch')).toBe(
    'Hit on 10 Jan 2024, the day after the call. The last price of Bitcoin that day so far is $107.',
  )
})
