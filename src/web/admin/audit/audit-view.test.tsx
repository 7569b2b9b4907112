import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { adminServer, pass, refusal, show } from '#tests/support/admin-screens.tsx'
import { press, sees, type } from '#tests/support/on-screen.ts'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { changesOf } from '#web/admin/kit/changes.tsx'
import { showTime } from '#web/ui/show.ts'
import { addressOf, AuditView, detailText, whatText } from './audit-view.tsx'

const URL = 'GET /api/v1/admin/audit'
const ROW = {
  id: 7,
  at: '2026-11-20T10:00:00.000Z',
  who: 'ada',
  action: 'prediction edited',
  kind: 'prediction',
  subject: 'a',
  before: { level: 'Target $1', version: 0 },
  after: { level: '<img src=x>', version: 1 },
  reason: 'A slip',
  about: { name: 'Ada Byron: BTC Target $1 by 31/12/2027', asset_type: 'btc' },
}
const reply = (rows: readonly object[]) => ({
  total: rows.length,
  page: 1,
  pages: 1,
  rows,
  known: { who: ['ada', 'bob'], actions: ['prediction edited'], kinds: ['prediction'] },
})

const server = adminServer('/admin/audit')

beforeEach(() => {
  stubWideWindow()
  server.on(URL, () => reply([ROW]))
})

it('the audit log counts failed sign-ins from one network in one row', async () => {
  const after = {
    why: 'wrong password',
    name: 'ada',
    address: '198.51.100.7',
    times: 41,
    from: '2026-11-20T10:00:00.000Z',
    to: '2026-11-20T10:59:00.000Z',
  }
  const about = { name: 'ada', asset_type: null }
  const failed = { ...ROW, who: 'visitor', action: 'sign-in failed', kind: 'admin', subject: '3' }
  server.on(URL, () => reply([{ ...failed, before: null, after, reason: null, about }]))
  show(<AuditView />)
  await pass()
  const row = screen.getByRole('row', { name: /Sign-in failed, 41 times/ })
  expect(row.textContent).toContain('A visitor')
  const span = `between ${showTime(after.from)} and ${showTime(after.to)}`
  expect(row.textContent).toContain(`wrong password, from 198.51.100.7, ${span}`)
})

it('the audit log is busy while a filter loads', async () => {
  show(<AuditView />)
  await pass()
  server.on(URL, () => new Promise(() => {}))
  type('Who', 'bob')
  await pass()
  expect(screen.getByRole('table').closest('[aria-busy="true"]')).not.toBeNull()
})

it('the audit log shows an empty result, and Retry after a failed load', async () => {
  server.on(URL, () => refusal(500, 'internal', 'Something went wrong.'))
  show(<AuditView />)
  await pass()
  expect(screen.getByRole('alert').textContent).toContain('The audit log could not be loaded.')
  server.on(URL, () => reply([]))
  await press('Retry')
  sees('No matching entries.')
})

it.each([
  ['submission', 's', '/admin/mstr?tab=all&open=s'],
  ['prediction', 'old split', '/admin/predictions?open=old%20split'],
  ['expert', '3', '/admin/experts?open=3'],
  ['payment', 'p', '/admin/payments?open=p'],
  ['tweet queue', '4', '/admin/queue?item=4'],
  ['social post', 'x', '/admin/publish'],
  ['reply', 'r', '/admin/replies?state=waiting'],
  ['price jump', 'mstr 2024-08-08', '/admin/operations'],
  ['unheard of', '1', null],
])('links an entry about a %s with id %s to %s', (kind, subject, to) => {
  expect(addressOf({ kind, subject, about: { name: 'x', asset_type: 'mstr' } })).toBe(to)
})

it('links to nothing when the subject is gone', () => {
  expect(addressOf({ kind: 'expert', subject: '3', about: null })).toBeNull()
})

it.each([
  ['signed in', { how: 'passkey', address: '192.0.2.1' }, 'by passkey from 192.0.2.1'],
  ['links added', { ids: [1, 2] }, '2 links'],
  ['daily ranges published', { days: 1_200, verdicts: 1 }, '1,200 days, 1 verdict changed'],
  ['token created', { name: 'backup', days: 90 }, 'backup'],
  [
    'call refused',
    { call: 'POST /api/x/tweet', why: 'role', name: 'bob', address: '192.0.2.1' },
    'POST /api/x/tweet, not allowed for their role, from 192.0.2.1',
  ],
  [
    'call refused',
    { call: 'POST /a', why: 'second factor missing', address: '::1' },
    'POST /a, a second factor is not set up, from ::1',
  ],
  ['submission approved', { status: 'approved' }, null],
])('describes "%s" with %j as: %s', (action, after, text) => {
  expect(detailText({ action, before: null, after })).toBe(text)
})

it('starts entries with a capital letter', () => {
  expect(whatText({ action: 'submission approved', after: null })).toBe('Submission approved')
})

it('describes changes in words: field names, dates, yes and no; new values have no "before"', () => {
  const changed = changesOf({
    before: { target_time: '2027-12-31', isFirm: false, version: 1 },
    after: { target_time: '2028-01-31', isFirm: true, version: 2 },
  })
  expect(changed).toEqual([
    { field: 'Target time', before: '31/12/2027', after: '31/01/2028' },
    { field: 'Is firm', before: 'no', after: 'yes' },
  ])
  const made = changesOf({ before: null, after: { networks: ['x', 'nostr'], xText: '' } })
  expect(made).toEqual([
    { field: 'Networks', before: null, after: 'x, nostr' },
    { field: 'Text on X', before: null, after: '–' },
  ])
})
