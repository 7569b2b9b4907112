import { failure } from '#server/kit/failure.ts'
import { messageOf } from '#server/kit/text.ts'
import { type Log } from '#server/kit/ports.ts'
import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import { z } from 'zod'
import { workerCalls, workerFile } from '#server/kit/worker-calls.ts'

/** Draws SVG; loads what it needs when first asked. */
export type Painter = {
  /** @returns PNG of the size that the markup names. @throws Error where it cannot draw */
  readonly png: (svg: string) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

/** How many pictures may wait; more are refused. */
const MOST_AT_PAINTER = 20
const DRAW_WITHIN_MS = 20_000
/** Unused for so long, the process ends and gives its memory back. */
const IDLE_MS = 60_000

const Png = z.instanceof(Uint8Array)

/** Draws SVG with the site's fonts, in a process that lives only while pictures are asked for. */
export function sharpPainter({ idleMs = IDLE_MS }: { idleMs?: number } = {}): Painter {
  const worker = workerCalls({
    file: workerFile('paint-worker', import.meta.url),
    as: 'process',
    read: (answer) => Png.parse(answer),
    mostWaiting: MOST_AT_PAINTER,
    withinMs: DRAW_WITHIN_MS,
    idleMs,
  })
  return {
    async png(svg) {
      const drawn = await worker.ask({ svg })
      if (drawn.ok) return drawn.answer
      throw new Error(`The picture cannot be drawn: ${drawn.message}`)
    },
    close: worker.close,
  }
}

/** A picture takes about 90 kB, so some hundreds are kept. */
const MOST_BYTES = 48_000_000
/** At a tenth of a second each, the last of those who wait has its picture after some seconds. */
const MOST_WAITING = 40

/** When to try again what is missing only for a moment. */
export const SOON_SECONDS = 5

/** A picture as SVG, with an entity tag. */
export type Drawing = { readonly etag: string; readonly svg: () => string }

type Cached = { readonly etag: string; readonly bytes: Uint8Array }

export type DrawnPictures = ReturnType<typeof drawnPictures>

/**
 * Pictures of all kinds, each kept until what it shows changes. One is drawn at a time, so many wait for their turn, and
 * more are refused before anything is done for them.
 */
export function drawnPictures({ painter, log }: { painter: Painter; log: Log }) {
  const cache = new LRUCache<string, Cached>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  const drawing = new Map<string, Promise<Uint8Array>>()
  const inTurn = pLimit(1)

  async function draw(name: string, svg: () => string, isQueued: boolean): Promise<Uint8Array> {
    if (isQueued && inTurn.pendingCount >= MOST_WAITING) {
      throw failure(
        'too_many',
        'Many pictures are being drawn right now. Please try again in a few seconds.',
        null,
        SOON_SECONDS,
      )
    }
    try {
      // The markup too is made only when it is its turn.
      const work = async () => painter.png(svg())
      return isQueued ? await inTurn(work) : await work()
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
     * The picture as PNG, drawn once for all who ask at the same time.
     *
     * @param name one is kept for each
     * @param isQueued false for a post of the site, which does not wait behind visitors
     * @throws AppError `unavailable` when it cannot be drawn now, `too_many` when too many wait already
     */
    async png(name: string, { etag, svg }: Drawing, isQueued = true): Promise<Uint8Array> {
      const cached = cache.get(name)
      if (cached?.etag === etag) return cached.bytes
      const key = [name, etag, isQueued].join(' ')
      const work = drawing.get(key) ?? draw(name, svg, isQueued)
      drawing.set(key, work)
      try {
        const bytes = await work
        cache.set(name, { etag, bytes })
        return bytes
      } finally {
        drawing.delete(key)
      }
    },

    /** The picture as SVG, made once until what it shows changes. */
    svg(name: string, { etag, svg }: Drawing): Uint8Array {
      const key = `${name} svg`
      const cached = cache.get(key)
      if (cached?.etag === etag) return cached.bytes
      const bytes = Buffer.from(svg())
      cache.set(key, { etag, bytes })
      return bytes
    },
  }
}

/** Entity tag of a picture; another design gets another one. */
export function drawingTag(content: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url')
  return `"${hash.slice(0, 22)}"`
}
