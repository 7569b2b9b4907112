import { expectAccessible } from './support/accessible.ts'
import { expect, open, test, NEXT_YEAR, ofAJob } from './support/site.ts'
import { checkingIdIn, DIALOG, fill, openForm, send, TARGET } from './support/submit-form.ts'

const LINK = 'https://x.com/expert_a/status/2031278883117924352'
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'

test('a prediction is read from a post, submitted, paid and followed on its receipt', async ({
  page,
}) => {
  // The site cannot send notices, but validates their fields.
  const options: unknown = await (await page.request.get('/api/v1/payments/options')).json()
  const notices = { email: true, lightning: true }
  await page.route('**/api/v1/payments/options', (route) =>
    route.fulfill({ json: { ...(options as object), notices } }),
  )
  const dialog = await openForm(page)
  // The fields beside the preview.
  await expect(dialog.locator('form')).toHaveCSS('grid-template-columns', /^\S+ \S+$/)
  await dialog.getByRole('button', { name: 'Paste a post' }).press('Enter')
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Text of the post')).toBeFocused()
  await page.keyboard.insertText(`Bitcoin hits $150k by the end of ${NEXT_YEAR}. ${LINK}`)
  await dialog.getByRole('button', { name: 'Read the post' }).press('Enter')
  await expect(dialog.getByText('The form is filled in.')).toBeVisible()
  await expect(dialog.getByLabel('Source address')).toHaveValue(LINK)
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Expert name')).toBeFocused()
  await dialog.getByLabel('Expert name').pressSequentially('geoff k')
  await page.getByRole('option', { name: /Geoff Kendrick/ }).click()
  await expect(dialog.getByLabel('Expert name')).toHaveValue('Geoff Kendrick')
  // A duplicate on record is pointed out.
  await fill(dialog, { 'Price target': '500000', 'Target date': '2030-12-31' })
  const hint = dialog.getByText(/Already on record/).locator('..')
  await expect(hint.getByRole('link', { name: /Geoff Kendrick: \$500,000/ })).toBeVisible()
  await fill(dialog, { ...TARGET, 'Expert name': '' })
  await send(dialog)
  const missing = 'Please enter the name of the person who made this prediction.'
  await expect(dialog.getByRole('alert')).toHaveText([missing])
  await expect(dialog.getByLabel('Expert name')).toBeFocused()
  await fill(dialog, TARGET)
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  const words = `Expert A: Bitcoin at $150,000 by 31/12/${NEXT_YEAR}`
  await expect(dialog.getByText(words)).toBeVisible()
  await expect(dialog.getByText(/^Hit if BTC trades at or above \$150,000/)).toBeVisible()
  await expect(dialog.getByRole('img', { name: /Expert A/ })).toBeVisible()
  const when = dialog.getByLabel('When must it be true?')
  await expect(when.getByRole('option')).toHaveText(['At any time until then', 'On that day'])
  await when.selectOption('On that day')
  await expect(dialog.getByText(/^Only the last close counts/)).toBeVisible()
  await when.selectOption('At any time until then')
  await expectAccessible(page, 'form', DIALOG)

  await send(dialog)
  await expect(dialog.getByRole('heading', { name: 'Choose an amount' })).toBeFocused()
  const picks = dialog.getByRole('group', { name: 'Quick picks' }).getByRole('button')
  await picks.filter({ hasText: '2,100' }).click()
  await expect(dialog.getByText(/^about \$\d\.\d\d/)).toBeVisible()
  await expectAccessible(page, 'amount', DIALOG)
  await dialog.getByRole('button', { name: 'Create invoice' }).click()
  await expect(dialog.getByText('Waiting for payment...')).toBeVisible(ofAJob())
  await expect(dialog.getByRole('timer')).toHaveText(/^(?:10:00|9:\d\d)$/)
  await expect(dialog.getByRole('img', { name: /QR code/ }).first()).toBeVisible()
  await expectAccessible(page, 'waiting', DIALOG)
  await dialog.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
  await expect(dialog.getByRole('heading', { name: 'Payment Received' })).toBeVisible()
  const receipt = dialog.getByRole('link', { name: 'Open your receipt' })
  const address = (await receipt.getAttribute('href')) ?? ''
  await dialog.getByLabel('Email or LNURL').fill('nobody')
  await dialog.getByRole('button', { name: 'Notify Me!' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/Please enter an email address/)
  await expectAccessible(page, 'success', DIALOG)
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/btc\?experts=planb/)

  const response = await page.goto(address)
  const secret = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  expect(response?.headers()).toMatchObject(secret)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expect(page.getByText('Pending review.')).toBeVisible()
  await expect(page.getByText(/^2,100 sats received/)).toBeVisible()
  await expectAccessible(page, 'receipt', { within: 'main' })
  // After payment the draft is deleted.
  await expect((await openForm(page)).getByLabel('Expert name')).toHaveValue('')
})

test('Back returns from the payment to the filled form; an unpaid invoice is linked from every page and can be renewed', async ({
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const dialog = await openForm(page, '/experts')
  await expect(page).toHaveURL(/\/experts#submit$/)
  await fill(dialog, { ...TARGET, 'Expert name': 'Expert B' })
  // A secret key is cleared, and stored nowhere.
  await dialog.getByLabel('Notes').fill(`as said by ${NSEC}`)
  await expect(dialog.getByRole('alert')).toHaveText(/This is a secret key \(nsec\)\. Never share/)
  await expect(dialog.getByLabel('Notes')).not.toHaveValue(/nsec/)
  await dialog.getByLabel('Notes').fill('As said on stage')
  const stored = () => page.evaluate(() => JSON.stringify(localStorage))
  await expect.poll(stored).toContain('As said on stage')
  expect(await stored()).not.toContain('nsec1')
  await send(dialog)
  const amounts = dialog.getByRole('heading', { name: 'Choose an amount' })
  await expect(amounts).toBeVisible()
  await expect(page).toHaveURL(/\/experts#pay$/)
  await page.goBack()
  await expect(dialog.getByLabel('Expert name')).toHaveValue('Expert B')
  // Forward shows no payment, as no invoice was requested yet.
  await page.goForward()
  await expect(page).toHaveURL(/\/experts#submit$/)
  await expect(dialog.getByLabel('Expert name')).toHaveValue('Expert B')
  await send(dialog)
  await dialog.getByLabel('Amount in sats').fill('21')
  await dialog.getByRole('button', { name: 'Create invoice' }).click()
  const invoice = page.getByText(/^lnbcrt/)
  await expect(invoice).toBeVisible(ofAJob())
  const bolt11 = (await invoice.textContent()) ?? ''
  await page.reload()
  await expect(invoice).toHaveText(bolt11)
  // The cross closes both steps.
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/experts$/)
  const note = page.getByRole('complementary', { name: 'Open invoice' })
  await open(page, '/methodology')
  await expect(note).toContainText('21 sats to pay for Expert B: $150,000.')
  await note.getByRole('link', { name: 'Back to the invoice' }).click()
  await expect(invoice).toHaveText(bolt11)
  await expect(note).toHaveCount(0)

  // If the invoice was cancelled elsewhere, the receipt can request a new one.
  await page.request.post(`/api/v1/payments/${await checkingIdIn(page)}/cancel`)
  await page.getByRole('button', { name: 'Pay with a new invoice' }).click()
  await page.getByLabel('Amount in sats').fill('500')
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await expect(invoice).toBeVisible(ofAJob())
  await expect(invoice).not.toHaveText(bolt11)
  await page.goto('/btc')
  await expect(note).toContainText('500 sats to pay for')
  await note.getByRole('link', { name: 'Back to the invoice' }).click()
  await page.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
  await expect(page.getByText(/^500 sats received/)).toBeVisible()
  await expect(page.getByText('Pending review.')).toBeVisible()
  expect(sent.join('\n')).not.toContain('nsec1')
})
