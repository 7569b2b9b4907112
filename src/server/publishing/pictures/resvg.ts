import { type Painter } from '#server/publishing/nostr/ports.ts'
import { z } from 'zod'
import { workerCalls, workerFile } from '#server/kit/worker-calls.ts'

/** How many pictures may wait; more are refused. */
const MOST_WAITING = 20
const DRAW_WITHIN_MS = 20_000
/** Unused for so long, the thread ends and gives its memory back. */
const IDLE_MS = 60_000

const Png = z.instanceof(Uint8Array)

/** Draws SVG by resvg, with the site's font, in a thread that lives only while pictures are asked for. */
export function resvgPainter({ idleMs = IDLE_MS }: { idleMs?: number } = {}): Painter {
  const thread = workerCalls({
    file: workerFile('resvg-worker', import.meta.url),
    as: 'thread',
    read: (answer) => Png.parse(answer),
    mostWaiting: MOST_WAITING,
    withinMs: DRAW_WITHIN_MS,
    idleMs,
  })
  return {
    async png(svg) {
      const drawn = await thread.ask({ svg })
      if (drawn.ok) return drawn.answer
      throw new Error(`The picture cannot be drawn: ${drawn.message}`)
    },
    close: thread.close,
  }
}
