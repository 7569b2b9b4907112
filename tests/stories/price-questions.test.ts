import { day } from '#domain/day.ts'
import { answerReal, answerSplit, showQuestions } from '#server/prices/price-questions.commands.ts'
import { openQuestions } from '#server/prices/price-sources.rows.ts'
import { daily, quiet } from '#tests/support/bars.ts'
import { priceWorld, type PriceWorld } from '#tests/support/price-world.ts'
import { begin, days, statusOf } from '#tests/support/price-answers.ts'
import { shows } from '#tests/support/waiting.ts'
import { describe, expect, it } from 'vitest'

describe('the question about a jump', () => {
  it('the question about a jump is shown and answered on the command line', async () => {
    await using prices = await priceWorld('2024-12-04T22:00:00Z')
    const { db } = prices.world.database
    const clock = { now: () => Date.parse('2024-12-04T22:00:00Z') }
    await prices.world.imports.prices('mstr', 'date,close\n2024-12-02,400', 'starter')
    prices.exchanges.bars.set('yahoo', daily('2024-12-03', ['390..410>400', '180..410>200']))
    expect(await showQuestions(db, false)).toBe('No question is open.')
    await prices.ask('yahoo')
    expect(await showQuestions(db, false)).toBe(
      'mstr 2024-12-04: 200 after 400 on 2024-12-03 (yahoo)',
    )
    expect(JSON.parse(await showQuestions(db, true))).toMatchObject([
      { asset: 'mstr', date: '2024-12-04', before: 400, after: 200 },
    ])
    await expect(answerReal(db, 'mstr', day('2024-12-03'))).rejects.toThrow(
      'No question about mstr',
    )
    expect(await answerReal(db, 'mstr', day('2024-12-04'))).toContain('is real')
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(2)
    expect(await answerSplit(db, clock, 'mstr', day('2024-12-04'), 2)).toContain('became 2')
    await expect(answerSplit(db, clock, 'mstr', day('2024-12-04'), 2)).rejects.toThrow('is known')
    expect(await showQuestions(db, true)).toBe('[]')
  })

  const fell = (price: string) => [
    ...quiet('2024-06-01', '2024-06-02'),
    ...daily('2024-06-03', [price]),
  ]
  const open = async (prices: PriceWorld) => (await openQuestions(prices.world.database.db)).length

  it('the question about a jump answers itself when a second venue of a coin shows the same', async () => {
    await using prices = await priceWorld('2024-06-04T00:05:00Z')
    await begin(prices)
    prices.exchanges.bars.set('bitstamp', fell('48..101>50')).set('kraken', fell('48..101>53'))
    await prices.ask('bitstamp')
    expect(await open(prices)).toBe(1)
    const bitstamp = async () =>
      (await statusOf(prices)).sources.find((one) => one.source === 'bitstamp')
    expect(await bitstamp()).toMatchObject({ last_error: expect.stringContaining('jumps') })
    await prices.ask('kraken')
    expect(await open(prices)).toBe(0)
    await prices.ask('bitstamp')
    // What a source was held back for ends when it is settled. The status is read at most once a second.
    await shows(async () =>
      expect(await bitstamp()).toMatchObject({
        state: 'ok',
        last_error: null,
        last_error_at: null,
      }),
    )
    expect((await days(prices)).filter(([date]) => date === '2024-06-03')).toEqual([
      ['2024-06-03', 'bitstamp', 'final'],
      ['2024-06-03', 'kraken', 'final'],
    ])
  })

  it('the question about a jump stays when the second venue shows another jump', async () => {
    await using prices = await priceWorld('2024-06-04T00:05:00Z')
    await begin(prices)
    prices.exchanges.bars.set('bitstamp', fell('48..101>50')).set('kraken', fell('3..101>5'))
    await prices.ask('bitstamp', 'kraken')
    expect(await open(prices)).toBe(1)
    expect((await days(prices)).some(([date]) => date === '2024-06-03')).toBe(false)
  })

  it('the question about a jump is withdrawn when its source corrects itself, and asked again when it slips again', async () => {
    await using prices = await priceWorld('2024-06-04T00:05:00Z')
    await begin(prices)
    for (const [price, questions] of [
      ['48..101>50', 1],
      ['95..105>100', 0],
    ] as const) {
      prices.exchanges.bars.set('bitstamp', fell(price))
      await prices.ask('bitstamp')
      expect(await open(prices)).toBe(questions)
    }
    expect((await days(prices)).at(-1)).toEqual(['2024-06-03', 'bitstamp', 'waiting'])
    prices.exchanges.bars.set('kraken', fell('3..101>5'))
    await prices.ask('kraken')
    expect(await open(prices)).toBe(1)
  })
})
