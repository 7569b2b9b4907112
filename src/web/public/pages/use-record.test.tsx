import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { type ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { ASSETS, assetUpTo } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { OPENING_HISTORY } from '#domain/listing/history-view.ts'
import { OPENING_SELECTION } from '#domain/listing/selection.ts'
import { dashboardPart, SITE } from '#tests/support/web-fixtures.ts'
import { noteVersion } from '#web/api/page-data.ts'
import { newClient } from '#web/api/queries.ts'
import { SiteContext } from '#web/head/site.ts'
import { useRecord } from './use-record.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it.each([
  ['2024-04-19', 0],
  ['2024-04-20', 1],
])('on %s the halving of that spring is known: %i', (date, count) => {
  const { events } = assetUpTo(ASSETS.btc, day(date)).axis
  expect(events.filter((event) => event.day >= day('2024-01-01'))).toHaveLength(count)
})

it('lists are loaded again after a time in which nobody listened for news', async () => {
  const requests: string[] = []
  vi.stubGlobal('EventSource', function open() {
    return Object.assign(new EventTarget(), { close: () => undefined })
  })
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url)
    return Promise.reject(new Error('no network'))
  })
  noteVersion('v1')
  const part = dashboardPart([], { prices: { version: '', first: null, last: null } })
  const client = newClient()
  const show = () =>
    renderHook(
      () =>
        useRecord('btc', { page: 'asset', asset: 'btc', part, past: null }, null, {
          selection: OPENING_SELECTION,
          mode: 'touch',
          history: OPENING_HISTORY,
          days: null,
          past: null,
          isWholePage: false,
        }),
      {
        wrapper: ({ children }: { readonly children: ReactNode }) => (
          <SiteContext value={SITE}>
            <QueryClientProvider client={client}>{children}</QueryClientProvider>
          </SiteContext>
        ),
      },
    )
  const { unmount } = show()
  await act(() => Promise.resolve())
  expect(requests).toEqual([])
  unmount()
  show()
  await act(() => vi.waitFor(() => expect(requests).toHaveLength(1)))
})
