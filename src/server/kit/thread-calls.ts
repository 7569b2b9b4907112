import { Worker } from 'node:worker_threads'
import { z } from 'zod'

/** What a thread sends back: the answer, or why it failed. */
const Reply = z.union([
  z.object({ id: z.number(), answer: z.unknown() }),
  z.object({ id: z.number(), fault: z.string() }),
])

/** `busy`: too many asks wait; `late`: it took too long and was ended; `failed`: it could not be done, or never will be. */
type ThreadAnswer<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: 'busy' | 'late' | 'failed'; readonly message: string }

export type ThreadCalls<Answer> = {
  readonly ask: (content: object) => Promise<ThreadAnswer<Answer>>
  /** Ends the thread; what still waits fails. The next ask begins another. */
  readonly close: () => Promise<void>
}

export type ThreadWork<Answer> = {
  readonly file: URL
  readonly read: (answer: unknown) => Answer
  readonly mostWaiting: number
  readonly withinMs: number
  readonly idleMs: number
  /** Calls back after so many milliseconds, until what it gives is called. */
  readonly after?: (ms: number, run: () => void) => () => void
}

type Waiting<Answer> = {
  readonly id: number
  readonly content: object
  readonly done: (answer: ThreadAnswer<Answer>) => void
}

/**
 * The file of a thread, which is next to the one that starts it: among the sources and in the bundle.
 *
 * @param beside `import.meta.url` of the file that starts it
 */
export function threadFile(name: string, beside: string): URL {
  return new URL(beside.endsWith('.ts') ? `./${name}.ts` : `./${name}.mjs`, beside)
}

/**
 * Has work done by a thread of its own, one piece after the other, so that nothing it takes long over keeps the server
 * from answering. A piece that takes too long is ended with its thread, and the next one gets a new thread. The thread
 * lives only while there is something to do. It gets `{ id, ...content }` and sends back `{ id, answer }` or
 * `{ id, fault }`.
 */
export function threadCalls<Answer>({
  file,
  read,
  mostWaiting,
  withinMs,
  idleMs,
  after = setTimer,
}: ThreadWork<Answer>): ThreadCalls<Answer> {
  let worker: Worker | null = null
  let running: Waiting<Answer> | null = null
  let stopTimer = (): void => {}
  let last = 0
  const waiting: Waiting<Answer>[] = []

  /** What `read` throws here would end the process. */
  function answerOf(sent: unknown): ThreadAnswer<Answer> {
    try {
      return { ok: true, answer: read(sent) }
    } catch {
      return failed('The thread sent an answer that cannot be read.')
    }
  }

  function settle(answer: ThreadAnswer<Answer>): void {
    const settled = running
    running = null
    stopTimer()
    settled?.done(answer)
    begin()
  }

  /** Ends the thread, and with it what runs. */
  function end(why: 'late' | 'failed', message: string): void {
    const ended = worker
    worker = null
    void ended?.terminate()
    if (running) settle({ ok: false, why, message })
  }

  function begin(): void {
    if (running) return
    const next = waiting.shift()
    stopTimer()
    if (!next) {
      if (worker) stopTimer = after(idleMs, () => end('failed', 'The thread ended.'))
      return
    }
    running = next
    stopTimer = after(withinMs, () => end('late', 'It took too long.'))
    thread().postMessage({ id: next.id, ...next.content })
  }

  function thread(): Worker {
    if (worker) return worker
    const made = new Worker(file)
    made.unref()
    made.on('message', (message: unknown) => {
      const read = Reply.safeParse(message)
      if (!read.success) {
        if (worker === made) end('failed', 'The thread sent a message that cannot be read.')
        return
      }
      const reply = read.data
      if (reply.id !== running?.id) return
      settle('fault' in reply ? failed(reply.fault) : answerOf(reply.answer))
    })
    made.on('error', (error: unknown) => {
      if (worker === made) end('failed', error instanceof Error ? error.message : String(error))
    })
    made.on('exit', () => {
      if (worker === made) end('failed', 'The thread ended by itself.')
    })
    worker = made
    return made
  }

  return {
    ask: (content) =>
      new Promise((done) => {
        if (waiting.length >= mostWaiting) {
          done({ ok: false, why: 'busy', message: 'Too much waits already.' })
          return
        }
        last += 1
        waiting.push({ id: last, content, done })
        begin()
      }),
    close: async () => {
      const ended = worker
      worker = null
      for (const { done } of waiting.splice(0)) {
        done({ ok: false, why: 'failed', message: 'The server stops.' })
      }
      if (running) settle({ ok: false, why: 'failed', message: 'The server stops.' })
      stopTimer()
      await ended?.terminate()
    },
  }
}

function failed(message: string): ThreadAnswer<never> {
  return { ok: false, why: 'failed', message }
}

/** No process lives on for it. */
function setTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
