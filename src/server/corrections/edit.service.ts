import { type AdminPrediction, type EditFields } from '#contracts/corrections.ts'
import {
  editSentence,
  PRIVATE_FIELDS,
  readEdit,
  type FieldChange,
  type Published,
  reasonText,
} from '#domain/correction.ts'
import { setByHand } from '#domain/judging/same-verdict.ts'
import { outcomeOn } from '#domain/judging/verdict-text.ts'
import {
  JUDGE_MODES,
  type JudgeMode,
  type Outcome,
  type Verdict,
  MODE_PRICES,
} from '#domain/judging/verdict.ts'
import { judgedPrediction, judgeOne, type JudgedOne } from '#server/judging/judging.service.ts'
import { addVerdicts, addEvents, type NewVerdict } from '#server/judging/verdicts.rows.ts'
import { type Admin, type AuditState } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { today, isoNow } from '#server/kit/time.ts'
import { influencerById } from '#server/people/people.rows.ts'
import { type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { predictionRow } from '#server/predictions/wire.ts'
import {
  type CorrectionKit,
  type ChangeRequest,
  findPublished,
  changePublished,
  needReason,
  afterEdit,
  followOf,
  FROZEN,
  verdictsOf,
  warningsOf,
  catchUp,
  columnsOf,
  remarksOf,
} from './change-published.service.ts'

async function readChange(kit: CorrectionKit, on: Db, stored: StoredPrediction, edit: EditFields) {
  const { influencer_id: influencerId, ...fields } = edit
  const before = { ...stored, remarks: await remarksOf(on, stored.id) } satisfies Published
  const { handle } = stored.expert
  const result = readEdit(before, fields, { today: today(kit), handle })
  if (!result.ok) return result
  if (influencerId === undefined || influencerId === stored.expert.id) {
    return { ...result, expert: stored.expert }
  }
  const other = await influencerById(on, influencerId)
  if (!other || other.mergedInto !== null) {
    const message = 'There is no such person or firm (any more).'
    return { ok: false as const, faults: { influencer_id: message } }
  }
  const person: FieldChange = {
    field: 'influencer_id',
    label: 'who said it',
    before: stored.expert.name,
    after: other.name,
  }
  return { ...result, changes: [person, ...result.changes], expert: other }
}

export async function previewEdit(kit: CorrectionKit, id: string, edit: EditFields) {
  const { db } = kit
  const stored = await findPublished(db, id)
  const result = await readChange(kit, db, stored, edit)
  if (!result.ok) {
    return { fields: { ...result.faults }, changes: [], prediction: null, warnings: [] }
  }
  const { edited, changes, isStatement } = result
  const judged = await judgeOne(db, stored, today(kit))
  const corrected = { ...stored, ...edited }
  const then = await judgeOne(db, corrected, today(kit))
  const after = isStatement ? followOf(judged, then) : verdictsOf(judged)
  return {
    fields: {},
    changes: [...changes],
    prediction: isStatement
      ? predictionRow(judgedPrediction(corrected, then.splitFactor, after))
      : null,
    warnings: warningsOf(stored, judged, after, isStatement),
  }
}

export function editPrediction(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  edit: EditFields & ChangeRequest,
): Promise<AdminPrediction> {
  const { version, reason, reports, ...fields } = edit
  return changePublished(kit, admin, id, { version, reason, reports }, async (tx, stored) => {
    const result = await readChange(kit, tx, stored, fields)
    if (!result.ok) throw invalid(result.faults)
    const { edited, changes, isStatement, expert } = result
    if (changes.length === 0) throw failure('invalid', 'Nothing would change.')
    const isPublic = changes.some(({ field }) => !PRIVATE_FIELDS.has(field))
    if (isPublic) needReason(reason, 'Please say why: the reason is shown in its public history.')
    if (isStatement && stored.frozenAt !== null) throw failure('conflict', FROZEN)
    const set = { ...columnsOf(edited), influencerId: expert.id }
    if (isPublic) {
      await addEvents(tx, [
        { predictionId: id, kind: 'edited', text: editSentence(changes, reason) },
      ])
    }
    if (isStatement) {
      const before = await judgeOne(tx, stored, today(kit))
      const then = await judgeOne(tx, { ...stored, ...edited }, today(kit))
      await addVerdicts(tx, afterEdit(id, before, then))
    }
    const field = (which: 'before' | 'after'): AuditState =>
      Object.fromEntries(changes.map((one) => [one.field, one[which]]))
    return {
      action: 'prediction edited',
      before: field('before'),
      after: field('after'),
      set,
      sources: edited.sources,
    }
  })
}

/** Reversible states of a prediction; ending one needs no reason. */
const CHANGES = {
  frozen: {
    state: 'frozen',
    reasonNeeded: 'Please say why: the reason is shown in its public history.',
    refusal: 'This prediction is already frozen.',
    text: 'Frozen: its verdicts stay as they are, whatever prices come.',
  },
  thawed: {
    state: 'frozen',
    reasonNeeded: null,
    refusal: 'This prediction is not frozen.',
    text: 'No longer frozen: its verdicts follow the prices again.',
  },
  withdrawn: {
    state: 'withdrawn',
    reasonNeeded: 'Please say why: the reason is shown on its page.',
    refusal: 'This prediction is already withdrawn.',
    text: 'Withdrawn from lists, charts and track records.',
  },
  restored: {
    state: 'withdrawn',
    reasonNeeded: null,
    refusal: 'This prediction is not withdrawn.',
    text: 'Back on lists, charts and track records.',
  },
} as const

/**
 * Freezes or withdraws a prediction, or reverses it; verdicts then catch up with prices.
 * @throws AppError `conflict` if it already is in that state
 */
export function changeState(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  request: ChangeRequest,
  kind: keyof typeof CHANGES,
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, request, async (tx, stored) => {
    const { state, reasonNeeded, refusal, text } = CHANGES[kind]
    const isOn = state === kind
    if (reasonNeeded !== null) needReason(request.reason, reasonNeeded)
    const wasOn = (state === 'frozen' ? stored.frozenAt : stored.withdrawn) !== null
    if (wasOn === isOn) throw failure('conflict', refusal)
    // Prices up to now still count.
    if (kind === 'frozen') await catchUp(kit, tx, stored)
    await addEvents(tx, [{ predictionId: id, kind, text: `${text}${reasonText(request.reason)}` }])
    if (kind === 'thawed') await catchUp(kit, tx, { ...stored, frozenAt: null })
    if (kind === 'restored') await catchUp(kit, tx, { ...stored, withdrawn: null })
    const at = isOn ? isoNow(kit) : null
    return {
      action: `prediction ${kind}`,
      before: { [state]: wasOn },
      after: { [state]: isOn },
      set:
        state === 'frozen'
          ? { frozenAt: at }
          : { withdrawnAt: at, withdrawnReason: isOn ? request.reason : null },
    }
  })
}

type ModesRequest = ChangeRequest & { readonly mode: JudgeMode | 'both' }
type Decision = Pick<NewVerdict, 'verdict' | 'event'>

/** Overrides verdicts, or returns them to the rule, for each requested mode. @throws AppError `conflict` while frozen */
function decide(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  { mode, ...request }: ModesRequest,
  change: 'override' | 'lift',
  decision: (judged: JudgedOne, mode: JudgeMode) => Decision | null,
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, request, async (tx, stored) => {
    needReason(request.reason, 'Please say why: the reason is shown in its public history.')
    if (stored.frozenAt !== null) throw failure('conflict', FROZEN)
    const judged = await judgeOne(tx, stored, today(kit))
    const fresh = (mode === 'both' ? JUDGE_MODES : [mode]).flatMap((one): NewVerdict[] => {
      const decided = decision(judged, one)
      if (!decided) return []
      const event = `${decided.event}.${reasonText(request.reason)}`
      return [{ predictionId: id, change, verdict: decided.verdict, event }]
    })
    if (fresh.length === 0) throw failure('conflict', 'None of its verdicts was set by hand.')
    await addVerdicts(tx, fresh)
    const outcomes = (of: (verdict: Verdict) => Outcome | null): AuditState =>
      Object.fromEntries(fresh.map(({ verdict }) => [verdict.mode, of(verdict)]))
    return {
      action: change === 'override' ? 'verdict overridden' : 'override lifted',
      before: outcomes((verdict) => judged.inForce[verdict.mode]?.verdict.outcome ?? null),
      after: outcomes((verdict) => verdict.outcome),
      set: {},
    }
  })
}

export function override(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  { outcome, ...request }: ModesRequest & { readonly outcome: Outcome },
): Promise<AdminPrediction> {
  return decide(kit, admin, id, request, 'override', (judged, mode) => {
    const verdict = setByHand(judged.byRule[mode], outcome)
    const before = judged.inForce[mode]?.verdict
    const was = before ? `, before ${outcomeOn(before)}` : ''
    return {
      verdict,
      event: `Set by an administrator, by ${MODE_PRICES[mode]}: ${outcomeOn(verdict)}${was}`,
    }
  })
}

export function lift(kit: CorrectionKit, admin: Admin, id: string, request: ModesRequest) {
  return decide(kit, admin, id, request, 'lift', (judged, mode) => {
    const verdict = judged.byRule[mode]
    const event = `The rule decides again, by ${MODE_PRICES[mode]}: ${outcomeOn(verdict)}`
    return judged.inForce[mode]?.change === 'override' ? { verdict, event } : null
  })
}
