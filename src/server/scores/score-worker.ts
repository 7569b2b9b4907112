import { answerCalls } from '#server/kit/worker-answers.ts'
import { z } from 'zod'
import { computeReply } from './compute-scores.ts'

/** Computes scores in a thread of its own, as they take about a second. Answers with the JSON of the reply. */

const Ask = z.object({ text: z.string(), digest: z.string() })

answerCalls((content) => JSON.stringify(computeReply(Ask.parse(content))))
