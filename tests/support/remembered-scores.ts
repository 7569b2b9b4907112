import { type ScoreRows } from '#server/scores/compute-scores.ts'
import { scoreThread, type ScoreThread } from '#server/scores/score-thread.ts'

/** What was computed for the sites of this test file, by the digest of all that it was computed from. */
const known = new Map<string, ScoreRows>()

/**
 * Computes scores in a thread as the site does, and once for each record: most stories begin with the same one, whose
 * scores take a second of the processor.
 */
export function rememberedScores(): ScoreThread {
  const thread = scoreThread()
  return {
    async compute(request) {
      const found = known.get(request.digest)
      if (found !== undefined) return found
      const scores = await thread.compute(request)
      known.set(request.digest, scores)
      return scores
    },
    close: thread.close,
  }
}
