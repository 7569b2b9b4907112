import { expect, test as base } from '@playwright/test'
import { NEXT_YEAR } from '../support/site.ts'
import { engineBrowser, type Driver, type EngineBrowser } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { startWebkit } from './webkit.ts'

const [firefox, webkit, xvfb] = ['FIREFOX_PATH', 'WEBKIT_DRIVER_PATH', 'XVFB_PATH'].map(
  (name) => process.env[name] ?? '',
)
/** Missing engines are counted by `bin/lib/suites.mjs`. */
const ENGINES: readonly (readonly [string, () => Promise<Driver>])[] = [
  ...(firefox ? [['Firefox', () => startFirefox(firefox)] as const] : []),
  ...(webkit ? [['WebKit', () => startWebkit(webkit, xvfb ?? '')] as const] : []),
]

/** Each journey has its own browser, and fails on console errors. */
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

async function drawnCount({ text }: EngineBrowser): Promise<number> {
  const legend = await text('[data-testid=price-chart]')
  if (legend.includes('No predictions drawn')) return 0
  return Number(/(\d+) (?:drawn predictions|predictions? drawn)/.exec(legend)?.[1])
}

const isDrawn = ({ until, run }: EngineBrowser) =>
  until('the chart is drawn', () =>
    run(() => document.querySelector('[data-testid=price-chart][data-ready=true]') !== null),
  )

function coloursOf({ run }: EngineBrowser): Promise<number> {
  return run(() => {
    const canvas = document.querySelector('canvas')
    const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer(0))).size
  })
}

const viewOf = ({ run }: EngineBrowser) =>
  run(() => document.querySelector('[data-testid=price-chart]')?.getAttribute('data-view') ?? '')

async function expectNothingCutOff({ run }: EngineBrowser): Promise<void> {
  const over = await run(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(over, 'px over the edge').toBeLessThanOrEqual(0)
}

/** As a date picker does; each engine has its own, outside the page. */
function setDate(iso: string): void {
  const field = document.querySelector<HTMLInputElement>('[role=dialog] input[type=date]')
  if (field) Reflect.set(HTMLInputElement.prototype, 'value', iso, field)
  field?.dispatchEvent(new Event('input', { bubbles: true }))
  field?.dispatchEvent(new Event('change', { bubbles: true }))
}

for (const [name, engine] of ENGINES) {
  test.describe(name, () => {
    test.use({ engine: { start: engine } })

    test('a visitor reads from the landing page to a person and back, in the chosen theme', async ({
      browserOf: it,
    }) => {
      await it.open('/')
      await it.shows('h1', /^The Truth About\s+Bitcoin Predictions$/)
      await it.press({ css: 'main a', name: 'Explore Bitcoin Predictions' })
      await isDrawn(it)
      expect(await it.address()).toBe('/btc')
      await it.until(
        'the chart is painted',
        () => coloursOf(it),
        (count) => count > 20,
      )
      await expectNothingCutOff(it)
      const opening = await viewOf(it)
      await it.wheel('.price-chart-plot', -300)
      const isMoved = (before: string) => (view: string) => view !== before
      const nearer = await it.until('the wheel zooms', () => viewOf(it), isMoved(opening))
      await it.press({ css: '.price-chart-toolbar button', name: '1Y' })
      await it.until('1Y shows a year', () => viewOf(it), isMoved(nearer))
      await it.press({ css: 'header button', name: 'Dark mode' })
      const isDark = () => it.run(() => document.documentElement.dataset['theme'] === 'dark')
      await it.until('dark', isDark)

      await it.press({ css: 'tbody th a, tbody td a' })
      await it.isAt(/^\/(?!btc)/)
      await it.back()
      await it.isAt(/^\/btc/)
      await isDrawn(it)
      await it.type('/')
      await it.until('search has the focus', () =>
        it.run(() => document.activeElement?.getAttribute('role') === 'combobox'),
      )
      await it.type('saylor')
      await it.shows('[role=dialog] [role=option][aria-selected=true]', /Michael Saylor/)
      await it.key('Enter')
      await it.isAt(/^\/experts\/michael-saylor$/)
      await it.shows('h1', /Michael Saylor/)
      await it.open('/experts')
      expect(await isDark()).toBe(true)
    })

    test('every kind of page fits every width', async ({ browserOf: it }) => {
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
          await it.shows('main', /[^]{200}/)
        }
      }
    })

    test('predictions are filtered by status, person and words, the history is sorted, and the address stores it', async ({
      browserOf: it,
    }) => {
      const drawn = (what: string, isRight: (count: number) => boolean) =>
        it.until(what, () => drawnCount(it), isRight)
      await it.open('/btc')
      await isDrawn(it)
      await drawn('the opening choice', (count) => count === 12)
      await it.press({ css: 'aside button', name: 'Miss' })
      const missed = await drawn('misses', (count) => count > 12)
      // The address and the list follow the chart.
      await it.isAt(/status=miss&on=miss/)
      const only = (words: string) => (text: string) => !text.includes(words)
      await it.until('only misses are listed', () => it.text('aside ul'), only('SUCCESS'))
      await it.press({ css: 'aside button', name: 'Influencer: All Influencers' })
      await it.until('the list has the focus', () =>
        it.run(() => document.activeElement?.getAttribute('aria-label') === 'Search influencers'),
      )
      await it.type('planb')
      await it.shows('[role=option][data-highlighted]', /PlanB/)
      await it.key('Enter')
      await drawn('his calls', (count) => count > 0 && count < missed)
      await it.isAt(/experts=planb/)
      const his = await drawnCount(it)
      await it.open(await it.address())
      await isDrawn(it)
      await drawn('the same after a reload', (count) => count === his)
      await it.press({ css: 'aside button', name: 'Reset filters and chart' })
      await drawn('nothing', (count) => count === 0)
      await it.fill({ css: 'input', name: 'Search predictions' }, 'kiyosaki')
      await it.shows('aside ul', /Kiyosaki/)
      await it.until('his cards', () => it.text('aside ul'), only('Tom Lee'))

      await it.open('/btc')
      await it.press({ css: 'select', name: 'Status' })
      await it.key('Escape')
      await it.run(() => document.querySelector<HTMLElement>('select[aria-label=Status]')?.focus())
      await it.type('Miss')
      await it.key('Enter')
      await it.isAt(/miss/)
      await it.until('misses are listed', () => it.text('tbody'), only('PENDING'))
      // WebKit sometimes swallows the first press after a choice from a list.
      const sorted = async () => {
        await it.press({ css: 'thead button', name: 'Made' })
        return it.text('th[aria-sort]')
      }
      await it.until('the history is sorted', sorted, (column) => column.trim() === 'Made')
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
        const opener = width < 768 ? 'Submit Bitcoin Prediction' : 'Submit Prediction'
        await it.press({ css: 'button', name: opener })
        const person = `Ada ${name} ${String(width)}`
        await it.fill({ css: '[role=dialog] input', name: 'Expert name' }, person)
        await it.fill({ css: '[role=dialog] input', name: 'Price target' }, '150.000')
        await it.shows('[role=dialog]', /Read as \$150,000/)
        await it.run(setDate, `${NEXT_YEAR}-12-31`)
        const claim = `${person}: Bitcoin at \\$150,000 by 31/12/${NEXT_YEAR}`
        await it.shows('[role=dialog]', new RegExp(claim))
        await it.press({ css: '[role=dialog] button', name: 'Continue to payment' })
        await it.press({ css: '[role=dialog] button', name: 'Create invoice' })
        await it.shows('[role=dialog]', /Waiting for payment\.\.\./)
        await expectNothingCutOff(it)
        await it.press({ css: '[role=dialog] button', name: 'Pay with the demonstration wallet' })
        await it.shows('[role=dialog]', /Payment Received/)
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
        await it.shows('main', /Pending review\./)
      })
    }
  })
}
