import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { adminServer, pass, refusal, show } from '#tests/support/admin-screens.tsx'
import { press, sees } from '#tests/support/on-screen.ts'
import { OperationsView } from './operations-view.tsx'

const server = adminServer()
const NOW = '2026-11-20T10:00:00.000Z'

const EARLIER = {
  asset: 'btc',
  days: 2310,
  changed: 3,
  changes: [
    { id: 'a', mode: 'touch', before: 'MISS on 20/10/2013', after: 'SUCCESS on 05/10/2013' },
  ],
  completed: 40,
  digest: 'seen',
  agreed_by: null,
}

it('publishes earlier highs and lows after a preview of what changes', async () => {
  server.on('GET /api/v1/admin/prices/earlier-days', () => ({
    waiting: [EARLIER, { ...EARLIER, asset: 'mstr', agreed_by: 'Admin B' }],
  }))
  server.on('POST /api/v1/admin/prices/earlier-days/publish', () =>
    refusal(409, 'conflict', 'Please look at the new one first.'),
  )
  show(<OperationsView />)
  await pass()
  const { textContent: text } = document.body
  expect(text).toContain('BTC: 2,310 days with a range would change 3 verdicts')
  expect(text).toContain(
    'a, by intraday prices: MISS on 20/10/2013 → SUCCESS on 05/10/2013and 2 more',
  )
  expect(text).toContain('Admin B has published them')
  expect(screen.queryByRole('button', { name: 'Publish MSTR ranges' })).toBeNull()
  await press('Publish BTC ranges')
  expect(server.madeOf('POST')).toEqual([])
  await press('Publish')
  expect(server.madeOf('POST').at(-1)?.body).toEqual({ asset: 'btc', seen: 'seen' })
  sees(/look at the new one first/)
})

it('decides about deliveries by what became of them, and about posts elsewhere', async () => {
  const row = { title: 'T', key: null, ref: 'r', count: 1, failed_at: NOW, tries: 1, reason: 'R.' }
  server.on('GET /api/v1/admin/jobs', () => ({
    now: NOW,
    warnings: [],
    jobs: [],
    failed: [
      { ...row, id: '1', kind: 'relay', state: 'failed', count: 1200, key: 'wss://relay.org' },
      { ...row, id: '2', kind: 'notice', state: 'unknown' },
      { ...row, id: '3', kind: 'post', state: 'unknown' },
    ],
  }))
  server.on('POST /api/v1/admin/jobs/2/arrived', () => ({ success: true, message: 'Done.' }))
  show(<OperationsView />)
  await pass()
  const table = screen.getByRole('table', { name: 'Failed jobs and deliveries' })
  const rows = within(table).getAllByRole('row').slice(1)
  const ways = rows.map((one) =>
    [...one.querySelectorAll('a, button')].map(({ textContent: text }) => text),
  )
  expect(ways).toEqual([['Try again', 'Dismiss'], ['T', 'It arrived', 'Send it again'], ['Decide']])
  expect(rows[0]?.textContent).toContain('T: wss://relay.org (1,200)')
  await press('It arrived')
  const [made] = server.madeOf('POST')
  expect(made?.name).toBe('POST /api/v1/admin/jobs/2/arrived')
})
