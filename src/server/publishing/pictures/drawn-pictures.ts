import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { z } from 'zod'
import { failure } from '#server/kit/failure.ts'
import { type Log } from '#server/kit/log.ts'
import { messageOf } from '#server/kit/text.ts'
import { workerCalls, workerFile } from '#server/kit/worker-calls.ts'

export type Painter = ReturnType<typeof sharpPainter>

/** Queue limit. */
const MOST_AT_PAINTER = 20
const DRAW_WITHIN_MS = 20_000
/** The idle process ends after this, to free its memory. */
const IDLE_MS = 60_000

/** Draws SVG with the site's fonts, in a process that runs on demand. */
export function sharpPainter({ idleMs = IDLE_MS }: { idleMs?: number } = {}) {
  const worker = workerCalls({
    file: workerFile('paint-worker', import.meta.url),
    schema: z.instanceof(Uint8Array),
    mostWaiting: MOST_AT_PAINTER,
    withinMs: DRAW_WITHIN_MS,
    idleMs,
  })
  return {
    /** @returns PNG of the size in the markup @throws Error if it cannot draw */
    async png(svg: string): Promise<Uint8Array> {
      const drawn = await worker.ask({ svg })
      if (drawn.ok) return drawn.answer
      throw new Error(`The picture cannot be drawn: ${drawn.message}`)
    },
    close: worker.close,
  }
}

/** A picture takes about 90 kB, so this caches some hundreds. */
const MOST_BYTES = 48_000_000
/** At 0.1 s each, the last in the queue waits some seconds. */
const MOST_WAITING = 40

/** Retry delay for temporary failures. */
export const SOON_SECONDS = 5

/** A picture as SVG; `etag` changes with its content. */
export type Drawing = { readonly name: string; readonly etag: string; readonly svg: () => string }

/** `isQueued`: false for posts of the site, which skip the queue. */
type Draw = Omit<Drawing, 'etag'> & { readonly isQueued: boolean }

export type DrawnPictures = ReturnType<typeof drawnPictures>

/**
 * Pictures of all kinds, cached by their entity tag. Drawn one at a time; others queue, and are refused early if the
 * queue is full.
 */
export function drawnPictures({ painter, log }: { painter: Painter; log: Log }) {
  const cache = new LRUCache<string, Uint8Array, Draw>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ length }) => length,
    fetchMethod: (_key, _stale, { context }) => draw(context),
    // A queued picture stays requested when others fill the cache.
    ignoreFetchAbort: true,
  })
  const oneAtATime = pLimit(1)

  async function draw({ name, svg, isQueued }: Draw): Promise<Uint8Array> {
    if (isQueued && oneAtATime.pendingCount >= MOST_WAITING) {
      throw failure(
        'too_many',
        'Many pictures are being drawn right now. Please try again in a few seconds.',
        null,
        SOON_SECONDS,
      )
    }
    try {
      // Delays making the markup, too.
      const work = async () => painter.png(svg())
      return isQueued ? await oneAtATime(work) : await work()
    } catch (error) {
      log.warn({ picture: name }, messageOf(error))
      throw failure(
        'unavailable',
        'The picture cannot be drawn now. Please try again in a moment.',
        null,
        SOON_SECONDS,
      )
    }
  }

  return {
    /**
     * The picture as PNG, drawn once for concurrent requests.
     * @throws AppError `unavailable` when it cannot be drawn now, `too_many` when the queue is full
     */
    png: ({ name, etag, svg }: Drawing, isQueued = true): Promise<Uint8Array> => {
      const context = { name, svg, isQueued }
      return cache.forceFetch([name, etag, isQueued].join(' '), { context })
    },

    svg({ name, etag, svg }: Drawing): Uint8Array {
      const key = `${name} ${etag} svg`
      const bytes = cache.get(key) ?? Buffer.from(svg())
      cache.set(key, bytes)
      return bytes
    },
  }
}

/** Entity tag of a picture; depends on the design, too. */
export function drawingTag(content: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url')
  return `"${hash.slice(0, 22)}"`
}
