import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type SaidDirection, type Timing } from '#domain/claim/claim.ts'
import { claimOfRow, type PredictionType } from '#domain/claim/fields.ts'
import { dayFromNumber, isoDay, type DatePrecision, type Day } from '#domain/day.ts'
import { splitFactor } from '#domain/judging/corporate-action.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { statementOf } from '#server/judging/judging.service.ts'
import { verdictsInForce } from '#server/judging/verdicts.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { iso } from '#server/kit/iso.ts'
import { rowsInParts } from '#server/kit/rows.ts'
import { loadBars } from '#server/prices/bars.rows.ts'
import { loadActions } from '#server/prices/corporate-actions.rows.ts'
import { sql } from 'drizzle-orm'
import { type ScoreInputs } from './score-request.ts'

type Row = {
  readonly id: string
  readonly asset: AssetKey
  readonly type: PredictionType
  readonly price_target: number | null
  readonly price_min: number | null
  readonly price_max: number | null
  readonly timing: Timing
  readonly direction: SaidDirection | null
  readonly made: number
  readonly made_precision: DatePrecision
  readonly start: number | null
  readonly target: number
  readonly name: string
  readonly slug: string
  readonly created_at: string
  readonly frozen: boolean
  readonly ruled: boolean
}

const AT_ONCE = 2_000

/**
 * The statements made by a day, in the order of ids, and all bars.
 *
 * @param tx a transaction that sees one moment
 */
export async function scoreInputs(tx: Db, asOf: Day, today: Day): Promise<ScoreInputs> {
  const series = { btc: await read('btc'), mstr: await read('mstr'), naka: await read('naka') }
  const actions = await loadActions(tx)

  async function read(asset: AssetKey): Promise<Series> {
    return seriesOf(ASSETS[asset].calendar, await loadBars(tx, asset))
  }

  async function* parts() {
    const query = sql`
      select predictions.id, asset, type, price_target, price_min, price_max, timing, direction, made_precision,
        made - date '1970-01-01' as made,
        start_date - date '1970-01-01' as start, target_date - date '1970-01-01' as target, name, slug,
        predictions.created_at, frozen_at is not null as frozen,
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
    const stored = {
      asset,
      said: claimOfRow(row),
      made: dayFromNumber(row.made),
      madePrecision: row.made_precision,
      from: row.start === null ? null : dayFromNumber(row.start),
      by: dayFromNumber(row.target),
    }
    const statement = statementOf(stored, splitFactor(asset, stored.made, actions))
    const inForce = ruled.get(id)
    const verdictBy = (mode: JudgeMode): Verdict => {
      const found = inForce?.find((one) => one.mode === mode)
      const isKept = row.frozen || found?.change === 'override'
      return found && isKept ? found.verdict : judge(series[asset], statement, mode, today)
    }
    return {
      id,
      ...statement,
      expert: { name, slug },
      createdAt: iso(row.created_at),
      ...(inForce && { verdicts: { touch: verdictBy('touch'), close: verdictBy('close') } }),
    }
  }

  const bars = { btc: series.btc.bars, mstr: series.mstr.bars, naka: series.naka.bars }
  return { predictions: parts(), bars }
}

type RuledVerdicts = ReadonlyMap<string, Awaited<ReturnType<typeof verdictsInForce>>>
