import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import { adminServer, pass, show } from '#tests/support/admin-screens.tsx'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { RoleContext } from '#web/admin/hints.ts'
import { ScreenTitle } from '#web/admin/kit/screen.tsx'
import { AdminApp } from './admin-app.tsx'
import { GROUPS } from './screens.ts'

const server = adminServer()

it.each(GROUPS.flatMap(({ screens }) => screens))(
  'the heading of $name stays while it loads and after it has failed',
  async ({ title, Page }) => {
    vi.useRealTimers()
    stubWideWindow()
    const answer = Promise.withResolvers()
    server.on('GET /', () => answer.promise)
    show(
      <ScreenTitle value={title}>
        <RoleContext value="administrator">
          <Suspense>
            <Page />
          </Suspense>
        </RoleContext>
      </ScreenTitle>,
    )
    const heading = await screen.findByRole('heading', { level: 1 })
    expect(heading.textContent).toBe(title === 'Account' ? 'Account of ' : title)
    await vi.waitFor(() => expect(server.made).not.toEqual([]))
    answer.reject(new Error('no network'))
    await vi.waitFor(() => expect(screen.queryAllByText(/^Loading/)).toEqual([]))
    expect(screen.getByRole('heading', { level: 1 })).toBe(heading)
  },
)

it.each([
  ['/admin/audit?who=boss', '/admin/audit?who=boss'],
  ['/admin/login?next=/admin/audit', '/admin/dashboard'],
  ['/admin/../..//evil.example', '/admin/dashboard'],
  ['//evil.example/admin/audit', '/admin/dashboard'],
  ['https://evil.example/admin/audit', '/admin/dashboard'],
])('signing in with %s as the next page leads to %s', async (next, to) => {
  localStorage.setItem('adminLoggedIn', 'true')
  history.replaceState(null, '', `/admin/login?next=${encodeURIComponent(next)}`)
  show(<AdminApp />)
  await pass()
  expect(location.pathname + location.search).toBe(to)
})
