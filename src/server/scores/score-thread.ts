import { failure } from '#server/kit/failure.ts'
import { workerCalls, workerFile, type WorkerWork } from '#server/kit/worker-calls.ts'
import { z } from 'zod'
import { type PackedScores } from './packed-scores.ts'
import { type RequestText } from './score-request.ts'

/** Days that may wait for their scores; more would take minutes. */
const MOST_WAITING = 3
/** A hundred thousand predictions take half a minute, and a machine with much else to do several times that. */
const COMPUTED_WITHIN_MS = 5 * 60_000
/** A thread that has scored a large record holds a hundred megabytes. */
const IDLE_MS = 10_000
const BUSY_SECONDS = 10

const Answer = z.object({ gzip: z.instanceof(Uint8Array), starts: z.array(z.int()) })

/** Computes scores, one day at a time, without keeping the server from answering. */
export type ScoreThread = {
  /**
   * @throws AppError `too_many` when too many days wait already
   */
  readonly compute: (request: RequestText) => Promise<PackedScores>
  readonly close: () => Promise<void>
}

export function scoreThread(
  given: Partial<Omit<WorkerWork<PackedScores>, 'read'>> = {},
): ScoreThread {
  const thread = workerCalls({
    file: workerFile('score-worker', import.meta.url),
    as: 'thread',
    read: (answer) => Answer.parse(answer),
    mostWaiting: MOST_WAITING,
    withinMs: COMPUTED_WITHIN_MS,
    idleMs: IDLE_MS,
    ...given,
  })
  return {
    async compute({ parts, digest }) {
      const answer = await thread.askWritten(async () => {
        const encoder = new TextEncoder()
        const encoded: Uint8Array<ArrayBuffer>[] = []
        for await (const part of parts()) encoded.push(encoder.encode(part))
        return {
          content: { parts: encoded, digest },
          moved: encoded.map(({ buffer }) => buffer),
        }
      })
      if (answer.ok) return answer.answer
      if (answer.why === 'busy') throw tooManyDays(BUSY_SECONDS)
      throw new Error(`Scores could not be computed: ${answer.message}`)
    },
    close: thread.close,
  }
}

export function tooManyDays(seconds: number): Error {
  return failure(
    'too_many',
    'Scores of several other days are being computed right now. Please try again in a few seconds.',
    null,
    seconds,
  )
}
