import { answerCalls } from '#server/kit/worker-answers.ts'
import { z } from 'zod'
import { computePacked } from './compute-scores.ts'

/** Computes scores in a thread of its own, as they take about a second. Answers with the packed reply. */

const Ask = z.object({ text: z.string(), digest: z.string() })

answerCalls((content) => computePacked(Ask.parse(content)))
