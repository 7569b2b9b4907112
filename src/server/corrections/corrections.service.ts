// Over 400 lines: every way to correct a published prediction goes through one locked, audited write.
import { claimOfRow } from '#domain/claim/fields.ts'
import {
  type AdminPrediction,
  type dryRunEdit,
  type EditFields,
  type listPublished,
} from '#contracts/corrections.ts'
import { showClaim } from '#domain/claim/text.ts'
import {
  editSentence,
  PRIVATE_FIELDS,
  readEdit,
  reasonText,
  type FieldChange,
  type Published,
} from '#domain/correction.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { sentencesOf } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { failure } from '#server/kit/failure.ts'
import { isoOrNull } from '#server/kit/iso.ts'
import { type Admin, type Clock } from '#server/kit/ports.ts'
import { writeAudit, type AuditState } from '#server/kit/audit.ts'
import {
  changePrediction,
  columnsOf,
  listPublished as listRows,
  remarksOf,
  type PublishedFilter,
} from './corrections.store.ts'
import { PAGE_SIZE } from '#server/kit/paging.ts'
import { takeTurn, type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { influencerById } from '#server/people/people.rows.ts'
import { predictionById, type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import {
  addVerdicts,
  addEvents,
  historyOf,
  type NewVerdict,
} from '#server/judging/verdicts.rows.ts'
import { type z } from 'zod'
import { staleEdit } from '#server/operations/stale-edit.service.ts'
import {
  afterEdit,
  followOf,
  FROZEN,
  outcomesOf,
  setByHand,
  shownOf,
  warningsOf,
} from './verdicts-after.ts'
import { describe, isSame, judgedPrediction, judgeOne } from '#server/judging/judging.service.ts'
import { historyRows, predictionRow, verdictRows } from '#server/predictions/wire.ts'

export type Corrections = ReturnType<typeof correctionService>

type Modes = JudgeMode | 'both'
/** What every change brings: the state it was begun from, and why. */
type Asked = { readonly version: number; readonly reason: string }

const KIND = 'prediction'

/**
 * Corrects what is published. Each change is one transaction with the verdicts that follow from it, its public event and
 * its entry in the audit log; one begun from an older state is refused.
 */
export function correctionService({ db, clock }: { db: Db; clock: Clock }) {
  const today = (): Day => dayOfTime(clock.now())
  const now = (): string => new Date(clock.now()).toISOString()

  async function find(on: Db, id: string): Promise<StoredPrediction> {
    const stored = /^\P{Cc}+$/u.test(id) ? await predictionById(on, id) : null
    if (!stored) throw failure('not_found', 'There is no such prediction.')
    return stored
  }

  async function show(on: Db, id: string): Promise<AdminPrediction> {
    const stored = await find(on, id)
    const judged = await judgeOne(on, stored, today())
    const prediction = judgedPrediction(stored, judged.splitFactor, shownOf(judged))
    return {
      prediction: predictionRow(prediction),
      version: stored.version,
      remarks: await remarksOf(on, id),
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

  /** Runs a change of one prediction; what it writes is one write, and everybody hears of it. */
  function change(
    admin: Admin,
    id: string,
    asked: Asked,
    work: (tx: Db, stored: StoredPrediction) => Promise<Written>,
  ): Promise<AdminPrediction> {
    return db.transaction(async (tx) => {
      await takeTurn(tx)
      const stored = await find(tx, id)
      const { version } = asked
      if (stored.version !== version) throw await staleEdit(tx, { kind: KIND, id, version })
      const { action, before, after, set } = await work(tx, stored)
      if (!(await changePrediction(tx, id, version, set))) {
        throw await staleEdit(tx, { kind: KIND, id, version })
      }
      await writeAudit(tx, {
        at: now(),
        admin,
        action,
        subject: { kind: KIND, id },
        before: { ...before, version },
        after: { ...after, version: version + 1 },
        reason: asked.reason || null,
      })
      await sendSignal(tx, 'record')
      return show(tx, id)
    })
  }

  /** Reads an edit, with a change of the person among its changes. */
  async function read(on: Db, stored: StoredPrediction, given: EditFields) {
    const { influencer_id: influencerId, ...fields } = given
    const before = { ...stored, remarks: await remarksOf(on, stored.id) } satisfies Published
    const result = readEdit(before, fields, today())
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

  return {
    async list(filter: PublishedFilter): Promise<z.input<typeof listPublished.reply>> {
      const { total, rows } = await listRows(db, filter)
      return {
        total,
        page: filter.page,
        pages: Math.max(1, Math.ceil(total / PAGE_SIZE)),
        rows: rows.map((row) => ({
          id: row.id,
          asset_type: row.asset,
          expert_id: row.influencer_id,
          expert_name: row.name,
          prediction_type: row.type,
          price_prediction: showClaim(claimOfRow(row)),
          prediction_made: row.made,
          target_time: row.target_date,
          touch: row.touch,
          close: row.close,
          overridden: row.overridden,
          frozen: row.frozen,
          withdrawn: row.withdrawn,
          exclude_from_chart: row.exclude_from_chart,
          version: row.version,
        })),
      }
    },

    one: (id: string): Promise<AdminPrediction> => show(db, id),

    async dryRun(id: string, given: EditFields): Promise<z.input<typeof dryRunEdit.reply>> {
      const stored = await find(db, id)
      const result = await read(db, stored, given)
      if (!result.ok) return { ...NOTHING, fields: { ...result.faults } }
      const { edited, changes, isStatement } = result
      const judged = await judgeOne(db, stored, today())
      const then = await judgeOne(db, { ...stored, ...edited }, today())
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
    },

    edit(admin: Admin, id: string, given: EditFields & Asked): Promise<AdminPrediction> {
      const { version, reason, ...fields } = given
      return change(admin, id, { version, reason }, async (tx, stored) => {
        const result = await read(tx, stored, fields)
        if (!result.ok) {
          const first = Object.values(result.faults)[0] ?? 'Please check the form.'
          throw failure('invalid', first, result.faults)
        }
        const { edited, changes, isStatement, expert } = result
        if (changes.length === 0) throw failure('invalid', 'Nothing would change.')
        const isPublic = changes.some(({ field }) => !PRIVATE_FIELDS.has(field))
        if (isPublic) needReason(reason, 'Please say why: the reason stands in its public history.')
        if (isStatement && stored.frozenAt !== null) throw failure('conflict', FROZEN)
        const set = { ...columnsOf(edited), influencerId: expert.id }
        if (isPublic) {
          await addEvents(tx, [
            { predictionId: id, kind: 'edited', text: editSentence(changes, reason) },
          ])
        }
        if (isStatement) {
          const before = await judgeOne(tx, stored, today())
          const then = await judgeOne(tx, { ...stored, ...edited }, today())
          await addVerdicts(tx, afterEdit(id, before, then))
        }
        const field = (which: 'before' | 'after'): AuditState =>
          Object.fromEntries(changes.map((one) => [one.field, one[which]]))
        return {
          action: 'prediction edited',
          before: field('before'),
          after: field('after'),
          set,
        }
      })
    },

    withdraw: (admin: Admin, id: string, asked: Asked): Promise<AdminPrediction> =>
      change(admin, id, asked, async (tx, stored) => {
        needReason(asked.reason, 'Please say why: the reason stands on its page.')
        if (stored.withdrawn) throw failure('conflict', 'This prediction is withdrawn already.')
        const text = `Withdrawn from lists, charts and track records.${reasonText(asked.reason)}`
        await addEvents(tx, [{ predictionId: id, kind: 'withdrawn', text }])
        return {
          action: 'prediction withdrawn',
          before: { withdrawn: false },
          after: { withdrawn: true },
          set: { withdrawnAt: now(), withdrawnReason: asked.reason },
        }
      }),

    restore: (admin: Admin, id: string, asked: Asked): Promise<AdminPrediction> =>
      change(admin, id, asked, async (tx, stored) => {
        if (!stored.withdrawn) throw failure('conflict', 'This prediction is not withdrawn.')
        const text = `Back on lists, charts and track records.${reasonText(asked.reason)}`
        await addEvents(tx, [{ predictionId: id, kind: 'restored', text }])
        await catchUp(tx, { ...stored, withdrawn: null })
        return {
          action: 'prediction restored',
          before: { withdrawn: true },
          after: { withdrawn: false },
          set: { withdrawnAt: null, withdrawnReason: null },
        }
      }),

    freeze: (admin: Admin, id: string, asked: Asked): Promise<AdminPrediction> =>
      change(admin, id, asked, async (tx, stored) => {
        needReason(asked.reason, 'Please say why: the reason stands in its public history.')
        if (stored.frozenAt !== null)
          throw failure('conflict', 'This prediction is frozen already.')
        // What the prices say up to now still counts.
        await catchUp(tx, stored)
        const text = `Frozen: its verdicts stay as they are, whatever prices come.${reasonText(asked.reason)}`
        await addEvents(tx, [{ predictionId: id, kind: 'frozen', text }])
        return {
          action: 'prediction frozen',
          before: { frozen: false },
          after: { frozen: true },
          set: { frozenAt: now() },
        }
      }),

    thaw: (admin: Admin, id: string, asked: Asked): Promise<AdminPrediction> =>
      change(admin, id, asked, async (tx, stored) => {
        if (stored.frozenAt === null) throw failure('conflict', 'This prediction is not frozen.')
        const text = `No longer frozen: its verdicts follow the prices again.${reasonText(asked.reason)}`
        await addEvents(tx, [{ predictionId: id, kind: 'thawed', text }])
        await catchUp(tx, { ...stored, frozenAt: null })
        return {
          action: 'prediction thawed',
          before: { frozen: true },
          after: { frozen: false },
          set: { frozenAt: null },
        }
      }),

    override(
      admin: Admin,
      id: string,
      { mode, outcome, ...asked }: Asked & { mode: Modes; outcome: Outcome },
    ): Promise<AdminPrediction> {
      return change(admin, id, asked, async (tx, stored) => {
        needReason(asked.reason, 'Please say why: the reason stands in its public history.')
        if (stored.frozenAt !== null) throw failure('conflict', FROZEN)
        const judged = await judgeOne(tx, stored, today())
        const fresh = modesOf(mode).map((one): NewVerdict => {
          const verdict = setByHand(judged.byRule[one], outcome)
          const before = judged.inForce[one]?.verdict
          const was = before ? `, before ${describe(before)}` : ''
          return {
            predictionId: id,
            change: 'override',
            verdict,
            event: `Set by an administrator by ${one}: ${describe(verdict)}${was}.${reasonText(asked.reason)}`,
          }
        })
        await addVerdicts(tx, fresh)
        return {
          action: 'verdict overridden',
          before: outcomesOf(judged, fresh),
          after: Object.fromEntries(fresh.map(({ verdict }) => [verdict.mode, verdict.outcome])),
          set: {},
        }
      })
    },

    lift(admin: Admin, id: string, { mode, ...asked }: Asked & { mode: Modes }) {
      return change(admin, id, asked, async (tx, stored) => {
        needReason(asked.reason, 'Please say why: the reason stands in its public history.')
        if (stored.frozenAt !== null) throw failure('conflict', FROZEN)
        const judged = await judgeOne(tx, stored, today())
        const set = modesOf(mode).filter((one) => judged.inForce[one]?.change === 'override')
        if (set.length === 0) throw failure('conflict', 'No verdict of this is set by hand.')
        const fresh = set.map((one): NewVerdict => {
          const verdict = judged.byRule[one]
          return {
            predictionId: id,
            change: 'rules',
            verdict,
            event: `The rule decides again by ${one}: ${describe(verdict)}.${reasonText(asked.reason)}`,
          }
        })
        await addVerdicts(tx, fresh)
        return {
          action: 'override lifted',
          before: outcomesOf(judged, fresh),
          after: Object.fromEntries(fresh.map(({ verdict }) => [verdict.mode, verdict.outcome])),
          set: {},
        }
      })
    },
  }

  /** Writes what the rule says now where it differs, except where an administrator has decided. */
  async function catchUp(tx: Db, stored: StoredPrediction): Promise<void> {
    const judged = await judgeOne(tx, stored, today())
    const fresh = JUDGE_MODES.flatMap((mode): NewVerdict[] => {
      const [before, verdict] = [judged.inForce[mode], judged.byRule[mode]]
      if (before?.change === 'override') return []
      if (before && isSame(before.verdict, verdict)) return []
      const was = before ? `, before ${describe(before.verdict)}` : ''
      const event = `Verdict by ${mode}: ${describe(verdict)}${was}.`
      return [{ predictionId: stored.id, change: before ? 'prices' : 'first', verdict, event }]
    })
    await addVerdicts(tx, fresh)
  }
}

type Written = {
  readonly action: string
  readonly before: AuditState
  readonly after: AuditState
  readonly set: Parameters<typeof changePrediction>[3]
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

function needReason(reason: string, message: string): void {
  if (reason === '') throw failure('invalid', message, { reason: message })
}

function modesOf(mode: Modes): readonly JudgeMode[] {
  return mode === 'both' ? JUDGE_MODES : [mode]
}
