import { PredictionEnvelope, PredictionList, type VerdictRow } from '#contracts/predictions.ts'
import { status } from '#contracts/prices.ts'
import { vi } from 'vitest'
import { type z } from 'zod'
import { closesFile, entry } from './builders.ts'
import { type PriceWorld } from './price-world.ts'

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
  const { rows } = await prices.world.database.pool.query<{
    day: string
    source: string
    state: string
  }>('select day::text, source, state from bars where asset = $1 and source <> $2 order by 1, 2', [
    asset,
    'starter',
  ])
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

export async function statusOf({ world }: PriceWorld): Promise<z.infer<typeof status.reply>> {
  return status.reply.parse((await asLater(() => world.get('/api/v1/status'))).body)
}

export async function verdictRows({ world }: PriceWorld): Promise<number> {
  const { rows } = await world.database.pool.query<{ n: number }>(
    'select count(*)::int as n from verdicts',
  )
  return rows[0]?.n ?? 0
}
