import { expect, open, test } from './support/site.ts'

test('people are compared with luck, some calls only, and the address keeps the view', async ({
  page,
}) => {
  await open(page, '/experts')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('luck')
  const board = page.getByRole('table', { name: /compared with luck/ })
  const all = await board.getByRole('row').count()
  await page.getByText('Compare some calls only').click()
  await page.getByRole('combobox', { name: 'Asset' }).selectOption('mstr')
  await expect.poll(() => page.url()).toContain('asset=mstr')
  await expect.poll(() => board.getByRole('row').count()).toBeLessThan(all)
  await expect(page.getByRole('link', { name: 'Citigroup' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'PlanB' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Asset' })).toHaveValue('mstr')
  await page.getByRole('button', { name: 'Compare all calls' }).click()
  await expect(board.getByRole('row')).toHaveCount(all)
  await expect.poll(() => page.url()).not.toContain('asset')
})

test('the funnel is walked through with the keyboard, and leads to people', async ({ page }) => {
  await open(page, '/experts')
  await page.getByRole('button', { name: 'Funnel' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('tab=funnel')
  const dot = page.getByRole('link', { name: /^PlanB: .* luck expects/ })
  await expect(dot).toBeVisible()
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

test('somebody with few calls is found by name', async ({ page }) => {
  await open(page, '/experts')
  const search = page.getByRole('searchbox', { name: 'Search people who are not ranked' })
  await search.fill('planb')
  await expect(page.getByText('Ranked above: PlanB.')).toBeVisible()
  await search.fill('vinny')
  await page.getByRole('link', { name: 'Vinny Lingham' }).click()
  await expect(page.getByRole('heading', { name: 'Vinny Lingham' })).toBeVisible()
})

test('the chart of a prediction shows what luck expected, or not', async ({ page }) => {
  await open(page, '/predictions/kendrick-100k-2026')
  const fan = page.locator('[data-fan]:visible')
  await expect(fan).toHaveCount(1)
  await page.getByRole('checkbox', { name: 'Show what luck expected' }).uncheck()
  await expect(fan).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Show what luck expected' }).check()
  await expect(fan).toHaveCount(1)
  await expect(page.getByText(/^From \$[\d,]+ on .* luck says \d+ %\.$/).first()).toBeVisible()
})

test('how luck is computed is explained with a call from the record', async ({ page }) => {
  await open(page, '/experts')
  await page.getByRole('link', { name: 'How luck is computed' }).click()
  const heading = page.getByRole('heading', { name: 'Luck: what people are compared with' })
  await expect(heading).toBeInViewport()
  const luck = page.locator('#luck')
  await expect(luck.getByRole('row', { name: /both/ })).toHaveCount(4)
  await expect(luck.getByRole('link', { name: 'All figures' })).toHaveAttribute(
    'href',
    '/api/v1/scores',
  )
  await luck.getByRole('link', { name: /by \d\d\/\d\d\/\d{4}$/ }).click()
  await expect(page).toHaveURL(/\/predictions\//)
})

test('the calls of a person are put in the order of their luck, and lead to their pages', async ({
  page,
}) => {
  await open(page, '/experts/tim-draper')
  await expect(page.getByText('0 of 4 came true')).toBeVisible()
  const calls = page.getByRole('region', { name: 'Predictions' }).getByRole('listitem')
  await expect(calls.first()).toContainText('$250,000')
  await page.getByRole('button', { name: 'Boldest first' }).click()
  await expect(calls.last()).toContainText('$10,000')
  await expect(calls.first()).toContainText('Luck said <1 %')
  const marks = page.getByRole('group', { name: /^Calls of Tim Draper/ }).getByRole('link')
  await expect(marks).toHaveCount(7)
  await marks.last().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/predictions\/draper-/)
})
