import { type listEarlierDays, type publishEarlierDays } from '#contracts/operations.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { isoDay } from '#domain/day.ts'
import { counted } from '#server/kit/counted.ts'
import { failure } from '#server/kit/failure.ts'
import { type Db } from '#server/kit/db.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Admin } from '#server/kit/ports.ts'
import { newestRounds, refusedBars } from '#server/prices/deeper-history.rows.ts'
import {
  previewDeeper,
  publishDeeper,
  type DeeperPlan,
} from '#server/prices/publish-deeper.service.ts'
import { type StatusService } from '#server/prices/status.service.ts'
import { type z } from 'zod'

export type EarlierDays = ReturnType<typeof earlierDaysService>

type Listed = z.input<typeof listEarlierDays.reply>
type Wanted = z.output<NonNullable<typeof publishEarlierDays.body>>

/** As many as a person reads. */
const REFUSED_SHOWN = 100
const ROUNDS_SHOWN = 10

/** The highs and lows of days of which the record had closes only, as administrators see them. */
export function earlierDaysService(
  kit: Pick<Kit, 'db' | 'clock'>,
  {
    state,
    isComplete,
  }: {
    readonly state: StatusService
    readonly isComplete: (asset: AssetKey, db: Db) => Promise<boolean>
  },
) {
  return {
    async list(): Promise<Listed> {
      const { earlier_days: read } = await state.status()
      const waiting: Listed['waiting'] = []
      for (const asset of ASSET_KEYS) {
        const plan = await previewDeeper(kit, asset)
        if (!plan) continue
        const complete = await isComplete(asset, kit.db)
        waiting.push({ asset, complete, digest: plan.digest, ...changesOf(plan) })
      }
      const refused = await refusedBars(kit.db, REFUSED_SHOWN)
      return {
        ...read,
        waiting,
        published: (await newestRounds(kit.db, ROUNDS_SHOWN)).map((round) => ({
          asset: round.asset,
          at: new Date(round.publishedAt).toISOString(),
          by: round.publishedBy,
          ...changesOf(round),
        })),
        refused: {
          total: refused.total,
          newest: refused.newest.map(({ asset, day, source, reason }) => {
            return { asset, date: isoDay(day), source, reason }
          }),
        },
      }
    },

    async publish(admin: Admin, { asset, seen }: Wanted): Promise<string> {
      const { symbol } = ASSETS[asset]
      const round = await publishDeeper(kit, asset, {
        isComplete: (tx) => isComplete(asset, tx),
        by: { admin, seen },
      })
      if (!round) throw failure('conflict', `There are no highs and lows of ${symbol} to publish.`)
      return `Published: ${counted(round.days, 'day')} of ${symbol} with a range now, ${counted(round.changed, 'verdict')} changed.`
    },
  }
}

function changesOf({ days, from, to, changed, changes, completed }: Omit<DeeperPlan, 'digest'>) {
  return { days, from: isoDay(from), to: isoDay(to), changed, changes: [...changes], completed }
}
