import {
  IMAGE_FAULTS,
  IMAGE_TYPES,
  MOST_IMAGE_BYTES,
  tooLargeFault,
} from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { workerCalls, workerFile, type WorkerWork } from '#server/kit/worker-calls.ts'
import { type PictureReader, type ReadPicture } from '#server/publishing/ports.ts'
import { z } from 'zod'

/** Each of at most 5 MB, so this bounds what waits to 50 MB. */
const MOST_WAITING = 10
const READ_WITHIN_MS = 20_000
/** The pictures of a post come one after the other; after them the memory is given back. */
const IDLE_MS = 5_000

const Read = z.union([
  z.object({ fault: z.string() }),
  z.object({
    bytes: z.instanceof(Uint8Array).refine(({ length }) => length <= MOST_IMAGE_BYTES),
    type: z.enum(IMAGE_TYPES),
    width: z.int().positive(),
    height: z.int().positive(),
  }),
])

/** Has uploaded pictures read and written by sharp in a process that lives only while there are some. */
export function sharpReader(given: Partial<Omit<WorkerWork<unknown>, 'read'>> = {}): PictureReader {
  const worker = workerCalls({
    file: workerFile('sharp-worker', import.meta.url),
    as: 'process',
    mostWaiting: MOST_WAITING,
    withinMs: READ_WITHIN_MS,
    idleMs: IDLE_MS,
    ...given,
    read: (answer) => Read.parse(answer),
  })
  async function ask(file: Uint8Array, mostBytes: number | null): ReturnType<ReadPicture> {
    const answer = await worker.ask({ file, mostBytes })
    if (answer.ok) return answer.answer
    switch (answer.why) {
      case 'late':
        return { fault: IMAGE_FAULTS.slow }
      case 'busy':
        throw failure(
          'unavailable',
          'Many pictures are being read right now. Please try again in a few seconds.',
          null,
          5,
        )
      case 'failed':
        throw new Error(`A picture could not be read: ${answer.message}`)
    }
  }
  return {
    async read(file) {
      if (file.length === 0) return { fault: IMAGE_FAULTS.empty }
      if (file.length > MOST_IMAGE_BYTES) return { fault: tooLargeFault() }
      return ask(file, null)
    },
    shrink: ask,
    close: worker.close,
  }
}
