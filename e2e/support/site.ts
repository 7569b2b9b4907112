import { expect, test as base, type Page } from '@playwright/test'

/** How far `npm test -- --days` puts the clocks ahead. */
const DAYS_AHEAD = Number(/^\+(\d+)d$/.exec(process.env['FAKETIME'] ?? '')?.[1] ?? 0)

/** Runs in the page before its own code. Does nothing if a test has set the clock already. */
function putAhead({ aheadMs, begunMs }: { aheadMs: number; begunMs: number }): void {
  const RealDate = Date
  const now = (): number => {
    const now = RealDate.now()
    return now < begunMs - aheadMs / 2 ? now + aheadMs : now
  }
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, args: unknown[]) =>
      Reflect.construct(real, args.length === 0 ? [now()] : args) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (real, name) => (name === 'now' ? now : (Reflect.get(real, name) as unknown)),
  })
}

/** Every test also fails on an error that only the console shows. */
export const test = base.extend<{ quiet: undefined }>({
  context: async ({ context }, hand) => {
    if (DAYS_AHEAD > 0) {
      await context.addInitScript(putAhead, {
        aheadMs: DAYS_AHEAD * 86_400_000,
        begunMs: Date.now(),
      })
    }
    await hand(context)
  },
  quiet: [
    async ({ page }, use) => {
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => {
        // The browser repeats missing pages and scripts and lost connections in the console; the tests check these
        // themselves.
        const isRepeated =
          /^Failed to load resource|Failed to fetch dynamically imported module|net::ERR_(?:INTERNET_DISCONNECTED|CONNECTION_REFUSED)/
        if (message.type() === 'error' && !isRepeated.test(message.text())) {
          faults.push(message.text())
        }
      })
      await use(undefined)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * The patience of an assertion about the work of a job, or of a command in its own process: three times the usual one,
 * also on a slow machine.
 */
export function ofAJob(): { timeout: number } {
  return { timeout: base.info().timeout / 4 }
}

export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await alive(page)
}

export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById('root')
    const has = (node: Element, mark: string) =>
      Object.keys(node).some((key) => key.startsWith(mark))
    // Parts whose code loads later are drawn before they are interactive.
    return (
      root !== null &&
      has(root, '__reactContainer') &&
      [...root.querySelectorAll('button')].every((button) => has(button, '__reactProps'))
    )
  })
}

/** One address of each kind of public page. */
export const MAIN_SCREENS = [
  '/',
  '/btc',
  '/mstr',
  '/predictions/mcafee-1m-2020',
  '/experts',
  '/experts/planb',
  '/history',
  '/years',
  '/years/2025',
  '/methodology',
  '/data',
]

/** A year that is entirely in the future, for deadlines. */
export const NEXT_YEAR = String(new Date().getUTCFullYear() + 1)

export type Theme = 'light' | 'dark'

/** Switches the theme and ends all colour transitions: contrasts are measured after this. */
export async function showIn(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(async (name) => {
    if (name === 'dark') document.documentElement.dataset['theme'] = 'dark'
    else delete document.documentElement.dataset['theme']
    await new Promise(requestAnimationFrame)
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
  }, theme)
}

export async function drawn(page: Page): Promise<void> {
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
}

/** A value of the chart, which is drawn again after the frame that shows a press, once it stays the same. */
export async function still(read: () => Promise<string | null>): Promise<string> {
  let value = ''
  const stays = async (): Promise<boolean> => {
    const before = value
    value = (await read()) ?? ''
    return value !== '' && value === before
  }
  await expect.poll(stays).toBe(true)
  return value
}

/** The number of predictions on the chart, from the legend. */
export async function drawnCount(page: Page): Promise<number> {
  const text =
    (await page
      .getByText(/predictions? drawn|drawn predictions/)
      .first()
      .textContent()) ?? ''
  if (text.startsWith('No')) return 0
  // `12 predictions drawn`, or `10 of 12 drawn predictions in view`
  return Number(/(\d+) (?:drawn|prediction)/.exec(text)?.[1])
}

export { expect }
