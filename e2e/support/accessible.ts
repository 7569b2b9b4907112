import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { showIn, type Theme } from './site.ts'

export const DESKTOP = { width: 1_440, height: 900 }
export const TABLET = { width: 820, height: 1_180 }
export const PHONE = { width: 390, height: 844 }

const BOTH: readonly Theme[] = ['light', 'dark']

/**
 * Expects that axe finds nothing.
 *
 * @param screen the name of the screen in a failure
 * @param options `within`: only this part of the page, as a CSS selector
 */
export async function expectAccessible(
  page: Page,
  screen: string,
  { within, themes = BOTH }: { within?: string; themes?: readonly Theme[] } = {},
): Promise<void> {
  for (const theme of themes) {
    await showIn(page, theme)
    // The other mode of axe opens a separate page for each check, for frames of other sites, which we do not have.
    expect(page.frames(), 'frames').toHaveLength(1)
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
    const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])
    expect(found, `${screen}, ${theme}`).toEqual([])
  }
}

/** Expects that nothing extends beyond the right edge of the page. */
export async function expectNothingCutOff(page: Page, screen: string): Promise<void> {
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overhang, `${screen}: px over the edge`).toBeLessThanOrEqual(0)
}
