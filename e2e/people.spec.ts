import { expectAccessible } from './support/accessible.ts'
import { expect, open, test } from './support/site.ts'

test('people are compared with luck, by filter, in a funnel, and found by name', async ({
  page,
}) => {
  await open(page, '/experts')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('luck')
  await expectAccessible(page, '/experts')
  const board = page.getByRole('table', { name: /compared with luck/ })
  const all = await board.getByRole('row').count()
  await page.getByText('Filter the calls').click()
  const asset = page.getByRole('combobox', { name: 'Asset' })
  await asset.selectOption('mstr')
  await expect(page).toHaveURL(/asset=mstr/)
  await expect.poll(() => board.getByRole('row').count()).toBeLessThan(all)
  await expect(page.getByRole('link', { name: 'PlanB' })).toHaveCount(0)
  await page.reload()
  await expect(asset).toHaveValue('mstr')
  await page.getByRole('button', { name: 'Compare all calls' }).click()
  await expect(board.getByRole('row')).toHaveCount(all)
  await expect(page).not.toHaveURL(/asset/)

  const search = page.getByRole('searchbox', { name: 'Search people with few comparable calls' })
  await search.fill('planb')
  await expect(page.getByText('Listed above: PlanB.')).toBeVisible()
  await search.fill('williams')
  await expect(page.getByRole('link', { name: 'Mark T. Williams' })).toBeVisible()
  await page.getByRole('button', { name: 'Funnel' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=funnel/)
  const dot = page.getByRole('link', { name: /^PlanB: .* luck expects/ })
  await expect(dot).toBeVisible()
  await expectAccessible(page, 'funnel', { within: 'main' })
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab')
      return dot.evaluate((one) => one === document.activeElement)
    })
    .toBe(true)
  await expect(dot.getByText('PlanB')).toHaveCSS('opacity', '1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'PlanB' })).toBeVisible()
})

test('a person has a record with its interval, calls in order of luck, moved deadlines and the chart', async ({
  page,
}) => {
  await open(page, '/experts/tim-draper')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tim Draper: 0 of 5 came true.')
  await expect(page.getByText(/can be compared with luck: none came true\./).first()).toBeVisible()
  const price = page.getByRole('img', { name: /^Tim Draper: \d+ Bitcoin calls over the price/ })
  await expect(price).toBeVisible()
  // `force`, as the element under the pointer is the picture, not the dot.
  await price.locator('circle').first().click({ force: true })
  await expect(page).toHaveURL(/\/predictions\/draper-/)
  await page.goBack()
  await page.getByText('How this compares with luck').click()
  await expectAccessible(page, '/experts/tim-draper')
  const calls = page.getByRole('region', { name: 'Predictions' }).getByRole('listitem')
  await expect(calls.first()).toContainText('$250,000')
  await page.getByRole('button', { name: 'Boldest first' }).click()
  await expect(calls.last()).toContainText('$10,000')
  await expect(calls.first()).toContainText('luck <1%')
  const marks = page.getByRole('group', { name: /^Calls of Tim Draper/ }).getByRole('link')
  await expect(marks.nth(2)).toBeVisible()
  await marks.last().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/predictions\/draper-/)
  await page.goBack()
  // Leads from one call to the next on their own pages.
  const moved = page.getByRole('list', { name: 'Calls for $250,000' })
  await moved.getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'How the deadline was moved' })).toBeVisible()
  await expect(moved.locator('[aria-current=page]')).toHaveCount(1)

  await open(page, '/experts/planb')
  const main = page.getByRole('main')
  await page.getByText('How this compares with luck').click()
  await expect(main.getByText(/\d+% to \d+% with 95% confidence/)).toBeVisible()
  const count = await calls.count()
  expect(count).toBeGreaterThan(5)
  await main.getByRole('link', { name: 'Show on the BTC chart' }).click()
  await expect(page.getByText(new RegExp(`${String(count)} (?:drawn )?predictions`))).toBeVisible()
})

test("a person is followed by mail, and one click on the mail's page stops everything", async ({
  page,
}) => {
  await open(page, '/experts/tom-lee')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  const ofPerson = page.getByRole('dialog', { name: 'Follow Tom Lee' })
  // The tests' site has no mail server, and no worker is allowed.
  await expect(ofPerson).toContainText('no mail server has been set up')
  await expectAccessible(page, 'Follow', { within: '[role="dialog"]' })
  await page.keyboard.press('Escape')
  await expect(ofPerson).toBeHidden()

  const ways = { title: 'Bitcoin', mail: true, push: null, npub: null, person_npub: null }
  const feeds = [{ name: 'Bitcoin', path: '/btc/feed.xml' }]
  await page.route('**/api/v1/follow?*', (route) => route.fulfill({ json: { ...ways, feeds } }))
  const bodies: unknown[] = []
  await page.route('**/api/v1/follow', async (route) => {
    bodies.push(route.request().postDataJSON())
    const error = 'Please enter a valid email address.'
    const refusal = { success: false, code: 'invalid', error, fields: { email: error } }
    await (bodies.length === 1
      ? route.fulfill({ status: 400, json: refusal })
      : route.fulfill({ json: { asked: true } }))
  })
  await open(page, '/btc')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Follow Bitcoin' })
  const field = dialog.getByRole('textbox', { name: 'Email address' })
  await field.fill('nobody')
  await field.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Please enter a valid email address.')
  await field.fill('reader@example.org')
  await dialog.getByRole('combobox', { name: 'How often' }).selectOption('Once a week')
  await field.press('Enter')
  const sent = dialog.getByRole('status').first()
  await expect(sent).toContainText('We have sent an email to reader@example.org')
  const of = { kind: 'asset', subject: 'btc', every: 'week' }
  expect(bodies[1]).toEqual({ ...of, email: 'reader@example.org' })

  const follows = [{ kind: 'asset', subject: 'btc', title: 'Bitcoin', path: '/btc' }]
  const state = { confirmed: true, shown: 'r…@example.org', every: 'week', follows }
  await page.route('**/api/v1/following/*', (route) => route.fulfill({ json: state }))
  await page.route('**/api/v1/following/*/end', (route) =>
    route.fulfill({ json: { deleted: true } }),
  )
  await open(page, '/following/q8Zk3vYd2nXw7sLbRt5Jm9Pc')
  await expect(page.getByRole('button', { name: 'Unfollow Bitcoin' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Stop' })).toBeVisible()
  await expectAccessible(page, 'News by email')
  await page.getByRole('button', { name: 'Stop all and delete my address' }).click()
  await expect(page.getByText('your address and all it followed are deleted')).toBeVisible()
})
