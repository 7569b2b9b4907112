import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { sees } from '#tests/support/on-screen.ts'
import { newClient } from '#web/api/queries.ts'
import { NoPrices } from './no-prices.tsx'

const NOW = '2026-11-23T12:00:00.000Z'

const SOURCE = { asset: 'naka', source: 'kucoin', title: 'KuCoin', kind: 'daily', official: true }
const ERROR = { last_error: 'KuCoin cannot be reached.', last_error_at: NOW }
const FAILED = { state: 'failing', last_success: null, ...ERROR, failures: 3 }

function stateOf(input: { next?: string | null; prices?: boolean; last?: string | null }) {
  const { next = null, prices = true, last = null } = input
  return {
    now: NOW,
    prices,
    leader: true,
    assets: [{ asset: 'naka', last_bar: last, expected_bar: '2026-11-22', live: null }],
    sources: [{ ...SOURCE, ...FAILED, last_bar: null, next_run: next }],
    questions: [],
  }
}

function show(answer: object | null) {
  const requests: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url)
    return answer === null
      ? Promise.reject(new TypeError('away'))
      : Promise.resolve(Response.json(answer))
  })
  render(
    <QueryClientProvider client={newClient()}>
      <NoPrices asset={ASSETS.naka} />
    </QueryClientProvider>,
  )
  return requests
}

const later = new Date(Date.parse(NOW) + 10 * 60_000)
const clock = later.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

it.each([
  ['in ten minutes', { next: later.toISOString() }, new RegExp(`tries again .*at ${clock}\\.$`)],
  ['in half a minute', { next: '2026-11-23T12:00:30.000Z' }, /again in less than a minute\.$/],
  ['at this moment', { next: '2026-11-23T11:59:59.000Z' }, /is fetching them now\.$/],
  ['never', { prices: false }, /Price updates are switched off on this site\.$/],
])('explains missing prices when sources are asked %s', async (_, input, text) => {
  show(stateOf(input))
  expect(await screen.findByText(text)).toBeDefined()
  sees(/^No NAKA prices yet\./)
})

it('loads everything again once prices have arrived', async () => {
  const request = show(stateOf({ last: '2026-11-22' }))
  await vi.waitFor(() => expect(request.length).toBeGreaterThan(1))
})

it('reports lost data when the site does not reply', async () => {
  show(null)
  expect(
    await screen.findByText(/database connection/, undefined, { timeout: 30_000 }),
  ).toBeDefined()
})
