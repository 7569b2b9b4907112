import { expectAccessible, expectNothingCutOff, PHONE, TABLET } from '../support/accessible.ts'
import { planFor, press, startPublishingSite } from '../support/publishing-site.ts'
import { expect, test, NEXT_YEAR } from '../support/site.ts'

test('what the record proposes is planned, and the plan is moved in the week by mouse and keyboard', async ({
  page,
}) => {
  test.slow()
  await using site = await startPublishingSite()
  await site.publish({
    expert_name: 'Grace Proposed',
    prediction_type: 'target',
    price_prediction: '250,000',
    target_time: `${NEXT_YEAR}-12-31`,
    source_url: 'https://example.org/said',
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
  await page.getByRole('tab', { name: 'Week' }).click()
  await press(page, 'Later')
  const week = page.getByRole('list', { name: /^Posts of the week/ })
  const plan = week.getByRole('button', { name: /Grace Proposed/ })
  await expect(plan).toHaveAccessibleName(/^Wed \S+ 09:30 planned, X, Nostr and Bluesky: /)
  await plan.hover()
  const box = (await week.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.down()
  const [across, down] = [box.x + (box.width * 4.4) / 7, box.y + (box.height * 15.4) / 24]
  await page.mouse.move(across, down, { steps: 5 })
  await page.mouse.up()
  await expect(plan).toHaveAccessibleName(/^Fri \S+ 15:30 planned/)
  // What was dragged is not picked up by the click at its end.
  await expect(plan).toHaveAttribute('aria-pressed', 'false')
  await plan.press('Enter')
  await page.keyboard.press('ArrowLeft')
  await expectAccessible(page, 'picked up', { within: 'main' })
  await page.keyboard.press('Enter')
  await expect(plan).toHaveAccessibleName(/^Thu \S+ 15:30 planned/)
  await expect(plan).toBeFocused()
  // A press on an hour moves what is picked up, as fingers do it.
  await plan.click()
  await week.click({ position: { x: (box.width * 0.5) / 7, y: (box.height * 8.5) / 24 } })
  await press(page, 'Drop here')
  await expect(plan).toHaveAccessibleName(/^Mon \S+ 08:30 planned/)
  for (const size of [TABLET, PHONE]) {
    await page.setViewportSize(size)
    await expectNothingCutOff(page, `the week at ${String(size.width)} px`)
  }
  await expectAccessible(page, 'the days on a phone', { within: 'main' })
})
