import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type z } from 'zod'
import { ASSET_KEYS, byAsset, type AssetKey, ASSETS } from '#domain/asset.ts'
import { addDays, isoDay, showDay, type Day } from '#domain/day.ts'
import { type AgreedBar, splitFactor } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { byMode, RULE_VERSION, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { HISTORIES, type ScoreRequest } from '#domain/scoring/scores.ts'
import { statementOf } from '#server/judging/judging.service.ts'
import { verdictsInForce } from '#server/judging/verdicts.rows.ts'
import { type Db, rowsInParts } from '#server/kit/db.ts'
import { iso } from '#server/kit/time.ts'
import { STATED, statedOf, type StatedRow } from '#server/predictions/predictions.rows.ts'
import { loadBars } from '#server/prices/bars.rows.ts'
import { loadActions } from '#server/prices/price-sources.rows.ts'

/** Must be raised when the method or the reply's shape changes, to invalidate stored scores. */
const METHOD = 10

/** Prefix of a digest. */
const METHOD_MARK = `${String(METHOD)}-`

export type ScoreInputs = {
  /** Predictions made by that day, in batches ordered by id. */
  readonly predictions:
    | Iterable<readonly ScoredPrediction[]>
    | AsyncIterable<readonly ScoredPrediction[]>
  readonly bars: Readonly<Record<AssetKey, readonly AgreedBar[]>>
}

export type ScoreKey = { readonly asOf: Day; readonly mode: JudgeMode }

export type DayRequest = {
  readonly request: ScoreRequest
  /** The last complete day up to the as-of day. */
  readonly lastOver: Day
  /** Equal digests mean equal scores. */
  readonly digest: string
}

/** Day, high, low, close, unconfirmed high and unconfirmed low. */
type PackedBar = readonly [Day, ...(readonly (number | null)[])]

/**
 * Why there are no scores for a day, in a sentence; null if there are.
 * @param first the day of the first prediction; null without any
 */
export function asOfFault(first: Day | null, asOf: Day, today: Day): string | null {
  if (asOf > today) {
    return `${showDay(asOf)} is in the future. Scores are known up to ${showDay(today)}.`
  }
  // Today is valid even without predictions.
  if (asOf === today || (first !== null && asOf >= first)) return null
  return first === null
    ? 'There is no prediction yet, and so there are no scores.'
    : `The first prediction was made on ${showDay(first)}: there are no scores of earlier days.`
}

/** Whether scores were computed by this version; others may have another shape. */
export function isOfThisMethod(digest: string): boolean {
  return digest.startsWith(METHOD_MARK)
}

/** Inputs of a day's scores: claims made and bars ended by then. Predictions share the objects of their experts. */
export async function requestOf(
  { predictions, bars }: ScoreInputs,
  { asOf, mode }: ScoreKey,
  today: Day,
): Promise<DayRequest> {
  // The digest depends on this JSON and its order.
  const head = {
    asOf,
    lastOver: asOf < today ? asOf : addDays(today, -1),
    mode,
    rule: RULE_VERSION,
    seed: isoDay(asOf),
    histories: HISTORIES,
  }
  const hash = createHash('sha256').update(`${JSON.stringify(head).slice(0, -1)},"predictions":[`)
  const experts = new Map<string, ScoredPrediction['expert']>()
  const scored: ScoredPrediction[] = []
  for await (const part of predictions) {
    for (const row of part) {
      if (row.made > asOf) continue
      const { name, slug } = row.expert
      const expert = experts.get(slug) ?? { name, slug }
      experts.set(slug, expert)
      const one = scoredOf({ ...row, expert })
      hash.update((scored.length === 0 ? '' : ',') + JSON.stringify(one))
      scored.push(one)
    }
  }
  const packed = ASSET_KEYS.map((key) => [key, packBars(bars[key], asOf)] as const)
  hash.update(`],"bars":${JSON.stringify(Object.fromEntries(packed))}}`)
  const { lastOver, ...rest } = head
  const known = Object.fromEntries(packed.map(([key, rows]) => [key, rows.map(unpackBar)]))
  return {
    request: { ...rest, rule: RULE_VERSION, predictions: scored, bars: known },
    lastOver,
    digest: METHOD_MARK + hash.digest('base64url').slice(0, 22),
  }
}

function scoredOf(prediction: ScoredPrediction): ScoredPrediction {
  const {
    id,
    asset,
    claim,
    made,
    madePrecision = 'day',
    from,
    by,
    expert,
    createdAt,
    verdicts,
  } = prediction
  const isRuled = verdicts && Object.values(verdicts).some(({ reason }) => reason === 'overridden')
  return {
    id,
    asset,
    claim,
    made,
    ...(madePrecision !== 'day' && { madePrecision }),
    from,
    by,
    expert,
    createdAt,
    ...(isRuled ? { verdicts } : {}),
  }
}

function packBars(bars: readonly AgreedBar[], asOf: Day): PackedBar[] {
  const firstMoving = bars.find((bar) => bar.moving)?.day ?? Infinity
  return bars
    .filter(({ day }) => day <= asOf && day < firstMoving)
    .map(({ day, high, low, close, loneHigh, loneLow }) => [
      day,
      high,
      low,
      close,
      loneHigh,
      loneLow,
    ])
}

function unpackBar([day, high, low, close, loneHigh, loneLow]: PackedBar): AgreedBar {
  return {
    day,
    open: null,
    high: high ?? null,
    low: low ?? null,
    close: close ?? 0,
    source: '',
    loneHigh: loneHigh ?? null,
    loneLow: loneLow ?? null,
  }
}

type Row = z.infer<typeof StatedRow> & {
  readonly name: string
  readonly slug: string
  readonly created_at: string
  readonly frozen: boolean
  readonly ruled: boolean
}

const AT_ONCE = 2_000

/** Statements made by a day, ordered by id, and all bars. @param tx with a single snapshot */
export async function scoreInputs(tx: Db, asOf: Day, today: Day): Promise<ScoreInputs> {
  const series = { btc: await read('btc'), mstr: await read('mstr'), naka: await read('naka') }
  const actions = await loadActions(tx)

  async function read(asset: AssetKey): Promise<Series> {
    return seriesOf(ASSETS[asset].calendar, await loadBars(tx, asset))
  }

  async function* parts() {
    const query = sql`
      select ${STATED}, name, slug, predictions.created_at, frozen_at is not null as frozen,
        ('overridden' in (touch_reason, close_reason)) is true as ruled
      from predictions join influencers on influencers.id = predictions.influencer_id
      where withdrawn_at is null and made <= ${isoDay(asOf)}
      order by predictions.id collate "C"`
    for await (const part of rowsInParts(tx, query, AT_ONCE)) {
      const rows = part as readonly Row[]
      const ids = rows.flatMap(({ id, ruled }) => (ruled ? id : []))
      const ruled = Map.groupBy(await verdictsInForce(tx, ids), (one) => one.predictionId)
      yield rows.map((row) => scoredOf(row, ruled))
    }
  }

  function scoredOf(row: Row, ruled: RuledVerdicts): ScoredPrediction {
    const { id, asset, name, slug } = row
    const stored = statedOf(row)
    const statement = statementOf(stored, splitFactor(asset, stored.made, actions))
    const inForce = ruled.get(id)
    const verdictBy = (mode: JudgeMode): Verdict => {
      const found = inForce?.find((one) => one.mode === mode)
      const isPinned = row.frozen || found?.change === 'override'
      return found && isPinned ? found.verdict : judge(series[asset], statement, mode, today)
    }
    return {
      id,
      ...statement,
      expert: { name, slug },
      createdAt: iso(row.created_at),
      ...(inForce && { verdicts: byMode(verdictBy) }),
    }
  }

  return { predictions: parts(), bars: byAsset((key) => series[key].bars) }
}

type RuledVerdicts = ReadonlyMap<string, Awaited<ReturnType<typeof verdictsInForce>>>
