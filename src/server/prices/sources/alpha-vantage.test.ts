import { day } from '#domain/day.ts'
import { expect, it } from 'vitest'
import { alphaVantagePrices } from './alpha-vantage.ts'

const NOW = Date.parse('2026-11-20T21:30:00Z')
const UNTIL_MIDNIGHT_MS = 9_000_000

it.each([
  [
    'Information',
    'We have detected your API key as SECRET and our standard API rate limit is 25 requests per day.',
    { fault: 'busy', waitMs: UNTIL_MIDNIGHT_MS },
  ],
  ['Note', 'Thank you for using us!', { fault: 'busy', waitMs: UNTIL_MIDNIGHT_MS }],
  [
    'Information',
    'The **demo** API key is for demo purposes only. Please claim your free API key.',
    { fault: 'refused', waitMs: null },
  ],
  [
    'Error Message',
    'the parameter apikey is invalid or missing.',
    { fault: 'refused', waitMs: null },
  ],
])('Alpha Vantage that answers %s: %s', async (field, text, error) => {
  const source = alphaVantagePrices({
    url: new URL('https://alpha.example'),
    key: 'SECRET',
    clock: { now: () => NOW },
    callJson: async ({ schema }) => ({ body: schema.parse({ [field]: text }), remoteMs: NOW }),
  })
  const today = day('2026-11-20')
  const ask = { from: today, to: today, today, actions: [], signal: new AbortController().signal }
  const failure: unknown = await source.daily(ask).catch((caught: unknown) => caught)
  expect(failure).toMatchObject(error)
  expect(String(failure)).not.toContain('SECRET')
})
