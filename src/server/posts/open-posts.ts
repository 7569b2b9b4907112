import { z } from 'zod'
import { type SiteKit } from '#server/kit/kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type PostSource, type PostAssistant } from './ports.ts'
import { tryLink } from './queue/post-queue.service.ts'
import { itemsToDo, POSTS_QUEUE } from './queue/post-queue.store.ts'
import { postReader, type PostsKit } from './read-post.service.ts'

/** `process` answers without the result after this. */
const ANSWER_WITHIN_MS = 20_000

export type PostPorts = {
  /** Most trusted first. */
  readonly sources: readonly PostSource[]
  /** The model used beside the parser. */
  readonly assistant: PostAssistant | null
}

export type PostPace = { readonly answerWithinMs?: number }

export function openPosts(
  kit: SiteKit,
  { sources, assistant }: PostPorts,
  { record }: { record: PublicRecord },
  { answerWithinMs = ANSWER_WITHIN_MS }: PostPace = {},
) {
  const { db, jobs } = kit
  const parts: PostsKit = {
    ...kit,
    record,
    reader: postReader(kit, sources),
    assistant,
    onWork: async (first) => {
      if (first !== null) await job.send(db, { id: first }, 0, true)
      for (const id of await itemsToDo(db)) await job.send(db, { id })
    },
    answerWithinMs,
  }
  // One job per link; the rows of the queue are authoritative.
  const job = jobs.define({
    name: POSTS_QUEUE,
    title: 'Reading queued posts',
    data: z.object({ id: z.int() }),
    key: ({ id }) => String(id),
    withinSeconds: 240,
    // Above the attempts of a link, as those of a killed process count here too.
    retry: { limit: 20 },
    atOnce: 2,
    run: async ({ id }, signal) => {
      if ((await tryLink(parts, id, signal)) === 'again') {
        throw new Error('a source of posts is rate limiting')
      }
    },
  })
  jobs.repeat({
    name: 'posts-to-read',
    title: 'Looking for posts to read',
    seconds: 300,
    run: () => parts.onWork(null),
  })
  return { kit: parts }
}
