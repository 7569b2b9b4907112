import { answerCalls } from '#server/kit/worker-answers.ts'
import { z } from 'zod'
import { readPicture } from './read-picture.ts'

/** Reads uploaded pictures in a process of its own. */

const File = z.instanceof(Uint8Array)

answerCalls((content) => readPicture(File.parse(content)))
