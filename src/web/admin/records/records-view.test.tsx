import { act, cleanup, fireEvent, renderHook, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type AdminPrediction } from '#contracts/corrections.ts'
import { verdictRow } from '#contracts/prediction-wire.ts'
import { adminServer, pass, refusal, show } from '#tests/support/admin-screens.tsx'
import { press, type } from '#tests/support/on-screen.ts'
import { predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { useEdit } from '#web/admin/kit/use-edit.ts'
import { RecordsView } from './records-view.tsx'

const URL = '/api/v1/admin/predictions'
const HIT = verdictRow(verdict())
const PENDING = { outcome: 'pending', reason: 'open', day: null, bar: null } as const
const OPEN = verdictRow(verdict({ mode: 'close', ...PENDING }))

function detail(more: Partial<AdminPrediction> = {}): AdminPrediction {
  return {
    prediction: predictionRow({ id: 'a', verdicts: { touch: HIT, close: OPEN } }),
    version: 3,
    remarks: 'checked',
    frozen_at: null,
    withdrawn_at: null,
    withdrawn_reason: null,
    overridden: { touch: false, close: false },
    by_rule: { touch: HIT, close: OPEN },
    rule: 'Hit if BTC trades at or above $69,000.',
    sentences: { touch: 'Hit on 5 Mar 2024.', close: 'Open until 31 Dec 2024.' },
    history: [
      { at: '2026-10-01T00:00:00.000Z', kind: 'published', text: 'Published.', verdict: null },
    ],
    ...more,
  }
}

const server = adminServer('/admin/predictions')

beforeEach(() => {
  server.on(`GET ${URL}/a`, () => detail())
  server.on(`POST ${URL}/a/dry-run`, () => new Promise(() => {}))
  server.on('GET /api/admin/influencers', () => [])
})

async function open(): Promise<void> {
  history.replaceState(null, '', '/admin/predictions?open=a')
  show(<RecordsView />)
  await pass()
}

const correct = () => within(screen.getByRole('form', { name: 'Correct this prediction' }))

it('restores unsaved edits after a reload, only for the administrator who typed them', async () => {
  localStorage.setItem('adminUsername', 'ada')
  await open()
  type('Private remarks optional', 'mine')
  cleanup()
  localStorage.setItem('adminUsername', 'bob')
  await open()
  expect(screen.getByLabelText('Private remarks optional')).toHaveProperty('value', 'checked')
  cleanup()
  localStorage.setItem('adminUsername', 'ada')
  await open()
  expect(screen.getByLabelText('Private remarks optional')).toHaveProperty('value', 'mine')
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  cleanup()
  await open()
  expect(screen.getByLabelText('Private remarks optional')).toHaveProperty('value', 'checked')
})

it.each([
  ['theirs', 1],
  ['checked', 0],
])(
  'keeps the edit after a concurrent decision with remarks %s, showing %d conflict tables',
  async (remarks, tables) => {
    const withdrawn = detail({ version: 4, remarks, withdrawn_reason: 'Parody' })
    server.on(`POST ${URL}/a/withdraw`, () => {
      server.on(`GET ${URL}/a`, () => withdrawn)
      return { success: true, message: 'Withdrawn.', prediction: withdrawn }
    })
    await open()
    type('Public text optional', 'mine')
    await press('Withdraw')
    expect(screen.queryAllByRole('button', { name: 'Use their version' })).toHaveLength(tables)
    server.on(`PUT ${URL}/a`, () => refusal(409, 'conflict', 'Admin B changed this.'))
    await press('Save', correct())
    const sent = { quote: 'mine', version: 4, reason: '' }
    expect(server.madeOf(`PUT ${URL}/a`)[0]?.body).toEqual(sent)
    await press('Discard changes')
    expect(screen.getByLabelText('Private remarks optional')).toHaveProperty('value', remarks)
    expect(screen.getByLabelText('Public text optional')).not.toHaveProperty('value', 'mine')
  },
)

it('untouched fields follow the row, edited ones until they are typed back', () => {
  const initialProps = { level: '1', notes: '' }
  const { result, rerender } = renderHook((row) => useEdit(row), { initialProps })
  act(() => result.current.change({ level: '2' }))
  rerender({ level: '1', notes: 'theirs' })
  expect(result.current.values).toEqual({ level: '2', notes: 'theirs' })
  expect(result.current.was).toEqual(initialProps)
  act(() => result.current.change({ level: '1' }))
  rerender({ level: '3', notes: 'theirs' })
  expect(result.current.values).toEqual({ level: '3', notes: 'theirs' })
  expect(result.current.isChanged).toBe(false)
})

describe('the list of predictions', () => {
  const list = () => show(<RecordsView />)

  it('requests what its address says', async () => {
    history.replaceState(null, '', '/admin/predictions?state=frozen&asset=mstr&page=2&q=lee')
    server.on(`GET ${URL}`, () => ({ total: 0, page: 2, pages: 1, rows: [] }))
    list()
    await pass()
    expect(server.made[0]?.query).toBe('?q=lee&asset=mstr&state=frozen&page=2')
    await press('Show all again')
    expect(server.made.at(-1)?.query).toBe('?asset=all&state=all&page=1')
  })
})
