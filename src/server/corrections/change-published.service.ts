import { and, asc, count, desc, eq, sql, type SQL } from 'drizzle-orm'
import { type z } from 'zod'
import {
  type AdminPrediction,
  type listPublished,
  type PREDICTION_STATES,
} from '#contracts/corrections.ts'
import { claimOfColumns } from '#domain/claim/fields.ts'
import { type Source } from '#domain/claim/source.ts'
import { claimText } from '#domain/claim/text.ts'
import { type Published } from '#domain/correction.ts'
import { isSame, setByHand } from '#domain/judging/same-verdict.ts'
import { outcomeOn, sentencesOf } from '#domain/judging/verdict-text.ts'
import {
  JUDGE_MODES,
  byMode,
  type JudgeMode,
  type Outcome,
  type Verdict,
  MODE_PRICES,
} from '#domain/judging/verdict.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import {
  judgedPrediction,
  judgeOne,
  restated,
  type JudgedOne,
} from '#server/judging/judging.service.ts'
import { addVerdicts, historyOf, type NewVerdict } from '#server/judging/verdicts.rows.ts'
import { type Admin, writeAudit, type AuditEntry } from '#server/kit/admin.ts'
import { acquireLock, type Db, PAGE_SIZE, paged, wordsOf } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoNow, today, isoOrNull } from '#server/kit/time.ts'
import { staleEdit } from '#server/operations/audit-log.service.ts'
import {
  predictionById,
  recordedColumns,
  type StoredPrediction,
} from '#server/predictions/predictions.rows.ts'
import { historyRows, predictionRow, verdictRows } from '#server/predictions/wire.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { acceptByChange, lastEventOf } from '#server/reports/reports.rows.ts'
import { replaceSources } from '#server/sources/sources.rows.ts'

/**
 * Each change is one transaction with its verdicts, public event and audit entry; edits of an outdated version are refused.
 */
export type CorrectionKit = Pick<Kit, 'db' | 'clock'>

export type ChangeRequest = {
  readonly version: number
  readonly reason: string
  /** Open reports accepted by the change. */
  readonly reports?: readonly number[] | undefined
}

const KIND = 'prediction'

export async function findPublished(on: Db, id: string): Promise<StoredPrediction> {
  const stored = /^\P{Cc}+$/u.test(id) ? await predictionById(on, id) : null
  if (!stored) throw failure('not_found', 'There is no such prediction.')
  return stored
}

export async function detailOf(kit: CorrectionKit, on: Db, id: string): Promise<AdminPrediction> {
  const stored = await findPublished(on, id)
  const judged = await judgeOne(on, stored, today(kit))
  const prediction = judgedPrediction(stored, judged.splitFactor, verdictsOf(judged))
  return {
    prediction: predictionRow(prediction),
    version: stored.version,
    remarks: await remarksOf(on, id),
    frozen_at: isoOrNull(stored.frozenAt),
    withdrawn_at: isoOrNull(stored.withdrawn?.at ?? null),
    withdrawn_reason: stored.withdrawn?.reason ?? null,
    overridden: byMode((mode) => judged.inForce[mode]?.change === 'override'),
    by_rule: verdictRows(judged.byRule),
    ...sentencesOf(prediction),
    history: historyRows(await historyOf(on, id)),
  }
}

type Written = Pick<AuditEntry, 'action' | 'before' | 'after'> & {
  readonly set: Partial<typeof predictions.$inferInsert>
  readonly sources?: readonly Source[]
}

/** Changes one prediction as one write of the record, and notifies open pages. */
export function changePublished(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  request: ChangeRequest,
  work: (tx: Db, stored: StoredPrediction) => Promise<Written>,
): Promise<AdminPrediction> {
  const { db } = kit
  return db.transaction(async (tx) => {
    await acquireLock(tx)
    const stored = await findPublished(tx, id)
    const { version } = request
    if (stored.version !== version) throw await staleEdit(tx, { kind: KIND, id, version })
    const lastEvent = await lastEventOf(tx, id)
    const { action, before, after, set, sources } = await work(tx, stored)
    const next = { ...set, version: version + 1 }
    await tx.update(predictions).set(next).where(eq(predictions.id, id))
    if (sources) await replaceSources(tx, [{ predictionId: id, list: sources }])
    await writeAudit(tx, {
      at: isoNow(kit),
      admin,
      action,
      subject: { kind: KIND, id },
      before: { ...before, version },
      after: { ...after, version: version + 1 },
      reason: request.reason || null,
    })
    const { reports: numbers = [] } = request
    await acceptByChange(tx, { numbers, predictionId: id, at: isoNow(kit), admin }, lastEvent)
    await recordChanged(tx)
    return detailOf(kit, tx, id)
  })
}

export function needReason(reason: string, message: string): void {
  if (reason === '') throw invalid({ reason: message })
}

/** Records the rule's current verdicts where they differ, except overridden ones. */
export async function catchUp(kit: CorrectionKit, tx: Db, stored: StoredPrediction): Promise<void> {
  const judged = await judgeOne(tx, stored, today(kit))
  const fresh = JUDGE_MODES.flatMap((mode): NewVerdict[] => {
    const [before, verdict] = [judged.inForce[mode], judged.byRule[mode]]
    if (before?.change === 'override') return []
    if (before && isSame(before.verdict, verdict)) return []
    const was = before ? `, before ${outcomeOn(before.verdict)}` : ''
    const event = `Verdict by ${MODE_PRICES[mode]}: ${outcomeOn(verdict)}${was}.`
    return [{ predictionId: stored.id, change: before ? 'prices' : 'first', verdict, event }]
  })
  await addVerdicts(tx, fresh)
}

const outcomeBy = (mode: JudgeMode) =>
  sql<Outcome | null>`case when ${sql.raw(`${mode}_verdict`)} is not null then ${sql.raw(`${mode}_outcome`)} end`
const IS_OVERRIDDEN = sql<boolean>`('overridden' in (touch_reason, close_reason)) is true`
const IS_IN: Readonly<Record<Exclude<(typeof PREDICTION_STATES)[number], 'all'>, SQL>> = {
  live: sql`withdrawn_at is null`,
  withdrawn: sql`withdrawn_at is not null`,
  frozen: sql`frozen_at is not null`,
  overridden: IS_OVERRIDDEN,
  'off-chart': sql`exclude_from_chart`,
}

/** One page of published predictions, newest first, including withdrawn ones. */
export async function publishedPage(
  { db }: CorrectionKit,
  { asset, state, q, page }: z.output<NonNullable<typeof listPublished.query>>,
): Promise<z.input<typeof listPublished.reply>> {
  const { type, priceTarget, priceMin, priceMax, timing, direction } = predictions
  const where = and(
    asset === 'all' ? undefined : eq(predictions.asset, asset),
    state === 'all' ? undefined : IS_IN[state],
    ...wordsOf(q).map(
      (word) =>
        sql`(influencers.name || ' ' || predictions.id || ' ' || summary || ' ' || coalesce((
          select string_agg(s.url, ' ') from sources s where s.prediction_id = predictions.id), '')) ilike ${word}`,
    ),
  )
  const isOf = eq(influencers.id, predictions.influencerId)
  const [counted] = await db
    .select({ total: count() })
    .from(predictions)
    .innerJoin(influencers, isOf)
    .where(where)
  const rows = await db
    .select({
      id: predictions.id,
      asset_type: predictions.asset,
      expert_name: influencers.name,
      stated: { type, priceTarget, priceMin, priceMax, timing, direction },
      prediction_made: predictions.made,
      target_time: predictions.targetDate,
      ...byMode(outcomeBy),
      overridden: IS_OVERRIDDEN,
      frozen: sql<boolean>`frozen_at is not null`,
      withdrawn: sql<boolean>`withdrawn_at is not null`,
      exclude_from_chart: predictions.excludeFromChart,
    })
    .from(predictions)
    .innerJoin(influencers, isOf)
    .where(where)
    .orderBy(desc(predictions.made), asc(predictions.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
  return {
    ...paged(counted?.total ?? 0, page),
    rows: rows.map(({ stated: claim, ...row }) => ({
      ...row,
      price_prediction: claimText(claimOfColumns(claim)),
    })),
  }
}

export const FROZEN =
  'This prediction is frozen: its verdicts stay as they are. Unfreeze it first, then change it.'

/** Verdicts as shown: recorded ones, or the rule's result before the first. */
export function verdictsOf({ inForce, byRule }: JudgedOne): Record<JudgeMode, Verdict> {
  return byMode((mode) => {
    const current = inForce[mode]
    // The nearest price is recomputed while a verdict is pending, and never recorded.
    if (!current || (current.change !== 'override' && isSame(current.verdict, byRule[mode]))) {
      return byRule[mode]
    }
    return current.verdict
  })
}

/** Verdicts after an edit: an override carries over to the new level. */
export function followOf(before: JudgedOne, then: JudgedOne): Record<JudgeMode, Verdict> {
  return byMode((mode) => {
    const current = before.inForce[mode]
    return current?.change === 'override'
      ? setByHand(then.byRule[mode], current.verdict.outcome)
      : then.byRule[mode]
  })
}

export function afterEdit(predictionId: string, before: JudgedOne, then: JudgedOne): NewVerdict[] {
  const follow = followOf(before, then)
  return JUDGE_MODES.flatMap((mode): NewVerdict[] => {
    const [current, verdict] = [before.inForce[mode], follow[mode]]
    if (current?.change === 'override') {
      const event = `Still set by an administrator, by ${MODE_PRICES[mode]}: ${outcomeOn(verdict)}.`
      return [{ predictionId, change: 'override', verdict, event }]
    }
    if (current && isSame(current.verdict, verdict)) return []
    return [restated(predictionId, current?.verdict ?? null, verdict)]
  })
}

export function warningsOf(
  stored: StoredPrediction,
  judged: JudgedOne,
  after: Record<JudgeMode, Verdict>,
  isStatement: boolean,
): string[] {
  const warnings: string[] = []
  const set = JUDGE_MODES.filter((mode) => judged.inForce[mode]?.change === 'override')
  if (isStatement && stored.frozenAt !== null) warnings.push(FROZEN)
  if (isStatement && set.length > 0) {
    warnings.push(
      `The verdict by ${set.map((mode) => MODE_PRICES[mode]).join(' and by ')} is set by hand and stays that way.`,
    )
  }
  if (after.touch.outcome === 'void') {
    warnings.push(
      'By intraday prices this would be void: the price was already there when it was said.',
    )
  }
  if (stored.withdrawn) warnings.push('This prediction is withdrawn; only its page shows it.')
  return warnings
}

export async function remarksOf(db: Db, id: string): Promise<string | null> {
  const [row] = await db
    .select({ remarks: predictions.remarks })
    .from(predictions)
    .where(eq(predictions.id, id))
  return row?.remarks ?? null
}

/** Columns set by an edit; sources are separate rows. */
export function columnsOf(prediction: Published): Partial<typeof predictions.$inferInsert> {
  return {
    ...recordedColumns(prediction),
    remarks: prediction.remarks,
    chartValue: prediction.chartValue,
    excludeFromChart: prediction.excludeFromChart,
  }
}
