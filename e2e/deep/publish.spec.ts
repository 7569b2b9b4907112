import { expectAccessible, expectNothingCutOff, PHONE, TABLET } from '../support/accessible.ts'
import { planFor, press, startPublishingSite } from '../support/publishing-site.ts'
import { expect, test } from '../support/site.ts'

test('proposed posts can be scheduled, moved, cancelled and restored by keyboard', async ({
  page,
}) => {
  test.slow()
  await using site = await startPublishingSite()
  await site.publish({
    expert_name: 'Grace Proposed',
    price_prediction: '250,000',
  })
  await site.open(page)
  const proposed = page.getByRole('list', { name: 'Proposed posts' })
  const row = proposed.getByRole('listitem').filter({ hasText: 'Grace Proposed' })
  await expect(row.getByRole('img', { name: 'Its chart' })).toBeVisible()
  await row.getByRole('button', { name: /^Plan/ }).click()
  await expect(page.getByLabel('Date', { exact: true })).toBeFocused()
  // Wednesday of next week, by the clock of this browser.
  const wednesday = await page.evaluate(() => {
    const day = new Date()
    day.setDate(day.getDate() + 10 - ((day.getDay() + 6) % 7) - 1)
    return day.toLocaleDateString('en-CA')
  })
  await planFor(page, wednesday)
  await press(page, 'Schedule')
  await expect(row).toHaveCount(0)
  const plans = page.getByRole('table', { name: 'Scheduled posts' })
  const plan = plans.getByRole('row').filter({ hasText: 'Grace Proposed' })
  await expect(plan).toContainText(/Wed \S+09:30/)
  await plans.getByRole('button', { name: /^Edit: On record: Grace Proposed/ }).press('Enter')
  await page.getByLabel('Time', { exact: true }).fill('15:30')
  await press(page, 'Save with this time')
  await expect(plan.first()).toContainText('15:30')
  await plans.getByRole('button', { name: /^Cancel: / }).press('Enter')
  await expect(plans).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
  await expect(plan.first()).toContainText('15:30')
  await expectAccessible(page, 'a plan', { within: 'main' })
  for (const size of [TABLET, PHONE]) {
    await page.setViewportSize(size)
    await expectNothingCutOff(page, `the plans at ${String(size.width)} px`)
  }
  await expectAccessible(page, 'the plans on a phone', { within: 'main' })
})
