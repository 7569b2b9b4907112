import { fireEvent } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type QueuedReply } from '#contracts/replies.ts'
import { type AdminReport } from '#contracts/reports.ts'
import {
  adminServer,
  pass,
  refusal,
  visitsText,
  type Visits,
} from '#tests/support/admin-screens.tsx'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { GoalpostsView } from '#web/admin/goalposts/goalposts-view.tsx'
import { RoleContext } from '#web/admin/hints.ts'
import { RepliesView } from '#web/admin/replies/replies-view.tsx'
import { ReportsView } from '#web/admin/reports/reports-view.tsx'

const ID = '00000000-0000-4000-8000-000000000001'
const CAME = '2026-11-18T11:00:00.000Z'
const V1 = '/api/v1/admin'
const server = adminServer('/admin')

const opens = (id: string) => () => history.replaceState(null, '', `/admin?state=all&open=${id}`)
const lists = (path: string, ...rows: readonly object[]) => {
  const page = { total: rows.length, page: 1, pages: 1, rows }
  const counts = { open: 2, accepted: 0, declined: 0, all: 2, suggested: 1, confirmed: 1, cut: 0 }
  const replies = { waiting: 1, overdue: 0, published: 0, withdrawn: 0 }
  return () =>
    server.on(`GET ${V1}/${path}`, () => ({ ...page, counts: { ...counts, ...replies } }))
}
const decides = (method: string, reply: () => unknown) => () => server.on(`${method} ${V1}`, reply)
const done = () => ({ success: true, message: 'Decided.' })
const key = (name: string) => async () => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
  await pass()
}

const CALL = { id: 'a', name: 'Expert A', statement: 'Bitcoin at $150', withdrawn: false }
const OPEN = { state: 'open', kind: 'words', at: CAME, withheld: false, decided: null } as const
const report = (number: number): AdminReport => ({
  ...OPEN,
  number,
  prediction: CALL,
  other: null,
  source: null,
  explanation: `Words ${String(number)}`,
  corrections: [],
  since: [{ number: 3, at: CAME, text: 'The level was corrected.' }],
})

const REPORTS: Visits = {
  'the next report opens after a decision, and keys go on from there': [
    [lists('reports', report(7), report(8), report(9)), opens('7'), decides('POST', done)],
    lists('reports', report(8), report(9)),
    'Accept by this correction',
    ...['j', 'Escape', 'k', 'Enter'].map(key),
  ],
}

const REPLY: QueuedReply = {
  id: ID,
  state: 'waiting',
  way: 'post',
  received_at: CAME,
  answer_by: '2026-11-25T11:00:00.000Z',
  name: 'Expert A',
  path: '/experts/expert-a',
  about: 'Expert A',
  text: 'A joke.',
  link: null,
  is_proven: false,
  evidence: [],
  evidence_url: null,
  is_overdue: false,
  note: null,
  published_at: null,
  ended_at: null,
  decided_by: null,
  reason: null,
}
const reply = (overrides: Partial<QueuedReply> = {}) =>
  [[lists('replies', { ...REPLY, ...overrides }), opens(ID)]] as const

const REPLIES: Visits = {
  'a waiting reply': reply(),
  'a signed reply': reply({ way: 'nostr' }),
  'a published reply': reply({ state: 'published' }),
  'a declined reply': reply({ state: 'declined' }),
  'a withdrawn reply': reply({ state: 'withdrawn', text: '' }),
}
const READ_ONLY: Visits = { 'a waiting reply, for a reviewer': reply() }

const pair = (later: string, overrides: object = {}) => ({
  earlier: predictionRow({ id: 'first' }),
  later: predictionRow({ id: later }),
  state: 'suggested',
  delay: '1 year',
  is_shown: true,
  decided: null,
  ...overrides,
})
const THIRD = pair('third', { state: 'confirmed', is_shown: false })
const isSlower = () => {
  lists('goalposts', THIRD)()
  return refusal(409, 'conflict', 'Admin B was faster.')
}

const PAIRS: Visits = {
  'pairs are decided by key and reloaded after a conflict': [
    [lists('goalposts', pair('second'), THIRD), opens(''), decides('PUT', done)],
    key('c'),
    'Undo',
    decides('PUT', isSlower),
    key('x'),
  ],
  'all pairs': [[lists('goalposts', pair('second'), THIRD), opens('')]],
}

it('decisions have their stored texts', async () => {
  const reviewer = (
    <RoleContext value="reviewer">
      <RepliesView />
    </RoleContext>
  )
  const texts = [
    await visitsText(server, <ReportsView />, REPORTS),
    await visitsText(server, <RepliesView />, REPLIES),
    await visitsText(server, reviewer, READ_ONLY),
    await visitsText(server, <GoalpostsView />, PAIRS),
  ]
  await expect(texts.join('\n')).toMatchFileSnapshot('../../../../tests/texts/decisions.txt')
})
