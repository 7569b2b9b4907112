import { type Page } from '@playwright/test'
import { expect, ofAJob, test, NEXT_YEAR } from './support/site.ts'
import { keysRested, sharedAdminSite } from './support/admin.ts'

const site = sharedAdminSite()

/** The id of a post on X encodes its time. */
const postOf = (day: string): string =>
  `https://x.com/keys/status/${String((BigInt(Date.parse(day)) - 1_288_834_974_657n) << 22n)}`

/** By a person on record, with its own source, so nothing is flagged. */
const prediction = (usd: number, more: object = {}) => ({
  expert_name: 'Michael Saylor',
  prediction_type: 'target',
  price_target: usd,
  target_time: `${NEXT_YEAR}-12-31`,
  source_url: `https://example.org/keys-${String(usd)}`,
  ...more,
})

type Step = readonly [keys: readonly string[], then: string]

/** A reviewer's task in the fewest keys; `Control+Enter` follows typed text, which is not counted. */
const WORK: Readonly<
  Record<string, { readonly setup: readonly object[]; readonly steps: readonly Step[] }>
> = {
  'approves a clean row, and takes it back': {
    setup: [prediction(311_000)],
    steps: [
      [['a', 'Enter'], 'Submission approved successfully!'],
      [['z'], 'Undone. The submission is pending again.'],
    ],
  },
  'approves a page of clean rows': {
    setup: [prediction(340_000), prediction(370_000), prediction(400_000)],
    steps: [[['A', 'Enter'], '3 submissions approved.']],
  },
  'approves a flagged row': {
    setup: [prediction(650_000), prediction(650_000)],
    steps: [[['a', 'Tab', 'Enter'], 'Submission approved successfully!']],
  },
  'rejects with a reason': {
    setup: [prediction(430_000)],
    steps: [[['r', '1', 'Enter'], 'Submission rejected successfully!']],
  },
  'assigns an offered person': {
    setup: [prediction(460_000, { expert_name: 'Michael Sailor' })],
    steps: [[['a', '1', 'Enter'], 'Submission approved successfully!']],
  },
  'takes the day of the post': {
    setup: [
      prediction(490_000, { source_url: postOf('2026-01-16'), prediction_made: '2026-02-20' }),
    ],
    steps: [[['Enter', 'd'], 'Prediction date saved successfully!']],
  },
  'corrects a level': {
    setup: [prediction(520_000)],
    steps: [[['e', 'Tab', 'Tab', 'Control+Enter'], 'Data saved successfully!']],
  },
  'rejects a selection': {
    setup: [prediction(560_000), prediction(600_000)],
    steps: [
      [['x', 'j', 'x'], '2 selected'],
      [['r', '1', 'Enter'], '2 submissions rejected.'],
    ],
  },
}

const dialog = '[role=dialog][data-size]'
/** Element with the focus after the first key has opened a dialog, if outside its form. */
const BEGINS: Readonly<Record<string, string>> = {
  A: `${dialog} button:focus:text-matches("^Approve")`,
  Enter: `${dialog} :focus`,
}

test('a reviewer decides and corrects submissions with few keystrokes', async ({ page }) => {
  const works = Object.entries(WORK).map(([work, { setup, steps }]) => {
    return { work, setup, steps, word: `keys${work.replaceAll(/\W/g, '')}` }
  })
  for (const { setup, word } of works) {
    for (const one of setup) await site.submit('/api/submissions', { ...one, notes: word })
  }
  await site.signIn(page)
  for (const { work, setup, steps, word } of works) {
    await page.goto(`${site.url}/admin/dashboard?q=${word}`)
    await expect(page.locator('tr[data-row]'), work).toHaveCount(setup.length)
    for (const step of steps) await press(page, step)
  }
})

/** Presses the keys of a step as soon as their targets exist. */
async function press(page: Page, [keys, then]: Step): Promise<void> {
  for (const [at, key] of keys.entries()) {
    if (at > 0 && !keys.includes('x')) {
      // Waits until it has been judged: people type more slowly.
      await expect(page.locator(BEGINS[keys[0] ?? ''] ?? `${dialog} form :focus`)).toBeVisible()
      await expect(page.locator(`${dialog} [aria-disabled=true]`)).toHaveCount(0)
      await expect(page.getByText('Judging it by today’s prices')).toHaveCount(0)
      // The key's action is offered once the submission has been judged.
      if (key === 'd') await expect(page.getByRole('button', { name: /^Use / })).toBeVisible()
    }
    if (key === 'Control+Enter') await page.keyboard.type('521000')
    await page.keyboard.press(key)
  }
  await expect(page.getByText(then).first()).toBeVisible(ofAJob())
  if (then.startsWith('Submission')) await keysRested(page)
}
