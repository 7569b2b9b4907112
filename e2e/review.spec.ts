import { type Locator, type Page } from '@playwright/test'
import { DESKTOP, expectAccessible, expectNothingCutOff, PHONE } from './support/accessible.ts'
import { PASSWORD, startAdminSite, type AdminSite } from './support/admin.ts'
import { expect, test, NEXT_YEAR } from './support/site.ts'

const [BTC, MSTR, NAKA] = ['/api/submissions', '/api/mstr/submissions', '/api/naka/predictions']
const APPROVED = 'Submission approved successfully! Switch to the Approved tab to see it.'
const REJECTED = 'Submission rejected successfully!'

test.describe.configure({ mode: 'serial' })

let site: AdminSite

test.beforeAll(async () => {
  site = await startAdminSite()
})

test.afterAll(() => site.stop())

test.beforeEach(async ({ page }) => {
  await site.signIn(page)
})

const target = (name: string, more: object = {}): object => ({
  expert_name: name,
  prediction_type: 'target',
  price_prediction: '150,000',
  target_time: `${NEXT_YEAR}-12-31`,
  source_url: 'https://example.org/said',
  ...more,
})

const row = (page: Page, name: string): Locator => page.getByRole('row', { name: `${name}:` })
const said = (page: Page, text: string): Locator =>
  page.getByRole('status').filter({ hasText: text })
const detail = (page: Page, name: string): Locator =>
  page.getByRole('dialog', { name: new RegExp(`^${name}:`) })
const modes = (dialog: Locator): Locator => dialog.getByRole('group', { name: 'Mode' })

async function openList(page: Page, path: string, name: string): Promise<void> {
  await page.goto(site.url + path)
  await expect(page.getByText(name).first()).toBeVisible()
}

async function approve(page: Page, name: string): Promise<void> {
  const dialog = detail(page, name)
  const send = dialog.locator('form').getByRole('button', { name: /^Approve/ })
  await expect(send).toHaveAttribute('aria-disabled', 'false')
  await send.click()
  await expect(dialog).toHaveCount(0)
  await expect(said(page, `${APPROVED} (${name})`)).toBeVisible()
}

/** Waits until this many predictions of a person are public. @param asset empty, or `mstr/` */
async function expectPublished(name: string, count: number, asset = ''): Promise<void> {
  const published = async (): Promise<number> => {
    const text = await (await fetch(`${site.url}/api/${asset}predictions`)).text()
    return text.split(`"name":"${name}"`).length - 1
  }
  await expect.poll(published).toBe(count)
}

test('all work on submissions is done by keyboard, on all assets', async ({ page }) => {
  await site.submit(BTC, target('Target Teller', { prediction_made: '2026-01-05' }))
  await site.submit(BTC, {
    ...target('Range Reader'),
    prediction_type: 'range',
    price_min: '80.000',
    price_max: '120.000',
  })
  await site.submit(BTC, {
    ...target('Minimum Maker'),
    prediction_type: 'pricetimerange',
    price_min: '500,000',
  })
  await site.submit(BTC, { ...target('Top Tipper'), prediction_type: 'top', price_max: '400000' })
  await site.submit(BTC, { ...target('Bottom Boy'), prediction_type: 'bottom', price_min: '20000' })
  for (const spam of ['Spam One', 'Spam Two', 'Spam Three']) await site.submit(BTC, target(spam))

  await openList(page, '/admin/dashboard', 'Target Teller')
  await expect(page.getByRole('tab', { name: 'Pending 8' })).toHaveAttribute(
    'aria-selected',
    'true',
  )

  // Approved by keys alone, undone, approved again.
  await page.keyboard.press('j')
  await expect(row(page, 'Target Teller')).toBeFocused()
  await page.keyboard.press('a')
  const first = detail(page, 'Target Teller')
  await expect(first.getByText('Intraday')).toBeVisible()
  await expect(first.getByRole('img').first()).toBeVisible()
  await expect(first.getByText('Creates a new influencer: Target Teller.').first()).toBeVisible()
  const send = first.locator('form').getByRole('button', { name: /^Approve/ })
  await expect(send).toBeFocused()
  await expect(send).toHaveAttribute('aria-disabled', 'false')
  await page.keyboard.press('Enter')
  await expect(said(page, APPROVED)).toBeVisible()
  await expect(row(page, 'Target Teller')).toHaveCount(0)
  await expect(row(page, 'Range Reader')).toBeFocused()
  await expectPublished('Target Teller', 1)
  await page.keyboard.press('z')
  await expect(row(page, 'Target Teller')).toBeVisible()
  await expectPublished('Target Teller', 0)
  await row(page, 'Target Teller')
    .getByRole('button', { name: /^Approve/ })
    .click()
  await approve(page, 'Target Teller')

  // Edited: the number is shown back before it is saved.
  await row(page, 'Range Reader').focus()
  await page.keyboard.press('a')
  const second = detail(page, 'Range Reader')
  await expect(second.locator('form').getByRole('button', { name: /^Approve/ })).toBeFocused()
  await page.keyboard.press('e')
  await expect(second.getByLabel('Expert name')).toBeFocused()
  await second.getByLabel('Maximum price').fill('130.000')
  await expect(second.getByText('read as $130,000')).toBeVisible()
  await second.getByLabel('Minimum price').fill('140,000')
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(
    second.getByText('The minimum price must be below the maximum price.').first(),
  ).toBeVisible()
  await second.getByLabel('Minimum price').fill('90.000')
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(second.getByText('Data saved successfully!')).toBeVisible()
  await expect(page.getByRole('dialog', { name: /\$90,000 - \$130,000/ })).toBeVisible()
  await second.getByLabel('Prediction made').fill('2026-02-03')
  await second.getByRole('button', { name: 'Save date' }).click()
  await expect(second.getByText('Prediction date saved successfully!')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(second).toHaveCount(0)

  for (const name of ['Minimum Maker', 'Top Tipper']) {
    await row(page, name)
      .getByRole('button', { name: /^Approve/ })
      .click()
    await approve(page, name)
  }

  // One rejected with a reason, three together.
  await row(page, 'Bottom Boy').focus()
  await page.keyboard.press('r')
  await page.keyboard.press('4')
  await page.keyboard.press('Enter')
  await expect(said(page, REJECTED)).toBeVisible()
  await row(page, 'Spam One').focus()
  for (const key of ['x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Reject these 3' }).click()
  await page.getByLabel('Reason').fill('Spam or advertising')
  await page.keyboard.press('Control+Enter')
  await expect(said(page, '3 submissions rejected.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Rejected 4' })).toBeVisible()
  await page.getByRole('tab', { name: 'Approved 3' }).click()
  await expect(row(page, 'Top Tipper')).toBeVisible()
  await expect(row(page, 'Top Tipper').getByRole('button', { name: /^Approve/ })).toHaveCount(0)

  // The other assets have the same functions.
  await site.submit(MSTR, { ...target('Stock Seer'), price_prediction: '600' })
  await site.submit(NAKA, { ...target('Token Teller'), price_prediction: '0.25' })
  await openList(page, '/admin/mstr', 'Stock Seer')
  await expect(page.getByRole('columnheader', { name: 'MSTR Price Prediction' })).toBeVisible()
  await row(page, 'Stock Seer')
    .getByRole('button', { name: /^Approve/ })
    .click()
  await approve(page, 'Stock Seer')
  await expect(page.getByText('No pending submissions found.')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Other dashboards' })
    .getByRole('link', { name: 'NAKA' })
    .click()
  await row(page, 'Token Teller')
    .getByRole('button', { name: /^Approve/ })
    .click()
  await approve(page, 'Token Teller')
  await expectPublished('Stock Seer', 1, 'mstr/')
  await expectPublished('Token Teller', 1, 'naka/')

  await page.goto(`${site.url}/admin/home`)
  await expect(page.getByText('5 approved, 4 rejected')).toBeVisible()
  await page
    .getByRole('list', { name: 'Waiting longest' })
    .getByRole('link', { name: /Range Reader/ })
    .click()
  await expect(detail(page, 'Range Reader')).toBeVisible()
})

test('ten waiting ones, eight of them clean, are worked off with at most 1.2 key presses for a clean one, and every flagged one is opened', async ({
  page,
}) => {
  // Known by name, so that those of the same name are no new person.
  const known = await site.submit(NAKA, target('Token Regular', { price_prediction: '0.10' }))
  await page.request.post(`${site.url}/api/admin/naka_prediction_submissions/${known}/approve`, {
    data: {},
    headers: { origin: site.url },
  })
  for (let i = 1; i <= 8; i += 1) {
    const price = String(i)
    await site.submit(NAKA, target('Token Regular', { price_prediction: price, notes: 'Seen.' }))
  }
  await site.submit(
    NAKA,
    target('Token Regular', { price_prediction: '70', notes: 'At scam[.]io' }),
  )
  await site.submit(NAKA, target('Token Newcomer', { price_prediction: '90' }))
  await page.goto(`${site.url}/admin/naka?q=token`)
  await expect(page.getByRole('button', { name: /^Without flags/ })).toContainText('8')
  await expect(page.getByText('Link in text')).toBeVisible()
  await expect(page.getByText('New person')).toBeVisible()
  let presses = 0
  const press = async (key: string): Promise<void> => {
    presses += 1
    await page.keyboard.press(key)
  }
  await press('Shift+A')
  const all = page.getByRole('dialog', { name: 'Approve the 8 without flags' })
  await expect(all.getByRole('listitem').filter({ hasText: 'Nakamoto Games' })).toHaveCount(8)
  await expect(all.getByText('Seen.')).toHaveCount(0)
  await expect(all.getByRole('button', { name: 'Approve the 8' })).toBeFocused()
  await press('Enter')
  await expect(said(page, '8 submissions approved.')).toBeVisible()
  await expect(all).toHaveCount(0)
  expect(presses / 8).toBeLessThanOrEqual(1.2)
  await expectPublished('Token Regular', 9, 'naka/')

  // Under a grave warning Enter cancels.
  await row(page, 'Token Regular').focus()
  await page.keyboard.press('a')
  const grave = detail(page, 'Token Regular')
  await expect(grave.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(grave.getByText(/^There is a link in the notes/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(grave.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(grave).toHaveCount(0)
  await page.keyboard.press('r')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Token Regular')).toHaveCount(0)
  await row(page, 'Token Newcomer').focus()
  await page.keyboard.press('a')
  const newcomer = detail(page, 'Token Newcomer')
  await expect(newcomer.locator('form').getByRole('button', { name: 'Approve' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(newcomer).toHaveCount(0)
  await expect(page.getByText(/^No pending submissions found/)).toBeVisible()
  await expectPublished('Token Regular', 9, 'naka/')
})

test('what goes public is above the fold, and nothing lies under the buttons of a row', async ({
  page,
}) => {
  const notes = 'He said so on stage. '.repeat(40)
  await site.submit(BTC, target('Fold Finder', { notes }))
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(viewport)
    await openList(page, '/admin/dashboard?q=fold', 'Fold Finder')
    const cells = row(page, 'Fold Finder').getByRole('cell')
    const edges = await cells.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
    const last = edges.at(-1)?.left ?? 0
    expect(Math.max(...edges.slice(0, -1).map(({ right }) => right))).toBeLessThanOrEqual(last + 1)
    await row(page, 'Fold Finder')
      .getByRole('button', { name: /^Approve/ })
      .click()
    const dialog = detail(page, 'Fold Finder')
    const shown = dialog.getByRole('region', { name: 'This goes public' })
    await dialog.getByLabel('Public text').fill('He names a level and a year.')
    for (const text of [
      'Fold Finder: Bitcoin at',
      'Our summary',
      'He names a level',
      'example.org',
    ])
      await expect(shown.getByText(text).first()).toBeInViewport({ ratio: 1 })
    await expect(shown).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})

test('of two administrators who edit or approve the same row, the slower one sees what the other did', async ({
  page,
  browser,
}) => {
  await site.submit(BTC, target('Shared Row'))
  const context = await browser.newContext({ baseURL: site.url })
  const other = await context.newPage()
  await site.signIn(other, 'second')
  for (const one of [page, other]) {
    await openList(one, '/admin/dashboard?q=shared', 'Shared Row')
    await row(one, 'Shared Row').getByRole('button', { name: /^View/ }).click()
    await expect(detail(one, 'Shared Row').getByText('Intraday')).toBeVisible()
  }
  // The same field: the second one is shown what the first one wrote, and keeps their own.
  for (const one of [page, other]) {
    await modes(detail(one, 'Shared Row')).getByRole('button', { name: /^Edit/ }).click()
  }
  await detail(page, 'Shared Row').getByLabel('Notes').fill('of the first')
  await detail(page, 'Shared Row').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Data saved successfully!')).toBeVisible()
  await detail(other, 'Shared Row').getByLabel('Notes').fill('of the second')
  await detail(other, 'Shared Row').getByRole('button', { name: 'Save', exact: true }).click()
  const changed = other.getByRole('alert', { name: 'Changed meanwhile' })
  await expect(changed).toContainText(site.names.first)
  await expect(changed.getByRole('row', { name: /Notes/ })).toContainText('of the first')
  await changed.getByRole('button', { name: 'Keep my version and save' }).click()
  await expect(other.getByText('Data saved successfully!')).toBeVisible()

  // There is one prediction, and the second administrator sees who was first.
  for (const one of [page, other]) {
    await one.reload()
    const dialog = detail(one, 'Shared Row')
    await expect(dialog.getByRole('group', { name: 'Notes' })).toHaveText('of the second')
    await modes(dialog)
      .getByRole('button', { name: /^Approve/ })
      .click()
    await expect(dialog.locator('form').getByRole('button', { name: /^Approve/ })).toHaveAttribute(
      'aria-disabled',
      'false',
    )
  }
  await approve(page, 'Shared Row')
  const late = detail(other, 'Shared Row')
  await late
    .locator('form')
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(late.getByRole('alert')).toContainText(
    `Error approving submission: ${site.names.first} has approved this submission already`,
  )
  await expect(modes(late).getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await expectPublished('Shared Row', 1)
  await context.close()
})

test('an edit survives the end of its session', async ({ page }) => {
  await site.submit(BTC, target('Long Edit'))
  await openList(page, '/admin/dashboard?q=long', 'Long Edit')
  await row(page, 'Long Edit').getByRole('button', { name: /^View/ }).click()
  const dialog = detail(page, 'Long Edit')
  await modes(dialog).getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByLabel('Notes').fill('typed before the session ended')
  await expect(dialog.getByText('Intraday')).toBeVisible()
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Please sign in again' })
  await again.getByLabel('Password').fill(PASSWORD)
  await again.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Data saved successfully!')).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Notes' })).toHaveText(
    'typed before the session ended',
  )
})

test('nothing is lost while the server is down', async ({ page }) => {
  await site.submit(BTC, target('Patient Person'))
  const down = '**/api/**'
  await page.route(down, (route) => route.abort())
  await page.goto(`${site.url}/admin/dashboard?q=patient`)
  await expect(
    page.getByText('Failed to load submissions. Please make sure the backend server is running.'),
  ).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('patient')
  await page.unroute(down)
  await page.getByRole('button', { name: 'Retry' }).click()
  await row(page, 'Patient Person').getByRole('button', { name: /^View/ }).click()
  const dialog = detail(page, 'Patient Person')
  await modes(dialog).getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByLabel('Notes').fill('typed while it was down')
  await page.route(down, (route) => route.abort())
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText('Error saving data. Please try again.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.unroute(down)
  await row(page, 'Patient Person').getByRole('button', { name: /^View/ }).click()
  await expect(dialog.getByLabel('Notes')).toHaveValue('typed while it was down')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText('Data saved successfully!')).toBeVisible()
})

test('markup in every field is shown as text', async ({ page }) => {
  const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  const faults: string[] = []
  page.on('dialog', (shown) => {
    faults.push(shown.message())
    void shown.dismiss()
  })
  await site.submit(BTC, {
    ...target(`Marked ${markup}`),
    notes: markup,
    source_url: `https://example.org/?q=${encodeURIComponent(markup)}`,
    ai_metadata: JSON.stringify({ tweet_proposals: [{ style: markup, text: markup }] }),
  })
  await openList(page, '/admin/dashboard?q=marked', 'Marked <img')
  await page.getByRole('button', { name: /^View Marked/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Marked/ })
  await expect(dialog.getByText('Intraday')).toBeVisible()
  await dialog.getByText('Notes of the assistant').click()
  await expect(dialog.getByText(markup).first()).toBeVisible()
  await modes(dialog)
    .getByRole('button', { name: /^Reject/ })
    .click()
  await dialog.getByLabel('Reason').fill(markup)
  await dialog.locator('form').getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(said(page, REJECTED)).toBeVisible()
  await page.goto(`${site.url}/admin/dashboard?tab=rejected&q=marked`)
  await page.getByRole('button', { name: /^View Marked/ }).click()
  await expect(dialog.getByText(markup).first()).toBeVisible()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(faults).toEqual([])
})

for (const { viewport, theme } of [
  { viewport: DESKTOP, theme: 'light' },
  { viewport: PHONE, theme: 'dark' },
] as const) {
  test(`each screen of the review is accessible at ${String(viewport.width)} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport)
    const name = `Readable ${String(viewport.width)}`
    await site.submit(BTC, target(name, { notes: 'Said on stage.' }))
    await openList(page, `/admin/dashboard?q=${String(viewport.width)}`, name)
    await expectReadable(page, theme, 'list')
    await page.getByRole('button', { name: new RegExp(`^View ${name}`) }).click()
    const dialog = detail(page, name)
    await expect(dialog.getByText('Intraday')).toBeVisible()
    await expectReadable(page, theme, 'view')
    for (const mode of ['Approve', 'Reject', 'Edit']) {
      await modes(dialog)
        .getByRole('button', { name: new RegExp(`^${mode}`) })
        .click()
      await expect(dialog.locator('form').first()).toBeVisible()
      await expectReadable(page, theme, mode)
    }
    await page.goto(`${site.url}/admin/home`)
    await expect(page.getByRole('heading', { name: 'Waiting for review' })).toBeVisible()
    await expectReadable(page, theme, 'home')
    const stock = `Stock ${String(viewport.width)}`
    await site.submit(MSTR, { ...target(stock), price_prediction: '600' })
    await openList(page, '/admin/mstr', stock)
    await expectReadable(page, theme, 'stock')
  })
}

test('the menu on a phone opens at the current place, however far down', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openList(page, '/admin/dashboard', 'Readable')
  await page.evaluate(() => {
    document.body.style.minHeight = '4000px'
    window.scrollTo(0, 2_000)
  })
  await page.getByRole('button', { name: 'Open the menu' }).click()
  const places = page.getByRole('navigation', { name: 'Screens' })
  await expect(places.getByRole('link', { name: 'Home', exact: true })).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(places).toBeHidden()
})

/** Expects that nothing is cut off and that axe finds nothing. */
async function expectReadable(page: Page, theme: 'light' | 'dark', screen: string): Promise<void> {
  await expectNothingCutOff(page, screen)
  const within = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog]' : 'main'
  await expectAccessible(page, screen, { within, themes: [theme] })
}
