import { cleanup, fireEvent, screen } from '@testing-library/react'
import { type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Role } from '#contracts/access.ts'
import { type QueuedReply } from '#contracts/replies.ts'
import { type AdminReport } from '#contracts/reports.ts'
import { DECLINE_REASONS } from '#domain/report.ts'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { GoalpostsView } from '#web/admin/goalposts/goalposts-view.tsx'
import { ReplyCard } from '#web/admin/replies/reply-card.tsx'
import { ReportCard } from '#web/admin/reports/report-card.tsx'
import { pass, refusal, show, stubServer } from '#web/admin/review/testing.tsx'
import { RoleContext } from '#web/api/role.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const CAME = '2026-11-18T11:00:00.000Z'
const done = (message: string) => ({ success: true, message })

let server: ReturnType<typeof stubServer>

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  history.replaceState(null, '', '/admin')
  server = stubServer()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const showTo = (role: Role, view: ReactNode) => show(<RoleContext value={role}>{view}</RoleContext>)
const offered = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass()
}
/** What was sent, as `PUT goalposts {…}`. */
const sent = () =>
  server.made
    .filter(({ name }) => !name.startsWith('GET'))
    .map(({ name, body }) => `${name.replace('/api/v1/admin/', '')} ${JSON.stringify(body)}`)

const OPEN = { state: 'open', kind: 'words', at: CAME, withheld: false, decided: null } as const
const CALL = { id: 'a', asset_type: 'btc', statement: 'Bitcoin at $150', name: 'Ada' } as const
const REPORT: AdminReport = {
  ...OPEN,
  number: 7,
  prediction: { ...CALL, slug: 'ada', withdrawn: false },
  other: null,
  source: null,
  explanation: 'It was said otherwise.',
  corrections: [],
  since: [{ number: 3, at: CAME, text: 'The level was corrected.' }],
}

/** @returns how often the list was loaded again */
function showReport(role: Role, given: Partial<AdminReport> = {}) {
  const onChanged = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const report = { ...REPORT, ...given }
  const path = '/api/v1/admin/reports'
  for (const on of ['POST', 'PUT']) server.on(`${on} ${path}`, () => ({ ...done('It.'), report }))
  showTo(role, <ReportCard report={report} onChanged={onChanged} />)
  return () => onChanged.mock.calls.length
}

it.each([
  ['open', 'administrator', ['Accept by this correction', 'Decline', 'Withhold its text']],
  ['open', 'reviewer', ['Decline', 'Withhold its text']],
  ['declined', 'reviewer', ['Open it again', 'Withhold its text']],
  ['accepted', 'administrator', ['Withhold its text']],
] as const)('a report that is %s offers to an %s what may be decided', (state, role, buttons) => {
  showReport(role, { state })
  expect(offered()).toEqual(buttons)
  expect(screen.queryByRole('link', { name: 'Correct it' }) !== null).toBe(
    state === 'open' && role === 'administrator',
  )
})

it('a report is declined, accepted by the correction that was chosen, or withheld; decisions are undone', async () => {
  const loaded = showReport('administrator')
  await press('Decline')
  fireEvent.change(screen.getByLabelText(/^In a sentence/), { target: { value: 'It stands.' } })
  fireEvent.submit(screen.getByRole('form', { name: 'Decline' }))
  await pass()
  await press('Undo')
  await press('Accept by this correction')
  await press('Withhold its text')
  await press('Undo')
  expect(sent()).toEqual([
    `POST reports/7/decline {"reason":"${DECLINE_REASONS[0]}","answer":"It stands.","withheld":false}`,
    'POST reports/7/reopen null',
    'POST reports/7/accept {"correction":3}',
    'PUT reports/7/text {"withheld":true}',
    'PUT reports/7/text {"withheld":false}',
  ])
  expect(loaded()).toBe(5)
})

const ID = '00000000-0000-4000-8000-000000000001'
const WAITING = { id: ID, state: 'waiting', way: 'post', received_at: CAME } as const
const SAID = { name: 'Ada', path: '/experts/ada', about: 'Ada', text: 'A joke.', link: null }
const PROOF = { is_proven: false, evidence: [], evidence_url: null, is_overdue: false, note: null }
const ENDED = { published_at: null, ended_at: null, decided_by: null, reason: null }
const ANSWER_BY = '2026-11-25T11:00:00.000Z'
const REPLY: QueuedReply = { ...WAITING, ...SAID, ...PROOF, ...ENDED, answer_by: ANSWER_BY }

it.each([
  ['administrator', {}, ['Publish', 'Decline…'], true],
  ['administrator', { way: 'nostr' }, ['Publish', 'Decline…'], false],
  ['administrator', { state: 'published' }, ['Take down…'], false],
  ['administrator', { state: 'declined' }, [], false],
  ['administrator', { state: 'withdrawn', text: '' }, [], false],
  ['reviewer', {}, [], false],
] as const)('to an %s a reply %j offers what may be decided', (role, given, buttons, asks) => {
  showTo(role, <ReplyCard row={{ ...REPLY, ...given }} now={NOW} />)
  expect(offered()).toEqual(buttons)
  expect(screen.queryByLabelText(/^How you made sure/) !== null).toBe(asks)
  expect(screen.queryByText(/^Day 3 of \d+, answer by 25\/11\/2026$/) !== null).toBe(
    !('state' in given),
  )
})

const PAIRS = '/api/v1/admin/goalposts'
const ASKED = { state: 'suggested', delay: '1 year', is_shown: true, decided: null }
const pair = (later: string, given: object = {}) => {
  const calls = { earlier: predictionRow({ id: 'first' }), later: predictionRow({ id: later }) }
  return { ...calls, ...ASKED, ...given }
}

it('pairs are decided by key, undone, and loaded again where someone was faster', async () => {
  const rows = [pair('second'), pair('third', { state: 'confirmed', is_shown: false })]
  const counts = { all: 2, suggested: 1, confirmed: 1, cut: 0 }
  server.on(`GET ${PAIRS}`, () => ({ total: 2, page: 1, pages: 1, counts, rows }))
  server.on(`PUT ${PAIRS}`, () => done('Decided.'))
  show(<GoalpostsView />)
  await pass()
  expect(offered().slice(-4)).toEqual(['Confirm', 'Cut', 'Cut', 'Take back'])
  const key = async (name: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
    await pass()
  }
  await key('c')
  await press('Undo')
  server.on(`PUT ${PAIRS}`, () => refusal(409, 'conflict', 'Bob was faster.'))
  const before = server.madeOf(`GET ${PAIRS}`).length
  await key('x')
  expect(server.madeOf(`GET ${PAIRS}`)).toHaveLength(before + 1)
  const said = '{"earlier":"first","later":"second","state":'
  expect(sent()).toEqual([
    `PUT goalposts ${said}"confirmed","was":"suggested"}`,
    `PUT goalposts ${said}"suggested","was":"confirmed"}`,
    `PUT goalposts ${said}"cut","was":"suggested"}`,
  ])
})
