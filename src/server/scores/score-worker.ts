import { answerCalls } from '#server/kit/worker-answers.ts'
import { z } from 'zod'
import { computeRows } from './compute-scores.ts'

/** Computes scores in a thread of its own, as they take about a second. */

const Ask = z.object({ text: z.string(), digest: z.string() })

answerCalls((content) => computeRows(Ask.parse(content)))
