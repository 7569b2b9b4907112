import { vi } from 'vitest'
import { type z } from 'zod'
import { PredictionEnvelope, PredictionList, type VerdictRow } from '#contracts/predictions.ts'
import { status } from '#contracts/prices.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { readConfig } from '#server/kit/settings/config.ts'
import { readEarlierDays } from '#server/prices/earlier-days.service.ts'
import { bringUpToDate, priceHistory, sourceHealth } from '#server/prices/price-history.service.ts'
import { priceSources } from '#server/prices/sources/price-sources.ts'
import { closesFile, entry } from './builders.ts'
import { shareByFile } from './once-for-file.ts'
import { movingClock } from './review.ts'
import { startExchanges } from './stand-ins/exchanges.ts'
import { testApp } from './test-app.ts'
import { words } from './words.ts'

/** The sources assumed by the stories: their number decides when a bar is final, and a site may have more. */
const SOURCES = new Set(
  words('bitstamp kraken coinbase yahoo alpaca tiingo alpha-vantage kucoin gate coingecko'),
)

export type PriceWorld = Awaited<ReturnType<typeof priceWorld>>

/** The whole price machinery against stand-ins, at a chosen time. */
export async function priceWorld(
  time: string,
  settings: Readonly<Record<string, string>> = {},
  clock = movingClock(time),
) {
  const exchanges = await startExchanges()
  exchanges.now = clock.now
  /** Log entries in order. */
  const lines: string[] = []
  const write = (_: object, message: string): void => void lines.push(message)
  const log = { info: write, warn: write, error: write }
  const { prices } = readConfig({ ...exchanges.settings, ...settings }, '/')
  const configured = priceSources(prices, clock, { limits: { timeoutMs: 60_000 } })
  // The stand-ins have no rate limits, so tests skip the pauses between pages.
  const daily = configured.daily
    .filter(({ name }) => SOURCES.has(name))
    .map((source) => ({ ...source, pauseMs: 0 }))
  const sources = { ...configured, daily }
  const world = await testApp({ clock, log, settings: { prices }, ports: { prices: sources } })
  const { db } = world.database
  const begun = () =>
    priceHistory({
      db,
      clock,
      log,
      health: sourceHealth(log),
      sources: sources.daily,
    })
  let history = begun()
  /** Runs these sources one after the other. @returns when each is due again */
  const ask = async (...names: readonly string[]) => {
    const next: (number | null)[] = []
    for (const name of names) {
      const source = sources.daily.find((one) => one.name === name)
      if (!source) throw new Error(`no source ${name}`)
      next.push(await bringUpToDate(history, source.asset, name, new AbortController().signal))
    }
    return next
  }
  return {
    exchanges,
    sources,
    get history() {
      return history
    },
    /** Clears all readings and log entries, and the exchanges' data. */
    beginAgain: (): void => {
      history = begun()
      lines.length = 0
      exchanges.bars.clear()
      exchanges.faults.clear()
      exchanges.calls.length = 0
      exchanges.now = clock.now
    },
    world,
    lines,
    /** Sets the time of the site and the exchanges. */
    setTime: (text: string, theirs?: string): void => {
      clock.set(text)
      exchanges.now = theirs === undefined ? clock.now : () => Date.parse(theirs)
    },
    ask,
    /** The same, once they have these bars. */
    report: async (bars: Readonly<Record<string, Bar[]>>) => {
      for (const [name, own] of Object.entries(bars)) exchanges.bars.set(name, own)
      return ask(...Object.keys(bars))
    },
    /** Reads the earlier days of an asset. @returns when to do so again */
    askEarlier: (asset: AssetKey = 'btc') =>
      readEarlierDays(history, asset, new AbortController().signal),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      await exchanges[Symbol.asyncDispose]()
    },
  }
}

/** The same for all tests of a file or `describe`: each begins without prices, and sets the time. */
export function sharedPriceWorld(settings: Readonly<Record<string, string>> = {}): PriceWorld {
  return shareByFile(
    () => priceWorld('2024-06-05T12:00:00Z', settings),
    ({ world }) => world,
    ({ beginAgain }) => beginAgain(),
  )
}

/** A prediction of 1 June 2024, due on the 8th by default. */
export const answered = (id: string, more: object = {}): object =>
  entry(id, {
    prediction_made: '2024-06-01',
    target_time: '2024-06-08',
    price_target: 150,
    ...more,
  })

export async function begin(prices: PriceWorld, ...entries: object[]): Promise<void> {
  await prices.world.imports.prices('btc', closesFile('2024-05-30', [100, 100, 100]), 'starter')
  await prices.world.imports.predictions(JSON.stringify(entries))
}

export async function verdict(
  { world }: PriceWorld,
  id: string,
  mode: 'touch' | 'close' = 'touch',
): Promise<VerdictRow> {
  await world.refresh()
  const btc = PredictionList.parse((await world.get('/api/predictions')).body)
  const mstr = PredictionEnvelope.parse((await world.get('/api/mstr/predictions')).body).data
  const found = [...btc, ...mstr].find((row) => row.id === id)
  if (!found) throw new Error(`no prediction ${id}`)
  return found.verdicts[mode]
}

export async function days(prices: PriceWorld, asset = 'btc'): Promise<[string, string, string][]> {
  const rows = await prices.world.sql(
    'select day::text, source, state from bars where asset = $1 and source <> $2 order by 1, 2',
    [asset, 'starter'],
  )
  return rows.map((row) => [row.day, row.source, row.state])
}

let laterMs = 0

/** Requests data that is cached for a second, a few seconds after the last time. */
async function asLater<T>(ask: () => Promise<T>): Promise<T> {
  laterMs = Math.max(performance.now(), laterMs) + 3_000
  const now = vi.spyOn(performance, 'now').mockReturnValue(laterMs)
  try {
    return await ask()
  } finally {
    now.mockRestore()
  }
}

export function statusOf({ world }: PriceWorld): Promise<z.infer<typeof status.reply>> {
  return asLater(() => world.read(status))
}
