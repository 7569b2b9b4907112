import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { messageOf } from './message-of.ts'

/** What a worker sends back: the answer, or why it failed. */
const Reply = z.union([
  z.object({ id: z.number(), answer: z.unknown() }),
  z.object({ id: z.number(), fault: z.string() }),
])

/** `busy`: too many asks wait; `late`: it took too long and was ended; `failed`: it could not be done, or never will be. */
type WorkerAnswer<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: 'busy' | 'late' | 'failed'; readonly message: string }

export type WorkerCalls<Answer> = {
  readonly ask: (content: unknown) => Promise<WorkerAnswer<Answer>>
  /** Ends the worker; what still waits fails. The next ask begins another. */
  readonly close: () => Promise<void>
}

export type WorkerWork<Answer> = {
  readonly file: URL
  /**
   * A thread starts fast. A process also gives back all memory that compiled code took, sees no secret of the environment,
   * and takes nothing with it when it crashes.
   */
  readonly as: 'thread' | 'process'
  /** @throws where the answer is not what it should be */
  readonly read: (answer: unknown) => Answer
  readonly mostWaiting: number
  readonly withinMs: number
  readonly idleMs: number
  /** Calls back after so many milliseconds, until what it gives is called. */
  readonly after?: (ms: number, run: () => void) => () => void
}

type Asked<Answer> = {
  readonly id: number
  readonly done: (answer: WorkerAnswer<Answer>) => void
}
type Waiting<Answer> = Asked<Answer> & { readonly content: unknown }

/** A thread or a process that runs. */
type Running = {
  readonly send: (message: object) => void
  /** Ends it, whatever it is doing. */
  readonly end: () => Promise<void>
}

type Heard = {
  readonly message: (message: unknown) => void
  /** It came to an end, or could not be started. May be called more than once. */
  readonly ended: (why: string) => void
}

/**
 * The file of a worker, which is next to the one that starts it: among the sources and in the bundle.
 *
 * @param beside `import.meta.url` of the file that starts it
 */
export function workerFile(name: string, beside: string): URL {
  return new URL(beside.endsWith('.ts') ? `./${name}.ts` : `./${name}.mjs`, beside)
}

/**
 * Has work done by a worker of its own, one piece after the other, so that nothing it takes long over keeps the server
 * from answering. A piece that takes too long is ended with its worker, and the next one gets a new worker. The worker
 * lives only while there is something to do. Its file calls `answerCalls`; what it is asked and answers is copied.
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
  let running: Asked<Answer> | null = null
  let stopTimer = (): void => {}
  let last = 0
  const waiting: Waiting<Answer>[] = []

  /** What `read` throws here would end the process. */
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
    ended?.done(answer)
    begin()
  }

  /** Ends the worker, and with it what runs. */
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
    // Without what is sent, which may be large: the worker has its own.
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
      if (running) finish({ ok: false, why: 'failed', message: 'The server stops.' })
      stopTimer()
      await ended?.end()
    },
  }
}

function startThread(file: URL, heard: Heard): Running {
  const made = new Worker(file)
  made.unref()
  made.on('message', heard.message)
  made.on('error', (error: unknown) => heard.ended(messageOf(error)))
  made.on('exit', () => heard.ended('The worker ended by itself.'))
  return {
    send: (message) => made.postMessage(message),
    end: async () => void (await made.terminate()),
  }
}

/** What Node itself and compiled code may need to run: no setting of the site, and so no secret. */
const PROCESS_ENV = ['LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'TMPDIR']

function startProcess(file: URL, heard: Heard): Running {
  const gone = Promise.withResolvers<void>()
  const made = spawn(process.execPath, [fileURLToPath(file)], {
    env: Object.fromEntries(PROCESS_ENV.map((name) => [name, process.env[name]])),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    windowsHide: true,
  })
  made.unref()
  made.channel?.unref()
  made.on('message', heard.message)
  made.on('error', (error) => {
    heard.ended(messageOf(error))
    // One that was never started does not exit.
    if (made.pid === undefined) gone.resolve()
  })
  made.on('exit', (code, signal) => {
    heard.ended(`The worker ended by itself (${signal ?? `status ${String(code)}`}).`)
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

/** No process lives on for it. */
function setTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
