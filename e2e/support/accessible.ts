import { readFileSync } from 'node:fs'
import { expect, type Frame, type Page } from '@playwright/test'
import { type AxeResults, type ElementContext, type RunOptions } from 'axe-core'
import { showIn, type Theme } from './site.ts'

export const DESKTOP = { width: 1_440, height: 900 }
export const TABLET = { width: 820, height: 1_180 }
export const PHONE = { width: 390, height: 844 }

/** `npm test` checks one theme and the first of many rows, items and marks alike, `npm test -- deep` all. */
const IS_DEEP = process.env['DEEP'] === '1'
const THEMES: readonly Theme[] = IS_DEEP ? ['light', 'dark'] : ['light']
const EXCLUDED = IS_DEEP ? [] : [':is(li, tr, svg *):nth-child(n + 13)']

/** Sent over the protocol and parsed in the page: minified, it is less than half as long. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Expects that axe finds nothing.
 *
 * @param screen the name of the screen in a failure
 * @param options `within`: only this part of the page, as a CSS selector
 */
export async function expectAccessible(
  page: Page,
  screen: string,
  { within }: { within?: string } = {},
): Promise<void> {
  for (const theme of THEMES) {
    await showIn(page, theme)
    expect(page.frames(), 'frames').toHaveLength(1)
    expect(await violationsIn(page, within ?? null), `${screen}, ${theme}`).toEqual([])
  }
  if (THEMES.length > 1) await showIn(page, 'light')
}

declare global {
  interface Window {
    readonly axe?: { run: (context: ElementContext, options: RunOptions) => Promise<AxeResults> }
  }
}

/**
 * Violations found by axe with all its rules, as pairs of rule and elements. It runs in the page, which is three
 * times faster than sending all results to the test.
 */
export async function violationsIn(place: Page | Frame, within: string | null) {
  if (!(await place.evaluate(() => window.axe !== undefined))) await place.evaluate(AXE)
  const context = { include: [within ?? ':root'], exclude: EXCLUDED }
  return place.evaluate(async (context) => {
    if (!window.axe) throw new Error('axe did not load')
    const { violations, passes } = await window.axe.run(context, {
      resultTypes: ['violations'],
      preload: false,
      selectors: false,
    })
    if (passes.length === 0)
      throw new Error(`axe found nothing to check in ${JSON.stringify(context)}`)
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)] as const)
  }, context)
}

/** Expects that nothing extends beyond the right edge of the page. */
export async function expectNothingCutOff(page: Page, screen: string): Promise<void> {
  const overhang = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  // The page may still adapt to a width that has just changed.
  await expect.poll(overhang, `${screen}: px over the edge`).toBeLessThanOrEqual(0)
}
