import { failure } from '#server/kit/failure.ts'
import { keepRecent } from '#server/kit/kept.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { type Log } from '#server/kit/ports.ts'
import { type Painter } from '#server/publishing/nostr/ports.ts'
import { createHash } from 'node:crypto'

/** A picture takes about 70 kB, so a few hundred are kept. */
const MOST_BYTES = 16_000_000

/** What a picture shows, as SVG, and a tag that changes with it. */
export type Drawing = { readonly etag: string; readonly svg: () => string }

type Kept = { readonly etag: string; readonly bytes: Uint8Array }

/** Pictures drawn from SVG, each kept until what it shows changes. */
export function drawnPictures({ painter, log }: { painter: Painter; log: Log }) {
  const kept = keepRecent<Kept>({
    mostBytes: MOST_BYTES,
    bytesOf: ({ bytes }) => bytes.length,
  })
  const drawing = new Map<string, Promise<Uint8Array>>()

  return {
    /**
     * The picture as PNG, drawn once for all who ask at the same time.
     *
     * @param name one is kept for each
     * @throws AppError when it cannot be drawn now
     */
    async png(name: string, { etag, svg }: Drawing): Promise<Uint8Array> {
      const had = kept.get(name)
      if (had?.etag === etag) return had.bytes
      const key = name + etag
      const work = drawing.get(key) ?? painter.png(svg())
      drawing.set(key, work)
      try {
        const bytes = await work
        kept.set(name, { etag, bytes })
        return bytes
      } catch (error) {
        log.warn({ picture: name }, messageOf(error))
        throw failure(
          'unavailable',
          'The picture cannot be drawn now. Please try again in a moment.',
        )
      } finally {
        drawing.delete(key)
      }
    },
  }
}

/** A tag of what a picture shows; another design makes another one. */
export function drawingTag(content: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url')
  return `"${hash.slice(0, 22)}"`
}
