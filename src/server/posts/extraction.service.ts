import { eq } from 'drizzle-orm'
import { type TweetExtraction, type ExtractionRequest } from '#contracts/posts.ts'
import { onlyTexts } from '#domain/clean-text.ts'
import { type Day, dayOfTime, timeOfDay } from '#domain/day.ts'
import { type PostDate } from '#domain/posts/date-words.ts'
import { foreignLanguage } from '#domain/posts/language.ts'
import {
  POST_URL_MESSAGES,
  postUrlFault,
  readPostUrl,
  type PostAddress,
  postTime,
} from '#domain/posts/post-url.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { type PostToRead, readPostDate } from '#domain/posts/reading-fields.ts'
import { extractions } from '#server/database/schema/posts.ts'
import { type Db } from '#server/kit/db.ts'
import { failure, invalid, SourceError } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/time.ts'
import { findKnown, extractionReply } from './extraction-reply.ts'
import { mergeReadings } from './merge-readings.ts'
import { loadDetector } from './parse-posts.ts'
import * as ports from './ports.ts'
import { type PostFailure, type PostText, type PostsKit } from './read-post.service.ts'

/*
 * Reads what a post predicts: by rules, and by the assistant if configured. Every field carries its words;
 * nothing is assumed that the post does not say.
 */

/** A safeguard above the assistant's own time-outs. */
const ASSISTANT_WITHIN_MS = 90_000

type Options = {
  readonly signal: AbortSignal
  /** Called before each step. */
  readonly onStep?: (step: string) => Promise<void>
}

/** @throws AppError for an invalid address or an unreadable post */
export async function extract(kit: PostsKit, request: ExtractionRequest, signal: AbortSignal) {
  const url = request.url?.trim() ?? ''
  const text = request.text?.trim() ?? ''
  const address = readPostUrl(url)
  if (text !== '' && (address || url === '')) {
    const source = pastedPost(text, request, address, isoNow(kit))
    return extractText(kit, source, address, { signal })
  }
  if (!address) throw invalid({ url: postUrlFault(url) ?? POST_URL_MESSAGES.wrong })
  const read = await extractPost(kit, address, { refetch: request.refetch ?? false, signal })
  if (read.ok) return read.data
  throw failure(CODES[read.failure.why], read.failure.message)
}

/** Reads a post by its address. @throws the reason of `signal` when aborted */
export async function extractPost(
  kit: PostsKit,
  address: PostAddress,
  options: Options & { readonly refetch: boolean },
): Promise<{ ok: true; data: TweetExtraction } | { ok: false; failure: PostFailure }> {
  await options.onStep?.('Fetching the post')
  const found = await kit.reader.read(address, options)
  if (!found.ok) return found
  const { postedAt } = found.read
  const posted = postedAt === null ? null : readPostDate(postedAt)
  const source = { ...found.read, posted, namedHandle: address.handle }
  return { ok: true, data: await extractText(kit, source, address, options) }
}

async function extractText(
  kit: PostsKit,
  source: PostText,
  address: PostAddress | null,
  { signal, onStep }: Options,
): Promise<TweetExtraction> {
  const { db, record, assistant } = kit
  const began = performance.now()
  const { post, posted } = source
  const postedDay = posted?.precision === 'day' ? posted.day : null
  await onStep?.(assistant ? 'The assistant reads the post' : 'Reading what the post predicts')
  const bitcoinUsd = await bitcoinOn(record, posted?.day ?? null)
  const language = await foreignLanguage(post.text, loadDetector)
  const text = readPost(post.text, { posted, bitcoinUsd, language })
  const assisted = await askAssistant(kit, post, { postedDay, language }, signal)
  const merge = mergeReadings(text, assisted.reading, postedDay)
  await onStep?.('Looking for what is already on record')
  const { handle } = post.author
  const name = post.author.name ?? assisted.reading?.expert_name ?? null
  const statement = merge.view ? { ...merge.view, expertName: name ?? handle ?? '', handle } : null
  const postId = address?.id ?? null
  const known = await findKnown(kit, { name, handle }, statement, postId)
  const run = {
    method: merge.isByAssistant ? ('grok_ai' as const) : ('text_parsing' as const),
    model: assisted.use?.model ?? null,
    costUsd: assisted.use?.costUsd ?? null,
    durationMs: Math.round(performance.now() - began),
  }
  const isGrok = assistant?.isGrok ?? false
  const extracted = { source, address, text, assisted, isGrok, merge, postedDay, name, known, run }
  return addExtraction(db, { ...run, postId, at: isoNow(kit) }, (id) =>
    extractionReply(id, extracted),
  )
}

/** @param resultOf receives the row's id, which is part of the result */
async function addExtraction<T>(
  db: Db,
  extraction: Omit<typeof extractions.$inferInsert, 'result'>,
  resultOf: (id: number) => T,
): Promise<T> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(extractions)
      .values({ ...extraction, result: {} })
      .returning({ id: extractions.id })
    if (!row) throw new Error('inserted extraction has no id')
    const result = onlyTexts(resultOf(row.id))
    await tx.update(extractions).set({ result }).where(eq(extractions.id, row.id))
    return result
  })
}

/** @returns `use` even if the assistant failed */
async function askAssistant(
  { assistant, log }: PostsKit,
  post: ports.Post,
  known: Pick<PostToRead, 'postedDay' | 'language'>,
  signal: AbortSignal,
) {
  if (!assistant) return { reading: null, use: null, error: null }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ASSISTANT_WITHIN_MS)])
  const author = post.author.name ?? post.author.handle
  try {
    const reading = await assistant.read({ text: post.text, author, ...known }, limit)
    return { reading, use: reading.use, error: null }
  } catch (thrown) {
    signal.throwIfAborted()
    const isExpected = thrown instanceof SourceError
    if (!isExpected) log.error({ err: thrown }, 'assistant failed unexpectedly')
    const message = isExpected ? thrown.message : 'The assistant failed.'
    const use = thrown instanceof ports.AssistantError ? thrown.use : null
    const error =
      known.language === null ? `${message} The text parser alone has read the post.` : message
    return { reading: null, use, error }
  }
}

const CODES = {
  gone: 'not_found',
  protected: 'conflict',
  hidden: 'conflict',
  unavailable: 'unavailable',
} as const

/** The last close on or before that day; null without one. */
async function bitcoinOn(record: PostsKit['record'], day: Day | null): Promise<number | null> {
  if (day === null) return null
  const { series } = (await record.prices()).btc
  const at = series.atOrAfter(day)
  const bar = series.bars[at]
  return (bar?.day === day ? bar : series.bars[at - 1])?.close ?? null
}

/** Pasted text in the form of a fetched post. @throws AppError for an invalid day */
function pastedPost(
  text: string,
  { author, posted }: ExtractionRequest,
  address: PostAddress | null,
  fetchedAt: string,
): PostText {
  const day = postedOn(posted?.trim() ?? '', dayOfTime(Date.parse(fetchedAt)))
  const named = (author ?? '').replaceAll(/\p{Cc}/gu, ' ').trim()
  const isHandle = /^@\w{1,20}$/.test(named)
  const byNumber = address === null ? null : postTime(address.id)
  const date =
    day ?? (byNumber === null ? null : { day: dayOfTime(byNumber), precision: 'day' as const })
  const postedMs = byNumber ?? (date?.precision === 'day' ? timeOfDay(date.day) : null)
  return {
    post: {
      ...ports.NOT_GIVEN,
      id: address?.id ?? '',
      text,
      isCut: false,
      author: {
        name: named === '' || isHandle ? null : named,
        handle: isHandle ? named : (address?.handle ?? null),
        isVerified: null,
      },
    },
    source: 'pasted',
    fetchedAt,
    postedAt: postedMs === null ? null : new Date(postedMs).toISOString(),
    isTimeOdd: false,
    notes: ['The text was pasted and has not been compared with the post.'],
    posted: date,
    namedHandle: null,
  }
}

/** The day given for a post; null if empty. */
function postedOn(text: string, today: Day): PostDate | null {
  if (text === '') return null
  const date = readPostDate(text)
  // It may already be tomorrow in the author's time zone.
  const isAhead = date?.precision === 'day' && date.day > today + 1
  if (date !== null && !isAhead) return date
  const message = isAhead
    ? 'The day of the post cannot be in the future (UTC).'
    : 'Please enter the day as 2026-03-10, or the month as 2026-03.'
  throw invalid({ posted: message })
}
