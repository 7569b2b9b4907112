import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { z } from 'zod'
import { messageOf } from './text.ts'

const Reply = z.union([z.object({ answer: z.unknown() }), z.object({ fault: z.string() })])

/** `busy`: the queue is full; `late`: killed after the time limit; `failed`: it failed or is impossible. */
type WorkerAnswer<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: 'busy' | 'late' | 'failed'; readonly message: string }

export type WorkerCalls<Answer> = ReturnType<typeof workerCalls<Answer>>

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
}: WorkerWork<Answer>) {
  const inTurn = pLimit(1)
  let closing = new AbortController()
  let worker: Running | null = null
  let finish: ((answer: WorkerAnswer<Answer>) => void) | null = null
  let stopTimer = (): void => {}

  /** An exception of `read` would crash this process. */
  function answerOf(sent: unknown): WorkerAnswer<Answer> {
    try {
      return { ok: true, answer: read(sent) }
    } catch {
      return failed('The worker sent an answer that cannot be read.')
    }
  }

  /** Ends the worker and its current request. */
  function end(why: 'late' | 'failed', message: string): void {
    const ended = worker
    worker = null
    void ended?.end()
    finish?.({ ok: false, why, message })
  }

  function start(): Running {
    const made = (as === 'thread' ? startThread : startProcess)(file, {
      message(message) {
        if (worker !== made) return
        const { data: sent } = Reply.safeParse(message)
        if (!sent) end('failed', 'The worker sent a message that cannot be read.')
        else finish?.('fault' in sent ? failed(sent.fault) : answerOf(sent.answer))
      },
      ended(why) {
        if (worker === made) end('failed', why)
      },
    })
    return made
  }

  async function run(content: unknown): Promise<WorkerAnswer<Answer>> {
    stopTimer()
    const { promise, resolve } = Promise.withResolvers<WorkerAnswer<Answer>>()
    finish = resolve
    stopTimer = after(withinMs, () => end('late', 'It took too long.'))
    try {
      worker ??= start()
      worker.send({ content })
    } catch (error) {
      end('failed', messageOf(error))
    }
    const answer = await promise
    finish = null
    stopTimer()
    if (idleMs === 0) end('failed', 'The worker ended.')
    else if (worker) stopTimer = after(idleMs, () => end('failed', 'The worker ended.'))
    return answer
  }

  return {
    ask: async (content: unknown): Promise<WorkerAnswer<Answer>> => {
      if (inTurn.pendingCount >= mostWaiting) {
        return { ok: false, why: 'busy', message: 'Too many requests are queued.' }
      }
      const { signal } = closing
      return inTurn(() => (signal.aborted ? failed(STOPS) : run(content)))
    },
    /** Ends the worker and fails queued requests. The next request starts another. */
    close: async (): Promise<void> => {
      closing.abort()
      closing = new AbortController()
      const ended = worker
      worker = null
      finish?.(failed(STOPS))
      stopTimer()
      await ended?.end()
    },
  }
}

const STOPS = 'The server is stopping.'

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
