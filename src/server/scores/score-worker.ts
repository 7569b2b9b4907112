import { type PoolConfig } from 'pg'
import { z } from 'zod'
import { dayFromNumber } from '#domain/day.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { openDatabase } from '#server/kit/db.ts'
import { answerCalls } from '#server/kit/worker-answers.ts'
import { computeDay } from './compute-scores.ts'

const Ask = z.object({
  direct: z.custom<PoolConfig>(),
  asOf: z.number().transform(dayFromNumber),
  mode: z.enum(JUDGE_MODES),
  now: z.iso.datetime(),
})

answerCalls(async (content) => {
  const { direct, ...job } = Ask.parse(content)
  const database = openDatabase({ ...direct, max: 1 }, () => {})
  try {
    return await computeDay(database.db, job)
  } finally {
    await database.close()
  }
})
