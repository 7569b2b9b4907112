import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { type ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { day } from '#domain/day.ts'
import { OPENING_HISTORY } from '#domain/listing/history-view.ts'
import { OPENING_SELECTION } from '#domain/listing/selection.ts'
import { dashboardPart } from '#tests/support/web-fixtures.ts'
import { noteVersion } from './page-data.ts'
import { closesQuery, newClient, partQuery, partsKey } from './queries.ts'

let requests: number

beforeEach(() => {
  vi.useFakeTimers()
  requests = 0
  vi.stubGlobal('fetch', () => Promise.reject(new Error(`no network ${String((requests += 1))}`)))
})

const QUESTION = {
  selection: OPENING_SELECTION,
  mode: 'touch',
  history: OPENING_HISTORY,
  days: null,
  past: null,
  isWholePage: false,
} as const
const SEED = {
  page: 'asset',
  asset: 'btc',
  part: dashboardPart([], { version: 'v1', total: 7 }),
  past: null,
} as const

function show(useShown: () => { readonly data: unknown; readonly error: Error | null }) {
  const client = newClient()
  const { result } = renderHook(useShown, {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  })
  return { client, result }
}
const usePart = () => useQuery(partQuery('btc', QUESTION, SEED))
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const asked = (times: number) => vi.waitFor(() => expect(requests).toBe(times))

it('data embedded in the page is shown without a request, until there is news', async () => {
  noteVersion('v1')
  const { client, result } = show(usePart)
  await pass(60_000)
  expect([result.current.data, requests]).toMatchObject([{ total: 7 }, 0])
  await act(async () => {
    void client.invalidateQueries({ queryKey: partsKey('btc') })
    await asked(1)
  })
})

it('embedded data older than the last news is shown while it is loaded again', async () => {
  noteVersion('v2')
  const { result } = show(usePart)
  expect(result.current.data).toMatchObject({ total: 7 })
  await act(() => asked(1))
})

it('a failed attempt is repeated once after a second', async () => {
  const { result } = show(() => useQuery(closesQuery('btc', { version: 'a' })))
  await pass(900)
  expect([result.current.error, requests]).toEqual([null, 1])
  await pass(200)
  expect([result.current.error?.message, requests]).toEqual(['The server cannot be reached.', 2])
  await pass(60_000)
  expect(requests).toBe(2)
})

it('closes of a past day stay in memory for ten seconds', () => {
  expect(closesQuery('btc', { past: day('2024-01-01') }).gcTime).toBe(10_000)
})
