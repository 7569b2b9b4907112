import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { readDay } from '#domain/day.ts'
import { agree, type Bar } from '#domain/judging/bar.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { checkScores } from './check-scores.ts'
import { checkVerdicts, type AllGiven, type Unchecked } from './check-verdicts.ts'
import {
  type Difference,
  readSnapshot,
  compareCsv,
  readTables,
  type ReadTables,
} from './read-snapshot.ts'

export type PricesToJudgeBy = Readonly<
  Partial<Record<AssetKey, { readonly bars: readonly Bar[]; readonly from: string }>>
>

export type Verification = {
  readonly day: string
  readonly made: string
  readonly rule: number
  readonly sha256: string | null
  readonly prices: Readonly<Record<string, string>>
  readonly predictions: number
  readonly verdicts: number
  /** Verdicts that the rule gives again by these prices. */
  readonly agreeing: number
  readonly scores: number
  readonly differences: readonly Difference[]
  readonly unchecked: readonly Unchecked[]
}

/** Checks files, verdicts and scores of an archive or unpacked folder. @throws DamagedSnapshot with a sentence */
export async function verifySnapshot(path: string, prices: PricesToJudgeBy): Promise<Verification> {
  const raw = await readSnapshot(path)
  const read = readTables(raw)
  const given = givenPrices(read, prices)
  const verdicts = checkVerdicts(read, given)
  const scores = await checkScores(read, given)
  const { about, tables } = read
  const apart = new Set(
    [...verdicts.differences, ...verdicts.unchecked].map(({ id, mode }) => `${mode ?? ''} ${id}`),
  )
  return {
    day: about.as_of,
    made: about.made,
    rule: about.rule,
    sha256: raw.sha256,
    prices: Object.fromEntries(ASSET_KEYS.map((key) => [key, prices[key]?.from ?? 'none'])),
    predictions: tables.predictions.length,
    verdicts: tables.verdicts.length,
    agreeing: tables.verdicts.filter(({ mode, prediction_id: id }) => !apart.has(`${mode} ${id}`))
      .length,
    scores: tables.scores.length,
    differences: [...(await compareCsv(raw)), ...verdicts.differences, ...scores.differences],
    unchecked: [...verdicts.unchecked, ...scores.unchecked],
  }
}

function givenPrices({ about }: ReadTables, prices: PricesToJudgeBy): AllGiven {
  return Object.fromEntries(
    ASSET_KEYS.flatMap((key) => {
      const through = readDay(about.prices_through[key] ?? '')
      const bars = prices[key]?.bars
      if (through === null || !bars) return []
      // The site knew no later ones.
      const known = bars.filter(({ day }) => day <= through).map((bar) => agree([bar]))
      return [[key, { series: seriesOf(ASSETS[key].calendar, known), through }]]
    }),
  )
}
