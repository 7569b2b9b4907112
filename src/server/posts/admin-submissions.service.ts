import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  TweetExtraction,
  AiMetadata,
  type AdminSubmission,
  type extractionAccuracy,
} from '#contracts/posts.ts'
import { type AdminSubmitted } from '#contracts/submissions.ts'
import { ASSETS, findAsset, type AssetKey } from '#domain/asset.ts'
import { fieldsOfClaim } from '#domain/claim/fields.ts'
import { sourceUrlOf } from '#domain/claim/source.ts'
import { dayOfTime, isoDay, readDay, showDay } from '#domain/day.ts'
import { foldHandle, foldName } from '#domain/people/name.ts'
import { OUTCOME_NOTES, readSubmission, type Submission } from '#domain/submission.ts'
import { extractionDecisions, extractions } from '#server/database/schema/posts.ts'
import { type Admin, writeAudit } from '#server/kit/admin.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { isoNow } from '#server/kit/time.ts'
import {
  addAdminSubmission,
  isSameSubmission,
  submissionById,
  type StoredSubmission,
} from '#server/submissions/submissions.rows.ts'
import { knownInfluencer } from './extraction-reply.ts'
import { noteSubmitted } from './queue/post-queue.store.ts'

/**
 * Stores an administrator's submission for review, with or without a draft extracted from a post.
 * @param asset from the path; null uses `asset_type`, or Bitcoin without one
 * @throws AppError `invalid` with a message per field
 */
export async function submitAsAdmin(
  kit: Pick<Kit, 'db' | 'clock' | 'config'>,
  admin: Admin,
  body: AdminSubmission,
  asset: AssetKey | null,
): Promise<z.infer<typeof AdminSubmitted>> {
  const { db, clock } = kit
  const extractionId = body.extraction_id ?? null
  const draft = extractionId === null ? null : await draftOf(db, extractionId)
  const at = isoNow(kit)
  const read = readAdminSubmission(body, asset, draft, clock.now())
  const { outcome, metadata } = read
  const isExtracted = draft !== null || metadata !== null
  const email = isExtracted && !read.submission.submitterEmail ? kit.config.contacts.email : null
  const submission = email ? { ...read.submission, submitterEmail: email } : read.submission
  const final = decisionOf(submission)
  const newInfluencer = body.new_influencer ?? false
  const { expertName: name, twitterHandle: handle } = submission
  const known = newInfluencer ? null : await knownInfluencer(db, { name, handle })
  const card = body.extraction_card ?? 0
  const drafted = draft === null ? null : (cardsOf(draft)[card] ?? Decision.parse(draft))
  const { id, unchanged } = await db.transaction(async (tx) => {
    if (draft !== null) {
      // No other decision on it until the transaction ends.
      await tx.execute(sql`select from extractions where id = ${draft.extraction_id} for update`)
      const before = await submittedBefore(tx, draft, card)
      // Equal in every field, as after a double click.
      const same = before.find(
        (row) => isSameSubmission(row, submission, true) && row.predictionOutcome === outcome,
      )
      if (same) return { id: same.id, unchanged: true }
      const last = before.at(-1)
      if (last && body.again !== true) throw failure('conflict', alreadyText(last, submission))
    }
    const submissionId = randomUUID()
    await addAdminSubmission(tx, {
      id: submissionId,
      submission,
      origin: isExtracted ? 'extraction' : 'admin',
      predictionOutcome: outcome,
      // The handle of a fetched post is its author's; a typed handle beside another name proves nothing.
      existingInfluencerId: known && (draft !== null || known.isNamed) ? known.id : null,
      newInfluencer,
      aiMetadata: metadata,
      createdAt: at,
    })
    if (extractionId !== null && draft !== null && drafted !== null) {
      await tx.insert(extractionDecisions).values({
        extractionId,
        submissionId,
        draft: drafted,
        final,
        differences: differencesOf(drafted, final, draft.existing_influencer_name),
        admin: admin.username,
        at,
      })
      await noteSubmitted(tx, extractionId)
    }
    await writeAudit(tx, {
      at,
      admin,
      action: 'submission submitted',
      subject: { kind: 'submission', id: submissionId },
      before: null,
      after: {
        ...final,
        ...(newInfluencer ? { new_influencer: true } : {}),
        source_url: sourceUrlOf(submission.sources),
        extraction_id: extractionId,
      },
    })
    return { id: submissionId, unchanged: false }
  })
  if (unchanged) {
    const message = `Already submitted as ${id}, nothing changed.`
    return { success: true, submission: { id }, message, unchanged }
  }
  return {
    success: true,
    submission: { id },
    message: `Prediction submitted successfully! It will be reviewed before going live. Submission ID: ${id}${email ? `. It carries your site's address, ${email}.` : ''}`,
  }
}

/** Submissions made from the same prediction of the post, oldest first. */
async function submittedBefore(tx: Db, draft: TweetExtraction, card: number) {
  const decided = (await decidedCards(tx, draft)).filter((one) => one.card === card)
  const rows = await Promise.all(decided.map((one) => submissionById(tx, one.submissionId)))
  return rows.filter((row) => row !== null)
}

function alreadyText(row: StoredSubmission, { notes }: Submission): string {
  const by = readDay(row.targetTime)
  const until = by === null ? '' : ` by ${showDay(by)}`
  const what = `${row.expertName}: ${ASSETS[row.asset].symbol} ${row.pricePrediction}${until}`
  const differs = row.notes === notes ? '' : ' Its notes differ.'
  return `This was already submitted as ${row.id} (${what}), and is ${row.status}.${differs} Nothing has been changed.`
}

async function draftOf(db: Db, extractionId: number): Promise<TweetExtraction> {
  const { id, result } = extractions
  const [row] = await db.select({ result }).from(extractions).where(eq(id, extractionId))
  const stored = TweetExtraction.safeParse(row?.result)
  if (stored.success) return stored.data
  const message = 'This draft is not on record. Please extract the post again.'
  throw invalid({ extraction_id: message })
}

function readAdminSubmission(
  body: AdminSubmission,
  asset: AssetKey | null,
  draft: TweetExtraction | null,
  now: number,
) {
  const status = body.status?.trim().toLowerCase() || 'pending'
  const outcome = OUTCOME_NOTES.find((one) => one === status)
  const typed = body.asset_type?.trim().toLowerCase() || 'bitcoin'
  const chosen = asset ?? (typed === 'bitcoin' ? 'btc' : findAsset(typed)?.key)
  const given = body.ai_metadata || null
  const metadata = AiMetadata.nullable().safeParse(
    typeof given === 'string' ? (jsonOrNull(given) ?? undefined) : given,
  )
  const read = readSubmission(
    {
      ...body,
      asset_type: chosen ?? 'btc',
      submitter_email: body.submitter_email?.trim() ? body.submitter_email : body.email,
      // The default is the day of the post, not today.
      prediction_made: body.prediction_made?.trim() ? body.prediction_made : draft?.prediction_made,
    },
    dayOfTime(now),
  )
  const faults: Record<string, string> = {
    ...(outcome ? {} : { status: `Please choose one of ${OUTCOME_NOTES.join(', ')}.` }),
    ...(metadata.error && { ai_metadata: metadataFault(metadata.error) }),
    ...(chosen ? {} : { asset_type: 'Please choose bitcoin, mstr or naka.' }),
    ...(read.ok ? {} : read.faults),
  }
  if (read.ok && outcome && metadata.success && chosen) {
    return { submission: read.submission, outcome, metadata: metadata.data }
  }
  throw invalid(faults)
}

function metadataFault({ issues }: z.ZodError): string {
  const at = issues[0]?.path.join('.') ?? ''
  return `The notes of the assistant cannot be read${at === '' ? '' : `, at ${at}`}.`
}

function decisionOf(submission: Submission): Decision {
  return {
    expert_name: submission.expertName,
    twitter_handle: submission.twitterHandle,
    asset_type: submission.asset,
    ...fieldsOfClaim(submission.claim),
    target_time: isoDay(submission.by),
    prediction_made: isoDay(submission.made),
  }
}

type Differences = (typeof extractionDecisions.$inferInsert)['differences']

/** The decision on each draft field; omits fields empty on both sides. */
function differencesOf(draft: Decision, final: Decision, knownName: string | null): Differences {
  const fields = Decision.keyof().options
  return Object.fromEntries(
    fields.flatMap((field): [string, Differences[string]][] => {
      const [from, to] = [draft[field], final[field]]
      if (from === null && to === null) return []
      if (from === null) return [[field, 'added']]
      if (to === null) return [[field, 'removed']]
      const isName = field === 'expert_name' && knownName !== null && to === knownName
      return [[field, isName || isSameValue(field, from, to) ? 'kept' : 'changed']]
    }),
  )
}

function isSameValue(field: keyof Decision, a: string | number, b: string | number): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  if (field === 'expert_name') return foldName(a) === foldName(b)
  return field === 'twitter_handle' ? foldHandle(a) === foldHandle(b) : a === b
}

/** Fields drafted by an extraction and settled by a decision. */
const Decision = z.object({
  expert_name: z.string().nullable(),
  twitter_handle: z.string().nullable(),
  asset_type: z.string().nullable(),
  prediction_type: z.string().nullable(),
  price_target: z.number().nullable(),
  price_min: z.number().nullable(),
  price_max: z.number().nullable(),
  target_time: z.string().nullable(),
  prediction_made: z.string().nullable(),
})
type Decision = z.infer<typeof Decision>

/** Draft fields of each prediction of a post, the main one first. */
function cardsOf(extraction: TweetExtraction): readonly Decision[] {
  return [
    Decision.parse(extraction),
    ...extraction.others.map((one) => Decision.parse({ ...extraction, ...one })),
  ]
}

const Decided = z.object({ submissionId: z.string(), draft: z.unknown() })

/** Decisions on the post of an extraction, including its other readings, oldest first. */
function decisionsOnPost(db: Db, extractionId: number) {
  return readRows(db, Decided)`
    select d.submission_id as "submissionId", d.draft from extraction_decisions d
    join extractions e on e.id = d.extraction_id
    where e.id = ${extractionId} or e.post_id = (select post_id from extractions where id = ${extractionId})
    order by d.id`
}

/** Submissions per prediction of a post, oldest first. */
export async function decidedCards(db: Db, extraction: TweetExtraction) {
  const cards = cardsOf(extraction)
  const drafted = cards.map((one) => Predicted.parse(one))
  return (await decisionsOnPost(db, extraction.extraction_id)).map((one) => {
    const was = Predicted.safeParse(one.draft).data
    const card = drafted.findIndex((now) => isDeepStrictEqual(now, was))
    // A submission that matches no draft most likely came from the main prediction.
    return { submissionId: one.submissionId, card: Math.max(0, card) }
  })
}

/** Name and day are ignored: they may differ when the post is read again. */
const Predicted = Decision.omit({
  expert_name: true,
  twitter_handle: true,
  prediction_made: true,
})

const Fate = z.object({
  field: z.string().nullable(),
  method: z.string().nullable(),
  month: z.string().nullable(),
  decided: z.int(),
  kept: z.int(),
})

/** Numbers of drafted and unchanged fields: in total, by field, by method, and by all three; null means all. */
function fieldFates(db: Db) {
  return readRows(db, Fate)`
    select field, method, month, count(*)::int as decided,
      (count(*) filter (where fate = 'kept'))::int as kept
    from (
      select f.key as field, f.value as fate, e.method,
        to_char(d.at at time zone 'UTC', 'YYYY-MM') as month
      from extraction_decisions d join extractions e on e.id = d.extraction_id,
        jsonb_each_text(d.differences) f
    ) fates
    group by grouping sets ((), (field), (method), (month, method, field))
    order by month, method, field`
}

/** Share of draft fields submitted unchanged. */
export async function accuracy(db: Db): Promise<z.input<typeof extractionAccuracy.reply>> {
  const all = (await fieldFates(db)).map((one) => ({
    ...one,
    share: one.decided === 0 ? 0 : one.kept / one.decided,
  }))
  const none = { decided: 0, kept: 0, share: 0 }
  return {
    decisions: await db.$count(extractionDecisions),
    total: all.find(({ field, method }) => field === null && method === null) ?? none,
    fields: all.flatMap(({ field, method, ...one }) =>
      field !== null && method === null ? [{ field, ...one }] : [],
    ),
    methods: all.flatMap(({ field, method, ...one }) =>
      field === null && method !== null ? [{ method, ...one }] : [],
    ),
    months: all.flatMap(({ field, method, month, ...one }) =>
      field !== null && method !== null && month !== null ? [{ field, method, month, ...one }] : [],
    ),
  }
}
