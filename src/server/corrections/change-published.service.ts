import { type AdminPrediction } from '#contracts/corrections.ts'
import { claimOfColumns } from '#domain/claim/fields.ts'
import { type Source } from '#domain/claim/source.ts'
import { claimText } from '#domain/claim/text.ts'
import { isSame, setByHand } from '#domain/judging/same-verdict.ts'
import { outcomeOn, sentencesOf } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, type JudgeMode, type Verdict, MODE_PRICES } from '#domain/judging/verdict.ts'
import {
  byMode,
  judgedPrediction,
  judgeOne,
  restated,
  type JudgedOne,
} from '#server/judging/judging.service.ts'
import { addVerdicts, historyOf, type NewVerdict } from '#server/judging/verdicts.rows.ts'
import { type Admin, writeAudit, type AuditEntry } from '#server/kit/admin.ts'
import { acquireLock, type Db, paged } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoNow, today, isoOrNull } from '#server/kit/time.ts'
import { staleEdit } from '#server/operations/audit-log.service.ts'
import { predictionById, type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { historyRows, predictionRow, verdictRows } from '#server/predictions/wire.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { acceptByChange, lastEventOf } from '#server/reports/reports.rows.ts'
import { replaceSources } from '#server/sources/sources.rows.ts'
import * as store from './corrections.store.ts'

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
    remarks: await store.remarksOf(on, id),
    frozen_at: isoOrNull(stored.frozenAt),
    withdrawn_at: isoOrNull(stored.withdrawn?.at ?? null),
    withdrawn_reason: stored.withdrawn?.reason ?? null,
    overridden: {
      touch: judged.inForce.touch?.change === 'override',
      close: judged.inForce.close?.change === 'override',
    },
    by_rule: verdictRows(judged.byRule),
    ...sentencesOf(prediction),
    history: historyRows(await historyOf(on, id)),
  }
}

type Written = Pick<AuditEntry, 'action' | 'before' | 'after'> & {
  readonly set: Parameters<typeof store.changePrediction>[3]
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
    if (!(await store.changePrediction(tx, id, version, set))) {
      throw await staleEdit(tx, { kind: KIND, id, version })
    }
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

export async function publishedPage(kit: CorrectionKit, filter: store.PublishedFilter) {
  const { db } = kit
  const { total, rows } = await store.listPublished(db, filter)
  return {
    ...paged(total, filter.page),
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
