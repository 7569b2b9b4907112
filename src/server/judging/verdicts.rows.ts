import { and, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, dayFromNumber } from '#domain/day.ts'
import {
  JUDGE_MODES,
  type Verdict,
  OUTCOMES,
  VERDICT_DIRECTIONS,
  VERDICT_REASONS,
} from '#domain/judging/verdict.ts'
import {
  predictionEvents,
  verdicts,
  type PredictionEventKind,
  type VerdictChange,
} from '#server/database/schema/predictions.ts'
import { type Db, insertMany, readRows } from '#server/kit/db.ts'
import { iso } from '#server/kit/time.ts'

const day = z.int().transform(dayFromNumber)
const usd = z.number()
const moving = z.literal(true).exactOptional()
const point = z.object({ day, usd, moving }).nullable()

/** A verdict as stored in the evidence column, with days as numbers since 1970-01-01. */
export const Evidence: z.ZodType<Verdict> = z.object({
  outcome: z.enum(OUTCOMES),
  mode: z.enum(JUDGE_MODES),
  rule: z.int(),
  reason: z.enum(VERDICT_REASONS),
  day: day.nullable(),
  level: z.object({ min: usd, max: usd }),
  direction: z.enum(VERDICT_DIRECTIONS),
  reference: point,
  window: z.object({ from: day, to: day }),
  possibleDays: z
    .array(z.object({ day, outcome: z.enum(OUTCOMES), direction: z.enum(VERDICT_DIRECTIONS) }))
    .exactOptional(),
  bar: z
    .object({
      day,
      open: usd.nullable(),
      high: usd.nullable(),
      low: usd.nullable(),
      close: usd,
      source: z.string(),
      moving,
    })
    .nullable(),
  nearest: point,
  unconfirmed: point,
  closeOnly: z.boolean(),
  /** Missing in older rows. */
  someClosesOnly: z.boolean().default(false),
})

const change = z.enum(['first', 'prices', 'range', 'rules', 'statement', 'override', 'lift'])

export type StoredVerdict = z.infer<typeof InForce>

/** A verdict to add, with the sentence of its event. */
export type NewVerdict = {
  readonly predictionId: string
  readonly change: VerdictChange
  readonly verdict: Verdict
  readonly event: string
}

const InForce = z.object({
  /** Ids increase over time across processes, as writers are serialized. */
  id: z.coerce.number(),
  predictionId: z.string(),
  mode: z.enum(JUDGE_MODES),
  change,
  verdict: Evidence,
})

/** The newest verdict of each prediction and mode. */
export function verdictsInForce(db: Db, predictionIds: readonly string[]) {
  return readRows(db, InForce)`
    select distinct on (v.prediction_id, v.mode) v.id, v.prediction_id as "predictionId", v.mode, v.change,
      v.evidence as verdict
    from verdicts v
    where v.prediction_id = any(${sql.param(predictionIds)}::text[])
    order by v.prediction_id, v.mode, v.id desc`
}

/** Adds verdicts with their events. @param tx must end with `recordChanged` */
export async function addVerdicts(tx: Db, verdictsAdded: readonly NewVerdict[]): Promise<void> {
  const added = await insertMany(
    tx,
    verdicts,
    verdictsAdded.map(({ predictionId, change, verdict }) => ({
      predictionId,
      mode: verdict.mode,
      outcome: verdict.outcome,
      reason: verdict.reason,
      day: verdict.day === null ? null : isoDay(verdict.day),
      rule: verdict.rule,
      evidence: verdict,
      change,
    })),
    sql`returning id`,
  )
  const ids = Added.parse(added)
  const numbers = sql.param(ids.map(({ id }) => id))
  for (const mode of JUDGE_MODES) {
    const column = (name: string): SQL => sql.raw(`${mode}_${name}`)
    await tx.execute(sql`
      update predictions set ${column('verdict')} = v.id, ${column('outcome')} = v.outcome,
        ${column('reason')} = v.reason, ${column('day')} = v.day
      from verdicts v
      where v.id = any(${numbers}::bigint[]) and v.mode = ${mode} and predictions.id = v.prediction_id`)
  }
  await addEvents(
    tx,
    verdictsAdded.map(({ predictionId, change, event }, n) => ({
      predictionId,
      kind: EVENT_OF[change],
      text: event,
      verdictId: ids[n]?.id ?? null,
    })),
  )
}

const Added = z.array(z.object({ id: z.coerce.number() }))

export async function addEvents(
  tx: Db,
  events: readonly Pick<
    typeof predictionEvents.$inferInsert,
    'predictionId' | 'kind' | 'text' | 'verdictId'
  >[],
): Promise<void> {
  await insertMany(tx, predictionEvents, events)
}

const Decided = z.object({ change, outcome: z.enum(OUTCOMES), day: z.string().nullable() })
const OfRecord = z.object({
  event: z.coerce.number(),
  predictionId: z.string(),
  at: z.string().transform(iso),
  text: z.string(),
  verdict: Decided.extend({ mode: z.enum(JUDGE_MODES), before: Decided.nullable() }).nullable(),
})

export type RecordEvent<Kind extends PredictionEventKind = PredictionEventKind> = z.output<
  typeof OfRecord
> & { readonly kind: Kind }

/** Events of these kinds, optionally limited to these ids, oldest first. */
export async function eventsOf<Kind extends PredictionEventKind>(
  db: Db,
  kinds: readonly Kind[],
  some: { readonly after: number; readonly through: number } | readonly number[] | null = null,
): Promise<RecordEvent<Kind>[]> {
  const isIn = (ids: readonly number[]) => sql`e.id = any(${sql.param([...ids])}::bigint[])`
  const isAmong =
    some && 'after' in some
      ? sql`e.id > ${some.after} and e.id <= ${some.through}`
      : some && isIn(some)
  return readRows(db, OfRecord.extend({ kind: z.custom<Kind>() }))`
    select e.id as event, e.prediction_id as "predictionId", e.at, e.kind, e.text,
      case when v.id is not null then json_build_object(
        'mode', v.mode, 'change', v.change, 'outcome', v.outcome, 'day', v.day, 'before', was.verdict) end as verdict
    from prediction_events e
    left join verdicts v on v.id = e.verdict_id
    left join lateral (
      select json_build_object('change', change, 'outcome', outcome, 'day', day) as verdict from verdicts
      where prediction_id = v.prediction_id and mode = v.mode and id < v.id order by id desc limit 1
    ) was on true
    where e.kind = any(${sql.param([...kinds])}::text[]) and ${isAmong ?? sql`true`} order by e.id`
}

const OfPrediction = z.object({
  at: z.string().transform(iso),
  kind: z.custom<PredictionEventKind>(),
  text: z.string(),
  verdict: Evidence.nullable(),
})

export function historyOf(db: Db, predictionId: string) {
  return readRows(db, OfPrediction)`
    select e.at, e.kind, e.text, v.evidence as verdict
    from prediction_events e left join verdicts v on v.id = e.verdict_id
    where e.prediction_id = ${predictionId} order by e.id`
}

const EVENT_OF: Readonly<Record<VerdictChange, PredictionEventKind>> = {
  first: 'judged',
  prices: 'changed',
  range: 'changed',
  rules: 'changed',
  statement: 'changed',
  override: 'overridden',
  lift: 'changed',
}

/** Whether the outcome differs from the previous row; the same outcome with better evidence is not news. */
export function isOtherOutcome(): SQL {
  return sql`${verdicts.outcome} is distinct from (
    select v.outcome from verdicts v
    where v.prediction_id = ${verdicts.predictionId} and v.mode = ${verdicts.mode} and v.id < ${verdicts.id}
    order by v.id desc limit 1)`
}

const Recent = z.object({
  event: z.coerce.number(),
  id: z.string(),
  at: z.string(),
  verdict: Evidence.nullable(),
})

/** Latest publications and outcome changes, newest first, without changes by new ranges or rules. */
export function recentEvents(
  db: Db,
  most: number,
  of: {
    readonly asset?: AssetKey
    readonly expertId?: number
    /** ISO moment. */
    readonly since?: string
    readonly kind?: 'published' | 'decided'
  } = {},
) {
  const published = sql`e.kind = 'published'`
  const decided = sql`e.kind <> 'judged' and verdicts.change not in ('range', 'rules')
    and (verdicts.change <> 'prices' or ${isOtherOutcome()})
    and verdicts.mode = 'touch' and verdicts.outcome <> 'pending'`
  const where = and(
    of.kind ? { published, decided }[of.kind] : sql`(${published} or ${decided})`,
    of.asset && sql`p.asset = ${of.asset}`,
    of.since === undefined ? undefined : sql`e.at >= ${of.since}`,
    of.expertId === undefined ? undefined : sql`p.influencer_id = ${of.expertId}`,
  )
  return readRows(db, Recent)`
    select e.id as event, e.prediction_id as id, e.at, verdicts.evidence as verdict
    from prediction_events e join predictions p on p.id = e.prediction_id
    left join verdicts on verdicts.id = case e.kind
      when 'published' then (
        select min(v.id) from verdicts v where v.prediction_id = e.prediction_id and v.mode = 'touch')
      else e.verdict_id end
    where ${where} order by e.at desc, p.made desc, e.id desc limit ${most}`
}
