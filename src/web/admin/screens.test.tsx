import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { adminServer, show } from '#tests/support/admin-screens.tsx'
import { RoleContext } from '#web/admin/hints.ts'
import { ScreenTitle } from '#web/admin/kit/screen.tsx'
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
