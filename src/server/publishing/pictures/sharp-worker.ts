import { z } from 'zod'
import { answerCalls } from '#server/kit/worker-answers.ts'
import { readPicture, shrinkPicture } from './read-picture.ts'

/** Reads and shrinks uploaded pictures in a separate process. */

const Ask = z.object({ file: z.instanceof(Uint8Array), mostBytes: z.int().nullable() })

answerCalls((content) => {
  const { file, mostBytes } = Ask.parse(content)
  return mostBytes === null ? readPicture(file) : shrinkPicture(file, mostBytes)
})
