import { act, cleanup, fireEvent, renderHook, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type AdminPrediction } from '#contracts/corrections.ts'
import { verdictRow } from '#contracts/prediction-wire.ts'
import { adminServer, pass, refusal, show } from '#tests/support/admin-screens.tsx'
import { press, sees, type } from '#tests/support/on-screen.ts'
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

const DRY = {
  fields: {},
  changes: [{ field: 'level', label: 'the level', before: 'Target $69,000', after: 'Target $70k' }],
  rejudged: true,
  price_prediction: '$70,000',
  before: { touch: HIT, close: OPEN },
  after: { touch: { ...OPEN, mode: 'touch' as const }, close: OPEN },
  sentences: { touch: 'Open until then.', close: 'Open until 31 Dec 2024.' },
  warnings: ['The verdict by close is set by hand and stays that way.'],
}

/** Two people share a name. */
const PEOPLE = [
  { id: 7, name: 'Jane Doe', handle: '@jane', aliases: [] },
  { id: 8, name: 'Jane Doe', handle: '@janetwo', aliases: ['J. Doe'] },
]

const server = adminServer('/admin/predictions')

beforeEach(() => {
  server.on(`GET ${URL}/a`, () => detail())
  server.on(`POST ${URL}/a/dry-run`, () => DRY)
  server.on('GET /api/admin/influencers', () => PEOPLE)
})

async function open(): Promise<void> {
  history.replaceState(null, '', '/admin/predictions?open=a')
  show(<RecordsView />)
  await pass()
}

const correct = () => within(screen.getByRole('form', { name: 'Correct this prediction' }))

it('previews the verdicts after an edit, then sends only changed fields', async () => {
  const saved = { success: true, message: 'Data saved successfully!' }
  server.on(`PUT ${URL}/a`, () => ({ ...saved, prediction: detail({ version: 4 }) }))
  await open()
  expect(correct().getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  type('Price as said', '70.000')
  sees('read as $70,000')
  await pass(400)
  await pass()
  sees('the level')
  expect(screen.getByText(/By intraday prices: SUCCESS →/).textContent).toContain('PENDING')
  expect(screen.getByText(/By daily closes: PENDING →/).textContent).toContain('stays PENDING')
  sees(DRY.warnings[0] ?? '')
  fireEvent.change(correct().getByLabelText('Reason'), { target: { value: 'A slip' } })
  await press('Save', correct())
  const level = { price_target: 70_000, price_min: null, price_max: null }
  const claim = { prediction_type: 'target', timing: 'by', direction: null, ...level }
  const [sent] = server.madeOf(`PUT ${URL}/a`)
  expect(sent?.body).toEqual({ ...claim, version: 3, reason: 'A slip' })
  sees('Data saved successfully!')
})

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

it('shows faults at their field and keeps edits when the server is unreachable', async () => {
  await open()
  type('Private remarks optional', 'mine')
  server.on(`PUT ${URL}/a`, () =>
    refusal(400, 'invalid', 'Please say why', {
      reason: 'Please say why',
      'sources.0.url': 'No address',
    }),
  )
  await press('Save', correct())
  expect(correct().getByLabelText('Reason').getAttribute('aria-invalid')).toBe('true')
  sees('No address')
  server.off(`PUT ${URL}/a`)
  await press('Save', correct())
  sees('The server cannot be reached.')
  expect(screen.getByLabelText('Private remarks optional')).toHaveProperty('value', 'mine')
})

it('shows a missing reason for a decision once, at its field', async () => {
  const why = 'Please say why'
  server.on(`POST ${URL}/a/withdraw`, () => refusal(400, 'invalid', why, { reason: why }))
  await open()
  await press('Withdraw')
  expect(screen.getAllByText(why)).toHaveLength(1)
})

it('cannot change verdicts of a frozen prediction', async () => {
  server.on(`GET ${URL}/a`, () => detail({ frozen_at: '2026-11-01T00:00:00.000Z' }))
  await open()
  sees(/^Frozen since/)
  expect(screen.getByRole('button', { name: 'Set verdict' })).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Unfreeze' })).toHaveProperty('disabled', false)
})

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
