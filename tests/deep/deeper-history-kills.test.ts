import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { newestRounds } from '#server/prices/deeper-history.rows.ts'
import {
  autumn,
  BTC,
  changesOf,
  DAY_MS,
  market,
  NOW,
  readAll,
  beginAt,
} from '#tests/support/earlier-days.ts'
import { programOf } from '#tests/support/programs.ts'
import { priceWorld, type PriceWorld } from '#tests/support/price-world.ts'
import { until } from '#tests/support/waiting.ts'

const OWNER = await programOf('deeper-history-owner')

/** Three years of one wick that two venues saw: several calls a venue. */
async function begun(): Promise<PriceWorld> {
  const from = '2021-06-01'
  const prices = await priceWorld(NOW)
  await beginAt(prices, [autumn('a', { price_target: 115 })], from)
  for (const name of ['bitstamp', 'kraken']) {
    prices.exchanges.bars.set(name, market({ '2023-10-05': '95..116>100' }, from))
  }
  await prices.ask(...BTC)
  return prices
}

function readApart({ exchanges, world }: PriceWorld): ChildProcess {
  const settings = JSON.stringify(exchanges.settings)
  return spawn(process.execPath, [OWNER, world.database.url, settings, NOW, BTC.join()], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** All that the record says in the end. */
async function recordOf(prices: PriceWorld) {
  const { db, pool } = prices.world.database
  const bars = await pool.query(
    `select day::text, source, open, high, low, close, state from bars where asset = 'btc' order by day, source`,
  )
  const rounds = await newestRounds(db, 10)
  return { bars: bars.rows, rounds, verdicts: await changesOf(prices, 'a') }
}

it('earlier days that a killed process was reading come out as if it had not been killed', async () => {
  await using calm = await begun()
  await readAll(calm, ...BTC)
  const wanted = await recordOf(calm)
  expect(wanted.rounds).toMatchObject([{ days: day('2024-06-12') - day('2021-06-01'), changed: 1 }])
  expect(wanted.verdicts).toEqual(['first miss', 'range hit'])

  await using prices = await begun()
  const { calls, faults } = prices.exchanges
  const asked = (): number => calls.filter(({ source }) => source === 'coinbase').length
  // Each process is killed while a venue does not answer it, wherever it is with the others; between them one answers.
  for (let round = 0; round < 3; round += 1) {
    faults.set('coinbase', 'slow')
    const before = asked()
    const child = readApart(prices)
    await until(() => asked() > before)
    await killed(child)
    faults.clear()
    await prices.askEarlier('coinbase')
  }
  // The last one is killed while it publishes.
  const { pool } = prices.world.database
  const gate = await pool.connect()
  try {
    await gate.query('begin; lock table deeper_rounds in exclusive mode')
    const child = readApart(prices)
    await until(async () => {
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%deeper_rounds%'`,
      )
      return rowCount === 1
    })
    await killed(child)
  } finally {
    await gate.query('rollback')
    gate.release()
  }
  expect(await changesOf(prices, 'a')).toEqual(['first miss'])
  const [status] = await once(readApart(prices), 'exit')
  expect(status).toBe(0)
  const found = await recordOf(prices)
  expect({ ...found, rounds: found.rounds.map((one) => ({ ...one, publishedAt: 0 })) }).toEqual({
    ...wanted,
    rounds: wanted.rounds.map((one) => ({ ...one, publishedAt: 0 })),
  })
  expect(await prices.askEarlier(...BTC)).toEqual(BTC.map(() => Date.parse(NOW) + DAY_MS))
})
