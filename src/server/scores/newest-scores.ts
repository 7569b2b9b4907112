import { type ScoresReply } from '#contracts/scores.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { AppError } from '#server/kit/failure.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { type ScoresService } from './scores.service.ts'

export type NewestOf = Pick<ScoresService, 'asked' | 'ready' | 'scores'>

/** A page does not wait longer for scores that are computed for the first time. */
const PATIENCE_MS = 4_000

/** The newest scores, for a page that does not wait for them; null when they are not in memory. */
export function readyScores(scores: NewestOf, mode: JudgeMode): ScoresReply | null {
  try {
    return scores.ready(scores.asked(mode), false)?.reply() ?? null
  } catch (error) {
    return nullWithout(error)
  }
}

/** The newest scores, for a page that is about them; null when they are computed for too long, or cannot be now. */
export async function newestScores(scores: NewestOf, mode: JudgeMode): Promise<ScoresReply | null> {
  const ready = readyScores(scores, mode)
  if (ready) return ready
  try {
    const late = pause(PATIENCE_MS, null, { ref: false })
    return (await Promise.race([scores.scores(scores.asked(mode)), late]))?.reply() ?? null
  } catch (error) {
    return nullWithout(error)
  }
}

/** Before the first prediction there are none; and too many days may be asked for at once. */
function nullWithout(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}
