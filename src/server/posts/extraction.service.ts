import { type ExtractionRequest } from '#contracts/posts.ts'
import { TweetExtraction, type ExtractionSpans } from '#contracts/extraction.ts'
import { type AssetKey } from '#domain/asset.ts'
import { fieldsOfClaim, type Levels, predictionType, NO_LEVELS } from '#domain/claim/fields.ts'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { postWeight, SHORT_POST } from '#domain/publishing/post-length.ts'
import { proposalsOf } from '#domain/posts/post-proposals.ts'
import {
  POST_URL_MESSAGES,
  postUrlFault,
  readPostUrl,
  type PostAddress,
} from '#domain/posts/post-url.ts'
import { type PostReading } from '#domain/posts/read-post.ts'
import { readPostDate } from '#domain/posts/reading-fields.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { type Post } from './ports.ts'
import { SourceError, type Clock, type Log } from '#server/kit/ports.ts'
import {
  AssistantError,
  type AssistantReading,
  type AssistantUse,
  type PostAssistant,
  type TextParser,
} from './assistant/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { addExtraction } from './extractions.store.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { extractionMatches } from './extraction-matches.service.ts'
import { saidWords } from './said-words.ts'
import { pastedPost, type PostText } from './pasted-post.ts'
import { type PostFailure, type PostReader } from './read-post.service.ts'
import {
  assistantReading,
  mergeReadings,
  textReading,
  type MergedReading,
} from './merge-readings.ts'

/** The assistant's own time-outs are shorter; this one ends what they should have ended. */
const ASSISTANT_WITHIN_MS = 90_000
const LONGEST_EXCERPT = 600

export type Extraction = ReturnType<typeof extractionService>

/**
 * Reads what a post predicts: by rules, and by the assistant where one is set up. Every field carries its words; nothing
 * is filled in that the post does not say.
 */
export function extractionService({
  db,
  clock,
  log,
  catalog,
  reader,
  parser,
  assistant,
}: {
  db: Db
  clock: Clock
  log: Log
  catalog: Pick<Catalog, 'snapshot'>
  reader: PostReader
  parser: TextParser
  assistant: PostAssistant | null
}) {
  const matches = extractionMatches({ db, catalog })

  async function ask(
    post: Post,
    postedDay: Day | null,
    signal: AbortSignal,
  ): Promise<{
    reading: AssistantReading | null
    use: AssistantUse | null
    error: string | null
  }> {
    if (!assistant) return { reading: null, use: null, error: null }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ASSISTANT_WITHIN_MS)])
    const author = post.author.name ?? post.author.handle
    try {
      const reading = await assistant.read({ text: post.text, author, postedDay }, limit)
      return { reading, use: reading.use, error: null }
    } catch (error) {
      signal.throwIfAborted()
      const isExpected = error instanceof SourceError
      if (!isExpected) log.error({ err: error }, 'the assistant failed in an unforeseen way')
      const said = isExpected ? error.message : 'The assistant failed.'
      const use = error instanceof AssistantError ? error.use : null
      return { reading: null, use, error: `${said} The text parser alone has read the post.` }
    }
  }

  async function extract(
    source: PostText,
    address: PostAddress | null,
    { signal, onStep }: { signal: AbortSignal; onStep: (step: string) => Promise<void> },
  ): Promise<TweetExtraction> {
    const began = performance.now()
    const { post, posted } = source
    const made = posted === null ? null : posted.day
    const exact = posted?.precision === 'day' ? posted.day : null
    await onStep(assistant ? 'The assistant reads the post' : 'Reading what the post predicts')
    const text = await parser.read(post.text, { posted, bitcoinUsd: bitcoinOn(catalog, made) })
    const asked = await ask(post, exact, signal)
    const merge = mergeReadings(text, asked.reading, exact)
    await onStep('Looking for what is on record already')
    const handle = post.author.handle
    const name = post.author.name ?? asked.reading?.expert_name ?? null
    const said = merge.view ? { ...merge.view, expertName: name ?? handle ?? '', handle } : null
    const found = await matches.find({ name, handle, said, postId: address?.id ?? null })
    const levels = merge.view
      ? fieldsOfClaim(merge.view.claim)
      : { prediction_type: null, ...NO_LEVELS }
    const durationMs = Math.round(performance.now() - began)
    const row = {
      postId: address?.id ?? null,
      method: merge.isByAssistant ? ('grok_ai' as const) : ('text_parsing' as const),
      model: asked.use?.model ?? null,
      costUsd: asked.use?.costUsd ?? null,
      durationMs,
      at: new Date(clock.now()).toISOString(),
    }
    return addExtraction(db, row, (id) =>
      TweetExtraction.parse({
        tweet_id: address?.id ?? null,
        tweet_url: address?.url ?? null,
        expert_name: name ?? handle,
        twitter_handle: handle,
        author_verified: post.author.isVerified,
        tweet_created_at: source.saidAt,
        tweet_metrics: {
          like_count: post.likes,
          retweet_count: post.reposts,
          reply_count: post.replies,
        },
        tweet_text: post.text,
        has_media: post.hasMedia,
        is_retweet: post.repost !== null,

        has_prediction: merge.view !== null,
        asset_type: merge.view?.asset ?? assetOf(text),
        price_prediction: merge.view ? showClaim(merge.view.claim) : null,
        ...levels,
        target_time: isoOrNull(merge.view?.by),
        prediction_start_date: isoOrNull(merge.view?.from),
        prediction_made: isoOrNull(exact),
        prediction_notes: notesOf(post, merge),
        no_prediction_reason: merge.reason,

        confidence_level: merge.confidence,
        grok_used: merge.isByAssistant && (assistant?.isGrok ?? false),
        extraction_method: row.method,
        grok_interpretation_confidence: asked.reading?.confidence ?? null,
        accuracy_confidence: merge.confidence,
        accuracy_reasoning: reasoningOf(text, asked.reading, merge),
        interpretation_challenges: merge.challenges.join(' '),
        data_completeness: completenessOf(source, merge, name ?? handle),
        verification_status: verificationOf(source, asked.reading),
        tweet_proposals: proposalsFor(source, merge, asked.reading, exact),

        existing_influencer_id: found.influencer?.id ?? null,
        existing_influencer_name: found.influencer?.name ?? null,

        extraction_id: id,
        spans: levelSpans(merge, levels),
        readings: {
          text_parsing: textReading(text),
          assistant: asked.reading && {
            ...assistantReading(asked.reading),
            model: asked.reading.use.model,
            refuted: asked.reading.refuted?.is ? asked.reading.refuted.why : null,
          },
        },
        assistant_error: asked.error,
        others: othersOf(text),
        duplicates: found.duplicates,
        submitted_before: found.submissions,
        source: {
          name: source.source,
          fetched_at: source.fetchedAt,
          is_cut: post.isCut,
          notes: [...source.notes],
        },
        retweeted_by: post.repost?.by ?? null,
        quoted: otherPost(post.quoted),
        answered: otherPost(post.answered),
        is_thread: isOwn(post.answered, post.author.handle),
        model: row.model,
        cost_usd: row.costUsd,
        duration_ms: durationMs,
      }),
    )
  }

  /**
   * Reads a post by its address.
   *
   * @param given `onStep` is told of each step before it begins
   * @throws the reason of `signal` when that ends it
   */
  async function byAddress(
    address: PostAddress,
    given: { refetch: boolean; signal: AbortSignal; onStep: (step: string) => Promise<void> },
  ): Promise<{ ok: true; data: TweetExtraction } | { ok: false; failure: PostFailure }> {
    await given.onStep('Fetching the post')
    const found = await reader.read(address, given)
    if (!found.ok) return found
    const { saidAt } = found.read
    const posted = saidAt === null ? null : readPostDate(saidAt)
    const source = { ...found.read, posted, namedHandle: address.handle }
    return { ok: true, data: await extract(source, address, given) }
  }

  return {
    byAddress,

    /** @throws AppError for what is no address, and for a post that cannot be read */
    async extract(given: ExtractionRequest, signal: AbortSignal): Promise<TweetExtraction> {
      const onStep = (): Promise<void> => Promise.resolve()
      const url = given.url?.trim() ?? ''
      const text = given.text?.trim() ?? ''
      const address = readPostUrl(url)
      if (text !== '') {
        if (url !== '' && !address) throw badAddress(url)
        const source = pastedPost(text, given, address, new Date(clock.now()).toISOString())
        return extract(source, address, { signal, onStep })
      }
      if (!address) throw badAddress(url)
      const refetch = given.refetch ?? false
      const read = await byAddress(address, { refetch, signal, onStep })
      if (read.ok) return read.data
      throw failureOf(read.failure)
    },
  }
}

function badAddress(url: string): AppError {
  const said = postUrlFault(url) ?? POST_URL_MESSAGES.wrong
  return failure('invalid', said, { url: said })
}

function failureOf({ why, message }: PostFailure): AppError {
  const code = { gone: 'not_found', protected: 'conflict', hidden: 'conflict' } as const
  return failure(why === 'unavailable' ? 'unavailable' : code[why], message)
}

/** The close on that day, or the last one before it; null where none is known. */
function bitcoinOn(catalog: Pick<Catalog, 'snapshot'>, day: Day | null): number | null {
  const series = catalog.snapshot()?.assets.btc.judged.series
  if (!series || day === null) return null
  const at = series.atOrAfter(day)
  const bar = series.bars[at]
  return (bar?.day === day ? bar : series.bars[at - 1])?.close ?? null
}

function assetOf(text: PostReading): AssetKey | null {
  return text.found ? null : (text.asset?.key ?? null)
}

/** A minimum is at both ends of a call; its words are behind the lower one only. */
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
  { post, saidAt }: PostText,
  { view }: MergedReading,
  expert: string | null,
): TweetExtraction['data_completeness'] {
  if (!view || post.isCut) return 'limited'
  return view.by !== null && expert !== null && saidAt !== null ? 'complete' : 'partial'
}

function verificationOf(
  { post, isTimeOdd, namedHandle, source }: PostText,
  assistant: AssistantReading | null,
): TweetExtraction['verification_status'] {
  const author = post.repost ? post.repost.by : post.author.handle
  const isOther =
    namedHandle !== null && author !== null && namedHandle.toLowerCase() !== author.toLowerCase()
  if (isTimeOdd || isOther || assistant?.verification_status === 'suspicious') return 'suspicious'
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
  const words = saidWords(post.text, spans)
  const handle = post.author.name === null ? null : post.author.handle
  return [...proposalsOf({ ...view, expert, handle, made, words })]
}

function othersOf(text: PostReading): TweetExtraction['others'] {
  if (!text.found) return []
  return text.others.map(({ asset, claim, by }) => ({
    asset_type: asset,
    prediction_type: predictionType(claim.type),
    price_prediction: showClaim(claim),
    target_time: isoOrNull(by),
  }))
}

function otherPost(other: Post['quoted']): TweetExtraction['quoted'] {
  return other && { tweet_id: other.id, twitter_handle: other.handle, tweet_text: other.text }
}

function isOwn(other: Post['answered'], handle: string | null): boolean {
  return (
    handle !== null && other?.handle != null && other.handle.toLowerCase() === handle.toLowerCase()
  )
}

function isoOrNull(day: Day | null | undefined): string | null {
  return day === null || day === undefined ? null : isoDay(day)
}
