import { ASSETS } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { expect, it } from 'vitest'
import { upTo } from './use-record.ts'

it.each([
  ['2024-04-19', 0],
  ['2024-04-20', 1],
])('on %s the halving of that spring is known: %i', (date, count) => {
  const { events } = upTo(ASSETS.btc, day(date)).axis
  expect(events.filter((event) => event.day >= day('2024-01-01'))).toHaveLength(count)
})
