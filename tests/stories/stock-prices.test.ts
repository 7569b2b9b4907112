import { day, isoDay } from '#domain/day.ts'
import { answerQuestions } from '#server/prices/price-sources.rows.ts'
import { recordSplit } from '#server/prices/record-split.service.ts'
import { daily, quiet } from '#tests/support/bars.ts'
import { priceWorld } from '#tests/support/price-world.ts'
import { days, said, statusOf, verdict } from '#tests/support/price-answers.ts'
import { describe, expect, it } from 'vitest'

describe('a stock', () => {
  const stock = (id: string, given: object): object =>
    said(id, { asset_type: 'mstr', prediction_made: '2024-11-25', ...given })

  it('a stock is judged after half a day, and not before it has ended', async () => {
    await using prices = await priceWorld('2024-11-29T17:59:00Z')
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

  it('a stock that splits overnight is held back until an administrator has said so', async () => {
    await using prices = await priceWorld('2024-12-04T22:00:00Z')
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
    // Overnight ten shares became of one, and the source has adjusted all it reports.
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

  it('a stock whose price really fell by half is judged once an administrator has said so', async () => {
    await using prices = await priceWorld('2024-12-04T22:00:00Z')
    await prices.world.imports.prices('mstr', 'date,close\n2024-12-02,400', 'starter')
    prices.exchanges.bars.set('yahoo', daily('2024-12-03', ['390..410>400', '180..410>200']))
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toEqual([['2024-12-03', 'yahoo', 'final']])
    const on = { from: day('2024-12-04'), to: day('2024-12-04') }
    expect(await answerQuestions(prices.history.db, 'mstr', on, 'real')).toBe(true)
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(2)
    expect((await statusOf(prices)).questions).toEqual([])
  })
})
