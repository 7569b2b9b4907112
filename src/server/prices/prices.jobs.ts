import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { type Db } from '#server/kit/db.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { z } from 'zod'
import { readEarlierDays } from './earlier-days.service.ts'
import { type PriceHistory, bringUpToDate } from './price-history.service.ts'

const Current = z.object({ asset: z.enum(ASSET_KEYS), source: z.string() })
const Earlier = Current.pick({ asset: true })

const DAY_SECONDS = 86_400
/** A first reading takes many calls with pauses between them. */
const WITHIN_SECONDS = 900

export type PriceJobs = ReturnType<typeof definePriceJobs>

/** A job for each source, and one for the earlier days of each asset; each sends the next one. */
export function definePriceJobs(
  { jobs, db }: { readonly jobs: Jobs; readonly db: Db },
  history: PriceHistory,
) {
  const seconds = (at: number): number => Math.max(0, at - history.clock.now()) / 1_000
  const sources = history.sources.map(({ asset, name: source }) => ({ asset, source }))
  const assets = [...new Set(sources.map(({ asset }) => asset))].map((asset) => ({ asset }))
  const current = jobs.define({
    name: 'price-history',
    title: 'Reading prices',
    data: Current,
    key: ({ asset, source }) => `${asset} ${source}`,
    every: { seconds: DAY_SECONDS, data: sources },
    withinSeconds: WITHIN_SECONDS,
    atOnce: 3,
    run: async (given, signal) => {
      const next = await bringUpToDate(history, given.asset, given.source, signal)
      if (next !== null) await current.send(db, given, seconds(next))
    },
  })
  const earlier = jobs.define({
    name: 'price-earlier-days',
    title: 'Reading highs and lows of earlier days',
    data: Earlier,
    key: ({ asset }) => asset,
    every: { seconds: DAY_SECONDS, data: assets },
    withinSeconds: WITHIN_SECONDS,
    run: async (given, signal) => {
      const next = await readEarlierDays(history, given.asset, signal)
      await earlier.send(db, given, seconds(next))
    },
  })

  return {
    /**
     * Has sources asked once the transaction commits.
     *
     * @param source null for all of the asset
     * @returns whether there is any
     */
    ask: async (tx: Db, asset: AssetKey, source: string | null = null): Promise<boolean> => {
      const asked = sources.filter(
        (one) => one.asset === asset && (source === null || one.source === source),
      )
      for (const one of asked) await current.send(tx, one)
      return asked.length > 0
    },
    /** The same for the earlier days of an asset. */
    askEarlier: (tx: Db, asset: AssetKey): Promise<void> => earlier.send(tx, { asset }),
    /** Has all sources asked, as the settings may have changed since the last start. */
    askAll: async (): Promise<void> => {
      for (const one of sources) await current.send(db, one)
      for (const one of assets) await earlier.send(db, one)
    },
  }
}
