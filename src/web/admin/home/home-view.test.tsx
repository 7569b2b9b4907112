import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { submission } from '#web/admin/review/testing.tsx'
import { type Role } from '#contracts/access.ts'
import { RoleContext } from '#web/api/role.ts'
import { HomeView } from './home-view.tsx'
import { waitingText, waitText } from './home-texts.ts'

const fetched = vi.fn<typeof fetch>()
const COUNTS = { pending: 1, approved: 0, rejected: 0, all: 1 }
const HOME = {
  at: '2026-11-20T12:00:00.000Z',
  waiting: [
    { asset_type: 'btc', counts: COUNTS, oldest_at: '2026-11-18T12:00:00.000Z' },
    { asset_type: 'mstr', counts: { ...COUNTS, pending: 0 }, oldest_at: null },
  ],
  oldest: [{ ...submission(1), waits_ms: 3 * 3_600_000 }],
  open_reports: 0,
  decided_today: {
    approved: 2,
    rejected: 1,
    by: [{ username: 'ada', approved: 2, rejected: 1 }],
    latest: [{ ...submission(2), status: 'approved', decided_by: 'ada' }],
  },
  replies: { waiting: 2, overdue: 1 },
  failed: [
    {
      kind: 'source',
      id: 'kraken',
      submission_id: null,
      at: '2026-11-20T11:00:00.000Z',
      text: '<b>No answer</b>',
    },
  ],
}

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(role: Role = 'administrator'): Promise<void> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await act(async () => {
    render(
      <QueryClientProvider client={client}>
        <RoleContext value={role}>
          <HomeView />
        </RoleContext>
      </QueryClientProvider>,
    )
  })
}

it('the home page shows what waits, what was decided and what failed, with the way there', async () => {
  fetched.mockImplementation(async () => Response.json(HOME))
  await open()
  expect(await screen.findByText('Oldest: 2 days')).toBeDefined()
  expect(screen.getByText('Nothing waits')).toBeDefined()
  const waiting = screen.getByRole('link', { name: /Expert 1.*BTC \$150,000 by 31\/12\/2027/ })
  expect(waiting.getAttribute('href')).toBe(`/admin/dashboard?open=${submission(1).id}`)
  const decided = screen.getByRole('link', { name: /Expert 2/ })
  expect(decided.getAttribute('href')).toBe(`/admin/dashboard?tab=all&open=${submission(2).id}`)
  expect(screen.getByText('waits 3 h')).toBeDefined()
  expect(screen.getByText(/2 approved, 1 rejected/)).toBeDefined()
  expect(screen.getByText('<b>No answer</b>')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Look into it' }).getAttribute('href')).toBe(
    '/admin/operations',
  )
})

it('the home page begins with what to do next, and the button that begins it', async () => {
  fetched.mockImplementation(async () => Response.json(HOME))
  await open()
  expect(await screen.findByText('1 submission waits, for 3 hours.')).toBeDefined()
  const start = screen.getByRole('link', { name: 'Start reviewing' })
  expect(start.getAttribute('href')).toBe(`/admin/dashboard?open=${submission(1).id}`)
  cleanup()
  const none = HOME.waiting.map((one) => ({ ...one, counts: { ...COUNTS, pending: 0 } }))
  fetched.mockImplementation(async () => Response.json({ ...HOME, waiting: none, oldest: [] }))
  await open()
  expect(await screen.findByText('No submissions wait.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'See what failed' }).getAttribute('href')).toBe('#failed')
})

it.each([
  [0, 0, 'No submissions wait.'],
  [1, 59_000, '1 submission waits.'],
  [1, 60_000, '1 submission waits, for 1 minute.'],
  [12, 3 * 86_400_000, '12 submissions wait, the oldest for 3 days.'],
  [1_200, 5 * 3_600_000, '1,200 submissions wait, the oldest for 5 hours.'],
  [2, 0, '2 submissions wait.'],
])('%d submissions of which the oldest waits %d ms: %s', (count, ms, text) => {
  expect(waitingText(count, ms)).toBe(text)
})

it('the home page shows reviewers a way only to what they may open', async () => {
  const failure = { submission_id: null, at: null, text: 'No answer' }
  const failed = ['source', 'payment', 'queue', 'notice'].map((kind) => ({
    ...failure,
    kind,
    id: kind,
  }))
  fetched.mockImplementation(async () => Response.json({ ...HOME, failed }))
  await open('reviewer')
  const ways = (await screen.findAllByRole('link', { name: 'Look into it' })).map((link) =>
    link.getAttribute('href'),
  )
  expect(ways).toEqual(['/admin/queue'])
})

it('the home page offers Retry when it cannot be loaded', async () => {
  fetched.mockRejectedValueOnce(new Error('no network'))
  await open()
  expect(await screen.findByRole('alert')).toBeDefined()
  fetched.mockImplementation(async () => Response.json(HOME))
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Oldest: 2 days')).toBeDefined()
})

it.each([
  [-5_000, '0 min'],
  [59 * 60_000, '59 min'],
  [47 * 3_600_000, '47 h'],
  [49 * 3_600_000, '2 days'],
])('%d ms are shown as %s', (ms, text) => {
  expect(waitText(ms)).toBe(text)
})
