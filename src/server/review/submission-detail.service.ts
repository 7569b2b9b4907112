import { type z } from 'zod'
import * as contract from '#contracts/review.ts'
import { dayConflict } from '#domain/claim/source.ts'
import { dayOfTime, showDay } from '#domain/day.ts'
import { splitFactor } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import { byMode } from '#domain/judging/verdict.ts'
import { predictionIdOf, reviewWarnings } from '#domain/review.ts'
import { linkIn } from '#domain/web-address.ts'
import { judgedPrediction, statementOf } from '#server/judging/judging.service.ts'
import { type Admin } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { iso, isoOrNull } from '#server/kit/time.ts'
import { paymentsOf } from '#server/payments/payments.rows.ts'
import { personById } from '#server/people/people.rows.ts'
import { spanOf } from '#server/predictions/pages.service.ts'
import { type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { predictionRow } from '#server/predictions/wire.ts'
import { packPrices } from '#server/record/prices.ts'
import { noticesOf } from '#server/submissions/notices.rows.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import {
  endsBeforeMade,
  idOf,
  readApproval,
  summaryOf,
  type Approval,
  type ReviewKit,
  lastDecision,
  undoLeft,
} from './edit.service.ts'
import { duplicatesOf, comparedOf } from './review-flags.service.ts'
import { auditOf, storedAndRow } from './review.store.ts'
import {
  UNKNOWN_INFLUENCER,
  ownerFor,
  ownerWarnings,
  type Owner,
  suggestionsFor,
} from './submission-person.service.ts'

type DryRun = z.input<typeof contract.dryRun.reply>

export async function dryRunById(
  { db, clock, record }: ReviewKit,
  id: string,
  body: contract.DryRunBody,
): Promise<DryRun> {
  const { stored: row } = await find(db, id)
  const today = record.today()
  const links = linkWarnings(row, body)
  const read = readApproval(row, body, clock.now())
  const faults: Record<string, string> = read.ok ? {} : { ...read.faults }
  for (const field of ['existing_influencer_id', 'influencer_id'] as const) {
    const id = idOf(body[field])
    if (id !== null && !(await personById(db, id))) faults[field] = UNKNOWN_INFLUENCER
  }
  if (!read.ok || Object.keys(faults).length > 0) {
    return {
      fields: faults,
      influencer: null,
      warnings: endsBeforeMade(row, body) ? [...links, DEADLINE_BEFORE_MADE] : links,
      prediction: null,
      prices: null,
    }
  }
  const { approval } = read
  const { expertName, twitterHandle, sources } = approval.submission
  const existing = body.existing_influencer_id
  const named = {
    expertName,
    twitterHandle,
    existingInfluencerId: existing === undefined ? row.existingInfluencerId : idOf(existing),
    // Choosing an influencer clears the mark for a new one.
    newInfluencer: row.newInfluencer && !existing,
  }
  const owner = await ownerFor(db, named, approval.influencer)
  const stored = draftOf(row, approval, owner)
  const { actions, [stored.asset]: prices } = await record.prices()
  const factor = splitFactor(stored.asset, stored.made, actions)
  const statement = statementOf(stored, factor)
  const verdicts = byMode((mode) => judge(prices.series, statement, mode, today))
  const prediction = judgedPrediction(stored, factor, verdicts)
  const duplicates = await duplicatesOf(
    { db, record },
    {
      ...statement,
      expertName,
      handle: twitterHandle,
      sources,
      except: row.id,
    },
  )
  return {
    fields: {},
    influencer: {
      id: owner.id,
      name: owner.name,
      is_new: owner.id === null,
      sentence: owner.sentence,
    },
    warnings: [
      ...links,
      ...reviewWarnings(prediction, today),
      ...dayWarnings(row, approval),
      ...duplicates.slice(0, 1).map((one) => ({
        code: 'duplicate' as const,
        message: `${one.kind === 'prediction' ? 'A published prediction' : 'Another pending submission'} says the same: ${one.expert_name}, ${one.price_prediction}.`,
      })),
      ...(owner.id === null ? [{ code: 'new-influencer' as const, message: owner.sentence }] : []),
      ...(await ownerWarnings(db, named, owner)),
    ],
    prediction: predictionRow(prediction),
    prices: packPrices(prices, ...spanOf(statement)),
  }
}

const DEADLINE_BEFORE_MADE = {
  code: 'deadline-before-made',
  message: 'The target date is not after the day the prediction was made.',
} as const

function linkWarnings(row: StoredSubmission, body: contract.DryRunBody): DryRun['warnings'] {
  const quotations = body.sources?.map(({ quotation, speaker }) => [quotation, speaker])
  const stored = row.sources.map(({ quotation }) => [quotation?.text, quotation?.speaker])
  const texts: readonly (readonly [place: string, text: string | null | undefined])[] = [
    ['the name', body.expert_name ?? row.expertName],
    ['the public text', body.quote],
    ['the notes of the submitter', body.notes ?? row.notes],
    ['what a source says', (quotations ?? stored).flat().join('\n')],
  ]
  return texts.flatMap(([place, text]) => {
    const link = linkIn(text ?? '')
    if (link === null) return []
    return [{ code: 'link' as const, message: `There is a link in ${place}: ${link}` }]
  })
}

function dayWarnings(
  { createdAt }: StoredSubmission,
  { submission: { made, sources }, madePrecision }: Approval,
): DryRun['warnings'] {
  const conflict = dayConflict(sources, { made, precision: madePrecision })
  if (conflict === null) return []
  const { code, found, day } = conflict
  const madeText = showDay(made, madePrecision)
  const sentence =
    made === dayOfTime(Date.parse(createdAt))
      ? `the prediction counts as made on ${madeText}, when it was submitted`
      : `the submission says ${madeText}`
  return [{ code, message: `${found}, ${sentence}.`, ...(day === null ? {} : { use_day: day }) }]
}

function draftOf(row: StoredSubmission, approval: Approval, owner: Owner): StoredPrediction {
  const { submission, from, by, madePrecision, byPrecision } = approval
  const { asset, claim, made, sources, twitterHandle } = submission
  return {
    id: predictionIdOf({ expertName: owner.name, asset, claim, by }),
    asset,
    expert: {
      id: owner.id ?? 0,
      name: owner.name,
      slug: '',
      handle: twitterHandle,
      score: 0,
      isFirm: false,
    },
    statedClaim: claim,
    made,
    madePrecision,
    from,
    by,
    byPrecision,
    deadlineAssumed: false,
    summary: summaryOf(approval, owner.name),
    sources,
    chartValue: null,
    excludeFromChart: false,
    voteScore: row.paidSats,
    repeats: null,
    version: 0,
    frozenAt: null,
    withdrawn: null,
    createdAt: row.createdAt,
    inForce: byMode(() => null),
  }
}

const MOST_AUDIT = 100

async function find(db: Db, id: string) {
  const found = await storedAndRow(db, id)
  if (!found) throw failure('not_found', contract.NO_SUBMISSION)
  return found
}

export async function submissionDetail(
  kit: ReviewKit,
  admin: Admin,
  id: string,
): Promise<z.input<typeof contract.oneSubmission.reply>> {
  const { db, clock, record } = kit
  const { stored: row, row: submission } = await find(db, id)
  const compared = comparedOf(submission, (await record.prices()).actions)
  const [suggestions, duplicates, tries, audit, notices, decision] = await Promise.all([
    suggestionsFor(db, row),
    compared ? duplicatesOf(kit, compared) : [],
    paymentsOf(db, id),
    auditOf(db, id, MOST_AUDIT),
    noticesOf(db, id),
    lastDecision(db, row),
  ])
  return {
    submission,
    suggestions,
    duplicates,
    payments: tries.map((one) => ({
      id: one.id,
      status: one.status,
      sats: one.sats,
      wallet: one.wallet,
      created_at: iso(one.createdAt),
      paid_at: isoOrNull(one.paidAt),
      counts: one.id === row.paymentId,
      last_error: one.lastError,
    })),
    audit,
    notices,
    told_by: row.contactKind === null ? null : row.contactKind === 'email' ? 'email' : 'lightning',
    undo_ms: decision ? Math.max(0, undoLeft(row, decision, admin, clock.now())) : 0,
  }
}
