import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { scaleClaim, type Claim, type StatedDirection, type Timing } from '#domain/claim/claim.ts'
import { isFault, readClaim, type PredictionType } from '#domain/claim/fields.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { sourceAt } from '#domain/claim/source-input.ts'
import { addDays, isoDay, readDay, type DatePrecision, type Day } from '#domain/day.ts'
import { type AgreedBar, splitFactor } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import btcCsv from '../../../data/starter/btc-daily-close.csv?raw'
import mstrCsv from '../../../data/starter/mstr-daily-close.csv?raw'
import starter from '../../../data/starter/predictions.json'

/** Data for the trial page and the benchmark: the starter data, judged by the site's own rules. */
export type Sample = {
  readonly points: { readonly days: number[]; readonly closes: number[] }
  readonly predictions: readonly Prediction[]
  readonly today: Day
}

/** The interface of every candidate: shows these days. */
export type Mounted = { readonly show: (from: number, to: number) => void }

type Row = (typeof starter)[number]

/** Starter data of an asset with `count` predictions, filled up with seeded variations of the real ones. */
export function sample(asset: AssetKey, count: number): Sample {
  const bars = asset === 'naka' ? nakaBars() : csvBars(asset === 'mstr' ? mstrCsv : btcCsv)
  const last = bars.at(-1)?.day
  if (last === undefined) throw new Error('no starter prices')
  const series = seriesOf(ASSETS[asset].calendar, bars)
  const rows = starter.filter((row) => row.asset_type === (asset === 'mstr' ? 'mstr' : 'btc'))
  const random = seeded(7)
  const predictions: Prediction[] = []
  // A hash order mixes recent and decided ones, like a visitor's choice.
  const mixed = rows.toSorted((a, b) => hash(a.id) - hash(b.id))
  for (let i = 0; predictions.length < count; i++) {
    const row = mixed[i % mixed.length]
    if (!row) break
    const varied = i < mixed.length ? null : random
    const prediction = predictionOf(row, asset, i, varied)
    if (!prediction) continue
    const touch = judge(series, prediction, 'touch', last)
    const close = judge(series, prediction, 'close', last)
    predictions.push({ ...prediction, verdicts: { touch, close } })
  }
  return {
    points: { days: bars.map(({ day }) => day), closes: bars.map(({ close }) => close) },
    predictions,
    today: addDays(last, 1),
  }
}

function predictionOf(
  row: Row,
  asset: AssetKey,
  i: number,
  random: (() => number) | null,
): Omit<Prediction, 'verdicts'> | null {
  const [made, by, from] = [
    readDay(row.prediction_made),
    readDay(row.target_time ?? ''),
    readDay(row.start_date ?? ''),
  ]
  const stated = claimOf(row)
  if (made === null || by === null || stated === null) return null
  const shift = random ? Math.round((random() - 0.5) * 700) : 0
  const factor = random ? 0.6 + random() * 0.9 : 1
  const cents = asset === 'naka' ? 1e-6 : 1
  const split = splitFactor(asset, made)
  return {
    id: random ? `${row.id}-${String(i)}` : row.id,
    asset,
    expert: { id: i, name: row.expert_name, slug: row.id, handle: row.x_handle },
    statedClaim: scaleClaim(stated, factor * cents),
    claim: scaleClaim(stated, (factor * cents) / split),
    splitFactor: split,
    made: addDays(made, shift),
    from: from === null ? null : addDays(from, shift),
    by: addDays(by, shift),
    madePrecision: row.made_precision as DatePrecision,
    byPrecision: row.target_precision as DatePrecision,
    deadlineAssumed: row.deadline_assumed,
    summary: row.summary,
    sources: [sourceAt(row.source_url, row.x_handle)],
    voteScore: 1000 - i,
    createdAt: isoDay(made),
    chartValue: null,
    excludeFromChart: false,
  }
}

function claimOf(row: Row): Claim | null {
  const claim = readClaim({
    ...row,
    prediction_type: row.prediction_type as PredictionType,
    timing: row.timing as Timing,
    direction: row.direction as StatedDirection | null,
  })
  return isFault(claim) ? null : claim
}

function csvBars(csv: string): AgreedBar[] {
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [date, close] = line.split(',')
      const day = readDay(date ?? '')
      return day === null ? [] : [barOf(day, Number(close))]
    })
}

/** No NAKA history ships with the site; made-up prices test cents. */
function nakaBars(): AgreedBar[] {
  const random = seeded(3)
  let usd = 0.05
  return csvBars(btcCsv)
    .slice(-900)
    .map(({ day }) => {
      usd *= Math.exp((random() - 0.5) * 0.09)
      return barOf(day, usd)
    })
}

function barOf(day: Day, close: number): AgreedBar {
  return {
    day,
    open: null,
    high: null,
    low: null,
    close,
    source: 'starter',
    loneHigh: null,
    loneLow: null,
  }
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

function hash(text: string): number {
  let sum = 7
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003
  return sum
}
