// Over 400 lines: one table of the specification's rows, text by text.
import { type Locator, type Page } from '@playwright/test'
import * as admin from '#tests/contract/administrator-screens.ts'
import * as shown from '#tests/contract/public-screens.ts'
import { faultyRelay, type FaultyRelay } from '#tests/support/stand-ins/faulty-relay.ts'
import {
  idAt,
  startPostServices,
  type PostServices,
} from '#tests/support/stand-ins/post-services.ts'
import { X_KEYS, xServer, type XServer } from '#tests/support/stand-ins/x-server.ts'
import { PASSWORD, startAdminSite, type AdminSite } from './support/admin.ts'
import { drawn, drawnCount, expect, open, test, NEXT_YEAR, ofAJob } from './support/site.ts'

/*
 * The rows of the specification that only a browser with scripts shows: each screen and dialog once, with all of its rows.
 * The tables are in tests/contract.
 */

declare global {
  interface Window {
    /** Delays of all timers set by the page since the last call, in ms. */
    delays: number[]
    /** Factor by which timers run faster from now on. */
    pace: number
  }
}

async function noteTimers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.delays = []
    window.pace = 1
    const begin = window.setTimeout.bind(window)
    window.setTimeout = ((run: TimerHandler, ms = 0, ...args: unknown[]) => {
      window.delays.push(ms)
      return begin(run, ms / window.pace, ...args)
    }) as typeof window.setTimeout
  })
}

const soft = expect.configure({ soft: true })

/** Expects each of the names on the page, in any order; a failure names the row. */
async function all(
  rows: readonly (readonly [key: string, ...unknown[]])[],
  find: (name: string) => Locator,
): Promise<void> {
  await Promise.all(
    rows.map(([key, name]) =>
      soft(find(String(name)).filter({ visible: true }).first(), key).toBeVisible(),
    ),
  )
}

async function timer(page: Page, [key, ms]: readonly [key: string, ms: number]): Promise<void> {
  await soft.poll(() => page.evaluate(() => window.delays), { message: key }).toContain(ms)
}

/** With the few predictions of one person, which a browser draws in a tenth of the time. */
const BTC = '/btc?experts=planb'

test('the dashboard matches the specification', async ({ page }) => {
  await open(page, `${BTC}&on=none&scale=linear`)
  await drawn(page)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const chip = (name: string) => button(new RegExp(`^${name} \\d`))
  const countAt = async (name: string) =>
    Number(/\d+/.exec((await chip(name).textContent()) ?? '')?.[0])

  await all(shown.FRAMES, (name) => page.getByRole('button', { name, exact: true }))
  await all(shown.OUTCOMES, (name) => page.locator('[data-outcome]').getByText(name))
  expect
    .soft(await page.evaluate(() => localStorage.getItem('darkMode')), '4 light at first')
    .toBe(null)
  await page.getByRole('banner').getByRole('button', { name: 'Dark mode' }).click()
  expect.soft(await page.evaluate(() => localStorage.getItem('darkMode')), '4 dark').toBe('true')

  // 9 axes, of a chart that draws nothing but the price.
  const chart = page.getByTestId('price-chart')
  const [low = NaN, high = NaN] = ((await chart.getAttribute('data-y')) ?? '')
    .split(',')
    .map(Number)
  expect.soft(low, '9 y minimum').toBeGreaterThanOrEqual(shown.AXIS.lowest)
  expect.soft(high, '9 y maximum').toBeGreaterThanOrEqual(shown.AXIS.top)

  // 4 filters
  const status = button('Reset filters and chart').first()
  for (const [key, name] of shown.FILTERS) {
    await chip(name).click()
    await soft.poll(() => drawnCount(page), { message: key }).toBe(await countAt(name))
  }
  await chip('Pending').click()
  await soft.poll(() => drawnCount(page), { message: '4 a second press clears all' }).toBe(0)
  await soft(chip('All'), '4 and marks All').toHaveAttribute('aria-pressed', 'true')
  await status.click()
  await button('Influencer: All Influencers').click()
  const listed = page.getByRole('listbox').getByRole('option')
  await soft(listed.first(), '2 dropdown: all').toHaveText(/^All Influencers/)
  const names = await listed.allTextContents()
  const people = names.slice(1).map((name) => name.replace(/\d+$/, ''))
  expect
    .soft(people, '2 dropdown: sorted')
    .toEqual(people.toSorted((a, b) => a.localeCompare(b, 'en')))
  expect.soft(new Set(people).size, '2 dropdown: unique').toBe(people.length)
  await page.keyboard.press('Escape')
  const card = page.locator('[data-prediction-card]').nth(2)
  const before = await card.getAttribute('aria-pressed')
  await card.click()
  await soft(card, '2 a card is toggled').not.toHaveAttribute('aria-pressed', before ?? '')
})

test('the form and the payment match the specification', async ({ page }) => {
  await noteTimers(page)
  await open(page, BTC)
  // 5 the form
  await page.getByRole('banner').getByRole('button', { name: 'Submit Prediction' }).click()
  const dialog = page.getByRole('dialog')
  await soft(dialog, '2 title of the dialog').toHaveAccessibleName('Submit Bitcoin Prediction')
  const field = (name: string) => dialog.getByLabel(name)
  await all(shown.FORM_FIELDS, field)
  const kind = field('Prediction type')
  await soft(kind, '9 type it opens with').toHaveValue('target')
  await soft(field('Target date'), '5 target date it opens with').toHaveValue('')
  await soft(kind.getByRole('option'), '9 types').toHaveText([...shown.TYPES])
  await soft(field('Price target'), '5 example').toHaveAttribute('placeholder', '100,000')
  const go = dialog.getByRole('button', { name: 'Continue to payment' })
  await go.click()
  const faults = dialog.getByRole('alert')
  await soft(faults, '5 messages below fields').toHaveText([...shown.FIRST_FAULTS])
  await field('Expert name').fill('Ada Contract')
  await soft(faults, '5 editing clears a message').toHaveCount(shown.FIRST_FAULTS.length - 1)
  await field('Price target').fill('150,000')
  await field('Target date').fill(`${NEXT_YEAR}-12-31`)
  await go.click()

  // 4 and 9 the payment
  const amount = field('Amount in sats')
  await soft(amount, '9 amount it opens with').toHaveValue('1')
  const picks = dialog.getByRole('group', { name: 'Quick picks' }).getByRole('button')
  await soft(picks, '9 quick picks').toHaveText(['1', '21', '500', '1,000', '2,100'])
  await picks.nth(4).click()
  await soft(dialog.getByText(/^about \$\d+\.\d\d/), '9 worth, two decimals').toBeVisible()
  const create = dialog.getByRole('button', { name: 'Create invoice' })
  await page.route('**/create-invoice', (route) => route.abort())
  await create.click()
  await soft(dialog.getByText(shown.NO_INVOICE), '8 no invoice').toBeVisible()
  await page.unroute('**/create-invoice')
  await create.click()
  await expect(dialog.getByRole('timer')).toBeVisible(ofAJob())
  await all(shown.WAITING, (name) => dialog.getByText(name))
  await soft(dialog.getByRole('img', { name: /QR code/ }).first(), '4 QR code').toBeVisible()
  await timer(page, shown.TIMERS.poll)
  await page.context().grantPermissions(['clipboard-write'])
  await page.evaluate(() => (window.delays = []))
  await dialog.getByRole('button', { name: 'Copy invoice' }).click()
  await soft(dialog.getByRole('button', { name: 'Copied!' }), '8 Copied!').toBeVisible()
  await soft(dialog.getByText(shown.COPIED), '8 copied toast').toBeVisible()
  await timer(page, shown.TIMERS.copied)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await soft(amount, '4 Cancel resets the amount').toHaveValue('1')
  await page.evaluate(() => (window.pace = 20))
  await create.click()
  const expired = { paid: false, status: 'expired', late: false, overpaid: false, checked: true }
  await page.route('**/check-payment/**', (route) => route.fulfill({ json: expired }))
  await soft(dialog.getByRole('heading', { name: 'Payment Expired' }), '4 expired').toBeVisible()
  await page.unroute('**/check-payment/**')
  await page.evaluate(() => (window.pace = 1))
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  await soft(amount, '4 Try Again chooses an amount').toHaveValue('1')
  await page.route('**/api/v1/payments/options', async (route) => {
    const options: unknown = await (await route.fetch()).json()
    await route.fulfill({
      json: { ...(options as object), notices: { email: true, lightning: true } },
    })
  })
  await dialog.getByRole('button', { name: 'Back to the form' }).click()
  await go.click()
  await create.click()
  await page.evaluate(() => (window.delays = []))
  await dialog.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
  await soft(dialog.getByRole('heading', { name: 'Payment Received' }), '4 paid').toBeVisible()
  await timer(page, shown.TIMERS.received)
  await soft(dialog.getByText(/will be reviewed before going live/), '4 success').toBeVisible()
  await all(shown.NOTIFY, (name) => dialog.getByText(name))
  await field('Email or LNURL').fill('ada@example.org')
  await page.route('**/receipts/*/contact', (route) =>
    route.fulfill({
      json: { contact: { kind: 'email', shown: 'a…@example.org', confirmed: false } },
    }),
  )
  await dialog.getByRole('button', { name: 'Notify Me!' }).click()
  await soft(dialog.getByText(/^Thanks!/), '4 thanks').toBeVisible()
  await timer(page, shown.TIMERS.thanks)
  await soft(dialog, '4 the dialog closes').toHaveCount(0)
  await soft(page, '4 the dashboard of the asset').toHaveURL(/\/btc(?:$|\?)/)
})

test('the layouts of desktop and phone match the specification', async ({ page }) => {
  await open(page, BTC)
  const button = (name: string) => page.getByRole('button', { name })
  const bar = page.getByRole('navigation', { name: 'Actions' })
  for (const [key, width, isPhone] of shown.WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    await soft(bar, key).toBeVisible({ visible: isPhone })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await all(shown.PHONE_BAR, (name) => bar.getByText(name, { exact: true }))
  expect.soft((await bar.boundingBox())?.height, '9 bar').toBe(60)
  const plot = page.locator('.price-chart-plot')
  expect.soft((await plot.boundingBox())?.height, '9 chart on a phone').toBe(280)
  const step = page.getByRole('button', { name: /^Status filter/ })
  for (const [key, name] of shown.CYCLE) {
    await step.click()
    await soft(step, key).toHaveAccessibleName(new RegExp(`^Status filter: ${name}(?:, \\d+)?$`))
  }
  await page.evaluate(() => window.scrollTo(0, 200))
  await soft(button('Back to top'), '9 not at 200 px').toHaveCount(0)
  await page.evaluate(() => window.scrollTo(0, 201))
  await soft(button('Back to top'), '9 above 200 px').toBeVisible()
  await button('Menu').click()
  const menu = page.getByRole('dialog', { name: 'Select Asset' })
  await all(shown.MENU, (name) => menu.getByText(name))
  await soft(menu.getByRole('link', { name: /NAKA/ }), '2 no prices').toContainText('Coming Soon')
  await menu.getByRole('button', { name: 'Cancel' }).click()
  await soft(menu, '2 Cancel closes it').toHaveCount(0)
  await button('Menu').click()
  await menu.getByRole('link', { name: /MSTR/ }).click()
  await expect(page).toHaveURL(/\/mstr$/)
  await drawn(page)
  expect.soft((await plot.boundingBox())?.height, '9 MSTR chart on a phone').toBe(400)
})

let site: AdminSite
let posts: PostServices
let x: XServer
let relay: FaultyRelay

test.describe('administrators', () => {
  // Both on one site.
  test.describe.configure({ mode: 'default' })
  const POST = idAt('2026-03-10T09:15:00Z')

  test.beforeAll(async () => {
    posts = await startPostServices()
    posts.posts.set(POST, { text: `Bitcoin will hit $250k by the end of ${NEXT_YEAR}.` })
    x = await xServer()
    relay = await faultyRelay('takes')
    site = await startAdminSite({
      ...posts.environment,
      X_API_KEY: X_KEYS.key,
      X_API_SECRET: X_KEYS.secret,
      X_ACCESS_TOKEN: X_KEYS.token,
      X_ACCESS_SECRET: X_KEYS.tokenSecret,
      X_API_URL: x.url.href,
      NOSTR_PRIVATE_KEY: '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa',
      NOSTR_RELAYS: relay.url,
    })
  })

  test.afterAll(async () => {
    await site.stop()
    await relay[Symbol.asyncDispose]()
    await x[Symbol.asyncDispose]()
    await posts[Symbol.asyncDispose]()
  })

  const textOn = (page: Page, text: string | RegExp) => page.getByText(text).first()
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name }).first().click()
  const go = (page: Page, name: string) =>
    page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click()
  const heads = (page: Page) => page.getByRole('columnheader')

  test('signing in and the review match the specification', async ({ page }) => {
    const submit = (name: string, path = '/api/submissions') =>
      site.submit(path, {
        expert_name: name,
        prediction_type: 'target',
        price_prediction: '150,000',
        target_time: `${NEXT_YEAR}-12-31`,
        source_url: 'https://example.org/said',
      })
    for (const name of ['Ada One', 'Ada Two', 'Ada Three']) await submit(name)
    await submit('Ada Stock', '/api/mstr/submissions')

    // 2 and 8 login
    await page.goto(`${site.url}/admin/dashboard`)
    await soft(page, '2 without the flag').toHaveURL(/\/admin\/login/)
    await page.goto(`${site.url}/admin`)
    const login = page.getByRole('button', { name: 'Login' })
    await all(admin.LOGIN_FIELDS, (name) => page.getByLabel(name))
    await login.click()
    await soft(textOn(page, admin.LOGIN.empty), '5 both fields').toBeVisible()
    await page.getByLabel('Username').fill(site.names.first)
    await page.getByLabel('Password').fill(PASSWORD)
    for (const [key, status, text] of admin.LOGIN_FAILURES) {
      await page.route('**/api/admin/login', (route) =>
        status === 0 ? route.abort() : route.fulfill({ status, body: '' }),
      )
      await login.click()
      await soft(textOn(page, text), key).toBeVisible()
      await page.unroute('**/api/admin/login')
    }
    await login.click()
    await soft(page, '2 after login').toHaveURL(/\/admin\/dashboard$/)
    const flags = await page.evaluate(() =>
      ['adminLoggedIn', 'adminUsername'].map((key) => localStorage.getItem(key)),
    )
    expect.soft(flags, '9 local keys').toEqual(['true', site.names.first])

    // 2 the Bitcoin dashboard
    await soft(textOn(page, 'Ada One')).toBeVisible()
    await all(admin.TABS, (name) => page.getByRole('tab', { name: new RegExp(`^${name}`) }))
    const columns = await heads(page).allTextContents()
    expect
      .soft(columns.map((text) => text.trim()).filter((text) => admin.BTC_COLUMNS.includes(text)))
      .toEqual(admin.BTC_COLUMNS)
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}:`) })
    await all(admin.ROW_ACTIONS, (name) =>
      row('Ada One').getByRole('button', { name: new RegExp(`^${name}`) }),
    )
    await soft(row('Ada One'), '2 date').toContainText(`31/12/${NEXT_YEAR}`)
    await page.getByRole('tab', { name: /^Rejected/ }).click()
    await soft(textOn(page, 'No rejected submissions found.'), '2 nothing there').toBeVisible()
    await page.getByRole('tab', { name: /^Pending/ }).click()

    // 4 the detail
    await row('Ada One').getByRole('button', { name: /^View/ }).click()
    const detail = page.getByRole('dialog', { name: /^Ada One:/ })
    const modes = detail.getByRole('group', { name: 'Mode' })
    await all(admin.MODES, (name) => modes.getByRole('button', { name: new RegExp(`^${name}`) }))
    const made = detail.getByLabel('Prediction made')
    await made.fill('2026-02-03')
    await page.route('**/prediction-date', (route) => route.abort())
    await detail.getByRole('button', { name: 'Save date' }).click()
    await soft(detail.getByText(admin.MADE.failed), '8 date not saved').toBeVisible()
    await page.unroute('**/prediction-date')
    await detail.getByRole('button', { name: 'Save date' }).click()
    await soft(detail.getByText(admin.MADE.saved), '8 date saved').toBeVisible()
    await modes.getByRole('button', { name: /^Edit/ }).click()
    for (const [key, label, options] of admin.EDIT_OPTIONS) {
      await soft(detail.getByLabel(label, { exact: true }).getByRole('option'), key).toHaveText([
        ...options,
      ])
    }
    await detail.getByLabel('Expert name').fill('Ada Edited')
    const save = detail.getByRole('button', { name: 'Save', exact: true })
    await page.route('**/update', (route) => route.abort())
    await save.click()
    await soft(detail.getByText(admin.EDIT.failed), '8 not saved').toBeVisible()
    await page.unroute('**/update')
    await save.click()
    await soft(page.getByText(admin.EDIT.saved), '8 saved').toBeVisible()
    await page.keyboard.press('Escape')

    // 4 and 8 approving and rejecting
    await row('Ada Two')
      .getByRole('button', { name: /^Approve/ })
      .click()
    const approval = page.getByRole('dialog', { name: /^Ada Two:/ })
    const today = new Date().toISOString().slice(0, 10).split('-').toReversed().join('/')
    await soft(approval.getByLabel('Start date'), '9 start date').toHaveValue(today)
    await soft(approval.getByLabel('End date'), '4 end date').toHaveValue(`31/12/${NEXT_YEAR}`)
    await soft(
      approval.getByText('Creates a new influencer: Ada Two.').first(),
      '4 new influencer',
    ).toBeVisible()
    const send = approval.locator('form').getByRole('button', { name: /^Approve/ })
    await expect(send).toHaveAttribute('aria-disabled', 'false')
    await page.route('**/approve', (route) =>
      route.fulfill({ status: 500, json: admin.APPROVE.refusal }),
    )
    await send.click()
    await soft(page.getByText(admin.APPROVE.failed), '8 not approved').toBeVisible()
    await page.unroute('**/approve')
    await send.click()
    await soft(page.getByText(admin.APPROVE.done).first(), '8 approved').toBeVisible()
    await row('Ada Three')
      .getByRole('button', { name: /^Reject/ })
      .click()
    const rejecting = page.getByRole('dialog', { name: 'Reject this submission' })
    await rejecting.getByRole('button', { name: 'Reject', exact: true }).click()
    await soft(rejecting.getByText('Please give a reason.'), '5 a reason').toBeVisible()
    await rejecting.getByLabel('Reason').fill('No source')
    await rejecting.getByRole('button', { name: 'Reject', exact: true }).click()
    await soft(page.getByText(admin.REJECTED).first(), '8 rejected').toBeVisible()

    // 2 MSTR
    await go(page, 'MSTR')
    await soft(textOn(page, 'Ada Stock')).toBeVisible()
    const filters = page.getByRole('group', { name: 'Submissions by status' }).getByRole('button')
    await soft(filters, '2 filters of MSTR').toHaveText(admin.MSTR_FILTERS.map((one) => one))
    const stock = await heads(page).allTextContents()
    expect
      .soft(stock.map((text) => text.trim()).filter((text) => admin.MSTR_COLUMNS.includes(text)))
      .toEqual(admin.MSTR_COLUMNS)
    await soft(textOn(page, 'How to review MSTR submissions'), '2 instructions').toBeVisible()
    await page.addInitScript(() => (window.pace = 20))
    for (const [key, path, text] of admin.LOAD_FAILURES) {
      await page.route('**/api/v1/admin/submissions?**', (route) => route.abort())
      await page.goto(site.url + path)
      await soft(textOn(page, text), key).toBeVisible()
      await soft(page.getByRole('button', { name: 'Retry' }), '8 Retry').toBeVisible()
      await page.unroute('**/api/v1/admin/submissions?**')
    }
    await press(page, 'Logout')
    await soft(page, '2 after Logout').toHaveURL(/\/admin\/login/)
    expect
      .soft(await page.evaluate(() => localStorage.getItem('adminLoggedIn')), '2 flag cleared')
      .toBe(null)
  })

  test('posts, extraction and the queue match the specification', async ({ page }) => {
    await noteTimers(page)
    await site.signIn(page)
    // 2, 5 and 9 posts
    const panel = (name: string) => page.getByRole('region', { name, exact: true })
    for (const [key, path, most] of admin.POST_LIMITS) {
      await page.goto(site.url + path)
      await soft(panel('X').getByText('connected'), '2 X connected').toBeVisible()
      await page.getByLabel('Post on X').fill('a'.repeat(281))
      await soft(panel('X').getByText(`281 / ${most}`), key).toBeVisible()
      await soft(panel('X').getByText('Long tweet'), '2 Long tweet above 280').toBeVisible()
      await page.getByLabel('Post on X').fill('a'.repeat(280))
      await soft(panel('X').getByText('Long tweet'), '2 none at 280').toHaveCount(0)
      await page.getByLabel('Post on X').fill(' ')
      const post = panel('X').getByRole('button', { name: 'Post to X' })
      await soft(post, '4 nothing to post').toBeDisabled()
    }
    await soft(panel('Nostr').getByText('1 of 1 relays connected'), '2 relays').toBeVisible()
    await soft(panel('Nostr').getByText(admin.NOSTR_KEY), '9 public key').toBeVisible()
    await soft(panel('X').getByText(/^Rate limit: /), '2 rate limit').toBeVisible()
    await all(admin.POST_BUTTONS, (name) => page.getByRole('button', { name }))
    await soft(textOn(page, '0 of 4, for all networks'), '9 four images').toBeVisible()
    await page.getByLabel('Post on X').fill('Hello')
    await press(page, /^Post to X$/)
    await soft(panel('X').getByText('Posted successfully!'), '8 posted').toBeVisible(ofAJob())
    await page.getByLabel('Post on Nostr').fill('Hello')
    await press(page, /^Post to Nostr$/)
    await soft(panel('Nostr').getByText('Posted to 1/1 relays'), '8 relays').toBeVisible(ofAJob())

    // 2, 5 and 8 extraction
    await page.goto(`${site.url}/admin/dashboard?tab=extraction`)
    const extract = page.getByRole('button', { name: 'Extract', exact: true })
    for (const [key, url, text] of admin.LINK_FAULTS) {
      await page.getByLabel('Tweet URL').fill(url)
      await extract.click()
      await soft(textOn(page, text), key).toBeVisible()
    }
    await page.getByLabel('Tweet URL').fill(`https://x.com/ada_example/status/${POST}`)
    await page.route('**/api/extract-tweet', (route) => route.fulfill({ status: 500, body: '' }))
    await extract.click()
    await soft(textOn(page, admin.NOT_EXTRACTED), '8 not extracted').toBeVisible()
    await page.unroute('**/api/extract-tweet')
    await extract.click()
    await all(admin.EXTRACT_COLUMNS, (name) => page.getByRole('heading', { name }))
    await soft(textOn(page, /\d+ \/ 280|\d+ of 280/), '2 length of proposals').toBeVisible()
    const decision = page.getByRole('form', { name: 'Final Decision' })
    await all(admin.DECISION_FIELDS, (name) => decision.getByLabel(name))
    for (const [key, label, options] of admin.DECISION_OPTIONS) {
      await soft(decision.getByLabel(label, { exact: true }).getByRole('option'), key).toHaveText([
        ...options,
      ])
    }
    await decision.getByLabel('Expert Name').fill('')
    await decision.getByLabel('Target Date').fill('')
    const decide = decision.getByRole('button', { name: 'Submit Prediction' })
    await decide.click()
    await soft(textOn(page, admin.REQUIRED), '5 required fields').toBeVisible()
    await decision.getByLabel('Expert Name').fill('Ada Decided')
    await decision.getByLabel('Target Date').fill(`${NEXT_YEAR}-12-31`)
    await page.route('**/api/submissions', (route) => route.abort())
    await decide.click()
    await soft(textOn(page, /Failed to submit prediction/), '8 not submitted').toBeVisible()
    await page.unroute('**/api/submissions')
    await page.evaluate(() => (window.delays = []))
    await decide.click()
    await soft(textOn(page, admin.SUBMITTED), '8 submitted').toBeVisible()
    await timer(page, admin.FORM_CLEARS)

    // 2 the queue
    await go(page, 'Tweet Queue')
    await soft(page.getByRole('button', { name: 'Refresh' }), '2 Refresh').toBeVisible()
    await all(admin.QUEUE_COUNTS, (name) => page.getByText(name, { exact: true }))
    const long = `https://x.com/i/status/${POST}?s=20&t=abcdefghijklmnop`
    await page.request.post(`${site.url}/api/tweet-queue`, {
      data: { urls: [long, 'https://x.com/ada_longer_example_x/status/1'], process: false },
      headers: { origin: site.url },
    })
    await soft(heads(page), '2 columns of the queue').toHaveText([...admin.QUEUE_COLUMNS])
    await soft(page.getByRole('button', { name: /^Process #/ }).first(), '2 Process').toBeVisible()
    await soft(page.getByRole('button', { name: /^Delete #/ }).first(), '2 Delete').toBeVisible()
  })
})
