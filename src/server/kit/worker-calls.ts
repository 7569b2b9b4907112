import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
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
  readonly schema: z.ZodType<Answer>
  readonly mostWaiting: number
  readonly withinMs: number
  /** How long a worker waits for more; 0 ends it after each request. */
  readonly idleMs: number
  readonly env?: NodeJS.ProcessEnv
  /** Sets a timer; returns what clears it. */
  readonly after?: (ms: number, run: () => void) => () => void
}

/** Variables that Node and native code may need; none of the site's settings, hence no secrets. */
const WITHOUT_SECRETS = Object.fromEntries(
  ['LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'TMPDIR'].map((name) => [name, process.env[name]]),
)

/**
 * The worker's file, beside the one that starts it, in sources and bundle.
 * @param beside `import.meta.url` of the file that starts it
 */
export function workerFile(name: string, beside: string): URL {
  return new URL(beside.endsWith('.ts') ? `./${name}.ts` : `./${name}.mjs`, beside)
}

/**
 * Runs requests in a process of its own, one at a time: they never block the server, and their memory is freed with the
 * process, which may crash alone. A request that times out is ended with its worker. The worker lives while there is
 * work. Its file calls `answerCalls`; requests and replies are copied.
 */
export function workerCalls<Answer>({
  file,
  schema,
  mostWaiting,
  withinMs,
  idleMs,
  env = WITHOUT_SECRETS,
  after = setTimer,
}: WorkerWork<Answer>) {
  const inTurn = pLimit(1)
  let closing = new AbortController()
  let worker: ChildProcess | null = null
  let finish: ((answer: WorkerAnswer<Answer>) => void) | null = null
  let stopTimer = (): void => {}

  /** Ends the worker and its current request. */
  function end(why: 'late' | 'failed', message: string): void {
    const ended = worker
    worker = null
    ended?.kill('SIGKILL')
    finish?.({ ok: false, why, message })
  }

  function start(): ChildProcess {
    const made = spawn(process.execPath, [fileURLToPath(file)], {
      // Under `node --watch`, it would send a message for each file it imports.
      env: { ...env, WATCH_REPORT_DEPENDENCIES: undefined },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      windowsHide: true,
    })
    made.unref()
    made.channel?.unref()
    const ended = (why: string): void => {
      if (worker === made) end('failed', why)
    }
    made.on('message', (message) => {
      if (worker !== made) return
      const { data: sent } = Reply.safeParse(message)
      if (!sent) return ended('The worker sent a message that cannot be read.')
      if ('fault' in sent) return finish?.(failed(sent.fault))
      const { success: ok, data: answer } = schema.safeParse(sent.answer)
      finish?.(ok ? { ok, answer } : failed('The worker sent an answer that cannot be read.'))
    })
    made.on('error', (error) => ended(messageOf(error)))
    made.on('exit', (code, signal) =>
      ended(`The worker ended by itself (${signal ?? `status ${String(code)}`}).`),
    )
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
      stopTimer()
      const ended = worker
      end('failed', STOPS)
      // A process that never started does not exit.
      if (ended?.pid) await new Promise((done) => ended.once('exit', done))
    },
  }
}

const STOPS = 'The server is stopping.'

function failed(message: string): WorkerAnswer<never> {
  return { ok: false, why: 'failed', message }
}

/** Doesn't keep the process alive. */
function setTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
