import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type z } from 'zod'
import {
  TweetExtraction,
  type addToTweetQueue,
  QUEUE_EVENTS_PATH,
  QueueEvent,
  tweetQueue,
  tweetQueueItem,
} from '#contracts/posts.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { jsonOf, openStream } from '#web/api/page-stream.ts'

/** Polling interval, for networks that block server-sent events. */
const ASK_MS = 15_000
/** A model reads pasted text twice, each time with its own retries. */
export const READ_PATIENCE_MS = 150_000

export type Added = z.infer<(typeof addToTweetQueue)['reply']>

const QUEUE = queryOptions({
  queryKey: ['tweet-queue'],
  // Results are loaded when an item is opened, since the list is reloaded with every change.
  queryFn: ({ signal }) => adminCall(tweetQueue, { query: { results: 'none' }, signal }),
  refetchInterval: ASK_MS,
})

/** The queue, reloaded with every change and once the server is back. */
export function useQueue() {
  const queries = useQueryClient()
  useEffect(() => {
    const { queryKey } = QUEUE
    const reload = (): void => void queries.invalidateQueries({ queryKey })
    return openStream(() => QUEUE_EVENTS_PATH, {
      names: ['queue', 'alive'],
      opened: () => void (queries.getQueryState(queryKey)?.error && reload()),
      event: (name, data) => {
        const { data: read } = QueueEvent.safeParse(data)
        const isNew = read?.version !== queries.getQueryData(queryKey)?.version
        if (name === 'queue' && read && isNew) reload()
      },
      lost: () => undefined,
    })
  }, [queries])
  return useQuery(QUEUE)
}

/** An item's readings and submissions; the extraction is null if it can no longer be read. */
export function openedQuery(id: number) {
  return queryOptions({
    queryKey: ['tweet-queue-item', id],
    queryFn: async ({ signal }) => {
      const { item, submissions } = await adminCall(tweetQueueItem, { params: { id }, signal })
      const read = TweetExtraction.safeParse(jsonOf(item.result_data))
      return { extraction: read.success ? read.data : null, submissions }
    },
    // Do not refetch: a form is filled from this, and it changes only when the post is read again.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}
