import { answerCalls } from '#server/kit/worker-answers.ts'
import { z } from 'zod'
import { computePacked } from './compute-scores.ts'

/** Computes scores in a thread of its own, as they take about a second. Answers with the packed reply. */

const Ask = z.object({ parts: z.array(z.instanceof(Uint8Array)), digest: z.string() })

answerCalls((content) => {
  const { parts, digest } = Ask.parse(content)
  return computePacked(textsOf(parts), digest)
})

/** Takes each part out of what was sent, so that it is gone once it is read: those of a large record have 20 MB. */
function* textsOf(parts: readonly Uint8Array<ArrayBuffer>[]): Iterable<string> {
  const decoder = new TextDecoder()
  for (const { buffer } of parts) yield decoder.decode(buffer.transfer())
}
