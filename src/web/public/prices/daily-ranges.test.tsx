import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { type RangeLayer } from '#chart/ranges.ts'
import { type Span } from '#chart/scale.ts'
import { day, type Day } from '#domain/day.ts'
import { refusal } from '#tests/support/admin-screens.tsx'
import { newClient } from '#web/api/queries.ts'
import { DailyRanges } from './daily-ranges.tsx'

const ROWS = [
  { date: '2023-12-31', open: 9, high: 12, low: 8, close: 10 },
  { date: '2024-01-02', open: null, high: 14, low: 9, close: 13 },
]

/**
 * Stubs a site with two known days.
 *
 * @returns the queries of all calls
 */
function stubSite(answer: (year: string) => Response): string[] {
  const requests: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://site')
    const [from = '', to = ''] = [searchParams.get('from'), searchParams.get('to')].map(String)
    const asOf = searchParams.get('as_of')
    requests.push(`${pathname} ${from} ${to}${asOf === null ? '' : ` as of ${asOf}`}`)
    return Promise.resolve(answer(from.slice(0, 4)))
  })
  return requests
}

const ofYear = (year: string) => Response.json(ROWS.filter(({ date }) => date.startsWith(year)))

function show(days: Span, past: Day | null = null) {
  const onLoaded = vi.fn<(ranges: RangeLayer) => void>()
  const client = newClient()
  const element = (now: Span) => (
    <QueryClientProvider client={client}>
      <DailyRanges
        asset="btc"
        days={now}
        day={past}
        today={day('2026-11-20')}
        onLoaded={onLoaded}
      />
    </QueryClientProvider>
  )
  const { rerender } = render(element(days))
  return { onLoaded, move: (now: Span) => rerender(element(now)) }
}

it('requests the years in view and delivers them together', async () => {
  const request = stubSite(ofYear)
  const { onLoaded } = show([day('2023-12-20'), day('2024-01-10')])
  await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1))
  const years = ['2023-01-01 2023-12-31', '2024-01-01 2024-12-31']
  expect(request).toEqual(years.map((days) => `/api/v1/ranges/btc ${days}`))
  const layer = onLoaded.mock.calls[0]?.[0]
  expect(layer?.at(day('2023-12-31'))).toMatchObject({ high: 12, low: 8 })
  expect(layer?.at(day('2024-01-02'))).toMatchObject({ open: null, high: 14 })
  expect(layer?.at(day('2024-01-01'))).toBeNull()
})

it('makes no request when moving within a year', async () => {
  const request = stubSite(ofYear)
  const { onLoaded, move } = show([day('2023-05-20'), day('2023-06-10')])
  await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1))
  move([day('2023-07-20'), day('2023-12-30')])
  expect(request).toHaveLength(1)
  expect(onLoaded).toHaveBeenCalledTimes(1)
})

it('requests no day after the past day shown', async () => {
  const request = stubSite(ofYear)
  const { onLoaded } = show([day('2023-12-20'), day('2025-01-10')], day('2024-01-01'))
  await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1))
  expect(request.at(-1)).toBe('/api/v1/ranges/btc 2024-01-01 2024-01-01 as of 2024-01-01')
  expect(request).toHaveLength(2)
})

it('makes no request for the future', () => {
  const request = stubSite(ofYear)
  const { onLoaded } = show([day('2027-01-01'), day('2027-03-10')])
  expect(request).toEqual([])
  expect(onLoaded).not.toHaveBeenCalled()
})

it('leaves the chart unchanged after a failure', async () => {
  const request = stubSite(() => refusal(500, 'internal', 'No'))
  const { onLoaded } = show([day('2023-05-20'), day('2023-06-10')])
  // It is attempted twice.
  await vi.waitFor(() => expect(request).toHaveLength(2), 10_000)
  expect(onLoaded).not.toHaveBeenCalled()
})
