import { expect, it } from 'vitest'
import { oembed } from './open-data.ts'
import { LiveEventsQuery } from './prices.ts'

// tests/texts/contracts.txt has the other limits.
it.each([
  ['maxwidth', oembed.query, [10_000, 10_001]],
  ['maxheight', oembed.query, [10_000, 10_001]],
  ['receipt', LiveEventsQuery, [Array(5).fill('x'), Array(6).fill('x')]],
])('a call takes %s up to its limit', (field, schema, values) => {
  const refused = values.map((value) =>
    schema?.safeParse({ [field]: value }).error?.issues.some(({ path }) => path[0] === field),
  )
  expect(refused.map(Boolean)).toEqual([false, true])
})
