import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { messageOf } from './text.ts'

const Reply = z.union([
  z.object({ id: z.number(), answer: z.unknown() }),
  z.object({ id: z.number(), fault: z.string() }),
])

/** `busy`: the queue is full; `late`: killed after the time limit; `failed`: it failed or is impossible. */
type WorkerAnswer<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: 'busy' | 'late' | 'failed'; readonly message: string }

export type WorkerCalls<Answer> = {
  readonly ask: (content: unknown) => Promise<WorkerAnswer<Answer>>
  /** Ends the worker and fails queued requests. The next request starts another. */
  readonly close: () => Promise<void>
}

export type WorkerWork<Answer> = {
  readonly file: URL
  /**
   * A thread starts fast. A process also frees memory of native code, has no secrets in its environment, and may crash alone.
   */
  readonly as: 'thread' | 'process'
  /** @throws if the reply is invalid */
  readonly read: (answer: unknown) => Answer
  readonly mostWaiting: number
  readonly withinMs: number
  /** How long a worker waits for more; 0 ends it after each request. */
  readonly idleMs: number
  /** Sets a timer; returns what clears it. */
  readonly after?: (ms: number, run: () => void) => () => void
}

type PendingCall<Answer> = {
  readonly id: number
  readonly done: (answer: WorkerAnswer<Answer>) => void
}
type Waiting<Answer> = PendingCall<Answer> & { readonly content: unknown }

/** A running thread or process. */
type Running = {
  readonly send: (message: object) => void
  readonly end: () => Promise<void>
}

type Listeners = {
  readonly message: (message: unknown) => void
  /** It ended or could not be started. May be called more than once. */
  readonly ended: (why: string) => void
}

/**
 * The worker's file, beside the one that starts it, in sources and bundle.
 * @param beside `import.meta.url` of the file that starts it
 */
export function workerFile(name: string, beside: string): URL {
  return new URL(beside.endsWith('.ts') ? `./${name}.ts` : `./${name}.mjs`, beside)
}

/**
 * Runs requests in a worker, one at a time, so that they never block the server. A request that times out is ended with
 * its worker. The worker lives while there is work. Its file calls `answerCalls`; requests and replies are copied.
 */
export function workerCalls<Answer>({
  file,
  as,
  read,
  mostWaiting,
  withinMs,
  idleMs,
  after = setTimer,
}: WorkerWork<Answer>): WorkerCalls<Answer> {
  let worker: Running | null = null
  let running: PendingCall<Answer> | null = null
  let stopTimer = (): void => {}
  let last = 0
  const waiting: Waiting<Answer>[] = []

  /** An exception of `read` would crash this process. */
  function answerOf(sent: unknown): WorkerAnswer<Answer> {
    try {
      return { ok: true, answer: read(sent) }
    } catch {
      return failed('The worker sent an answer that cannot be read.')
    }
  }

  function finish(answer: WorkerAnswer<Answer>): void {
    const ended = running
    running = null
    stopTimer()
    if (idleMs === 0) {
      void worker?.end()
      worker = null
    }
    ended?.done(answer)
    begin()
  }

  /** Ends the worker and its current request. */
  function end(why: 'late' | 'failed', message: string): void {
    const ended = worker
    worker = null
    void ended?.end()
    if (running) finish({ ok: false, why, message })
  }

  function begin(): void {
    if (running) return
    const next = waiting.shift()
    stopTimer()
    if (!next) {
      if (worker) stopTimer = after(idleMs, () => end('failed', 'The worker ended.'))
      return
    }
    const { id, content, done } = next
    // Drops the request, which may be large, as the worker has its own copy.
    running = { id, done }
    stopTimer = after(withinMs, () => end('late', 'It took too long.'))
    try {
      worker ??= start()
      worker.send({ id, content })
    } catch (error) {
      end('failed', messageOf(error))
    }
  }

  function start(): Running {
    const made = (as === 'thread' ? startThread : startProcess)(file, {
      message(message) {
        if (worker !== made) return
        const sent = Reply.safeParse(message)
        if (!sent.success) {
          end('failed', 'The worker sent a message that cannot be read.')
          return
        }
        const reply = sent.data
        if (reply.id !== running?.id) return
        finish('fault' in reply ? failed(reply.fault) : answerOf(reply.answer))
      },
      ended(why) {
        if (worker === made) end('failed', why)
      },
    })
    return made
  }

  return {
    ask: (content) =>
      new Promise((done) => {
        if (waiting.length >= mostWaiting) {
          done({ ok: false, why: 'busy', message: 'Too many requests are queued.' })
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
      if (running) finish({ ok: false, why: 'failed', message: 'The server stops.' })
      stopTimer()
      await ended?.end()
    },
  }
}

function startThread(file: URL, on: Listeners): Running {
  const made = new Worker(file)
  made.unref()
  made.on('message', on.message)
  made.on('error', (error: unknown) => on.ended(messageOf(error)))
  made.on('exit', () => on.ended('The worker ended by itself.'))
  return {
    send: (message) => made.postMessage(message),
    end: async () => void (await made.terminate()),
  }
}

/** Variables that Node and native code may need; none of the site's settings, hence no secrets. */
const PROCESS_ENV = ['LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'TMPDIR']

function startProcess(file: URL, on: Listeners): Running {
  const gone = Promise.withResolvers<void>()
  const made = spawn(process.execPath, [fileURLToPath(file)], {
    env: Object.fromEntries(PROCESS_ENV.map((name) => [name, process.env[name]])),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    windowsHide: true,
  })
  made.unref()
  made.channel?.unref()
  made.on('message', on.message)
  made.on('error', (error) => {
    on.ended(messageOf(error))
    // A process that never started does not exit.
    if (made.pid === undefined) gone.resolve()
  })
  made.on('exit', (code, signal) => {
    on.ended(`The worker ended by itself (${signal ?? `status ${String(code)}`}).`)
    gone.resolve()
  })
  return {
    send: (message) => void made.send(message),
    end: () => {
      made.kill('SIGKILL')
      return gone.promise
    },
  }
}

function failed(message: string): WorkerAnswer<never> {
  return { ok: false, why: 'failed', message }
}

/** Doesn't keep the process alive. */
function setTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
