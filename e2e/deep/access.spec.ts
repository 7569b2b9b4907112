import { type Page } from '@playwright/test'
import { GROUPS } from '#web/admin/screens.ts'
import {
  DESKTOP,
  expectAccessible,
  expectNothingCutOff,
  PHONE,
  TABLET,
} from '../support/accessible.ts'
import { sharedAdminSite } from '../support/admin.ts'
import { drawn, expect, open, test } from '../support/site.ts'
import { DIALOG, openForm } from '../support/submit-form.ts'

/** One page of each kind; several views of some. */
const PUBLIC =
  `/ /btc /btc?day=2021-03-12 /btc?targets=count /mstr /naka /predictions/mcafee-1m-2020
  /predictions/keiser-28k-2020 /experts /experts?tab=funnel /experts/planb /experts/tim-draper /history /history?year=2021
  /years /years/2025 /years/2030 /methodology /data /corrections /reports /about /terms /nowhere /receipt/unknown
  /confirm/${'a'.repeat(32)}`.split(/\s+/)
/** Screens that are checked with a row opened. */
const OPENED: Readonly<Record<string, string>> = {
  '/admin/predictions': '?open=mcafee-5000-2017',
  '/admin/experts': '?open=1',
}
const ADMIN = GROUPS.flatMap(({ screens }) => screens.map(({ to }) => to + (OPENED[to] ?? '')))
const NARROWEST = { width: 320, height: 844 }
const site = sharedAdminSite()

/** Sets a style property of the whole page. */
async function style(page: Page, ...set: [name: string, value: string]): Promise<void> {
  await page.evaluate((set) => document.documentElement.style.setProperty(...set), set)
}

const SIZES = [DESKTOP, TABLET, PHONE]

for (const size of [...SIZES, NARROWEST]) {
  const at = `at ${String(size.width)} px`
  for (const path of PUBLIC) {
    test(`${path} is complete and accessible ${at}, light and dark, also with text at 200%`, async ({
      page,
    }) => {
      await page.setViewportSize(size)
      await open(page, path)
      // The landing page fades from one call to the next, and half-faded text has no contrast to measure.
      if (path === '/') await page.getByRole('button', { name: 'Pause' }).click()
      if (path.includes('targets')) {
        await drawn(page)
        await page.getByText('Open targets as a table').click()
      }
      await expectAccessible(page, path)
      await expectNothingCutOff(page, path)
      await style(page, 'font-size', '200%')
      await expectNothingCutOff(page, `${path} at 200%`)
      // Slow machines show the fallback font, which is wider.
      await style(page, '--font', 'sans-serif')
      await expectNothingCutOff(page, `${path} at 200% in the fallback font`)
      const skip = page.getByRole('link', { name: 'Skip to the content' })
      const { bottom } = await skip.evaluate((link) => link.getBoundingClientRect())
      expect(bottom, 'the skip link waits out of sight').toBeLessThanOrEqual(0)
    })
  }
}

for (const size of SIZES) {
  const at = `at ${String(size.width)} px`
  test(`each administrators' screen is complete and accessible ${at}, light and dark`, async ({
    page,
  }) => {
    test.slow()
    await page.setViewportSize(size)
    await site.signIn(page)
    for (const path of ADMIN) {
      await page.goto(site.url + path)
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
      await expectAccessible(page, path, { within: 'main' })
      await expectNothingCutOff(page, path)
      await style(page, 'font-size', '200%')
      await expectNothingCutOff(page, `${path} at 200%`)
    }
  })

  test(`the dialogs of a page are complete and accessible ${at}, light and dark`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await openForm(page)
    await expectAccessible(page, 'submit', DIALOG)
    await open(page, '/btc#call-mcafee-1m-2020')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'evidence', DIALOG)
    await open(page, '/experts/planb')
    for (const name of ['Follow', 'Is this you?', 'Report an error']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, name, DIALOG)
      await expectNothingCutOff(page, name)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })
}
