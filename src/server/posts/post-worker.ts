import { DATE_PRECISIONS, dayFromNumber } from '#domain/day.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { answerCalls } from '#server/kit/worker-answers.ts'
import { z } from 'zod'

/** Reads posts in a thread of its own: strangers write them, and the server must go on answering meanwhile. */

const Ask = z.object({
  text: z.string(),
  context: z.object({
    posted: z
      .object({ day: z.number().transform(dayFromNumber), precision: z.enum(DATE_PRECISIONS) })
      .nullable(),
    bitcoinUsd: z.number().nullable().default(null),
  }),
})

answerCalls((content) => {
  const { text, context } = Ask.parse(content)
  return readPost(text, context)
})
