import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { adminServer, pass, show } from '#tests/support/admin-screens.tsx'
import { press, sees, seesNot, type } from '#tests/support/on-screen.ts'
import { PaymentsView } from './payments-view.tsx'

const ID = '00000000-0000-4000-8000-000000000001'
const LIST = 'GET /api/v1/admin/payments'
const ROW = {
  id: ID,
  purpose: 'submission',
  prediction_id: null,
  report: null,
  comment: null,
  unused: false,
  submission_id: ID,
  status: 'overpaid',
  sats: 500,
  received_msat: 500_000,
  wallet: 'lnbits',
  network: 'mainnet',
  created_at: '2026-11-20T10:00:00.000Z',
  expires_at: null,
  paid_at: '2026-11-20T10:01:00.000Z',
  expert_name: '<b>Jane</b>',
  price_prediction: '$150,000',
  submission_status: 'pending',
  overpaid: true,
  late: false,
  short: false,
  extra: false,
  settled: null,
}
const DETAIL = {
  ...ROW,
  bolt11: 'lnbc1',
  payment_hash: 'ab'.repeat(32),
  wallet_ref: null,
  settled_at: null,
  last_look_at: null,
  next_look_at: null,
  last_error: null,
  tries: [],
}

const server = adminServer('/admin/payments?kind=odd')

function lists(...rows: readonly object[]): void {
  const total = rows.length
  const counts = { all: 9, overpaid: total, late: 0, short: 0, odd: total }
  server.on(LIST, () => ({ total, page: 1, pages: 1, counts, rows }))
}

beforeEach(() => {
  lists(ROW)
  server.on(`${LIST}/`, () => DETAIL)
})

it('settles an irregular payment with a note, and undoes it', async () => {
  const settled = { at: '2026-11-20T12:00:00.000Z', by: 'Admin A', note: 'Sent back' }
  let payment: object = DETAIL
  const become = (next: object, message: string) => () => {
    payment = next
    return { success: true, message, payment }
  }
  server.on(`${LIST}/`, () => payment)
  const path = `POST /api/v1/admin/payments/${ID}`
  server.on(`${path}/settle`, become({ ...DETAIL, settled }, 'Marked as settled.'))
  server.on(`${path}/reopen`, become(DETAIL, 'Open again.'))
  show(<PaymentsView />)
  await pass()
  expect(screen.getByRole('button', { name: 'Needs settling 1', pressed: true })).toBeDefined()
  await press('<b>Jane</b> $150,000')
  sees(/refunds are made by hand/)
  type('Note', 'Sent back')
  await press('Mark as settled')
  expect(server.madeOf('POST')[0]?.body).toEqual({ note: 'Sent back' })
  sees(/Settled by Admin A/)
  await press('Undo')
  expect(server.madeOf('POST').at(-1)?.name).toContain('/reopen')
  seesNot(/Settled by Admin A/)
})

it('says what arrived of a payment of one sat', async () => {
  const paid = { sats: 1, received_msat: 1_000 }
  lists({ ...ROW, ...paid })
  server.on(`${LIST}/`, () => ({ ...DETAIL, ...paid }))
  show(<PaymentsView />)
  await pass()
  await press('<b>Jane</b> $150,000')
  expect(screen.getByText('Arrived').parentElement?.textContent).toContain('1 sat')
  seesNot(/1 sats/)
})
