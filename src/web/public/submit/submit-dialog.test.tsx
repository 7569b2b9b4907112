// Over 400 lines: the dialog from the form to the paid invoice, step by step.

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { pass, refusal } from '#tests/support/admin-screens.tsx'
import { hrefOf, isAlerted, sees, seesNot, type, valueOf } from '#tests/support/on-screen.ts'
import { SITE } from '#tests/support/web-fixtures.ts'
import {
  INVOICE,
  OPTIONS,
  PAID,
  RECEIPT,
  TOKEN,
  inPaymentTime,
} from '#tests/support/web-payments.ts'
import { SiteContext } from '#web/head/site.ts'
import { SubmitDialog } from './submit-dialog.tsx'

const DRAFT = 'submission-draft-btc'
const OWN = 'own-submissions'

type Reply = (request: RequestInit | undefined) => Response | Promise<Response>
let replies: Record<string, Reply>
const fetched = vi.fn<typeof fetch>()
const onClose = vi.fn<() => void>()

inPaymentTime()

beforeEach(() => {
  vi.clearAllMocks()
  replies = {
    '/payments/options': () => Response.json(OPTIONS),
    '/create-invoice': () => Response.json(INVOICE),
    '/demonstration-payment': () => Response.json(PAID),
  }
  fetched.mockImplementation((address, request) => {
    const reply = Object.entries(replies).find(([path]) => pathOf(address).includes(path))?.[1]
    return reply ? Promise.resolve(reply(request)) : Promise.reject(new Error('no network'))
  })
  vi.stubGlobal('fetch', fetched)
})

function pathOf(address: string | URL | Request): string {
  return address instanceof Request ? address.url : address.toString()
}

function madeOf(path: string): number {
  return fetched.mock.calls.filter(([address]) => pathOf(address).includes(path)).length
}

async function openDialog(): Promise<void> {
  render(
    <SiteContext value={SITE}>
      <SubmitDialog asset={ASSETS.btc} onClose={onClose} />
    </SiteContext>,
  )
  await pass(10)
}

async function press(name: string | RegExp): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(10)
}

async function fill(): Promise<void> {
  type(/^Expert name/, 'Expert A')
  type(/^Price target/, '150,000')
  type(/^Target date/, '2027-12-31')
  await pass(400)
}

async function invoice(): Promise<void> {
  await press('Continue to payment')
  await press('Create invoice')
}

async function openFilled(): Promise<void> {
  await openDialog()
  await fill()
}

async function openInvoice(): Promise<void> {
  await openFilled()
  await invoice()
}

function sentInvoices(): readonly unknown[] {
  const bodies: unknown[] = []
  replies['/create-invoice'] = (request) => {
    bodies.push(request?.body)
    return Response.json(INVOICE)
  }
  return bodies
}

async function pay(): Promise<void> {
  await press(/^Pay with the demonstration wallet/)
  await pass(2_100)
  sees('Prediction submitted')
}

async function reopen(): Promise<void> {
  cleanup()
  await openDialog()
}

async function giveUp(): Promise<void> {
  await press('Cancel')
  await press('Back to the form')
}

it('Escape in the name field keeps its text', async () => {
  await openFilled()
  const name = screen.getByLabelText(/^Expert name/)
  name.focus()
  fireEvent.keyDown(name, { key: 'Escape' })
  await pass(1_000)
  await reopen()
  expect(valueOf(/^Expert name/)).toBe('Expert A')
})

it('clears the form and its draft after a paid submission', async () => {
  await openFilled()
  expect(localStorage.getItem(DRAFT)).toContain('Expert A')
  await invoice()
  await pay()
  await press('Skip')
  cleanup()
  await pass(1_000)
  expect(localStorage.getItem(DRAFT)).toBeNull()
  await openDialog()
  expect(valueOf(/^Expert name/)).toBe('')
})

it('stores the draft at once, and does not clear that of another tab once paid', async () => {
  await openDialog()
  type(/^Expert name/, 'Expert A')
  expect(localStorage.getItem(DRAFT)).toContain('Expert A')
  await fill()
  await invoice()
  const other = localStorage.getItem(DRAFT)?.replace('Expert A', 'Expert B') ?? ''
  localStorage.setItem(DRAFT, other)
  await pay()
  expect(localStorage.getItem(DRAFT)).toBe(other)
})

it('shows the success screen for a form paid after it was left', async () => {
  await openInvoice()
  cleanup()
  replies['/receipts/'] = () => Response.json(RECEIPT)
  await openDialog()
  sees('Prediction submitted')
  expect(localStorage.getItem(DRAFT)).toBeNull()
})

it('keeps a form in progress when an earlier one was paid', async () => {
  await openInvoice()
  await giveUp()
  type(/^Expert name/, 'Expert B')
  await pass(400)
  cleanup()
  replies['/receipts/'] = () => Response.json(RECEIPT)
  await openDialog()
  seesNot('Prediction submitted')
  expect(screen.getByText(/^Your earlier submission/).textContent).toContain('Expert A: $150,000')
  expect(hrefOf('Open its receipt')).toBe(`/receipt/${TOKEN}`)
  expect(valueOf(/^Expert name/)).toBe('Expert B')
  expect(localStorage.getItem(DRAFT)).toContain('Expert B')
})

it.each(['Continue to payment', 'Create invoice'])(
  'names an abandoned submission that was paid, on "%s", before asking to pay for the edited form',
  async (button) => {
    await openInvoice()
    await giveUp()
    type(/^Expert name/, 'Expert B')
    if (button === 'Create invoice') await press('Continue to payment')
    replies['/receipts/'] = () => Response.json(RECEIPT)
    await press(button)
    expect(screen.getByText(/^Your earlier submission/).textContent).toContain('Expert A: $150,000')
    isAlerted(/has arrived in the meantime/)
    expect(madeOf('/create-invoice')).toBe(1)
    await press(button)
    if (button === 'Continue to payment') await press('Create invoice')
    expect(madeOf('/create-invoice')).toBe(2)
  },
)

it('shares an invoice with another tab that shows the same form', async () => {
  await openInvoice()
  const own = localStorage.getItem(OWN) ?? ''
  cleanup()
  localStorage.clear()
  await openFilled()
  await press('Continue to payment')
  const tellTab = async (text: string): Promise<void> => {
    localStorage.setItem(OWN, text)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: OWN })))
    await pass(10)
  }
  await tellTab(own)
  sees(INVOICE.invoice.payment_request)
  expect(madeOf('/create-invoice')).toBe(1)
  // The other tab cancels it.
  replies['/check-payment/'] = () => Response.json({ ...PAID, paid: false, status: 'cancelled' })
  await pass(2_100)
  sees(/was cancelled in another tab/, 'Choose an amount')
})

it("shows the other tab's invoice even if pressed before learning about it", async () => {
  await openInvoice()
  const own = localStorage.getItem(OWN) ?? ''
  cleanup()
  localStorage.removeItem(OWN)
  await openDialog()
  await press('Continue to payment')
  localStorage.setItem(OWN, own)
  await press('Create invoice')
  sees(INVOICE.invoice.payment_request)
  expect(madeOf('/create-invoice')).toBe(1)
})

it('says that the same was submitted already, and continues only on request', async () => {
  const answer = { fields: {}, price_prediction: null, rule: null, verdict: null, split_factor: 1 }
  const waiting = { own: [{ receipt: TOKEN, status: 'pending' }], others: false }
  replies['/submissions/preview'] = () => Response.json({ ...answer, duplicates: [], waiting })
  await openFilled()
  await pass(400)
  const receipts = () => screen.queryAllByRole('link', { name: 'Open its receipt' })
  expect([madeOf('/submissions/preview'), receipts().length]).toEqual([1, 1])
  // It is no longer said of other input.
  type(/^Price target/, '160,000')
  expect(receipts()).toEqual([])
  await pass(400)
  await press('Continue to payment')
  expect(screen.getByRole('heading', { name: 'Submitted already' })).toBeDefined()
  seesNot('Choose an amount')
  expect(receipts().map((link) => link.getAttribute('href'))).toContain(`/receipt/${TOKEN}`)
  await press('Submit it anyway')
  sees('Choose an amount')
})

it('says that the wallet is unreachable, and notices a payment after the invoice expired', async () => {
  await openInvoice()
  replies['/check-payment/'] = () =>
    Response.json({ ...PAID, paid: false, status: 'pending', checked: false })
  await pass(2_100)
  sees(/wallet cannot be reached right now; nothing is lost/)
  expect(hrefOf('your receipt')).toBe(`/receipt/${TOKEN}`)
  replies['/check-payment/'] = () => Response.json({ ...PAID, paid: false, status: 'expired' })
  await pass(2_100)
  expect(screen.getByRole('heading', { name: 'Payment Expired' })).toBeDefined()
  replies['/check-payment/'] = () => Response.json({ ...PAID, status: 'paid_late', late: true })
  await pass(10_100)
  expect(screen.getByRole('status').textContent).toBe('Payment Received')
})

it('says why the wallet did not pay', async () => {
  replies['/demonstration-payment'] = () => refusal(503, 'unavailable', 'The wallet is away.')
  await openInvoice()
  await press(/^Pay with the demonstration wallet/)
  expect(screen.getByRole('alert').textContent).toBe('The wallet is away.')
})

it('says while the wallet is still being checked', async () => {
  let checking = true
  replies['/payments/options'] = () => Response.json({ ...OPTIONS, checking })
  await openDialog()
  sees(/wallet of this site is still being checked/)
  checking = false
  await pass(3_000)
  expect(screen.queryByText(/still being checked/)).toBeNull()
})

it('looks up abandoned submissions once, not at every press', async () => {
  await openInvoice()
  await press('Cancel')
  cleanup()
  const unpaid = { ...RECEIPT, payment: { ...RECEIPT.payment, paid: false } }
  const looked = vi.fn<Reply>(() => Response.json(unpaid))
  replies['/receipts/'] = looked
  await openDialog()
  await press('Continue to payment')
  expect(looked).toHaveBeenCalledOnce()
})

it('makes a new submission of a form changed after its invoice', async () => {
  await openInvoice()
  await giveUp()
  type(/^Expert name/, 'Expert B')
  const bodies = sentInvoices()
  await invoice()
  await press('Cancel')
  await press('Create invoice')
  expect(bodies[0]).toContain('"receipt":null')
  expect(bodies[1]).toContain(TOKEN)
})

function refused(): Response {
  const error = 'This submission has been paid already. Its receipt shows its status.'
  return Response.json({ success: false, code: 'conflict', error }, { status: 409 })
}

it('shows the success screen when another attempt turns out to be paid', async () => {
  await openInvoice()
  await press('Cancel')
  expect(screen.getByRole('link', { hidden: true, name: 'Open your receipt' })).toBeDefined()
  replies['/create-invoice'] = refused
  replies['/receipts/'] = () => Response.json(RECEIPT)
  await press('Create invoice')
  sees('Prediction submitted')
})

it('drops a receipt that accepts no further attempt and is not paid', async () => {
  await openInvoice()
  await press('Cancel')
  replies['/create-invoice'] = refused
  replies['/receipts/'] = () =>
    Response.json({ ...RECEIPT, payment: { ...RECEIPT.payment, paid: false } })
  await press('Create invoice')
  isAlerted(/Please create the invoice again/)
  const bodies = sentInvoices()
  await press('Create invoice')
  expect(bodies).toEqual([expect.stringContaining('"receipt":null')])
  sees('Waiting for payment...')
})

it('reuses the idempotency key after a lost reply, also after a reload', async () => {
  const keys: (string | null)[] = []
  let isLost = true
  replies['/create-invoice'] = (request) => {
    keys.push(new Headers(request?.headers).get('idempotency-key'))
    return isLost ? Promise.reject(new Error('no network')) : Response.json(INVOICE)
  }
  await openFilled()
  await press('Continue to payment')
  await press('21 sats')
  await press('Create invoice')
  await press('Create invoice')
  await reopen()
  await press('Continue to payment')
  expect(valueOf('Amount in sats')).toBe('21')
  isLost = false
  await press('Create invoice')
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  await press('Cancel')
  await press('Create invoice')
  expect(new Set(keys).size).toBe(2)
  isLost = true
  await press('Cancel')
  await press('Create invoice')
  await press('21 sats')
  await press('Create invoice')
  expect(new Set(keys).size).toBe(4)
})

it('asks for no contact if the site cannot send notices', async () => {
  const notices = { email: false, lightning: false }
  replies['/payments/options'] = () => Response.json({ ...OPTIONS, notices })
  await openInvoice()
  await pay()
  expect(screen.queryByLabelText(/^Email or LNURL/)).toBeNull()
})

it('shows the rule for the date at first, and errors after input', async () => {
  await openDialog()
  const rule = 'Must be after today, 20/11/2026.'
  sees(rule)
  // The calendar offers what the form accepts, and both format dates alike.
  const calendar = document.querySelector<HTMLInputElement>('input[type="date"][min]')
  expect(calendar?.min).toBe('2026-11-21')
  expect(valueOf(/^Target date/)).toBe('')
  expect(screen.queryByRole('alert')).toBeNull()
  type(/^Target date/, '2026-11-20')
  fireEvent.blur(screen.getByLabelText(/^Target date/))
  await pass()
  isAlerted(rule)
  type(/^Target date/, '2027-12-31')
  await pass()
  seesNot(rule)
})

it('offers the timings allowed for the type, and stores the choice in the draft', async () => {
  const sent = sentInvoices()
  const WHEN = /^When must it be true/
  await openFilled()
  const offered = () =>
    [...screen.getByLabelText<HTMLSelectElement>(WHEN).options].map(({ text }) => text)
  expect(offered()).toEqual(['At any time until then', 'On that day'])
  type(/^Prediction type/, 'range')
  type(WHEN, 'throughout')
  type(/^Prediction type/, 'target')
  expect(valueOf(WHEN)).toBe('by')
  type(WHEN, 'at_end')
  expect(screen.getByLabelText('Preview').textContent).toMatch(
    /^Expert A.*Only the last close counts/,
  )
  type(/^Prediction type/, 'bottom')
  expect(offered()).toEqual(['The whole time', 'On that day'])
  expect(valueOf(WHEN)).toBe('at_end')
  type(/^Prediction type/, 'target')
  await pass(400)
  await reopen()
  expect(valueOf(WHEN)).toBe('at_end')
  await invoice()
  expect(sent).toEqual([expect.stringContaining('"timing":"at_end"')])
})

it('asks when it was said: today by default, or a month or year', async () => {
  const sent = sentInvoices()
  await openDialog()
  expect(valueOf(/^When was it said/)).toBe('20/11/2026')
  await fill()
  type('How exactly is it known?', 'year')
  expect(valueOf(/^When was it said/)).toBe('2026')
  sees(/^Counts as said today/)
  type(/^When was it said/, '202')
  await press('Continue to payment')
  isAlerted('Please enter a real date.')
  type(/^When was it said/, '')
  await press('Continue to payment')
  isAlerted(/^Please enter when it was said/)
  type(/^When was it said/, '2024')
  sees(/^Counts as said on 31\/12\/2024/)
  await pass(400)
  await reopen()
  expect(valueOf(/^When was it said/)).toBe('2024')
  type('How exactly is it known?', 'month')
  expect(valueOf(/^When was it said/)).toBe('2024-12')
  type(/^When was it said/, '2024-08')
  await invoice()
  expect(sent).toEqual([expect.stringContaining('"prediction_made":"2024-08"')])
})

it('leaves the date to the server while it is today', async () => {
  const sent = sentInvoices()
  await openFilled()
  type(/^When was it said/, '2024-05-02')
  type(/^When was it said/, '2026-11-20')
  await invoice()
  expect(sent).toEqual([expect.stringContaining('"prediction_made":null')])
})
