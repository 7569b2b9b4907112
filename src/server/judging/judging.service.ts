import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type RangeEffect } from '#contracts/operations.ts'
import { ASSETS, ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import { type Prediction, type Statement } from '#domain/claim/prediction.ts'
import { type Day, deadlinePrecision, isoDay } from '#domain/day.ts'
import { type CorporateAction, splitFactor } from '#domain/judging/bar.ts'
import { dependsOn, judge } from '#domain/judging/judge.ts'
import { isEqual, isSame } from '#domain/judging/same-verdict.ts'
import { type Series, seriesOf } from '#domain/judging/series.ts'
import { outcomeOn } from '#domain/judging/verdict-text.ts'
import {
  JUDGE_MODES,
  MODE_PRICES,
  byMode,
  type JudgeMode,
  RULE_VERSION,
  type Verdict,
  type VerdictReason,
} from '#domain/judging/verdict.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { readFact, recordFact } from '#server/kit/facts.ts'
import {
  type StoredPrediction,
  STATED,
  StatedRow,
  idsInOrder,
  predictionsByIds,
  statedOf,
} from '#server/predictions/predictions.rows.ts'
import { loadBars } from '#server/prices/bars.rows.ts'
import { loadActions } from '#server/prices/price-sources.rows.ts'
import { recordChanged } from '#server/record/record-state.ts'
import {
  Evidence,
  type NewVerdict,
  type StoredVerdict,
  addVerdicts,
  verdictsInForce,
} from './verdicts.rows.ts'

type JudgedRow = {
  readonly stored: StoredPrediction
  readonly verdicts: Readonly<Record<JudgeMode, Verdict>>
  /** Verdicts still to be recorded, as they differ from those on record. */
  readonly changes: readonly NewVerdict[]
}

/** The statement to judge: level in today's units, and dates. */
export function statementOf(
  stored: Pick<
    StoredPrediction,
    'asset' | 'statedClaim' | 'made' | 'madePrecision' | 'from' | 'by'
  >,
  factor: number,
): Statement {
  return {
    asset: stored.asset,
    claim: factor === 1 ? stored.statedClaim : scaleClaim(stored.statedClaim, 1 / factor),
    made: stored.made,
    madePrecision: stored.madePrecision,
    from: stored.from,
    by: stored.by,
  }
}

/** A prediction with its verdicts and the fields only the record needs. */
export type JudgedPrediction = Prediction & Pick<StoredPrediction, 'expert' | 'withdrawn'>

/** @param recorded as stored */
export function judgedPrediction(
  recorded: StoredPrediction,
  factor: number,
  verdicts: Prediction['verdicts'],
  odds?: Prediction['odds'],
): JudgedPrediction {
  const { version: _version, frozenAt: _frozenAt, inForce: _inForce, ...visible } = recorded
  return {
    ...visible,
    claim: statementOf(recorded, factor).claim,
    byPrecision: deadlinePrecision(recorded.by, recorded.byPrecision),
    splitFactor: factor,
    verdicts,
    ...(odds && { odds }),
  }
}

/**
 * Judges everything; writes verdicts that differ from those in force.
 * @param corrected ids whose statement was corrected in this transaction
 * @returns the number of verdicts written
 */
export async function judgeAll(
  tx: Db,
  today: Day,
  assets: readonly AssetKey[] = ASSET_KEYS,
  corrected: ReadonlySet<string> = new Set(),
): Promise<number> {
  let written = 0
  for (const asset of assets) {
    const context = { ...(await readContext(tx, asset, today)), corrected }
    for await (const rows of judgedPages(tx, context)) {
      const fresh = rows.flatMap((row) => row.changes)
      await addVerdicts(tx, fresh)
      written += fresh.length
    }
  }
  return written
}

const JUDGED_BY = 'judged by'

/**
 * Judges what a new day can decide, once a day; everything after new rules or splits.
 * @returns the number of verdicts written
 */
export async function judgeDue(tx: Db, today: Day): Promise<number> {
  const rules = `rules ${JSON.stringify([RULE_VERSION, await loadActions(tx)])}`
  const day = `through ${isoDay(today)}`
  const judgedBy = await readFact(tx, JUDGED_BY)
  if (judgedBy === `${rules}, ${day}`) return 0
  let written = 0
  if (judgedBy?.startsWith(`${rules}, `)) {
    for (const asset of ASSET_KEYS) written += await judgeTouched(tx, asset, today, null)
  } else {
    written = await judgeAll(tx, today)
  }
  await recordFact(tx, JUDGED_BY, `${rules}, ${day}`)
  // Pages show the number of days left. With verdicts, the caller raises the version.
  if (written === 0) await recordChanged(tx)
  return written
}

/**
 * Judges what new bars can change.
 * @param bars their days; null for pending predictions only
 * @returns the number of verdicts written
 */
export async function judgeTouched(
  tx: Db,
  asset: AssetKey,
  today: Day,
  bars: { readonly from: Day; readonly to: Day } | null,
): Promise<number> {
  const { series, actions } = await readContext(tx, asset, today)
  const fresh = (await openStatements(tx, asset, bars?.from ?? null)).flatMap((row) => {
    const { id, mode, rule, decided } = row
    if (row.change === 'override') return []
    const stated = statedOf(row)
    const statement = statementOf(stated, splitFactor(asset, stated.made, actions))
    if (decided && !(bars && dependsOn(decided, statement, bars.from, bars.to))) return []
    const verdict = judge(series, statement, mode, today)
    if (rule !== null && decided === null && verdict.outcome === 'pending') return []
    if (decided && (isSame(decided, verdict) || isSettling(series, decided, verdict))) return []
    return [newVerdict(id, rule === null ? null : { rule, ...(decided ?? PENDING) }, verdict)]
  })
  await addVerdicts(tx, fresh)
  return fresh.length
}

const PENDING = { outcome: 'pending', day: null } as const

const OpenRow = StatedRow.extend({
  mode: z.enum(JUDGE_MODES),
  /** Null before the first verdict. */
  change: z.string().nullable(),
  rule: z.number().nullable(),
  /** Null while pending, as it is not needed then. */
  decided: Evidence.nullable(),
})

/**
 * Pending statements, and decided ones whose window ends on or after `from`, each with its verdict in force by each mode.
 * @param from null for pending ones only
 */
function openStatements(db: Db, asset: AssetKey, from: Day | null) {
  return readRows(db, OpenRow)`
    select ${STATED}, m.mode, v.change, v.rule, case when v.outcome <> 'pending' then v.evidence end as decided
    from predictions
    cross join (values ('touch'), ('close')) as m(mode)
    left join lateral (
      select outcome, change, rule, evidence from verdicts
      where prediction_id = predictions.id and mode = m.mode order by id desc limit 1
    ) v on true
    where asset = ${asset} and withdrawn_at is null and (frozen_at is null or v.outcome is null)
      and (v.outcome is null or v.outcome = 'pending' or ${
        from === null ? sql`false` : sql`(v.evidence->'window'->>'to')::int >= ${from}::int`
      })`
}

export async function readJudged(db: Db, asset: AssetKey, today: Day): Promise<JudgedRow[]> {
  const pages = judgedPages(db, await readContext(db, asset, today))
  return (await Array.fromAsync(pages)).flat()
}

/** A prediction judged by the rule alone, beside its recorded verdicts. */
export type JudgedOne = {
  readonly splitFactor: number
  readonly byRule: Readonly<Record<JudgeMode, Verdict>>
  /** Null where nothing is on record yet. */
  readonly inForce: Readonly<Record<JudgeMode, StoredVerdict | null>>
}

/** Judges one prediction, as stored or as after an edit, without writing. */
export async function judgeOne(db: Db, stored: StoredPrediction, today: Day): Promise<JudgedOne> {
  const { asset } = stored
  const { series, actions } = await readContext(db, asset, today)
  const factor = splitFactor(asset, stored.made, actions)
  const statement = statementOf(stored, factor)
  const known = await verdictsInForce(db, [stored.id])
  return {
    splitFactor: factor,
    byRule: byMode((mode) => judge(series, statement, mode, today)),
    inForce: byMode((mode) => known.find((one) => one.mode === mode) ?? null),
  }
}

type JudgingContext = {
  readonly asset: AssetKey
  readonly today: Day
  readonly series: Series
  readonly actions: readonly CorporateAction[]
  readonly corrected?: ReadonlySet<string>
}

type InForce = ReadonlyMap<string, StoredVerdict>

async function readContext(db: Db, asset: AssetKey, today: Day): Promise<JudgingContext> {
  const series = seriesOf(ASSETS[asset].calendar, await loadBars(db, asset))
  return { asset, today, series, actions: await loadActions(db) }
}

/** Predictions judged per batch, so that visitors of the same process wait for one batch only. */
const PAGE = 2_000

/** All predictions of an asset in the order of publication, judged in batches. */
async function* judgedPages(db: Db, context: JudgingContext): AsyncGenerator<JudgedRow[]> {
  const ids = await idsInOrder(db, context.asset)
  for (let i = 0; i < ids.length; i += PAGE) {
    const part = ids.slice(i, i + PAGE)
    const stored = await predictionsByIds(db, part)
    const known = await verdictsInForce(db, part)
    const inForce = new Map(known.map((one) => [`${one.mode} ${one.predictionId}`, one]))
    yield [...stored.values()].map((one) => judgeRow(context, inForce, one))
  }
}

function judgeRow(context: JudgingContext, inForce: InForce, stored: StoredPrediction): JudgedRow {
  const judged = byMode((mode) =>
    compare(context, inForce.get(`${mode} ${stored.id}`), stored, mode),
  )
  return {
    stored,
    verdicts: byMode((mode) => judged[mode].verdict),
    changes: JUDGE_MODES.flatMap((mode) => judged[mode].change ?? []),
  }
}

function compare(
  { asset, series, today, actions, corrected }: JudgingContext,
  before: StoredVerdict | undefined,
  stored: StoredPrediction,
  mode: JudgeMode,
): { verdict: Verdict; change: NewVerdict | null } {
  const factor = splitFactor(asset, stored.made, actions)
  // Frozen and withdrawn predictions keep their verdicts.
  const isPinned = stored.frozenAt !== null || stored.withdrawn !== null
  if (before && (isPinned || before.change === 'override')) {
    return { verdict: before.verdict, change: null }
  }
  const now = judge(series, statementOf(stored, factor), mode, today)
  if (!before) return { verdict: now, change: newVerdict(stored.id, null, now) }
  const { verdict } = before
  // Repeated corrections by venues are shown at once, but recorded only when the day ends.
  if (isSame(verdict, now) || isSettling(series, verdict, now))
    return { verdict: now, change: null }
  const write = corrected?.has(stored.id) ? restated : newVerdict
  return { verdict, change: write(stored.id, verdict, now) }
}

type Before = Pick<Verdict, 'outcome' | 'day' | 'rule'>

function newVerdict(predictionId: string, before: Before | null, now: Verdict): NewVerdict {
  return {
    predictionId,
    change: !before ? 'first' : before.rule === RULE_VERSION ? 'prices' : 'rules',
    verdict: now,
    event: eventText(before, now),
  }
}

/** A new verdict after a correction of the statement, with its history entry. */
export function restated(
  predictionId: string,
  before: Pick<Verdict, 'outcome' | 'day'> | null,
  now: Verdict,
): NewVerdict {
  const was = before ? `, before ${outcomeOn(before)}` : ''
  const event = `Judged again as corrected, by ${MODE_PRICES[now.mode]}: ${outcomeOn(now)}${was}.`
  return { predictionId, change: 'statement', verdict: now, event }
}

/** Evidence from a moving bar is recorded once, when the bar is final. */
function isSettling(series: Series, before: Verdict, now: Verdict): boolean {
  const { finalThrough } = series
  const isFinal = now.day === null || (finalThrough !== null && now.day <= finalThrough)
  const keys = ['rule', 'outcome', 'reason', 'day', 'level', 'window'] as const
  return !isFinal && keys.every((key) => isEqual(before[key], now[key]))
}

function eventText(before: Before | null, now: Verdict): string {
  const by = `by ${MODE_PRICES[now.mode]}`
  if (!before) return `First verdict ${by}: ${outcomeOn(now)}.`
  return before.outcome === now.outcome && before.day === now.day
    ? `Evidence ${by} brought up to date: ${outcomeOn(now)}.`
    : `Verdict ${by}: ${outcomeOn(now)}, before ${outcomeOn(before)}${rulesText(before, now)}.`
}

/** The new reason under another rule set: ` (rule set 2: …)`; empty under the same rules. */
function rulesText(before: Before, { reason }: Verdict): string {
  if (before.rule === RULE_VERSION) return ''
  const why: Partial<Record<VerdictReason, string>> = {
    'needs-range': 'the high or low of a day that came near is not known',
    'depends-on-day': 'the day it was said is not known',
    'closed-inside': 'the source is about the close',
    'closed-outside': 'the source is about the close',
    broken: 'the source is about the whole time',
    held: 'the source is about the whole time',
  }
  const known = why[reason]
  return ` (rule set ${String(RULE_VERSION)}${known === undefined ? '' : `: ${known}`})`
}

/** Limited for human readers. */
const MOST_LISTED = 200

/** Judges an asset with new daily ranges, without writing. */
export async function judgeRanges(db: Db, asset: AssetKey, today: Day, days: ReadonlySet<Day>) {
  const verdicts: NewVerdict[] = []
  const others: RangeEffect['changes'] = []
  const sooner: RangeEffect['changes'] = []
  let completed = 0
  for (const { stored, verdicts: inForce, changes: found } of await readJudged(db, asset, today)) {
    for (const one of found) {
      const { mode } = one.verdict
      const before = inForce[mode]
      if (one.change !== 'prices' || !isByRange(before, one.verdict, days)) {
        verdicts.push(one)
        continue
      }
      const event = one.event.replace(/\.$/, ' (daily range now known).')
      verdicts.push({ ...one, change: 'range', event })
      const isOther = before.outcome !== one.verdict.outcome
      if (!isOther && before.day === one.verdict.day) completed += 1
      else {
        ;(isOther ? others : sooner).push({
          id: stored.id,
          mode,
          before: outcomeOn(before),
          after: outcomeOn(one.verdict),
        })
      }
    }
  }
  // Changed outcomes come first.
  const changes = [...others, ...sooner]
  const effect = { changes: changes.slice(0, MOST_LISTED), changed: changes.length, completed }
  return { verdicts, effect }
}

/** Whether the range of one of these days makes the difference, as the same import may bring a deciding new day. */
function isByRange(before: Verdict, now: Verdict, days: ReadonlySet<Day>): boolean {
  const isOne = (day: Day | null | undefined): boolean => day != null && days.has(day)
  if (before.outcome !== now.outcome || before.day !== now.day) {
    return isOne(before.day) || isOne(now.day)
  }
  return [before, now].some(({ day, bar, nearest, unconfirmed, reference }) =>
    [day, bar?.day, nearest?.day, unconfirmed?.day, reference?.day].some(isOne),
  )
}
