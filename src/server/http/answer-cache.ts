import { createHash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gunzip,
  gzip,
} from 'node:zlib'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { type OutageKind, type Outages } from '#server/database/outages.ts'
import { failure } from '#server/kit/failure.ts'

// Cache lifetimes by kind of response; docs/operations.md has the table. The default is no caching: see `openApp`.

/**
 * Current state of the record: pages, lists, pictures, files. A shared cache revalidates after two seconds,
 * serves stale content for three more meanwhile, and for a day while the site fails. A browser revalidates each
 * time. Together at most eight seconds, so corrections and withdrawals show within ten without purging.
 */
export const SHARED =
  'public, max-age=0, s-maxage=2, stale-while-revalidate=3, stale-if-error=86400'

/** The last price, for pages without a stream. */
export const MOVING = 'public, max-age=0, s-maxage=1'

/** Never changes: scripts and styles named by content, files of a dated snapshot. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

/** For one person, or true only at this moment. */
export const PRIVATE = 'no-store'

declare module 'fastify' {
  // Declaration merging needs an interface.
  export interface FastifyInstance {
    readonly answers: AnswerCache
  }
}

/** A shared response before compression. */
export type Made = {
  /** A function opens a stream, for large responses: compressed while sent, without a tag. */
  readonly body: string | Uint8Array | (() => Readable)
  readonly type: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** False if it may change within a version of the record, or is for one person. */
  readonly isCached?: boolean
}

export type Answer = Required<Pick<Made, 'type' | 'status' | 'headers' | 'isCached'>> & {
  readonly stream: (() => Readable) | null
  /** Null if only the compressed form is stored. */
  readonly plain: Uint8Array | null
  readonly etag: string
  readonly gzip: Buffer
  readonly br: Buffer
  /** When this content first appeared, ms since 1970. */
  readonly madeAt: number
  /** When it was last rendered, even with the same content, ms since 1970. */
  readonly readAt: number
}

type Cached = {
  readonly version: string
  readonly answer: Answer
}

/** Pages are rendered on the main thread; past days are many, so they queue separately. */
export type Queue = 'page' | 'past' | 'call'
const QUEUES = {
  page: { most: 2, waiting: 40 },
  past: { most: 1, waiting: 10 },
  call: { most: 4, waiting: 100 },
} as const

type How = {
  /** Queue for rendering; none if left out. */
  readonly queue?: Queue
  /** Called before rendering for this request; an exception refuses it. */
  readonly before?: (() => Promise<void>) | undefined
}

type AnswerCache = ReturnType<typeof answerCache>

/** Other sites may embed it. */
export const FOR_OTHER_SITES = { 'cross-origin-resource-policy': 'cross-origin' } as const

const JSON_TYPE = 'application/json; charset=utf-8'
const MAX_BYTES = 64_000_000
/** Memory of an entry beyond its bytes. */
const ENTRY_BYTES = 1_000
const BUSY_SECONDS = 5
/** Brotli 7 compresses a list of 5,000 predictions in 0.1 s; above it, time doubles for a few per cent. */
const BROTLI_QUALITY = 7
/** For streams. */
const STREAM_QUALITY = 4

/** Types that are already compressed, or too small. */
const COMPRESSED = /^(?:image\/png|application\/vnd\.opentimestamps)/
const NOTHING = Buffer.alloc(0)

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
const unzip = promisify(gunzip)

/**
 * Caches compressed responses by canonical address, each for one version of the record. Concurrent requests share one
 * rendering. While the database is away, the last response is sent with its age.
 *
 * @param version changes whenever responses must be rendered again
 * @param isNoOlderThan waits until responses are no older than a version; false if they may be
 */
export function answerCache({
  version,
  isNoOlderThan,
  outages,
  maxBytes = MAX_BYTES,
}: {
  readonly version: () => string
  readonly isNoOlderThan: (version: string) => Promise<boolean>
  readonly outages: Pick<Outages, 'notice' | 'current'>
  readonly maxBytes?: number
}) {
  const queues = {
    page: pLimit(QUEUES.page.most),
    past: pLimit(QUEUES.past.most),
    call: pLimit(QUEUES.call.most),
  }
  const making = new Set<string>()
  const cache = new LRUCache<string, Cached, (stale?: Cached) => Promise<Cached>>({
    maxSize: maxBytes,
    // Too large to cache.
    sizeCalculation: ({ answer: { isCached, plain, br, gzip: gz } }) =>
      isCached ? ENTRY_BYTES + (plain?.length ?? 0) + br.length + gz.length : maxBytes + 1,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    fetchMethod: (_address, stale, { context }) => context(stale),
  })

  async function queued<Value>(queue: Queue | undefined, work: () => Promise<Value>) {
    if (queue === undefined) return work()
    if (queues[queue].pendingCount < QUEUES[queue].waiting) return queues[queue](work)
    const text = 'The site is busy. Please try again in a few seconds.'
    throw failure('unavailable', text, null, BUSY_SECONDS)
  }

  /** The response of an address; concurrent requests share one rendering. */
  async function get(address: string, make: () => Promise<Made>, { queue, before }: How = {}) {
    for (;;) {
      const now = version()
      const had = cache.get(address)
      if (had && (had.version === now || outages.current() === ('away' satisfies OutageKind))) {
        return had.answer
      }
      if (before && !making.has(address)) await before()
      const found = await cache.fetch(address, {
        forceRefresh: true,
        context: async (stale) => {
          making.add(address)
          try {
            const work = async () => pack(await make(), stale?.answer)
            return { version: now, answer: await queued(queue, work) }
          } catch (error) {
            if (outages.notice(error) !== 'away' || !stale) throw error
            return stale
          } finally {
            making.delete(address)
          }
        },
      })
      // A shared rendering may be from an older version.
      if (found?.version === now) return found.answer
    }
  }

  /** Sends a response in the best accepted encoding, or 304. */
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, type, headers, stream, madeAt, readAt, ...packed }: Answer,
  ): Promise<FastifyReply> {
    const { plain } = packed
    const accepted = request.headers['accept-encoding'] ?? ''
    const encodings = plain ? [] : (['br', 'gzip'] as const)
    const encoding = encodings.find((one) => accepts(accepted, one)) ?? null
    const own = reply.getHeader('cache-control')
    reply.code(status).headers({ 'cache-control': own ?? SHARED, ...headers })
    if (!plain) reply.header('vary', 'accept-encoding')
    if (stream) {
      reply.type(type)
      if (encoding === null) return reply.send(stream())
      return reply.header('content-encoding', encoding).send(compressed(stream(), encoding))
    }
    const etag = tagOf(packed.etag, encoding)
    const modified = modifiedAt(madeAt)
    reply.header('etag', etag)
    if (modified !== null) reply.header('last-modified', new Date(modified).toUTCString())
    if (outages.current() === 'away') {
      reply.header('age', Math.floor((Date.now() - readAt) / 1_000))
    }
    if (status === 200 && isKnown(request, etag, modified)) return reply.code(304).send()
    reply.type(type)
    if (encoding === null) return reply.send(plain ?? (await unzip(packed.gzip)))
    return reply.header('content-encoding', encoding).send(packed[encoding])
  }

  return {
    get,
    send,
    isNoOlderThan,
    async answer(
      request: FastifyRequest,
      reply: FastifyReply,
      address: string,
      make: () => Promise<Made>,
      how?: How,
    ): Promise<FastifyReply> {
      return send(request, reply, await get(address, make, how))
    },
    /** Sends an uncached response. */
    async once(request: FastifyRequest, reply: FastifyReply, made: Made): Promise<FastifyReply> {
      return send(request, reply, await pack(made))
    },
  }
}

/** @param before the response it replaces: unchanged content keeps its bytes */
export async function pack(
  { body, type, status = 200, headers = {}, isCached = true }: Made,
  before?: Answer,
): Promise<Answer> {
  const readAt = Date.now()
  const about = { type, status, headers, isCached, readAt }
  const none = { stream: null, plain: null, etag: '', gzip: NOTHING, br: NOTHING, madeAt: readAt }
  if (typeof body === 'function') return { ...none, ...about, stream: body }
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const etag = strongTag(plain)
  if (before?.etag === etag) return { ...before, ...about }
  if (COMPRESSED.test(type)) return { ...none, ...about, etag, plain }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  const [br, gz] = await Promise.all([toBrotli(plain, { params }), toGzip(plain)])
  return { ...none, ...about, etag, gzip: gz, br }
}

/** @param text the JSON, or a function that opens a stream of it */
export function jsonOf(text: Made['body'], about: Omit<Made, 'body' | 'type'> = {}): Made {
  return { body: text, type: JSON_TYPE, ...about }
}

/** A failure aborts the response; a client that disconnects ends the source. */
function compressed(source: Readable, encoding: 'br' | 'gzip') {
  const params = { [constants.BROTLI_PARAM_QUALITY]: STREAM_QUALITY }
  const packer = encoding === 'br' ? createBrotliCompress({ params }) : createGzip()
  return pipeline(source, packer, () => undefined)
}

/** A tag derived from the bytes, equal in every process. */
function strongTag(bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('base64url')
  return `"${hash.slice(0, 22)}"`
}

/** The tag of one encoding. A strong tag identifies bytes, so each encoding has its own (RFC 9110, 8.8.3.3). */
export function tagOf(etag: string, encoding: string | null): string {
  return encoding === null ? etag : `${etag.slice(0, -1)}-${encoding}"`
}

/** To the second; null within the same second, in which it could still change. */
function modifiedAt(madeAt: number): number | null {
  const second = Math.floor(madeAt / 1_000) * 1_000
  return Date.now() < second + 1_000 ? null : second
}

/** Whether the client's copy is current: by tag, or by time if it sends no tag. */
function isKnown({ headers }: FastifyRequest, etag: string, modified: number | null): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return hasIt(tags, etag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return modified !== null && modified <= since
}

/** Whether the header `If-None-Match` contains this tag. */
export function hasIt(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/** Whether the header `Accept-Encoding` accepts this encoding. */
export function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((one) => {
    const [name, ...weights] = one.trim().split(';')
    return name?.trim() === encoding && !weights.some((weight) => /^\s*q=0(\.0*)?\s*$/.test(weight))
  })
}
