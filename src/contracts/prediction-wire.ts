import { type AssetKey } from '#domain/asset.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import { isFault, readClaim } from '#domain/claim/fields.ts'
import { type DrawnVerdict, type Prediction } from '#domain/claim/prediction.ts'
import { type Source } from '#domain/claim/source.ts'
import { dayFromNumber, isoDay, readDay, type Day } from '#domain/day.ts'
import { byMode, type Verdict } from '#domain/judging/verdict.ts'
import { type Listed } from '#domain/listing/part.ts'
import { type Odds } from '#domain/scoring/touch.ts'
import { type ListedRow } from './dashboard.ts'
import {
  type PastPredictionRow,
  type OddsRow,
  type PredictionRow,
  type VerdictRow,
  type SourceRow,
} from './predictions.ts'

/** Rows as predictions; an invalid row is left out, like invalid chart data (public-site.md §5). */
export function predictionsOfRows(rows: readonly PredictionRow[]): readonly Prediction[] {
  return rows.flatMap((row) => predictionOfRow(row) ?? [])
}

/** @returns null if the row lacks a level or has an invalid date */
export function predictionOfRow(row: PredictionRow): Prediction | null {
  const dated = datedOfRow({ ...row, target_time: row.end_date ?? row.target_time })
  const { odds } = row
  return (
    dated && {
      ...dated,
      asset: row.asset_type,
      expert: {
        id: row.influencer.id,
        name: row.influencer.name,
        slug: row.influencer.slug,
        handle: row.influencer.x_handle,
      },
      summary: row.quote,
      sources: row.sources.map(sourceOfRow),
      voteScore: row.vote_score,
      repeats: row.repeats,
      createdAt: row.created_at,
      verdicts: byMode((mode) => verdictOfRow(row.verdicts[mode])),
      ...(odds && { odds: byMode((mode) => oddsOfRow(odds[mode])) }),
    }
  )
}

function datedOfRow(row: Omit<ListedRow, 'influencer' | 'source' | 'verdicts'>) {
  const statedClaim = readClaim(row)
  const made = readDay(row.prediction_made)
  const by = readDay(row.target_time)
  if (isFault(statedClaim) || made === null || by === null) return null
  return {
    id: row.id,
    statedClaim,
    claim: scaleClaim(statedClaim, 1 / row.split_factor),
    splitFactor: row.split_factor,
    made,
    from: readDay(row.start_date),
    by,
    madePrecision: row.made_precision,
    byPrecision: row.target_precision,
    deadlineAssumed: row.deadline_assumed,
    chartValue: row.chart_value,
    excludeFromChart: row.exclude_from_chart,
  }
}

/** A prediction as of a past day; what came to the record later is not in it. */
export function predictionOfPastRow(row: PastPredictionRow): Prediction | null {
  return predictionOfRow({
    ...row,
    created_at: '',
    quote: '',
    vote_score: 0,
    repeats: null,
    source_url: null,
    sources: [],
    only_reposts: false,
  })
}

/** @returns null for an invalid row, as in `predictionOfRow` */
export function listedOfRow(row: ListedRow, asset: AssetKey): Listed | null {
  const dated = datedOfRow(row)
  const { influencer, verdicts } = row
  return (
    dated && {
      ...dated,
      asset,
      expert: { name: influencer.name, slug: influencer.slug, handle: influencer.x_handle },
      verdicts: byMode((mode) => drawnVerdictOf(verdicts[mode])),
      texts: verdicts,
    }
  )
}

function drawnVerdictOf(row: ListedRow['verdicts']['touch']): DrawnVerdict {
  return {
    outcome: row.outcome,
    reason: row.reason,
    day: row.date === null ? null : dayOfRow(row.date),
    direction: row.direction,
    level: { min: row.level_min, max: row.level_max },
    bar: row.close === null ? null : { close: row.close },
  }
}

export function sourceOfRow(row: SourceRow): Source {
  const { kind, url, date, archived_url: archivedUrl, quotation: text } = row
  return {
    kind,
    url,
    date,
    archivedUrl,
    quotation: text === null ? null : { text, speaker: row.speaker ?? '' },
    ...(row.dead_since !== null && { deadSince: row.dead_since }),
  }
}

export function sourceRow({ kind, url, date, archivedUrl, quotation, deadSince }: Source) {
  return {
    kind,
    url,
    date,
    archived_url: archivedUrl,
    quotation: quotation?.text ?? null,
    speaker: quotation?.speaker ?? null,
    dead_since: deadSince ?? null,
  }
}

export function verdictOfRow(row: VerdictRow): Verdict {
  return {
    outcome: row.outcome,
    mode: row.mode,
    rule: row.rule,
    reason: row.reason,
    day: row.date === null ? null : dayOfRow(row.date),
    level: { min: row.level_min, max: row.level_max },
    direction: row.direction,
    reference: row.reference && withDay(row.reference),
    window: { from: dayOfRow(row.window_from), to: dayOfRow(row.window_to) },
    ...(row.possible_days && { possibleDays: row.possible_days.map(withDay) }),
    bar: row.bar && withDay(row.bar),
    nearest: row.nearest && withDay(row.nearest),
    unconfirmed: row.unconfirmed && withDay(row.unconfirmed),
    closeOnly: row.close_only,
    someClosesOnly: row.some_closes_only,
  }
}

function withDay<Row extends { readonly date: string }>({ date, ...rest }: Row) {
  return { day: dayOfRow(date), ...rest }
}

function withDate<One extends { readonly day: Day }>({ day, ...rest }: One) {
  return { date: isoDay(day), ...rest }
}

/** The contract allows real dates only, so the fallback is never used. */
function dayOfRow(date: string): Day {
  return readDay(date) ?? dayFromNumber(0)
}

function oddsOfRow({ luck, no_luck: noLuck, sigma, drift, left }: OddsRow): Odds {
  return {
    luck,
    noLuck,
    motion: sigma === null || drift === null ? null : { sigma, drift },
    left: left && withDay(left),
  }
}

export function oddsRow({ luck, noLuck, motion, left }: Odds): OddsRow {
  return {
    luck,
    no_luck: noLuck,
    sigma: motion?.sigma ?? null,
    drift: motion?.drift ?? null,
    left: left && withDate(left),
  }
}

export function verdictRow(verdict: Verdict): VerdictRow {
  const { bar, nearest, reference, unconfirmed } = verdict
  return {
    mode: verdict.mode,
    rule: verdict.rule,
    outcome: verdict.outcome,
    reason: verdict.reason,
    date: isoDay(verdict.day),
    level_min: verdict.level.min,
    level_max: verdict.level.max,
    direction: verdict.direction,
    reference: reference && withDate(reference),
    window_from: isoDay(verdict.window.from),
    window_to: isoDay(verdict.window.to),
    ...(verdict.possibleDays && { possible_days: verdict.possibleDays.map(withDate) }),
    bar: bar && withDate(bar),
    nearest: nearest && withDate(nearest),
    unconfirmed: unconfirmed && withDate(unconfirmed),
    close_only: verdict.closeOnly,
    some_closes_only: verdict.someClosesOnly,
  }
}
