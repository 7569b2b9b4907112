import { type Locator, type Page } from '@playwright/test'
import { expect, NEXT_YEAR, open } from './site.ts'

/** The page behind a dialog is checked elsewhere. */
export const DIALOG = { within: '[role=dialog]' }

export const TARGET = {
  'Expert name': 'Expert A',
  'Price target': '150.000',
  'Target date': `${NEXT_YEAR}-12-31`,
}

/**
 * Opens the form of a page by its button, at any width. Behind it are the few predictions of one person, which the browser
 * draws in a tenth of the time of all. @returns the dialog, also with its later steps
 */
export async function openForm(page: Page, path = '/btc?experts=planb'): Promise<Locator> {
  await open(page, path)
  await page
    .getByRole('button', { name: /^Submit (?:Prediction|Bitcoin)/ })
    .filter({ visible: true })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: /^Submit .* Prediction$/ })
  await expect(dialog.getByLabel('Expert name')).toBeVisible()
  return page.getByRole('dialog')
}

export async function fill(
  dialog: Locator,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
}

export async function send(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
}

/** The checking id of this browser's open invoice. */
export function checkingIdIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const [own] = JSON.parse(localStorage.getItem('own-submissions') ?? '[]') as [
      { invoice: { checkingId: string } },
    ]
    return own.invoice.checkingId
  })
}
