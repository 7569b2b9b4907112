import { DATE_PRECISIONS, dayFromNumber } from '#domain/day.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { parentPort } from 'node:worker_threads'
import { z } from 'zod'

/** Reads posts in a thread of its own: strangers write them, and a server that reads one answers nobody else. */

const Ask = z.object({
  id: z.number(),
  text: z.string(),
  context: z.object({
    posted: z
      .object({ day: z.number().transform(dayFromNumber), precision: z.enum(DATE_PRECISIONS) })
      .nullable(),
    bitcoinUsd: z.number().nullable().default(null),
  }),
})

parentPort?.on('message', (message: unknown) => {
  const { id, text, context } = Ask.parse(message)
  try {
    parentPort?.postMessage({ id, answer: readPost(text, context) })
  } catch (error) {
    parentPort?.postMessage({ id, fault: error instanceof Error ? error.message : String(error) })
  }
})
