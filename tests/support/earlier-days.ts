import { day, type Day } from '#domain/day.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { quiet } from './bars.ts'
import { closesFile } from './builders.ts'
import { said } from './price-answers.ts'
import { type PriceWorld } from './price-world.ts'

export const BTC = ['bitstamp', 'kraken', 'coinbase'] as const
export const NOW = '2024-06-12T12:00:00Z'
export const DAY_MS = 86_400_000

export type Prices = Readonly<Record<string, string>>

/** Quiet days, and some with prices of their own, each written as `low..high>close`. */
export function market(own: Prices = {}, from = '2023-06-01', to = '2024-06-12'): Bar[] {
  const special = new Map<Day, Bar | undefined>(
    Object.entries(own).map(([date, price]) => [day(date), quiet(date, date, price)[0]]),
  )
  return quiet(from, to).map((bar) => special.get(bar.day) ?? bar)
}

/** Begins with closes of 100 from a day on, and predictions about them; venues show quiet days. */
export async function beginAt(
  prices: PriceWorld,
  entries: readonly object[] = [],
  from = '2023-06-01',
): Promise<void> {
  prices.setTime(NOW)
  const closes = Array<number>(day('2024-06-12') - day(from)).fill(100)
  await prices.world.imports.prices('btc', closesFile(from, closes), 'starter')
  await prices.world.imports.predictions(JSON.stringify(entries))
  for (const name of BTC) prices.exchanges.bars.set(name, market({}, from))
}

/** Reads the current day, then asks about earlier ones until no venue has more. */
export async function readAll(prices: PriceWorld, ...names: readonly string[]): Promise<void> {
  await prices.ask(...names)
  let open = names
  for (let calls = 0; open.length > 0; calls += 1) {
    if (calls > 100) throw new Error(`${open.join(', ')} never came to an end`)
    const next = await prices.askEarlier(...open)
    const now = prices.exchanges.now()
    open = open.filter((_, i) => next[i] !== now + DAY_MS)
  }
}

export async function changesOf({ world }: PriceWorld, id: string): Promise<string[]> {
  const { rows } = await world.database.pool.query<{ change: string; outcome: string }>(
    `select change, outcome from verdicts where prediction_id = $1 and mode = 'touch' order by id`,
    [id],
  )
  return rows.map(({ change, outcome }) => `${change} ${outcome}`)
}

/** A prediction of 1 October 2023, good until the 20th unless given otherwise. */
export const autumn = (id: string, given: object = {}): object =>
  said(id, { prediction_made: '2023-10-01', target_time: '2023-10-20', ...given })
