import axe, { type AxeResults, type ElementContext, type RunOptions } from 'axe-core'
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
    expect(page.frames(), 'frames').toHaveLength(1)
    const violations = await violationsOf(page, within ?? null)
    const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])
    expect(found, `${screen}, ${theme}`).toEqual([])
  }
}

declare global {
  interface Window {
    readonly axe?: { run: (context: ElementContext, options: RunOptions) => Promise<AxeResults> }
  }
}

/**
 * What axe finds, by all its rules. It runs in the page itself, which is three times faster than to hand everything that
 * it has looked at over to the test.
 */
async function violationsOf(page: Page, within: string | null) {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source)
  return page.evaluate(async (inside) => {
    if (!window.axe) throw new Error('axe did not load')
    const { violations, passes } = await window.axe.run(
      inside === null ? document : { include: [inside] },
      { resultTypes: ['violations'], preload: false, selectors: false },
    )
    if (passes.length === 0)
      throw new Error(`axe found nothing to check in ${inside ?? 'the page'}`)
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))
  }, within)
}

/** Expects that nothing extends beyond the right edge of the page. */
export async function expectNothingCutOff(page: Page, screen: string): Promise<void> {
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overhang, `${screen}: px over the edge`).toBeLessThanOrEqual(0)
}
