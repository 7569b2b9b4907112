import { expect, test as base } from '@playwright/test'
import { NEXT_YEAR } from '../support/site.ts'
import { engineBrowser, type Driver, type EngineBrowser } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { startWebkit } from './webkit.ts'

const [firefox, webkit, xvfb] = ['FIREFOX_PATH', 'WEBKIT_DRIVER_PATH', 'XVFB_PATH'].map(
  (name) => process.env[name] ?? '',
)
/** What is not installed is counted by `bin/lib/suites.mjs`. */
const ENGINES: readonly (readonly [string, () => Promise<Driver>])[] = [
  ...(firefox ? [['Firefox', () => startFirefox(firefox)] as const] : []),
  ...(webkit ? [['WebKit', () => startWebkit(webkit, xvfb ?? '')] as const] : []),
]

/** Every journey has a browser of its own, and fails on an error that only the console shows. */
const test = base.extend<{ engine: { start: () => Promise<Driver> }; browserOf: EngineBrowser }>({
  engine: [{ start: () => Promise.reject(new Error('no engine')) }, { option: true }],
  browserOf: async ({ engine }, hand) => {
    const driver = await engine.start()
    try {
      const browser = engineBrowser(driver, process.env['SITE_URL'] ?? '')
      await browser.resize(1_440, 900)
      await hand(browser)
      expect(await browser.faults()).toEqual([])
    } finally {
      await driver.stop()
    }
  },
})

/** How many predictions the legend says are on the chart. */
async function drawnCount({ text }: EngineBrowser): Promise<number> {
  const legend = await text('[data-testid=price-chart]')
  if (legend.includes('No predictions drawn')) return 0
  return Number(/(\d+) (?:drawn predictions|predictions? drawn)/.exec(legend)?.[1])
}

const isDrawn = ({ until, run }: EngineBrowser) =>
  until('the chart is drawn', () =>
    run(() => document.querySelector('[data-testid=price-chart][data-ready=true]') !== null),
  )

/** How many colours the canvas of the chart has. */
function coloursOf({ run }: EngineBrowser): Promise<number> {
  return run(() => {
    const canvas = document.querySelector('canvas')
    const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer(0))).size
  })
}

const viewOf = ({ run }: EngineBrowser) =>
  run(() => document.querySelector('[data-testid=price-chart]')?.getAttribute('data-view') ?? '')

/** Nothing extends beyond the right edge of the page. */
async function expectNothingCutOff({ run }: EngineBrowser): Promise<void> {
  const over = await run(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(over, 'px over the edge').toBeLessThanOrEqual(0)
}

/** As a date picker does: each engine has its own, and none of them is part of the page. */
function setDate(iso: string): void {
  const field = document.querySelector<HTMLInputElement>('[role=dialog] input[type=date]')
  if (field) Reflect.set(HTMLInputElement.prototype, 'value', iso, field)
  field?.dispatchEvent(new Event('input', { bubbles: true }))
  field?.dispatchEvent(new Event('change', { bubbles: true }))
}

for (const [name, engine] of ENGINES) {
  test.describe(name, () => {
    test.use({ engine: { start: engine } })

    test('a visitor reads from the landing page to a person and back', async ({
      browserOf: it,
    }) => {
      await it.open('/')
      expect((await it.text('h1')).split(/\s+/).join(' ')).toBe(
        'The Truth About Bitcoin Predictions',
      )
      await it.press({ css: 'main a', name: 'Explore Bitcoin Predictions' })
      await isDrawn(it)
      expect(await it.address()).toBe('/btc')
      expect(await coloursOf(it)).toBeGreaterThan(20)
      await expectNothingCutOff(it)

      const opening = await viewOf(it)
      await it.wheel('.price-chart-plot', -300)
      const nearer = await it.until(
        'the wheel zooms',
        () => viewOf(it),
        (view) => view !== opening,
      )
      await it.press({ css: '.price-chart-toolbar button', name: '1Y' })
      await it.until(
        '1Y shows a year',
        () => viewOf(it),
        (view) => view !== nearer,
      )

      await it.press({ css: 'tbody th a, tbody td a' })
      await it.until(
        'another page',
        () => it.address(),
        (at) => !at.startsWith('/btc'),
      )
      await it.back()
      await it.until(
        'back',
        () => it.address(),
        (at) => at.startsWith('/btc'),
      )
      await isDrawn(it)

      await it.type('/')
      await it.until('search has the focus', () =>
        it.run(() => document.activeElement?.getAttribute('role') === 'combobox'),
      )
      await it.type('saylor')
      await it.until(
        'Saylor is marked',
        () => it.text('[role=dialog] [role=option][aria-selected=true]'),
        (text) => text.includes('Michael Saylor'),
      )
      await it.key('Enter')
      await it.until(
        'his page',
        () => it.address(),
        (at) => at === '/experts/michael-saylor',
      )
      await it.until(
        'his name',
        () => it.text('h1'),
        (text) => text.includes('Michael Saylor'),
      )
    })

    test('each kind of page holds together on every width', async ({ browserOf: it }) => {
      for (const [width, height] of [
        [1_440, 900],
        [820, 1_180],
        [390, 844],
      ] as const) {
        await it.resize(width, height)
        for (const path of [
          '/',
          '/btc',
          '/predictions/mcafee-1m-2020',
          '/experts',
          '/history',
          '/years/2021',
        ]) {
          await it.open(path)
          await expectNothingCutOff(it)
          await it.until(
            path,
            () => it.text('main'),
            (text) => text.length > 200,
          )
        }
      }
    })

    test('the theme is kept', async ({ browserOf: it }) => {
      await it.open('/btc')
      await it.press({ css: 'header button', name: 'Dark mode' })
      const theme = () => it.run(() => document.documentElement.dataset['theme'] ?? '')
      await it.until('dark', theme, (now) => now === 'dark')
      await it.open('/experts')
      expect(await theme()).toBe('dark')
    })

    test('predictions are filtered by status, person and words, and the address holds it', async ({
      browserOf: it,
    }) => {
      await it.open('/btc')
      await isDrawn(it)
      await it.until(
        'the opening choice is drawn',
        () => drawnCount(it),
        (count) => count === 12,
      )
      await it.press({ css: 'aside button', name: 'Miss' })
      const missed = await it.until(
        'misses are drawn',
        () => drawnCount(it),
        (count) => count > 12,
      )
      // The address and the list follow the chart.
      await it.until(
        'the address of misses',
        () => it.address(),
        (at) => at.includes('status=miss&on=miss'),
      )
      await it.until(
        'only misses are listed',
        () => it.text('aside ul'),
        (text) => !text.includes('SUCCESS'),
      )

      await it.press({ css: 'aside button', name: 'Influencer: All Influencers' })
      await it.until('the list has the focus', () =>
        it.run(() => document.activeElement?.getAttribute('aria-label') === 'Search influencers'),
      )
      await it.type('planb')
      await it.until('PlanB is marked', () =>
        it.run(
          () =>
            document
              .querySelector('[role=option][data-highlighted]')
              ?.textContent.includes('PlanB') ?? false,
        ),
      )
      await it.key('Enter')
      await it.until(
        'his calls are drawn',
        () => drawnCount(it),
        (count) => count > 0 && count < missed,
      )
      await it.until(
        'his address',
        () => it.address(),
        (at) => at.includes('experts=planb'),
      )
      const his = await drawnCount(it)
      await it.open(await it.address())
      await isDrawn(it)
      await it.until(
        'the same after a reload',
        () => drawnCount(it),
        (count) => count === his,
      )

      await it.press({ css: 'aside button', name: 'Reset filters and chart' })
      await it.until(
        'the opening choice',
        () => drawnCount(it),
        (count) => count === 12,
      )
      await it.fill({ css: 'input', name: 'Search predictions' }, 'kiyosaki')
      await it.until(
        'his cards',
        () => it.text('aside ul'),
        (text) => !text.includes('Tom Lee') && text.includes('Kiyosaki'),
      )
    })

    test('the history is filtered and sorted', async ({ browserOf: it }) => {
      await it.open('/btc')
      await it.press({ css: 'select', name: 'Status' })
      await it.key('Escape')
      await it.run(() => document.querySelector<HTMLElement>('select[aria-label=Status]')?.focus())
      await it.type('Miss')
      await it.key('Enter')
      await it.until(
        'misses',
        () => it.address(),
        (at) => at.includes('miss'),
      )
      await it.press({ css: 'thead button', name: 'Made' })
      await it.until(
        'sorted by its day',
        () =>
          it.run(() =>
            [...document.querySelectorAll('th[aria-sort]')].map((th) => th.textContent).join(),
          ),
        (text) => text.startsWith('Made'),
      )
    })

    for (const [width, height] of [
      [1_440, 900],
      [390, 844],
    ] as const) {
      test(`a prediction is submitted and paid at ${String(width)} px`, async ({
        browserOf: it,
      }) => {
        await it.resize(width, height)
        await it.open('/btc')
        await it.press({
          css: 'button',
          name: width < 768 ? 'Submit Bitcoin Prediction' : 'Submit Prediction',
        })
        const person = `Ada ${name} ${String(width)}`
        await it.fill({ css: '[role=dialog] input', name: 'Expert name' }, person)
        await it.fill({ css: '[role=dialog] input', name: 'Price target' }, '150.000')
        await it.until(
          'the level is read',
          () => it.text('[role=dialog]'),
          (text) => text.includes('Read as $150,000'),
        )
        await it.run(setDate, `${NEXT_YEAR}-12-31`)
        await it.until(
          'the claim in words',
          () => it.text('[role=dialog]'),
          (text) => text.includes(`${person}: Bitcoin at $150,000 by 31/12/${NEXT_YEAR}`),
        )
        await it.press({ css: '[role=dialog] button', name: 'Continue to payment' })
        await it.press({ css: '[role=dialog] button', name: 'Create invoice' })
        await it.until(
          'the invoice',
          () => it.text('[role=dialog]'),
          (text) => text.includes('Waiting for payment...'),
        )
        await expectNothingCutOff(it)
        await it.press({ css: '[role=dialog] button', name: 'Pay with the demonstration wallet' })
        await it.until(
          'it is paid',
          () => it.text('[role=dialog]'),
          (text) => text.includes('Payment Received'),
        )
        // It opens in a tab of its own.
        const receipt = await it.until('its address', () =>
          it.run(() => {
            const links = document.querySelectorAll<HTMLAnchorElement>('[role=dialog] a')
            return [...links]
              .map(({ pathname }) => pathname)
              .find((at) => at.startsWith('/receipt/'))
          }),
        )
        await it.open(receipt ?? '')
        await it.until(
          'the receipt',
          () => it.text('main'),
          (text) => text.includes('Pending review.'),
        )
      })
    }
  })
}
