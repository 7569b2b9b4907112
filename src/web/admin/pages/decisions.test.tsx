import { cleanup, fireEvent, screen } from '@testing-library/react'
import { type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Role } from '#contracts/access.ts'
import { type QueuedReply } from '#contracts/replies.ts'
import { type AdminReport } from '#contracts/reports.ts'
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
  Element.prototype.scrollIntoView = () => undefined
  server = stubServer()
})
afterEach(() => {
  cleanup()
  Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const showTo = (role: Role, view: ReactNode) => show(<RoleContext value={role}>{view}</RoleContext>)
const offered = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass()
}
const sent = () =>
  server.made.flatMap(({ name, body }) => (name.startsWith('GET') ? [] : [{ name, body }]))

const CALL = { id: 'a', asset_type: 'btc', statement: 'Bitcoin at $150' } as const
const REPORT: AdminReport = {
  ...({ number: 7, at: CAME, kind: 'words', state: 'open', source: null, other: null } as const),
  prediction: { ...CALL, name: 'Ada', slug: 'ada', withdrawn: false },
  ...{ explanation: 'It was said otherwise.', withheld: false, decided: null, corrections: [] },
  since: [{ number: 3, at: CAME, text: 'The level was corrected.' }],
}

/** @returns how often the list was loaded again */
function showReport(role: Role, given: Partial<AdminReport> = {}) {
  const onChanged = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const report = { ...REPORT, ...given }
  server.on('POST /api/v1/admin/reports', () => ({ ...done('Decided.'), report }))
  server.on('PUT /api/v1/admin/reports', () => ({ ...done('Decided.'), report }))
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

it('a report is declined with its reason and sentence, and undone', async () => {
  const loaded = showReport('reviewer', { withheld: true })
  await press('Decline')
  fireEvent.change(screen.getByLabelText(/^In a sentence/), { target: { value: 'It stands.' } })
  fireEvent.submit(screen.getByRole('form', { name: 'Decline' }))
  await pass()
  await press('Undo')
  expect(sent()).toEqual([
    {
      name: 'POST /api/v1/admin/reports/7/decline',
      body: { reason: expect.any(String) as string, answer: 'It stands.', withheld: true },
    },
    { name: 'POST /api/v1/admin/reports/7/reopen', body: null },
  ])
  expect(loaded()).toBe(2)
})

it('a report is accepted by the correction that was chosen, and its text is withheld and shown again', async () => {
  const loaded = showReport('administrator')
  await press('Accept by this correction')
  await press('Withhold its text')
  await press('Undo')
  expect(sent()).toEqual([
    { name: 'POST /api/v1/admin/reports/7/accept', body: { correction: 3 } },
    { name: 'PUT /api/v1/admin/reports/7/text', body: { withheld: true } },
    { name: 'PUT /api/v1/admin/reports/7/text', body: { withheld: false } },
  ])
  expect(loaded()).toBe(3)
})

const ID = '00000000-0000-4000-8000-000000000001'
const REPLY: QueuedReply = {
  ...({ id: ID, state: 'waiting', way: 'post', received_at: CAME, is_proven: false } as const),
  ...{ name: 'Ada', path: '/experts/ada', about: 'Ada', text: 'That was a joke.', link: null },
  ...{ answer_by: '2026-11-25T11:00:00.000Z', is_overdue: false, evidence: [], evidence_url: null },
  ...{ published_at: null, ended_at: null, decided_by: null, reason: null, note: null },
}
const REPLIES = '/api/v1/admin/replies'

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

it('a reply is published with how its author was made sure of, and declined with a reason, asked for where it is missing', async () => {
  const why = 'Please say why: its author reads it.'
  server.on(`POST ${REPLIES}/${ID}/publish`, () => done('Published.'))
  server.on(`POST ${REPLIES}/${ID}/decline`, () => refusal(400, 'invalid', why, { reason: why }))
  showTo('administrator', <ReplyCard row={REPLY} now={NOW} />)
  fireEvent.change(screen.getByLabelText(/^How you made sure/), { target: { value: 'Called.' } })
  await press('Publish')
  await press('Decline…')
  await press('Back')
  await press('Decline…')
  await press('Decline')
  expect(screen.getAllByText(why)).toHaveLength(1)
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'Not theirs.' } })
  await press('Decline')
  expect(sent()).toEqual([
    { name: `POST ${REPLIES}/${ID}/publish`, body: { note: 'Called.' } },
    { name: `POST ${REPLIES}/${ID}/decline`, body: { reason: '' } },
    { name: `POST ${REPLIES}/${ID}/decline`, body: { reason: 'Not theirs.' } },
  ])
})

const PAIRS = '/api/v1/admin/goalposts'
const pair = (later: string, given: object = {}) => ({
  ...{ earlier: predictionRow({ id: 'first' }), later: predictionRow({ id: later }) },
  ...{ state: 'suggested', delay: '1 year', is_shown: true, decided: null, ...given },
})

it('pairs are gone through and decided by key or button, undone, and loaded again where someone was faster', async () => {
  const rows = [pair('second'), pair('third', { state: 'confirmed', is_shown: false })]
  const counts = { all: 2, suggested: 1, confirmed: 1, cut: 0 }
  server.on(`GET ${PAIRS}`, () => ({ total: 2, page: 1, pages: 1, counts, rows }))
  server.on(`PUT ${PAIRS}`, () => done('Decided.'))
  show(<GoalpostsView />)
  await pass()
  expect(offered().slice(-4)).toEqual(['Confirm', 'Cut', 'Cut', 'Take back'])
  expect(screen.getAllByText(/no longer a revision/)).toHaveLength(1)
  const key = async (name: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
    await pass()
  }
  await key('c')
  await press('Undo')
  // The first press begins where one is.
  await key('j')
  await key('j')
  await key('c')
  server.on(`PUT ${PAIRS}`, () => refusal(409, 'conflict', 'Bob was faster.'))
  const before = server.madeOf(`GET ${PAIRS}`).length
  await key('x')
  expect(server.madeOf(`GET ${PAIRS}`)).toHaveLength(before + 1)
  expect(screen.getAllByText('Bob was faster.').length).toBeGreaterThan(0)
  const asked = (later: string, was: string, state: string) => ({
    name: `PUT ${PAIRS}`,
    body: { earlier: 'first', later, state, was },
  })
  expect(sent()).toEqual([
    asked('second', 'suggested', 'confirmed'),
    asked('second', 'confirmed', 'suggested'),
    asked('third', 'confirmed', 'cut'),
  ])
})
