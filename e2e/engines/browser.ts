import { hasFocus, locate, type PressTarget } from './in-page.ts'

/** The operations of a browser, independent of its protocol. */
export type Driver = {
  readonly navigate: (url: string) => Promise<void>
  readonly evaluate: (script: string) => Promise<string>
  /** Input in WebDriver's format, the same in both protocols. */
  readonly perform: (sources: readonly object[]) => Promise<void>
  readonly resize: (width: number, height: number) => Promise<void>
  /** Errors of the page so far, including those only in the console. */
  readonly faults: () => Promise<readonly string[]>
  readonly stop: () => Promise<void>
}

export type EngineBrowser = ReturnType<typeof engineBrowser>

const KEYS = { Enter: '\uE007', Escape: '\uE00C', ArrowDown: '\uE015', Control: '\uE009' } as const
const PATIENCE_MS = 30_000
const PAUSE_MS = 50

export function engineBrowser(driver: Driver, site: string) {
  const run = async <Initial extends readonly unknown[], Result>(
    inPage: (...args: Initial) => Result,
    ...values: Initial
  ): Promise<Awaited<Result>> => {
    const call = `(${inPage.toString()})(...${JSON.stringify(values)})`
    return JSON.parse(await driver.evaluate(`JSON.stringify(${call} ?? null)`)) as Awaited<Result>
  }

  const until = async <Result>(
    what: string,
    ask: () => Promise<Result>,
    isRight: (result: Result) => boolean = Boolean,
  ): Promise<Result> => {
    const end = Date.now() + PATIENCE_MS
    for (;;) {
      const result = await ask()
      if (isRight(result)) return result
      if (Date.now() > end)
        throw new Error(`${what}: still ${JSON.stringify(result).slice(0, 300)}`)
      await new Promise((done) => setTimeout(done, PAUSE_MS))
    }
  }

  const press = async (target: PressTarget): Promise<void> => {
    const name = JSON.stringify(target)
    // Found twice in the same place: nothing moves under the pointer any more. WebKit scrolls between two whole pixels.
    let before = { x: -9, y: -9 }
    const at = await until(
      `to press ${name}`,
      async () => {
        const found = await run(locate, target)
        const isStill = Math.hypot(found.x - before.x, found.y - before.y) <= 1
        before = found
        return isStill ? found : { fault: found.fault ?? 'it moves', x: 0, y: 0 }
      },
      ({ fault }) => fault === null,
    )
    await driver.perform([
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x: Math.round(at.x), y: Math.round(at.y), duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])
  }

  const strike = (...keys: readonly string[]): Promise<void> =>
    driver.perform([
      {
        type: 'key',
        id: 'keyboard',
        actions: keys.flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      },
    ])

  const address = (): Promise<string> => run(() => location.pathname + location.search)

  const text = (css: string): Promise<string> =>
    run((of) => document.querySelector<HTMLElement>(of)?.innerText ?? '', css)

  return {
    run,
    until,
    press,
    resize: driver.resize,
    faults: driver.faults,

    async open(path: string): Promise<void> {
      await driver.navigate(site + path)
      await until('scripts of the page', () =>
        run(() => {
          const root = document.getElementById('root')
          return (
            root !== null && Object.keys(root).some((key) => key.startsWith('__reactContainer'))
          )
        }),
      )
    },

    type: (text: string): Promise<void> => strike(...text.split('')),

    /** Presses an empty field and types into it; every letter must arrive. */
    async fill(target: PressTarget, text: string): Promise<void> {
      // An opening dialog takes the focus once more.
      await until(`${target.name ?? target.css} has the focus`, async () => {
        await press(target)
        return run(hasFocus, target)
      })
      await strike(...text.split(''))
      await until(
        `${target.name ?? target.css} holds ${text}`,
        () => run(() => (document.activeElement as HTMLInputElement | null)?.value ?? ''),
        (value) => value === text,
      )
    },

    key: (name: keyof typeof KEYS): Promise<void> => strike(KEYS[name]),

    async wheel(css: string, deltaY: number): Promise<void> {
      const at = await run(locate, { css })
      await driver.perform([
        {
          type: 'wheel',
          id: 'wheel',
          actions: [
            {
              type: 'scroll',
              x: Math.round(at.x),
              y: Math.round(at.y),
              deltaX: 0,
              deltaY,
              duration: 0,
            },
          ],
        },
      ])
    },

    address,
    text,

    isAt: (pattern: RegExp): Promise<string> =>
      until(`at ${String(pattern)}`, address, (at) => pattern.test(at)),

    shows: (css: string, pattern: RegExp): Promise<string> =>
      until(
        `${css} shows ${String(pattern)}`,
        () => text(css),
        (found) => pattern.test(found),
      ),

    back: (): Promise<unknown> => run(() => history.back()),
  }
}
