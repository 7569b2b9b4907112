import { ranges } from '#contracts/prices.ts'
import { sharedApp } from '#tests/support/once-for-file.ts'
import { expect, it } from 'vitest'

const FILE = `date,open,high,low,close
2024-01-01,100,110,95,105
2024-01-02,,,,106
2024-01-03,106,108,101,102
2024-01-04,,107,100,103
`

const world = sharedApp({}, ({ imports }) => imports.prices('btc', FILE, 'mine'))

const path = (from: string, to: string, asset = 'btc') =>
  `/api/v1/ranges/${asset}?from=${from}&to=${to}`

it('the highs and lows of days are returned for a range, without days with only a close', async () => {
  const all = await world.get(path('2023-12-01', '2024-12-31'))
  expect(all.status).toBe(200)
  expect(ranges.reply.parse(all.body)).toEqual([
    { date: '2024-01-01', open: 100, high: 110, low: 95, close: 105 },
    { date: '2024-01-03', open: 106, high: 108, low: 101, close: 102 },
    { date: '2024-01-04', open: null, high: 107, low: 100, close: 103 },
  ])
  const some = await world.get(path('2024-01-02', '2024-01-03'))
  expect(ranges.reply.parse(some.body).map(({ date }) => date)).toEqual(['2024-01-03'])
  expect((await world.get(path('2024-01-01', '2024-01-01', 'naka'))).body).toEqual([])
})

it('a day whose sources agree on no price has no high and low', async () => {
  const bar = (range: string) => `date,open,high,low,close\n2024-02-01,${range}\n`
  await world.imports.prices('btc', bar('100,110,95,105'), 'one')
  await world.imports.prices('btc', bar('150,160,145,155'), 'other')
  await world.refresh()
  expect((await world.get(path('2024-02-01', '2024-02-02'))).body).toEqual([])
})

it.each([
  ['2024-01-02', '2024-01-01', 'to: Please give a last day that is not before the first.'],
  ['2022-01-01', '2024-03-11', 'to: Please ask for at most 800 days at once.'],
  ['yesterday', '2024-01-01', 'from: Please give a day such as 2026-11-20.'],
  ['2024-01-01', '', 'to: Please give a day such as 2026-11-20.'],
  [
    '1024-01-01',
    '1024-01-02',
    'from: Please give a day between 1900 and 2299, such as 2026-11-20.',
  ],
])('highs and lows from %s to %s are refused in a sentence', async (from, to, error) => {
  expect(await world.get(path(from, to))).toMatchObject({ status: 400, body: { error } })
})

it('accepts 800 days', async () => {
  expect((await world.get(path('2022-01-01', '2024-03-10'))).status).toBe(200)
})

it('as of a past day no later day is known, and a later split has not happened yet', async () => {
  const file = `date,open,high,low,close
2024-08-06,12,13,11,12.5
2024-08-07,12.5,14.1,12,13.3
2024-08-08,13,15,12,14
`
  await world.imports.prices('mstr', file, 'mine')
  await world.refresh()
  const asOf = async (date: string) =>
    ranges.reply.parse(
      (await world.get(`${path('2024-08-01', '2024-08-31', 'mstr')}&as_of=${date}`)).body,
    )
  expect(await asOf('2024-08-07')).toEqual([
    { date: '2024-08-06', open: 120, high: 130, low: 110, close: 125 },
    { date: '2024-08-07', open: 125, high: 141, low: 120, close: 133 },
  ])
  expect((await asOf('2024-08-08')).map(({ close }) => close)).toEqual([12.5, 13.3, 14])
})
