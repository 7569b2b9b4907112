import { cleanup, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type Role } from '#contracts/access.ts'
import { adminServer, pass, show } from '#tests/support/admin-screens.tsx'
import { sees } from '#tests/support/on-screen.ts'
import { RoleContext } from '#web/admin/hints.ts'
import { HomeView, repliesText, waitingText } from './home-view.tsx'

const REPLIES = { waiting: 2, overdue: 1, answer_by: '2026-11-19T12:00:00.000Z' }
const TO_DO = { replies: REPLIES, posts: 3, price_questions: 1, payments: 2, failed: 4, reports: 5 }
const HOME = {
  at: '2026-11-20T12:00:00.000Z',
  waiting: [
    { asset_type: 'btc', pending: 2, oldest_at: '2026-11-18T12:00:00.000Z' },
    { asset_type: 'mstr', pending: 0, oldest_at: null },
  ],
  to_do: TO_DO,
  oldest: [],
  decided_today: { approved: 0, rejected: 0, by: [], latest: [] },
  failed: ['source', 'payment', 'queue'].map((kind) => {
    return { kind, id: kind, submission_id: null, at: null, text: '<b>No answer</b>' }
  }),
}
const NO_COUNTS = { posts: 0, price_questions: 0, payments: 0, failed: 0, reports: 0 }
const NOTHING = { replies: { waiting: 0, overdue: 0, answer_by: null }, ...NO_COUNTS }

const server = adminServer()
async function open(home: object, role: Role = 'administrator'): Promise<void> {
  server.on('GET /api/v1/admin/home', () => home)
  show(
    <RoleContext value={role}>
      <HomeView />
    </RoleContext>,
  )
  await pass()
}
const due = () => screen.getAllByRole('link').slice(0, 7)

it('the home page lists due work by urgency, with links', async () => {
  await open(HOME)
  expect(due().map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['2 replies are waiting, 1 is overdue.', '/admin/replies'],
    ['3 posts need a decision.', '/admin/publish'],
    ['1 price question.', '/admin/operations'],
    ['2 payments need settling.', '/admin/payments?kind=odd'],
    ['4 jobs or deliveries have failed or are in doubt.', '/admin/operations#failed'],
    ['5 reports are waiting.', '/admin/reports'],
    ['2 BTC submissions are waiting, the oldest for 2 days.', '/admin/dashboard'],
  ])
  cleanup()
  await open({ ...HOME, waiting: [], to_do: NOTHING })
  sees('Nothing is waiting.')
})

it('the home page links reviewers only to screens they may open', async () => {
  const hidden = { posts: null, price_questions: null, payments: null, failed: null }
  await open({ ...HOME, to_do: { ...hidden, replies: null, reports: 0 } }, 'reviewer')
  expect(due()[0]?.textContent).toMatch(/^2 BTC submissions/)
  const ways = screen.getAllByRole('link', { name: 'Look into it' })
  expect(ways.map((link) => link.getAttribute('href'))).toEqual(['/admin/queue'])
})

it.each([
  [1, 59_000, '1 BTC submission is waiting.'],
  [1, 60_000, '1 BTC submission is waiting, for 1 minute.'],
  [12, 3 * 86_400_000, '12 BTC submissions are waiting, the oldest for 3 days.'],
  [1_200, 5 * 3_600_000, '1,200 BTC submissions are waiting, the oldest for 5 hours.'],
])('describes %d submissions, the oldest waiting %d ms, as: %s', (count, ms, text) => {
  expect(waitingText('BTC', count, ms)).toBe(text)
})

it.each([
  [1, 0, '1 reply is waiting, promised by 25/11/2026.'],
  [2, 0, '2 replies are waiting, the first promised by 25/11/2026.'],
  [3, 2, '3 replies are waiting, 2 are overdue.'],
])('describes %d replies, %d overdue, as: %s', (waiting, overdue, text) => {
  expect(repliesText({ waiting, overdue, answer_by: '2026-11-25T12:00:00.000Z' })).toBe(text)
})
