import { z } from 'zod'
import { TweetExtraction, type ExtractionSpans } from '#contracts/posts.ts'
import { type StatementKey } from '#domain/claim/duplicate.ts'
import { fieldsOfClaim, LEVEL_FIELDS, type Levels, NO_LEVELS } from '#domain/claim/fields.ts'
import { archivedPage } from '#domain/claim/source-input.ts'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { foldHandle, foldName } from '#domain/people/name.ts'
import { instructionsIn } from '#domain/posts/instructions.ts'
import { type PostReading } from '#domain/posts/post-reading.ts'
import { postUrl, type PostAddress, readPostUrl } from '#domain/posts/post-url.ts'
import { proposalsOf } from '#domain/publishing/post-compose.ts'
import { postWeight, SHORT_POST } from '#domain/publishing/post-length.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { peopleNamed } from '#server/people/people.rows.ts'
import { sayingSame } from '#server/record/record.service.ts'
import { assistantReading, textReading, type MergedReading } from './merge-readings.ts'
import { type Post, type AssistantReading } from './ports.ts'
import { type PostText, type PostsKit } from './read-post.service.ts'

const LONGEST_EXCERPT = 600

/** A post as read by the parser and the assistant, with existing records. */
export type ExtractedPost = {
  readonly source: PostText
  /** Null for pasted text without an address. */
  readonly address: PostAddress | null
  readonly text: PostReading
  /** The assistant's reading, or why it failed; both null if no assistant was asked. */
  readonly assisted: { readonly reading: AssistantReading | null; readonly error: string | null }
  readonly isGrok: boolean
  readonly merge: MergedReading
  /** Null where the day is not known exactly. */
  readonly postedDay: Day | null
  readonly name: string | null
  readonly known: Known
  /** Includes the cost of an assistant that failed. */
  readonly run: {
    readonly method: TweetExtraction['extraction_method']
    readonly model: string | null
    readonly costUsd: number | null
    readonly durationMs: number
  }
}

/** The reply, also stored. */
export function extractionReply(id: number, extracted: ExtractedPost): TweetExtraction {
  const { source, address, text, assisted, isGrok, merge, postedDay, name, known, run } = extracted
  const { reading: assistant } = assisted
  const { post } = source
  const { handle } = post.author
  const levels = merge.view
    ? fieldsOfClaim(merge.view.claim)
    : { prediction_type: null, ...NO_LEVELS, timing: null, direction: null }
  return TweetExtraction.parse({
    tweet_id: address?.id ?? null,
    tweet_url: address && postUrl(address.id, accountOf(post) ?? address.handle),
    expert_name: name ?? handle,
    twitter_handle: handle,
    author_verified: post.author.isVerified,
    tweet_created_at: source.postedAt,
    tweet_metrics: {
      like_count: post.likes,
      retweet_count: post.reposts,
      reply_count: post.replies,
    },
    tweet_text: post.text,
    has_media: post.hasMedia,
    is_retweet: post.repost !== null,

    has_prediction: merge.view !== null,
    asset_type: merge.view?.asset ?? (text.found ? null : (text.asset?.key ?? null)),
    price_prediction: merge.view ? showClaim(merge.view.claim) : null,
    ...levels,
    target_time: isoDay(merge.view?.by ?? null),
    prediction_start_date: isoDay(merge.view?.from ?? null),
    prediction_made: isoDay(postedDay),
    prediction_notes: notesOf(post, merge),
    no_prediction_reason: merge.reason,

    confidence_level: merge.confidence,
    grok_used: merge.isByAssistant && isGrok,
    extraction_method: run.method,
    grok_interpretation_confidence: assistant?.confidence ?? null,
    accuracy_confidence: merge.confidence,
    accuracy_reasoning: reasoningOf(text, assistant, merge),
    interpretation_challenges: merge.challenges.join(' '),
    data_completeness: completenessOf(source, merge, name ?? handle),
    verification_status: verificationOf(source, assistant),
    tweet_proposals: proposalsFor(source, merge, assistant, postedDay),

    existing_influencer_id: known.influencer?.id ?? null,
    existing_influencer_name: known.influencer?.name ?? null,

    extraction_id: id,
    spans: levelSpans(merge, levels),
    readings: {
      text_parsing: textReading(text),
      assistant: assistant && {
        ...assistantReading(assistant),
        model: assistant.use.model,
        refuted: assistant.refuted?.is ? assistant.refuted.why : null,
      },
    },
    assistant_error: assisted.error,
    others: (text.found ? text.others : []).map(({ asset, claim, by }) => ({
      asset_type: asset,
      price_prediction: showClaim(claim),
      ...fieldsOfClaim(claim),
      target_time: isoDay(by),
    })),
    duplicates: known.duplicates,
    submitted_before: known.submissions,
    source: {
      name: source.source,
      fetched_at: source.fetchedAt,
      is_cut: post.isCut,
      notes: [...source.notes],
    },
    retweeted_by: post.repost?.by ?? null,
    quoted: otherPost(post.quoted),
    answered: otherPost(post.answered),
    is_thread: handle !== null && post.answered?.handle?.toLowerCase() === handle.toLowerCase(),
    model: run.model,
    cost_usd: run.costUsd,
    duration_ms: run.durationMs,
  })
}

/** The account in the post's address: its author or who reposted it. */
function accountOf(post: Post): string | null {
  return post.repost ? post.repost.by : post.author.handle
}

/** A minimum is stored at both ends of the range; its words belong to the lower one only. */
function levelSpans({ spans }: MergedReading, { price_max: max }: Levels): ExtractionSpans {
  return max === null || spans.price_max || !spans.price_min
    ? spans
    : { ...spans, price_max: spans.price_min }
}

function notesOf(post: Post, merge: MergedReading): string {
  const words = Array.from(post.text)
  const excerpt =
    words.length > LONGEST_EXCERPT ? `${words.slice(0, LONGEST_EXCERPT).join('')}\u2026` : post.text
  const quoted = `"${excerpt.trim()}"`
  const by = post.repost?.by ? [`Passed on by ${post.repost.by}.`] : []
  return merge.view ? [quoted, ...by].join('\n') : ''
}

function reasoningOf(
  text: PostReading,
  assistant: AssistantReading | null,
  { isByAssistant, reason }: MergedReading,
): string {
  const rules = textReading(text).reasoning
  if (reason !== null) return reason
  return isByAssistant && assistant ? assistant.reasoning || rules : rules
}

function completenessOf(
  { post, postedAt }: PostText,
  { view }: MergedReading,
  expert: string | null,
): TweetExtraction['data_completeness'] {
  if (!view || post.isCut) return 'limited'
  return view.by !== null && expert !== null && postedAt !== null ? 'complete' : 'partial'
}

function verificationOf(
  { post, isTimeOdd, namedHandle, source }: PostText,
  assistant: AssistantReading | null,
): TweetExtraction['verification_status'] {
  const author = accountOf(post)
  const isOther =
    namedHandle !== null && author !== null && namedHandle.toLowerCase() !== author.toLowerCase()
  const isToMachines = instructionsIn(post.text) !== null
  if (isTimeOdd || isOther || isToMachines || assistant?.verification_status === 'suspicious') {
    return 'suspicious'
  }
  return source !== 'pasted' && post.author.isVerified === true ? 'verified' : 'unverified'
}

function proposalsFor(
  { post }: PostText,
  { view, spans, isByAssistant }: MergedReading,
  assistant: AssistantReading | null,
  made: Day | null,
): TweetExtraction['tweet_proposals'] {
  if (!view) return []
  const own = isByAssistant ? (assistant?.tweet_proposals ?? []) : []
  const short = own.filter(({ text }) => postWeight(text) <= SHORT_POST)
  if (short.length > 0) return short.map(({ style, text }) => ({ style, text }))
  const expert = post.author.name ?? post.author.handle
  if (expert === null) return []
  const words = quotedWords(post.text, spans)
  const handle = post.author.name === null ? null : post.author.handle
  return [...proposalsOf({ ...view, expert, handle, made, words })]
}

function otherPost(other: Post['quoted']): TweetExtraction['quoted'] {
  return other && { tweet_id: other.id, twitter_handle: other.handle, tweet_text: other.text }
}

/** Quotations are one contiguous passage; longer ones contain too much else. */
const LONGEST_QUOTATION = 140

/**
 * The words of the post from the first to the last that a reading is based on: a level alone would say less than
 * the post.
 *
 * @returns null if they are too far apart
 */
export function quotedWords(text: string, spans: ExtractionSpans): string | null {
  const core = [
    spans.prediction_type,
    ...LEVEL_FIELDS.map((field) => spans[field]),
    spans.target_time,
  ]
  for (const group of [Object.values(spans), core]) {
    const places = group.filter((one) => one !== undefined)
    if (places.length === 0) return null
    const start = Math.min(...places.map((one) => one.start))
    const end = Math.max(...places.map((one) => one.end))
    if (end - start <= LONGEST_QUOTATION) return text.slice(start, end)
  }
  return null
}

const MOST = 5

type PostStatement = Omit<StatementKey, 'by'> & { readonly by: Day | null }

type Known = Awaited<ReturnType<typeof findKnown>>

/** Existing records of the expert, the prediction and the post. */
export async function findKnown(
  { db, record }: Pick<PostsKit, 'db' | 'record'>,
  person: { name: string | null; handle: string | null },
  statement: PostStatement | null,
  postId: string | null,
) {
  const influencer = await knownInfluencer(db, person)
  // Also compares the name on record: an influencer may use another one on X.
  const known = statement && influencer ? { ...statement, expertName: influencer.name } : statement
  return {
    influencer,
    duplicates: await duplicatesOf(record, known, postId),
    submissions: postId === null ? [] : await submissionsOfPost(db, postId, MOST),
  }
}

/** The influencer with this handle, or else with this name, including names of merged influencers. */
export async function knownInfluencer(
  db: Db,
  { name, handle }: { name: string | null; handle: string | null },
): Promise<{ id: number; name: string; isNamed: boolean } | null> {
  const conditions = [
    ...(handle === null ? [] : [{ kind: 'handle' as const, folded: foldHandle(handle) }]),
    ...(name === null ? [] : [{ kind: 'name' as const, folded: foldName(name) || name.trim() }]),
  ]
  const rows = await peopleNamed(db, conditions)
  const found = rows.find((row) => row.kind === 'handle') ?? rows[0]
  if (!found) return null
  const isNamed = rows.some((row) => row.id === found.id && row.kind === 'name')
  return { id: found.id, name: found.name, isNamed }
}

const Found = z.object({ id: z.string(), status: z.string() })

/** Submissions whose source is this post, newest first. */
function submissionsOfPost(db: Db, postId: string, most: number) {
  return readRows(db, Found)`
    select id, status from submissions where status <> 'unpaid' and exists (
      select from sources s where s.submission_id = submissions.id and s.url ~ ${`/status(es)?/${postId}([/?#]|$)`})
    order by created_at desc limit ${most}`
}

async function duplicatesOf(
  record: PostsKit['record'],
  statement: PostStatement | null,
  postId: string | null,
) {
  const same =
    statement?.by == null ? [] : await sayingSame(record, { ...statement, by: statement.by })
  const naming = postId === null ? [] : await record.list({ source: postId })
  const ofPost = naming.filter(({ sources }) =>
    sources.some(({ url }) => readPostUrl(archivedPage(url) ?? url)?.id === postId),
  )
  const isOfPost = new Set(ofPost.map(({ id }) => id))
  return [...same.filter(({ id }) => !isOfPost.has(id)), ...ofPost]
    .toSorted((a, b) => b.made - a.made || (a.id < b.id ? -1 : 1))
    .slice(0, MOST)
    .map((one) => ({
      id: one.id,
      expert_name: one.expert.name,
      price_prediction: showClaim(one.statedClaim),
      target_time: isoDay(one.by),
      same_post: isOfPost.has(one.id),
    }))
}
