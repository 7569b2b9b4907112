import { type Page } from '@playwright/test'
import { PHONE } from './support/accessible.ts'
import { drawn, drawnCount, expect, NEXT_YEAR, open, test } from './support/site.ts'

const dialog = (page: Page) => page.getByRole('dialog')

test('evidence has an address; Back closes it and keeps what was chosen over the page', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  const before = await drawnCount(page)
  await page.getByRole('row').last().getByRole('cell').first().click()
  await expect(dialog(page)).toBeVisible()
  await expect(page).toHaveURL(/\/btc#call-/)
  const address = page.url()
  const heading = await dialog(page).getByRole('heading', { level: 2 }).textContent()
  await dialog(page).getByRole('button', { name: 'Show on chart' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Remove from chart' })).toBeVisible()

  await page.goBack()
  await expect(dialog(page)).toBeHidden()
  await expect.poll(() => drawnCount(page)).toBe(before + 1)
  await expect(page).toHaveURL(/\/btc\?on=/)
  await page.goForward()
  await expect(dialog(page).getByRole('heading', { name: heading ?? '' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect.poll(() => drawnCount(page)).toBe(before + 1)

  // A copied link opens it without a page below it in the history: closing it leaves the page.
  await open(page, new URL(address).pathname + new URL(address).hash)
  await expect(dialog(page).getByRole('heading', { name: heading ?? '' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL(/\/btc$/)
})

test('Back leads from the payment to the form with what was typed, and then to the page', async ({
  page,
}) => {
  await open(page, '/experts')
  await page.getByRole('button', { name: 'Submit Prediction' }).click()
  await expect(page).toHaveURL(/\/experts#submit$/)
  await dialog(page).getByLabel('Expert name').fill('Back Example')
  await dialog(page).getByLabel('Price target').fill('150000')
  await dialog(page).getByLabel('Target date').fill(`${NEXT_YEAR}-12-31`)
  await dialog(page).getByRole('button', { name: 'Continue to payment' }).click()
  await expect(dialog(page).getByRole('heading', { name: 'Choose an amount' })).toBeVisible()
  await expect(page).toHaveURL(/\/experts#pay$/)
  await page.goBack()
  await expect(dialog(page).getByLabel('Expert name')).toHaveValue('Back Example')
  // Forward has no payment to go to: nothing was asked for yet.
  await page.goForward()
  await expect(page).toHaveURL(/\/experts#submit$/)
  await expect(dialog(page).getByLabel('Expert name')).toHaveValue('Back Example')
  await dialog(page).getByRole('button', { name: 'Continue to payment' }).click()
  await expect(dialog(page).getByRole('heading', { name: 'Choose an amount' })).toBeVisible()
  // Its own Back is the same step.
  await dialog(page).getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/experts#submit$/)
  await expect(dialog(page).getByLabel('Expert name')).toHaveValue('Back Example')
  await dialog(page).getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page).toHaveURL(/\/experts#pay$/)
  // The cross closes both steps.
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL(/\/experts$/)
})

test('Back from a found page skips the search, and Back on a phone closes the menu', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await open(page, '/btc')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page).toHaveURL(/\/btc#menu$/)
  await page.goBack()
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL(/\/btc$/)
  await page.getByRole('button', { name: 'Menu' }).click()
  await dialog(page).getByRole('link', { name: 'Experts' }).click()
  await expect(page).toHaveURL(/\/experts$/)
  await page.keyboard.press('/')
  await expect(page).toHaveURL(/\/experts#search$/)
  await dialog(page).getByRole('combobox').fill('planb')
  await expect(dialog(page).getByRole('option').first()).toContainText('PlanB')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/experts\/planb$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/experts$/)
  await expect(dialog(page)).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(/\/btc$/)
  await expect(dialog(page)).toBeHidden()
})
