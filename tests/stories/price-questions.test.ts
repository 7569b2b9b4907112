import { day, isoDay } from '#domain/day.ts'
import { answerReal, answerSplit, showQuestions } from '#server/prices/price-questions.commands.ts'
import { openQuestions } from '#server/prices/price-sources.rows.ts'
import { recordSplit } from '#server/prices/record-split.service.ts'
import { daily, quiet } from '#tests/support/bars.ts'
import { sharedPriceWorld } from '#tests/support/price-world.ts'
import { begin, days, answered, statusOf, verdict } from '#tests/support/price-answers.ts'
import { describe, expect, it } from 'vitest'

const prices = sharedPriceWorld()

describe('the question about a price jump', () => {
  it('is shown and answered on the command line', async () => {
    prices.setTime('2024-12-04T22:00:00Z')
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
  const open = async () => (await openQuestions(prices.world.database.db)).length

  it("answers itself when a coin's second venue shows the same", async () => {
    prices.setTime('2024-06-04T00:05:00Z')
    await begin(prices)
    prices.exchanges.bars.set('bitstamp', fell('48..101>50')).set('kraken', fell('48..101>53'))
    await prices.ask('bitstamp')
    expect(await open()).toBe(1)
    const bitstamp = async () =>
      (await statusOf(prices)).sources.find((one) => one.source === 'bitstamp')
    expect(await bitstamp()).toMatchObject({ last_error: expect.stringContaining('jumps') })
    await prices.ask('kraken')
    expect(await open()).toBe(0)
    await prices.ask('bitstamp')
    // The hold on a source ends when the question is settled.
    expect(await bitstamp()).toMatchObject({ state: 'ok', last_error: null, last_error_at: null })
    expect((await days(prices)).filter(([date]) => date === '2024-06-03')).toEqual([
      ['2024-06-03', 'bitstamp', 'final'],
      ['2024-06-03', 'kraken', 'final'],
    ])
  })

  it('stays when the second venue shows another jump', async () => {
    prices.setTime('2024-06-04T00:05:00Z')
    await begin(prices)
    prices.exchanges.bars.set('bitstamp', fell('48..101>50')).set('kraken', fell('3..101>5'))
    await prices.ask('bitstamp', 'kraken')
    expect(await open()).toBe(1)
    expect((await days(prices)).some(([date]) => date === '2024-06-03')).toBe(false)
  })

  it('covers a range that two venues show, and is decided by an administrator', async () => {
    prices.setTime('2024-06-04T00:05:00Z')
    const { db } = prices.world.database
    await begin(prices, answered('a', { price_target: 5_000 }))
    for (const name of ['bitstamp', 'kraken'])
      prices.exchanges.bars.set(name, fell('95..999999>100'))
    prices.exchanges.bars.set('coinbase', fell('95..105>100'))
    await prices.ask('bitstamp', 'kraken', 'coinbase')
    expect(await showQuestions(db, false)).toBe(
      'btc 2024-06-03: 999999 after 100 on 2024-06-02 (kraken)',
    )
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    await answerReal(db, 'btc', day('2024-06-03'))
    await prices.ask('kraken')
    expect((await verdict(prices, 'a')).outcome).toBe('hit')
  })

  it('covers a day with quite different prices on record', async () => {
    prices.setTime('2024-06-04T00:05:00Z')
    await begin(prices)
    prices.exchanges.bars.set('kraken', quiet('2024-06-01', '2024-06-03'))
    // None of its steps is a jump.
    prices.exchanges.bars.set(
      'bitstamp',
      daily('2024-06-01', ['95..105>100', '95..135>130', '125..170>165']),
    )
    await prices.ask('kraken', 'bitstamp')
    expect(await openQuestions(prices.world.database.db)).toMatchObject([
      {
        sources: 'bitstamp',
        before: { close: 100 },
        after: { day: day('2024-06-03'), close: 165 },
      },
    ])
    expect((await days(prices)).at(-1)).toEqual(['2024-06-03', 'kraken', 'waiting'])
  })

  it('is withdrawn when its source corrects itself, and asked again on a relapse', async () => {
    prices.setTime('2024-06-04T00:05:00Z')
    await begin(prices)
    for (const [price, questions] of [
      ['48..101>50', 1],
      ['95..105>100', 0],
    ] as const) {
      prices.exchanges.bars.set('bitstamp', fell(price))
      await prices.ask('bitstamp')
      expect(await open()).toBe(questions)
    }
    expect((await days(prices)).at(-1)).toEqual(['2024-06-03', 'bitstamp', 'waiting'])
    prices.exchanges.bars.set('kraken', fell('3..101>5'))
    await prices.ask('kraken')
    expect(await open()).toBe(1)
  })
})

describe('a stock', () => {
  const stock = (id: string, overrides: object): object =>
    answered(id, { asset_type: 'mstr', prediction_made: '2024-11-25', ...overrides })

  it('is judged after half a day, and not before it has ended', async () => {
    prices.setTime('2024-11-29T17:59:00Z')
    await prices.world.imports.prices(
      'mstr',
      'date,close\n2024-11-22,100\n2024-11-25,100',
      'starter',
    )
    await prices.world.imports.predictions(
      JSON.stringify([stock('a', { target_time: '2024-11-29' })]),
    )
    const all = quiet('2024-11-25', '2024-11-29').filter((bar) => isoDay(bar.day) !== '2024-11-28')
    prices.exchanges.bars.set('yahoo', all)
    expect(await prices.ask('yahoo')).toEqual([Date.parse('2024-11-29T18:20:00Z')])
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    prices.setTime('2024-11-29T18:20:00Z')
    await prices.ask('yahoo')
    expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'miss', date: '2024-11-29' })
  })

  it('that splits overnight is held back until an administrator confirms the split', async () => {
    prices.setTime('2024-12-04T22:00:00Z')
    await prices.world.imports.prices(
      'mstr',
      'date,close\n2024-11-29,400\n2024-12-02,400',
      'starter',
    )
    await prices.world.imports.predictions(
      JSON.stringify([
        stock('low', {
          price_target: 50,
          target_time: '2024-12-20',
          prediction_made: '2024-12-02',
        }),
        stock('high', {
          price_target: 450,
          target_time: '2024-12-20',
          prediction_made: '2024-12-02',
        }),
      ]),
    )
    const before = daily('2024-12-03', ['390..410>400', '390..410>400'])
    prices.exchanges.bars.set('yahoo', before)
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(2)
    // Ten shares became one overnight, and the source has adjusted all it reports.
    const after = daily('2024-12-03', ['39..41>40', '39..41>40', '39..46>41'])
    prices.exchanges.bars.set('yahoo', after)
    prices.setTime('2024-12-05T22:00:00Z')
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(2)
    for (const id of ['low', 'high']) expect((await verdict(prices, id)).outcome).toBe('pending')
    expect((await statusOf(prices)).questions).toEqual([
      {
        asset: 'mstr',
        date: '2024-12-05',
        sources: 'yahoo',
        before_date: '2024-12-04',
        before: 400,
        after: 41,
      },
    ])
    await prices.ask('yahoo')
    expect(prices.lines.filter((line) => line.includes('waits for review'))).toHaveLength(1)

    const split = { day: day('2024-12-05'), ratio: 10 }
    expect(await recordSplit(prices.history, 'mstr', { ...split, note: 'ten for one' })).toBe(true)
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(3)
    expect(await verdict(prices, 'low')).toMatchObject({ outcome: 'pending', level_min: 5 })
    expect(await verdict(prices, 'high')).toMatchObject({
      outcome: 'hit',
      date: '2024-12-05',
      level_min: 45,
      bar: { high: 46 },
    })
    expect(await recordSplit(prices.history, 'mstr', { ...split, note: 'again' })).toBe(false)
  })
})
