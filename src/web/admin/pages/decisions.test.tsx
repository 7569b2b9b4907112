import { fireEvent, screen } from '@testing-library/react'
import { type ReactNode } from 'react'
import { expect, it } from 'vitest'
import { type Role } from '#contracts/access.ts'
import { type QueuedReply } from '#contracts/replies.ts'
import { type AdminReport } from '#contracts/reports.ts'
import { adminServer, pass, refusal, show } from '#tests/support/admin-screens.tsx'
import { isAlerted, press } from '#tests/support/on-screen.ts'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { GoalpostsView } from '#web/admin/goalposts/goalposts-view.tsx'
import { RoleContext } from '#web/admin/hints.ts'
import { RepliesView } from '#web/admin/replies/replies-view.tsx'
import { ReportsView } from '#web/admin/reports/reports-view.tsx'

const CAME = '2026-11-18T11:00:00.000Z'
const done = (message: string) => ({ success: true, message })

const server = adminServer('/admin')
async function showTo(role: Role, view: ReactNode, open: string): Promise<void> {
  history.replaceState(null, '', `/admin?state=all&open=${open}`)
  show(<RoleContext value={role}>{view}</RoleContext>)
  await pass()
}
const offered = (within: Element) =>
  [...within.querySelectorAll('button')].map(({ textContent }) => textContent)
const details = () => screen.getByRole('region', { name: 'Details' })
async function key(name: string): Promise<void> {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
  await pass()
}
const sent = () =>
  server.made
    .filter(({ name }) => !name.startsWith('GET'))
    .map(({ name, body }) => `${name.replace('/api/v1/admin/', '')} ${JSON.stringify(body)}`)

const OPEN = { state: 'open', kind: 'words', at: CAME, withheld: false, decided: null } as const
const CALL = { id: 'a', name: 'Expert A', statement: 'Bitcoin at $150', withdrawn: false }
const REPORT: AdminReport = {
  ...OPEN,
  number: 7,
  prediction: CALL,
  other: null,
  source: null,
  explanation: 'It was said otherwise.',
  corrections: [],
  since: [{ number: 3, at: CAME, text: 'The level was corrected.' }],
}
const REPORTS = '/api/v1/admin/reports'
const COUNTS = { open: 2, accepted: 0, declined: 0 }

async function showReports(role: Role, ...rows: readonly AdminReport[]): Promise<void> {
  const list = () => ({ total: rows.length, page: 1, pages: 1, counts: COUNTS, rows })
  server.on(`GET ${REPORTS}`, list)
  for (const on of ['POST', 'PUT']) {
    server.on(`${on} ${REPORTS}`, () => done('It.'))
  }
  await showTo(role, <ReportsView />, '7')
}

it('opens the next report after a decision and keeps the keys working', async () => {
  const rest = [8, 9].map((number) => ({ ...REPORT, number, explanation: `Words ${number}` }))
  await showReports('administrator', REPORT, ...rest)
  server.on(`GET ${REPORTS}`, () => ({ total: 2, page: 1, pages: 1, counts: COUNTS, rows: rest }))
  await press('Accept by this correction')
  expect(details().textContent).toContain('Words 8')
  await key('j')
  expect(details().textContent).toContain('Words 9')
  await key('Escape')
  expect(screen.queryByRole('region', { name: 'Details' })).toBeNull()
  await key('k')
  await key('Enter')
  expect(details().textContent).toContain('Words 8')
})

const ID = '00000000-0000-4000-8000-000000000001'
const WAITING = { id: ID, state: 'waiting', way: 'post', received_at: CAME } as const
const SAID = {
  name: 'Expert A',
  path: '/experts/expert-a',
  about: 'Expert A',
  text: 'A joke.',
  link: null,
}
const PROOF = { is_proven: false, evidence: [], evidence_url: null, is_overdue: false, note: null }
const ENDED = { published_at: null, ended_at: null, decided_by: null, reason: null }
const ANSWER_BY = '2026-11-25T11:00:00.000Z'
const REPLY: QueuedReply = { ...WAITING, ...SAID, ...PROOF, ...ENDED, answer_by: ANSWER_BY }
const REPLIES = '/api/v1/admin/replies'

async function showReply(role: Role, overrides: object = {}): Promise<void> {
  const counts = { waiting: 1, overdue: 0, published: 0, declined: 0, withdrawn: 0 }
  const rows = [{ ...REPLY, ...overrides }]
  server.on(`GET ${REPLIES}`, () => ({ total: 1, page: 1, pages: 1, counts, rows }))
  await showTo(role, <RepliesView />, ID)
}

it.each([
  ['administrator', {}, ['Publish', 'Decline…'], true],
  ['administrator', { way: 'nostr' }, ['Publish', 'Decline…'], false],
  ['administrator', { state: 'published' }, ['Take down…'], false],
  ['administrator', { state: 'declined' }, [], false],
  ['administrator', { state: 'withdrawn', text: '' }, [], false],
  ['reviewer', {}, [], false],
] as const)(
  'offers an %s the decisions possible for a reply with %j',
  async (role, input, all, asks) => {
    await showReply(role, input)
    expect(offered(details())).toEqual(all)
    expect(screen.queryByLabelText(/^How you verified/) !== null).toBe(asks)
    expect(screen.queryByText('Answer by 25/11/2026') !== null).toBe(!('state' in input))
  },
)

const PAIRS = '/api/v1/admin/goalposts'
const ASKED = { state: 'suggested', delay: '1 year', is_shown: true, decided: null }
const pair = (later: string, overrides: object = {}) => {
  const calls = { earlier: predictionRow({ id: 'first' }), later: predictionRow({ id: later }) }
  return { ...calls, ...ASKED, ...overrides }
}

it('decides pairs by key, undoes that, and reloads after a conflict', async () => {
  const rows = [pair('second'), pair('third', { state: 'confirmed', is_shown: false })]
  const counts = { all: 2, suggested: 1, confirmed: 1, cut: 0 }
  server.on(`GET ${PAIRS}`, () => ({ total: 2, page: 1, pages: 1, counts, rows }))
  server.on(`PUT ${PAIRS}`, () => done('Decided.'))
  await showTo('administrator', <GoalpostsView />, '')
  expect(offered(screen.getByRole('table')).filter((text) => !text.includes('moved'))).toEqual([
    'Confirm',
    'Dismiss',
    'Dismiss',
    'Back to suggested',
  ])
  await key('c')
  await press('Undo')
  server.on(`PUT ${PAIRS}`, () => refusal(409, 'conflict', 'Admin B was faster.'))
  const before = server.madeOf(`GET ${PAIRS}`).length
  await key('x')
  expect(server.madeOf(`GET ${PAIRS}`)).toHaveLength(before + 1)
  isAlerted('Admin B was faster.')
  const message = '{"earlier":"first","later":"second","state":'
  expect(sent()).toEqual([
    `PUT goalposts ${message}"confirmed","was":"suggested"}`,
    `PUT goalposts ${message}"suggested","was":"confirmed"}`,
    `PUT goalposts ${message}"cut","was":"suggested"}`,
  ])
})
