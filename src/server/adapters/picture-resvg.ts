import { type Painter } from '#server/nostr-ports.ts'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'

const Told = z.union([
  z.object({ id: z.number(), png: z.instanceof(Uint8Array) }),
  z.object({ id: z.number(), fault: z.string() }),
])

/** Pictures that wait at the same time; beyond this one is told to come later. */
const MOST_WAITING = 20
const DRAW_WITHIN_MS = 20_000
/** Unused for so long, the thread ends and gives its memory back. */
const IDLE_MS = 60_000

type Waiting = { readonly done: (png: Uint8Array) => void; readonly fail: (error: Error) => void }

/** Draws SVG by resvg, with the site's font, in a thread that lives only while pictures are asked for. */
export function resvgPainter({ idleMs = IDLE_MS }: { idleMs?: number } = {}): Painter {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | null = null
  let last = 0
  const waiting = new Map<number, Waiting>()

  function end(reason: string): void {
    const ended = worker
    worker = null
    if (idle) clearTimeout(idle)
    for (const { fail } of waiting.values()) fail(new Error(reason))
    waiting.clear()
    void ended?.terminate()
  }

  function thread(): Worker {
    if (worker) return worker
    // In the bundle the thread's file stands beside this one, under the same name.
    const file = import.meta.url.endsWith('.ts') ? './picture-worker.ts' : './picture-worker.mjs'
    const made = new Worker(new URL(file, import.meta.url))
    made.unref()
    made.on('message', (message: unknown) => {
      const told = Told.parse(message)
      const asker = waiting.get(told.id)
      waiting.delete(told.id)
      if ('png' in told) asker?.done(told.png)
      else asker?.fail(new Error(`The picture cannot be drawn: ${told.fault}`))
    })
    made.on('error', (error: unknown) => {
      const said = error instanceof Error ? error.message : String(error)
      if (worker === made) end(`The picture cannot be drawn: ${said}`)
    })
    worker = made
    return made
  }

  return {
    async png(svg) {
      if (waiting.size >= MOST_WAITING) throw new Error('Too many pictures wait already.')
      last += 1
      const id = last
      if (idle) clearTimeout(idle)
      const drawn = new Promise<Uint8Array>((done, fail) => waiting.set(id, { done, fail }))
      const late = setTimeout(() => end('A picture took too long to draw.'), DRAW_WITHIN_MS)
      try {
        thread().postMessage({ id, svg })
        return await drawn
      } finally {
        clearTimeout(late)
        waiting.delete(id)
        if (waiting.size === 0) {
          idle = setTimeout(() => end('The thread ended.'), idleMs)
          idle.unref()
        }
      }
    },
    async close() {
      const ended = worker
      end('The server stops.')
      await ended?.terminate()
    },
  }
}
