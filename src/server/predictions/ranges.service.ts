import { type ranges } from '#contracts/ranges.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { barsAsOf } from '#domain/judging/as-of.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { hotList, type HotList } from '#server/http/hot-list.ts'
import { keepRecent, type Kept } from '#server/kit/kept.ts'
import { type z } from 'zod'
import { closedBars, type Snapshot } from './catalog.service.ts'
import { type Records } from './predictions.service.ts'

/** Pages ask for calendar years, which are the same for all visitors. */
const MOST_BYTES = 4_000_000

/** The highs and lows of an asset between two days, made ready once for each state of the record. */
export function rangesService({ snapshot }: Pick<Records, 'snapshot'>) {
  let of: Snapshot | null = null
  let kept: Kept<HotList> = emptyLists()

  /** @param asOf a past day, of which nothing later is known; null for now */
  return async (asset: AssetKey, from: Day, to: Day, asOf: Day | null): Promise<HotList> => {
    const now = snapshot()
    if (now !== of) [of, kept] = [now, emptyLists()]
    // Of this state, also when another one comes while the list is made ready.
    const lists = kept
    const key = [asset, from, to, asOf].join(' ')
    const known = lists.get(key)
    if (known) return known
    const made = await hotList(JSON.stringify(rangesOf(now, asset, [from, to], asOf)))
    lists.set(key, made)
    return made
  }
}

function emptyLists(): Kept<HotList> {
  return keepRecent<HotList>({
    mostBytes: MOST_BYTES,
    bytesOf: ({ plain, gzip, br }) => plain.length + gzip.length + br.length,
  })
}

function rangesOf(
  { assets }: Snapshot,
  asset: AssetKey,
  [from, to]: readonly [Day, Day],
  asOf: Day | null,
): z.input<typeof ranges.reply> {
  const { judged } = assets[asset]
  const bars = closedBars(judged)
  return (asOf === null ? bars : barsAsOf(bars, asOf, judged.actions, asset))
    .filter(({ day }) => day >= from && day <= to)
    .flatMap((bar) => rangedDay(bar) ?? [])
    .map(({ day, ...usd }) => ({ date: isoDay(day), ...usd }))
}

type RangedBar = Pick<AgreedBar, 'day' | 'open' | 'close'> & {
  readonly high: number
  readonly low: number
}

/** Null where only the close is known, or where the sources do not agree on any price of the day. */
export function rangedDay({ day, open, high, low, close }: AgreedBar): RangedBar | null {
  if (high === null || low === null || low > high) return null
  return { day, open, high, low, close }
}
