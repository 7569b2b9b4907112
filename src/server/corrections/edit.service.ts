import {
  type CorrectionKit,
  type Asked,
  findPublished,
  changePublished,
  needReason,
  afterEdit,
  followOf,
  FROZEN,
  shownOf,
  warningsOf,
} from './change-published.service.ts'
import { today } from '#server/kit/now.ts'
import { type AdminPrediction, type dryRunEdit, type EditFields } from '#contracts/corrections.ts'
import { showClaim } from '#domain/claim/text.ts'
import {
  editSentence,
  PRIVATE_FIELDS,
  readEdit,
  type FieldChange,
  type Published,
} from '#domain/correction.ts'
import { sentencesOf } from '#domain/judging/verdict-text.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type AuditState } from '#server/kit/audit.ts'
import { columnsOf, remarksOf } from './corrections.store.ts'
import { type Db } from '#server/kit/db.ts'
import { influencerById } from '#server/people/people.rows.ts'
import { type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { addVerdicts, addEvents } from '#server/judging/verdicts.rows.ts'
import { type z } from 'zod'
import { judgedPrediction, judgeOne } from '#server/judging/judging.service.ts'
import { verdictRows } from '#server/predictions/wire.ts'

async function readChange(kit: CorrectionKit, on: Db, stored: StoredPrediction, given: EditFields) {
  const { influencer_id: influencerId, ...fields } = given
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

const NOTHING = {
  changes: [],
  rejudged: false,
  price_prediction: null,
  before: null,
  after: null,
  sentences: null,
  warnings: [],
}

export async function previewEdit(
  kit: CorrectionKit,
  id: string,
  given: EditFields,
): Promise<z.input<typeof dryRunEdit.reply>> {
  const { db } = kit
  const stored = await findPublished(db, id)
  const result = await readChange(kit, db, stored, given)
  if (!result.ok) return { ...NOTHING, fields: { ...result.faults } }
  const { edited, changes, isStatement } = result
  const judged = await judgeOne(db, stored, today(kit))
  const then = await judgeOne(db, { ...stored, ...edited }, today(kit))
  const before = shownOf(judged)
  const after = isStatement ? followOf(judged, then) : before
  const { sentences } = sentencesOf(
    judgedPrediction({ ...stored, ...edited }, then.splitFactor, after),
  )
  return {
    fields: {},
    changes: [...changes],
    rejudged: isStatement,
    price_prediction: showClaim(edited.said),
    before: verdictRows(before),
    after: verdictRows(after),
    sentences,
    warnings: warningsOf(stored, judged, after, isStatement),
  }
}

export function editPrediction(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  given: EditFields & Asked,
): Promise<AdminPrediction> {
  const { version, reason, reports, ...fields } = given
  return changePublished(kit, admin, id, { version, reason, reports }, async (tx, stored) => {
    const result = await readChange(kit, tx, stored, fields)
    if (!result.ok) {
      const first = Object.values(result.faults)[0] ?? 'Please check the form.'
      throw failure('invalid', first, result.faults)
    }
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
