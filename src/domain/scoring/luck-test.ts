import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { addDays } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { isSeenOnce, luckOf } from './luck.ts'
import { motionAt, yearsBetween, type PriceHistories, type PriceHistory } from './price-history.ts'

/** Windows of placebo calls, days. */
const HORIZONS = [30, 90, 180, 365, 730] as const
/** Distances of placebo levels, in units of the expected price move. */
const DISTANCES = [0.25, 0.5, 1, 1.5, 2]
/** Bars per placebo call. */
const EVERY = 7
export const LUCK_TOLERANCE = 0.05

/** Placebo calls of one kind: expected and actual share that came true, 0 to 1. */
type PlaceboRow = {
  readonly asset: AssetKey | null
  readonly horizon: (typeof HORIZONS)[number]
  readonly direction: 'up' | 'down' | null
  readonly calls: number
  readonly expected: number
  readonly happened: number
}

export type LuckTest = {
  readonly calls: number
  readonly rows: readonly PlaceboRow[]
  /** By horizon; `holds` if expected and actual share differ by at most 0.05. */
  readonly horizons: readonly (PlaceboRow & { readonly holds: boolean })[]
}

/**
 * Tests luck's own forecasts: for levels chosen on past days from earlier prices only, compares expected with actual hits.
 * Only ended calls count.
 *
 * @see the methodology page
 */
export function testLuck(histories: PriceHistories, mode: JudgeMode): LuckTest {
  const rows: PlaceboRow[] = []
  for (const asset of ASSET_KEYS) {
    const history = histories[asset]
    if (!history) continue
    for (const horizon of HORIZONS) {
      for (const direction of ['up', 'down'] as const) {
        const row = placebos(histories, history, horizon, direction, mode)
        if (row.calls > 0) rows.push(row)
      }
    }
  }
  const horizons = HORIZONS.map((horizon) => {
    const these = rows.filter((row) => row.horizon === horizon)
    const all = together(these)
    const holds = all.calls > 0 && Math.abs(all.expected - all.happened) <= LUCK_TOLERANCE
    return { asset: null, horizon, direction: null, ...all, holds }
  })
  return { calls: rows.reduce((total, row) => total + row.calls, 0), rows, horizons }
}

type Shares = Pick<PlaceboRow, 'calls' | 'expected' | 'happened'>

/** Combines placebo calls of several kinds; shares are 0 without calls. */
export function together(rows: readonly Shares[]): Shares {
  const calls = rows.reduce((total, row) => total + row.calls, 0)
  const share = (key: 'expected' | 'happened'): number =>
    calls === 0 ? 0 : rows.reduce((total, row) => total + row.calls * row[key], 0) / calls
  return { calls, expected: share('expected'), happened: share('happened') }
}

function placebos(
  histories: PriceHistories,
  history: PriceHistory,
  horizon: PlaceboRow['horizon'],
  direction: 'up' | 'down',
  mode: JudgeMode,
): PlaceboRow {
  const { series, asset } = history
  const end = series.finalThrough
  const isUp = direction === 'up'
  const tree =
    mode === 'touch'
      ? isUp
        ? series.highs
        : series.lows
      : isUp
        ? series.closes
        : series.negativeCloses
  let [calls, expected, happened] = [0, 0, 0]
  for (let at = 0; at < series.bars.length; at += EVERY) {
    const bar = series.bars[at]
    const motion = motionAt(histories, history, at)
    if (!bar || !motion || end === null) continue
    const [from, through] = [addDays(bar.day, 1), addDays(bar.day, horizon)]
    if (series.lastSession(through) > end || !series.isComplete(from, through)) continue
    const seenOnce = isSeenOnce(history, mode, from, through)
    const spread = motion.sigma * Math.sqrt(yearsBetween(history, bar.day, through))
    const farthest = tree.max(at + 1, series.atOrAfter(addDays(through, 1)) - 1)
    for (const distance of DISTANCES) {
      const usd = bar.close * Math.exp((isUp ? 1 : -1) * distance * spread)
      calls += 1
      expected += luckOf(
        history,
        {
          claim: { type: 'target', usd },
          direction,
          usd: bar.close,
          made: bar.day,
          from,
          through,
          seenOnce,
        },
        motion,
      )
      if (farthest >= (isUp ? usd : -usd)) happened += 1
    }
  }
  const all = Math.max(1, calls)
  return { asset, horizon, direction, calls, expected: expected / all, happened: happened / all }
}
