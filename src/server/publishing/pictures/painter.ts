import { type Painter } from '#server/publishing/nostr/ports.ts'
import { z } from 'zod'
import { workerCalls, workerFile } from '#server/kit/worker-calls.ts'

/** How many pictures may wait; more are refused. */
const MOST_WAITING = 20
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
    mostWaiting: MOST_WAITING,
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
