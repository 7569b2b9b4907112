import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { adminServer, pass, refusal, show } from '#tests/support/admin-screens.tsx'
import { press, sees, type } from '#tests/support/on-screen.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
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

it('“Only this” leads to the first page of the entries about it', async () => {
  history.replaceState(null, '', '/admin/audit?page=2&open=7')
  show(<AuditView />)
  await pass()
  await press(/^Only this/)
  expect(location.search).toBe('?kind=prediction&id=a')
})

it('the entry before opens once the last of the list, which was open, is gone', async () => {
  history.replaceState(null, '', '/admin/audit?open=8')
  server.on(URL, () => reply([ROW, { ...ROW, id: 8 }]))
  show(<AuditView />)
  await pass()
  server.on(URL, () => reply([ROW]))
  window.dispatchEvent(new Event('visibilitychange'))
  await pass()
  expect(location.search).toBe('?open=7')
})

it('entries link and say what is stored', () =>
  storedCases('audit', {
    'the address of what an entry is about': (kind, subject, gone?: string) => {
      const about = gone === undefined ? { name: 'x', asset_type: 'mstr' as const } : null
      return addressOf({ kind, subject, about })
    },
    'the details of an entry': (action, after) =>
      detailText({ action, before: null, after: jsonPart(after) }),
    'the action of an entry': (action) => whatText({ action, after: null }),
  }))

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
