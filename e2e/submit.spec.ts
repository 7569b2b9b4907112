// Over 400 lines: one journey from the form to the receipt, and each way in which it can go wrong.
import { type Locator, type Page } from '@playwright/test'
import { DESKTOP, expectAccessible, PHONE, TABLET } from './support/accessible.ts'
import { expect, open, test, NEXT_YEAR } from './support/site.ts'

const LINK = 'https://x.com/ada_example/status/2031278883117924352'
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
/** The page behind a dialog is checked in access.spec.ts. */
const DIALOG = { within: '[role=dialog]' }
const NPUB = 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg'

async function openForm(page: Page, path = '/btc'): Promise<Locator> {
  await open(page, path)
  await page
    .getByRole('button', { name: /^Submit (?:Prediction|Bitcoin|Strategy)/ })
    .filter({ visible: true })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: /^Submit .* Prediction$/ })
  await expect(dialog.getByLabel('Expert name')).toBeVisible()
  return page.getByRole('dialog')
}

async function fill(dialog: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
}

async function send(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
}

const TARGET = {
  'Expert name': 'Ada Journey',
  'Price target': '150.000',
  'Target date': `${NEXT_YEAR}-12-31`,
}

/** The checking id of the invoice that is open in this browser. */
function checkingIdIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const [own] = JSON.parse(localStorage.getItem('own-submissions') ?? '[]') as [
      { invoice: { checkingId: string } },
    ]
    return own.invoice.checkingId
  })
}

for (const viewport of [DESKTOP, TABLET, PHONE]) {
  test(`a pasted post fills in the form by keyboard at ${String(viewport.width)} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport)
    const dialog = await openForm(page)
    await dialog.getByRole('button', { name: 'Paste a post' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(dialog.getByLabel('Text of the post')).toBeFocused()
    await page.keyboard.insertText(
      `Bitcoin hits $150k by the end of ${NEXT_YEAR} and $250k by the end of ${String(Number(NEXT_YEAR) + 1)}. ${LINK} ${'a'.repeat(500)}`,
    )
    await dialog.getByRole('button', { name: 'Read the post' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The form is filled in.')).toBeVisible()
    await expect(dialog.getByText(/The post predicts more/)).toBeVisible()
    await expect(dialog.getByLabel('Source address')).toHaveValue(
      'https://x.com/ada_example/status/2031278883117924352',
    )
    await expectAccessible(page, 'pasted post', DIALOG)
    const isCut = await dialog.evaluate((place) => place.scrollWidth > place.clientWidth)
    expect(isCut).toBe(false)
    await page.keyboard.press('Tab')
    await expect(dialog.getByLabel('Expert name')).toBeFocused()
  })
}

for (const viewport of [DESKTOP, TABLET, PHONE]) {
  test(`a prediction is submitted, paid and followed at ${String(viewport.width)} px`, async ({
    page,
  }) => {
    test.slow()
    await page.setViewportSize(viewport)
    // The site under test cannot send notices; the fields for them are checked nevertheless.
    const options: unknown = await (await page.request.get('/api/v1/payments/options')).json()
    const notices = { email: true, lightning: true }
    await page.route('**/api/v1/payments/options', (route) =>
      route.fulfill({ json: { ...(options as object), notices } }),
    )
    const dialog = await openForm(page, viewport === PHONE ? '/btc' : '/')
    await expect(dialog.getByText('Demonstration.')).toBeVisible()
    // Each of them pays, and sees when the same has been submitted before.
    const name = `Ada Journey ${String(viewport.width)}`
    await fill(dialog, { ...TARGET, 'Expert name': name })
    await expect(dialog.getByText('Read as $150,000')).toBeVisible()
    await expect(
      dialog.getByText(`${name}: Bitcoin at $150,000 by 31/12/${NEXT_YEAR}`),
    ).toBeVisible()
    await expect(dialog.getByText(/^Hit if BTC trades at or above \$150,000/)).toBeVisible()
    await expect(dialog.getByRole('img', { name: /Ada Journey/ })).toBeVisible()
    await expectAccessible(page, 'form', DIALOG)

    await send(dialog)
    await expect(dialog.getByRole('heading', { name: 'Choose an amount' })).toBeFocused()
    await expect(dialog.getByLabel('Amount in sats')).toHaveValue('1')
    const picks = dialog.getByRole('group', { name: 'Quick picks' }).getByRole('button')
    await expect(picks).toHaveText(['1', '21', '500', '1,000', '2,100'])
    await picks.filter({ hasText: '2,100' }).click()
    await expect(dialog.getByText(/^about \$\d\.\d\d/)).toBeVisible()
    await expectAccessible(page, 'amount', DIALOG)

    await dialog.getByRole('button', { name: 'Create invoice' }).click()
    await expect(dialog.getByText('Waiting for payment...')).toBeVisible()
    await expect(dialog.getByRole('timer')).toHaveText(/^(?:10:00|9:\d\d)$/)
    await expect(dialog.getByRole('img', { name: /QR code/ }).first()).toBeVisible()
    await expect(dialog.getByRole('link', { name: 'Open in a wallet' })).toHaveAttribute(
      'href',
      /^lightning:lnbcrt[a-z0-9]+$/,
    )
    await expectAccessible(page, 'waiting', DIALOG)

    await dialog.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
    await expect(dialog.getByRole('heading', { name: 'Payment Received' })).toBeVisible()
    await expect(dialog.getByText(/will be reviewed before going live/)).toBeVisible()
    const receipt = await dialog
      .getByRole('link', { name: 'Open your receipt' })
      .getAttribute('href')
    await dialog.getByLabel('Email or LNURL').fill('nobody')
    await dialog.getByRole('button', { name: 'Notify Me!' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(/Please enter an email address/)
    await expectAccessible(page, 'success', DIALOG)
    await dialog.getByRole('button', { name: 'Skip' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(/\/btc$/)

    const response = await page.goto(receipt ?? '')
    expect(response?.headers()).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await expect(page.getByText('Pending review.')).toBeVisible()
    await expect(page.getByText(/^2,100 sats received/)).toBeVisible()
    await expect(page.getByRole('img', { name: /Address of this receipt/ })).toBeVisible()
    await expect(page.getByLabel('Email or LNURL')).toBeVisible()
    await expectAccessible(page, 'receipt', { within: 'main' })

    // Paid: the draft is not kept any longer.
    const next = await openForm(page)
    await expect(next.getByLabel('Expert name')).toHaveValue('')
  })
}

test('a reload in the middle of paying comes back to the same invoice', async ({ page }) => {
  const dialog = await openForm(page, '/mstr')
  await dialog.getByLabel('Prediction type').selectOption('range')
  await fill(dialog, {
    'Expert name': 'Ada Reload',
    'Minimum price': '$ 1 000',
    'Maximum price': '2,000.50',
    'Target date': `${NEXT_YEAR}-06-30`,
  })
  await send(dialog)
  await dialog.getByRole('button', { name: 'Create invoice' }).click()
  const invoice = dialog.getByText(/^lnbcrt/)
  await expect(invoice).toBeVisible()
  const bolt11 = await invoice.textContent()

  await openForm(page, '/mstr').catch(() => undefined)
  await expect(page.getByRole('dialog').getByText(/^lnbcrt/)).toHaveText(bolt11 ?? '')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByLabel('Amount in sats')).toHaveValue('1')
  await dialog.getByRole('button', { name: 'Back to the form' }).click()
  await expect(dialog.getByLabel('Expert name')).toHaveValue('Ada Reload')
  await expect(dialog.getByLabel('Maximum price')).toHaveValue('2,000.50')
})

test('two tabs with the same draft share one invoice, its end and its payment', async ({
  page,
  context,
}) => {
  test.slow()
  const first = await openForm(page)
  await fill(first, { ...TARGET, 'Expert name': 'Ada of two tabs' })
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
    .toContain('Ada of two tabs')
  const tab = await context.newPage()
  const second = await openForm(tab)
  await expect(second.getByLabel('Expert name')).toHaveValue('Ada of two tabs')
  for (const dialog of [first, second]) {
    await send(dialog)
    await expect(dialog.getByRole('heading', { name: 'Choose an amount' })).toBeVisible()
  }
  await first.getByLabel('Amount in sats').fill('21')
  await first.getByRole('button', { name: 'Create invoice' }).click()
  const bolt11 = await first.getByText(/^lnbcrt/).textContent()
  await expect(second.getByText(/^lnbcrt/)).toHaveText(bolt11 ?? '')

  await first.getByRole('button', { name: 'Cancel' }).click()
  await expect(second.getByText(/was cancelled in another tab/)).toBeVisible()
  await second.getByRole('button', { name: 'Create invoice' }).click()
  const next = await second.getByText(/^lnbcrt/).textContent()
  expect(next).not.toBe(bolt11)
  await expect(first.getByText(/^lnbcrt/)).toHaveText(next ?? '')

  await first.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
  for (const dialog of [first, second]) {
    await expect(dialog.getByRole('heading', { name: 'Prediction submitted' })).toBeVisible()
  }
  // Submitting the same again gives a warning before it costs anything.
  await tab.close()
  const again = await openForm(page)
  await expect(again.getByLabel('Expert name')).toHaveValue('')
  await fill(again, { ...TARGET, 'Expert name': 'Ada of two tabs' })
  await send(again)
  await expect(again.getByRole('heading', { name: 'Submitted already' })).toBeVisible()
  await expect(again.getByRole('link', { name: 'Open its receipt' }).last()).toHaveAttribute(
    'href',
    /^\/receipt\/[\w-]{32}$/,
  )
  await again.getByRole('button', { name: 'Submit it anyway' }).click()
  await expect(again.getByRole('button', { name: 'Create invoice' })).toBeVisible()
})

test('a statement of an earlier year counts from the end of that year', async ({ page }) => {
  test.slow()
  const dialog = await openForm(page)
  await fill(dialog, { ...TARGET, 'Expert name': 'Ada of 2024' })
  const said = dialog.getByLabel('When was it said?')
  await expect(said).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  await dialog.getByLabel('How exactly is it known?').selectOption('In a year')
  await said.fill('2024')
  await expect(dialog.getByText(/^Counts as said on 31\/12\/2024/)).toBeVisible()
  await expect(dialog.getByText(/ from 01\/01\/2025 to /)).toBeVisible()
  await expect(dialog.getByText('Made 2024.')).toBeVisible()
  await expectAccessible(page, 'said in a year', DIALOG)
  await send(dialog)
  await dialog.getByRole('button', { name: 'Create invoice' }).click()
  await dialog.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
  const receipt = dialog.getByRole('link', { name: 'Open your receipt' })
  await page.goto((await receipt.getAttribute('href')) ?? '')
  await expect(page.getByText('2024 (counts as said on 31/12/2024)')).toBeVisible()
})

test('an invoice that was left is linked from every page, and its receipt can make a new one', async ({
  page,
}) => {
  test.slow()
  const dialog = await openForm(page)
  await fill(dialog, { ...TARGET, 'Expert name': 'Ada who leaves' })
  await send(dialog)
  await dialog.getByLabel('Amount in sats').fill('21')
  await dialog.getByRole('button', { name: 'Create invoice' }).click()
  const bolt11 = await dialog.getByText(/^lnbcrt/).textContent()
  await expect(dialog.getByRole('link', { name: 'Open your receipt' })).toBeVisible()
  await expect(dialog.getByText(/^about \$0/)).toBeVisible()
  await page.keyboard.press('Escape')
  const note = page.getByRole('complementary', { name: 'Open invoice' })
  await expect(note).toContainText('21 sats to pay for Ada who leaves: $150,000.')
  for (const path of ['/', '/mstr', '/methodology']) {
    await open(page, path)
    await expect(note).toBeVisible()
  }
  await note.getByRole('link', { name: 'Back to the invoice' }).click()
  await expect(page.getByText(/^lnbcrt/)).toHaveText(bolt11 ?? '')
  await expect(note).toHaveCount(0)

  // Given up elsewhere: the receipt can make a new one.
  const checkingId = await checkingIdIn(page)
  await page.request.post(`/api/v1/payments/${checkingId}/cancel`)
  await page.getByRole('button', { name: 'Pay with a new invoice' }).click()
  await page.getByLabel('Amount in sats').fill('500')
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await expect(page.getByText(/^lnbcrt/)).not.toHaveText(bolt11 ?? '')
  await expectAccessible(page, 'receipt', { within: 'main' })
  await page.goto('/btc')
  await expect(note).toContainText('500 sats to pay for')
  await note.getByRole('link', { name: 'Back to the invoice' }).click()
  await page.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
  await expect(page.getByText(/^500 sats received/)).toBeVisible()
  await expect(page.getByText('Pending review.')).toBeVisible()
  await expect(page.getByText(/[0-9a-f]{64}/).first()).toBeVisible()
  await open(page, '/btc')
  await expect(note).toHaveCount(0)
})

test('the note of an open invoice says that the payment has arrived', async ({ page }) => {
  const dialog = await openForm(page)
  await fill(dialog, { ...TARGET, 'Expert name': 'Ada by phone' })
  await send(dialog)
  await dialog.getByRole('button', { name: 'Create invoice' }).click()
  await expect(dialog.getByText('Waiting for payment...')).toBeVisible()
  const checkingId = await checkingIdIn(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: 'Open invoice' })).toBeVisible()
  await page.request.post(`/api/v1/payments/${checkingId}/demonstration-payment`)
  await page.reload()
  await expect(page.getByText(/^Payment received for Ada by phone/)).toBeVisible()
  await page.getByRole('link', { name: 'Open your receipt' }).click()
  await expect(page.getByText('Pending review.')).toBeVisible()
})

test('every field says what is wrong with it, until it is edited', async ({ page }) => {
  const dialog = await openForm(page)
  const faults = dialog.getByRole('alert')
  await send(dialog)
  await expect(faults).toHaveText([
    'Please enter the name of the person who made this prediction.',
    'Please enter the price target.',
    'Please enter when this price is predicted to be reached.',
  ])
  await expect(dialog.getByLabel('Expert name')).toBeFocused()
  await dialog.getByLabel('Expert name').fill('Zed Nobody')
  await expect(faults).toHaveCount(2)

  const type = dialog.getByLabel('Prediction type')
  for (const [kind, missing] of [
    ['top', ['Please enter the price ceiling/top.']],
    ['bottom', ['Please enter the price floor/bottom.']],
    ['range', ['Please enter the minimum price.', 'Please enter the maximum price.']],
    ['pricetimerange', ['Please enter the minimum price.']],
  ] as const) {
    await type.selectOption(kind)
    await dialog.getByLabel('Target date').fill(`${NEXT_YEAR}-12-31`)
    await send(dialog)
    await expect(faults).toHaveText([...missing])
  }

  await type.selectOption('target')
  const price = dialog.getByLabel('Price target')
  for (const odd of ['abc', '-5', '0', '1e5', '٣', '12 apples', '9999999999999', '1,2,3.4.5']) {
    await price.fill(odd)
    await send(dialog)
    await expect(faults, odd).toHaveText([/^Please enter a (?:number|price)/])
  }
  await price.fill('100,000')
  for (const [label, odd, said] of [
    ['Your email', 'me@', 'Please enter a valid email address.'],
    ['Source address', 'javascript:alert(1)', /^Please enter a web address/],
    ['X handle', 'not a handle', /^Please enter an X handle/],
    ['Nostr public key', 'npub1abc', /^Please enter a public Nostr key/],
    ['Target date', '', 'Please enter when this price is predicted to be reached.'],
  ] as const) {
    const field = dialog.getByLabel(label)
    const before = await field.inputValue()
    await field.fill(odd)
    await send(dialog)
    await expect(faults, label).toHaveText([said])
    await field.fill(before)
    await expect(faults).toHaveCount(0)
  }
  await type.selectOption('range')
  await fill(dialog, { 'Minimum price': '200,000', 'Maximum price': '100,000' })
  await send(dialog)
  await expect(faults).toHaveText(['The minimum price must be below the maximum price.'])

  await page.reload()
  const again = await openForm(page)
  await expect(again.getByLabel('Minimum price')).toHaveValue('200,000')
})

test('a secret key is refused, removed and stored nowhere', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const dialog = await openForm(page)
  await fill(dialog, TARGET)
  const key = dialog.getByLabel('Nostr public key')
  await key.fill(NSEC)
  await expect(dialog.getByRole('alert')).toHaveText(/This is a secret key \(nsec\)\. Never share/)
  await expect(key).toHaveValue('')
  const notes = dialog.getByLabel('Notes')
  await notes.fill('as said')
  await notes.fill(`as said by ${NSEC}`)
  await expect(notes).toHaveValue('as said')
  await dialog.getByLabel('Expert name').fill(NSEC)
  await expect(dialog.getByLabel('Expert name')).not.toHaveValue(/nsec/)
  await key.fill(NPUB)
  await expect(dialog.getByText(/^Hit if BTC/)).toBeVisible()
  await page.waitForTimeout(700)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('nsec1')
  expect(sent.join('\n')).not.toContain('nsec1')
})

test('people on record are suggested, and the same prediction on record is pointed out', async ({
  page,
}) => {
  const dialog = await openForm(page)
  await dialog.getByLabel('Expert name').pressSequentially('geoff k')
  await page.getByRole('option', { name: /Geoff Kendrick/ }).click()
  await expect(dialog.getByLabel('Expert name')).toHaveValue('Geoff Kendrick')
  await fill(dialog, { 'Price target': '500000', 'Target date': '2030-12-31' })
  const hint = dialog.getByText(/Already on record/).locator('..')
  await expect(hint.getByRole('link', { name: /Geoff Kendrick: \$500,000/ })).toBeVisible()
  await send(dialog)
  await expect(dialog.getByText(/Already on record/).filter({ visible: true })).toBeVisible()
})

test('every failure is shown, and nothing typed is lost', async ({ page, context }) => {
  const dialog = await openForm(page)
  await fill(dialog, TARGET)
  await page.route('**/api/v1/payments/options', (route) => route.abort())
  await send(dialog)
  await expect(dialog.getByRole('alert')).toHaveText(/The server cannot be reached/)
  await page.unroute('**/api/v1/payments/options')
  await send(dialog)

  const amount = dialog.getByLabel('Amount in sats')
  const create = dialog.getByRole('button', { name: 'Create invoice' })
  for (const odd of ['0', '-1', '1.5', '100001', 'all', '']) {
    await amount.fill(odd)
    await create.click()
    await expect(dialog.getByRole('alert'), odd).toHaveText(/^Please enter (?:the|an) amount/)
  }
  await amount.fill('21')
  await page.route('**/create-invoice', (route) => route.abort())
  await create.click()
  const failed = dialog.getByText('Failed to create payment invoice. Please try again.')
  await expect(failed).toBeVisible()
  await page.unroute('**/create-invoice')
  await create.click()
  await expect(dialog.getByText('Waiting for payment...')).toBeVisible()

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy invoice' }).click()
  await expect(dialog.getByText('Lightning invoice copied to clipboard!')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copied!' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^lnbcrt/)
  await expect(dialog.getByRole('button', { name: 'Copy invoice' })).toBeVisible()

  await page.route('**/check-payment/**', (route) =>
    route.fulfill({
      json: { paid: false, status: 'expired', late: false, overpaid: false, checked: true },
    }),
  )
  await expect(dialog.getByRole('heading', { name: 'Payment Expired' })).toBeVisible()
  await page.unroute('**/check-payment/**')
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  await expect(amount).toHaveValue('1')
  await dialog.getByRole('button', { name: 'Back to the form' }).click()
  await expect(dialog.getByLabel('Expert name')).toHaveValue('Ada Journey')
})

test('without a wallet submitting is closed and says why', async ({ page }) => {
  await page.route('**/api/v1/payments/options', async (route) => {
    const options: unknown = await (await route.fetch()).json()
    const closed = { open: false, closed_because: 'Submitting is closed: no wallet.' }
    await route.fulfill({ json: { ...(options as object), ...closed, demonstration: false } })
  })
  await open(page, '/btc')
  await page.getByRole('banner').getByRole('button', { name: 'Submit Prediction' }).click()
  await expect(page.getByText('Submitting is closed: no wallet.')).toBeVisible()
  await expect(page.getByLabel('Expert name')).toBeHidden()
})

test('a prediction is boosted on a phone, and the open page shows its new score', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  const [one] = (await (await page.request.get('/api/predictions?limit=1')).json()) as [
    { id: string; vote_score: number },
  ]
  await open(page, `/predictions/${one.id}`)
  const boost = page.getByRole('button', { name: 'Boost it' })
  await boost.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Choose an amount' })).toBeFocused()
  await expectAccessible(page, 'amount of a boost', { within: '#support' })
  await page.getByRole('button', { name: '21 sats' }).click()
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await expect(page.getByRole('heading', { name: 'Pay 21 sats' })).toBeFocused()
  await page.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeFocused()
  const score = `${String(one.vote_score + 21)} sats have been paid in support`
  await expect(page.getByText(score)).toBeVisible()
  const receipt = await page.getByRole('link', { name: 'Open your receipt' }).getAttribute('href')
  const failed: string[] = []
  page.on('response', (answer) => void (answer.status() >= 400 && failed.push(answer.url())))
  await open(page, receipt ?? '')
  await expect(page.getByText('The sats count in support of the prediction.')).toBeVisible()
  await expectAccessible(page, 'receipt of a boost')
  expect(failed).toEqual([])
})

test('an unknown receipt address says so', async ({ page }) => {
  await open(page, '/receipt/abcdefghijklmnopqrstuvwxyz')
  await expect(page.getByText('No receipt at this address')).toBeVisible()
})

test('opening the link of a mail confirms nothing, and an unknown link says so', async ({
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await open(page, `/confirm/${'a'.repeat(32)}`)
  await expect(page.getByRole('heading', { name: 'Confirm your address' })).toBeVisible()
  await expectAccessible(page, 'confirm', { within: 'main' })
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Yes, write to me' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^This link no longer works/)
  expect(sent).toEqual([`/api/v1/mail/${'a'.repeat(32)}/confirm`])
})
