import { answerCalls } from '#server/kit/worker-answers.ts'
import { z } from 'zod'
import { readPicture, shrinkPicture } from './read-picture.ts'

/** Reads uploaded pictures, and makes them smaller, in a process of its own. */

const Ask = z.object({ file: z.instanceof(Uint8Array), mostBytes: z.int().nullable() })

answerCalls((content) => {
  const { file, mostBytes } = Ask.parse(content)
  return mostBytes === null ? readPicture(file) : shrinkPicture(file, mostBytes)
})
