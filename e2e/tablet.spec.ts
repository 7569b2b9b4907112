import { expectAccessible } from './support/accessible.ts'
import { drawn, expect, open, test } from './support/site.ts'

test('on a tablet the panel is a drawer that the keyboard opens and closes; resizing keeps what was chosen', async ({
  page,
}) => {
  await open(page, '/btc?experts=planb')
  await drawn(page)
  const panel = page.getByRole('complementary', { name: 'Predictions' })
  await expect(panel).toBeHidden()
  const button = page.getByRole('button', { name: 'Predictions', exact: true })
  await button.press('Enter')
  await expect(panel).toBeVisible()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expectAccessible(page, 'drawer', { within: '[aria-label=Predictions]' })
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  const chosen = page.getByRole('button', { name: 'Influencer: PlanB' })
  await page.setViewportSize({ width: 1200, height: 900 })
  await expect(chosen).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'Actions' })).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(chosen).toBeVisible()
})
