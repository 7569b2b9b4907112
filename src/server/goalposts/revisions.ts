import { type GoalpostsRow } from '#contracts/predictions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay, showTimeBetween } from '#domain/day.ts'
import { type Series } from '#domain/judging/series.ts'
import { reachedAfterIn, revisionChains, type RevisionChain } from '#domain/scoring/revisions.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { type StoredDecision } from './revision-decisions.rows.ts'

type Chain = RevisionChain<JudgedPrediction>

/** The revisions of what is on record, as of one moment. */
export type Revisions = {
  /** Of everybody, the longest delay first. */
  readonly all: () => readonly Chain[]
  /** Of one person, by slug. */
  readonly of: (slug: string) => readonly Chain[]
  /** What they follow from; of all predictions, withdrawn ones too. */
  readonly decisions: readonly StoredDecision[]
}

/** @param byExpert those that count, of all assets; only the calls of one person can be revisions of one another */
export function revisionsOf(
  byExpert: ReadonlyMap<string, readonly JudgedPrediction[]>,
  seriesOf: (asset: AssetKey) => Series | null,
  decisions: readonly StoredDecision[],
): Revisions {
  const chainsOf = (calls: readonly JudgedPrediction[]): readonly Chain[] =>
    revisionChains(calls, decisions, reachedAfterIn(seriesOf))
  let all: readonly Chain[] | null = null
  const known = new Map<string, readonly Chain[]>()
  return {
    all: () => (all ??= chainsOf([...byExpert.values()].flat())),
    of: (slug) => {
      const found = known.get(slug) ?? chainsOf(byExpert.get(slug) ?? [])
      known.set(slug, found)
      return found
    },
    decisions,
  }
}

/** A chain as calls send it. */
export function goalpostsRow({ calls, links, days }: Chain): GoalpostsRow {
  const last = calls.at(-1) ?? calls[1]
  return {
    delay_days: days,
    delay: showTimeBetween(calls[0].by, last.by),
    calls: calls.map((call, i) => ({
      id: call.id,
      price_prediction: showClaim(call.said),
      prediction_made: isoDay(call.made),
      made_precision: call.madePrecision,
      target_time: isoDay(call.by),
      target_precision: call.byPrecision,
      outcome: call.verdicts.touch.outcome,
      link: links[i - 1] ?? null,
    })),
  }
}
