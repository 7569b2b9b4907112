import { type Page } from '@playwright/test'
import { sharedAdminSite } from './support/admin.ts'
import { expect, ofAJob, test } from './support/site.ts'

const site = sharedAdminSite()

/** The id of a post on X encodes its time. */
const postOf = (day: string): string =>
  `https://x.com/keys/status/${String((BigInt(Date.parse(day)) - 1_288_834_974_657n) << 22n)}`

/** By a person on record, with its own source, so nothing is flagged. */
const prediction = (usd: number, more: object = {}) => ({
  expert_name: 'Michael Saylor',
  price_target: usd,
  source_url: `https://example.org/keys-${String(usd)}`,
  ...more,
})

/**
 * A reviewer's task: its rows, the fewest keys for it, and what is then shown. `Control+Enter` follows typed text, which
 * is not counted. Keys of lists and of several rows are in the review's own journey.
 */
const WORK: readonly (readonly [string, readonly object[], readonly string[], string])[] = [
  [
    'approves a flagged row',
    [prediction(650_000), prediction(650_000)],
    ['a', 'Tab', 'Enter'],
    'Submission approved successfully!',
  ],
  [
    'rejects with a reason',
    [prediction(430_000)],
    ['r', '1', 'Enter'],
    'Submission rejected successfully!',
  ],
  [
    'assigns an offered person',
    [prediction(460_000, { expert_name: 'Michael Sailor' })],
    ['a', '1', 'Enter'],
    'Submission approved successfully!',
  ],
  [
    'takes the day of the post',
    [prediction(490_000, { source_url: postOf('2026-01-16'), prediction_made: '2026-02-20' })],
    ['Enter', 'd'],
    'Prediction date saved successfully!',
  ],
  [
    'corrects a level',
    [prediction(520_000)],
    ['e', 'Tab', 'Tab', 'Control+Enter'],
    'Data saved successfully!',
  ],
]

const dialog = '[role=dialog][data-size]'

test('a reviewer decides and corrects submissions with few keystrokes', async ({ page }) => {
  await site.signIn(page)
  for (const [work, rows, keys, then] of WORK) {
    const word = `keys${work.replaceAll(/\W/g, '')}`
    for (const one of rows) await site.submit('/api/submissions', { ...one, notes: word })
    await page.goto(`${site.url}/admin/dashboard?q=${word}`)
    await expect(page.locator('tr[data-row]'), work).toHaveCount(rows.length)
    for (const [at, key] of keys.entries()) {
      if (at > 0) await judged(page, key)
      if (key === 'Control+Enter') await page.keyboard.type('521000')
      await page.keyboard.press(key)
    }
    await expect(page.getByText(then).first()).toBeVisible(ofAJob())
  }
})

/** Waits until the opened dialog has judged the submission, and offers what the key does: people type more slowly. */
async function judged(page: Page, key: string): Promise<void> {
  const isView = key === 'd'
  await expect(page.locator(`${dialog} ${isView ? '' : 'form '}:focus`)).toBeVisible()
  await expect(page.locator(`${dialog} [aria-disabled=true]`)).toHaveCount(0)
  await expect(page.getByText('Judging it by today’s prices')).toHaveCount(0)
  if (isView) await expect(page.getByRole('button', { name: /^Use / })).toBeVisible()
}
