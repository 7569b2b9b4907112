import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
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
/** Shorter outages, such as a server restart, are not shown. */
const AWAY_MS = 8_000
/** A model reads pasted text twice, each time with its own retries. */
export const READ_PATIENCE_MS = 150_000

function queueQuery() {
  return queryOptions({
    queryKey: ['tweet-queue'],
    // Results are loaded when an item is opened, since the list is reloaded with every change.
    queryFn: ({ signal }) => adminCall(tweetQueue, { query: { results: 'none' }, signal }),
    refetchInterval: ASK_MS,
  })
}
export type Added = z.infer<(typeof addToTweetQueue)['reply']>

export function useQueue() {
  const queries = useQueryClient()
  const query = useQuery(queueQuery())
  const [isAway, setIsAway] = useState(false)
  useEffect(
    () =>
      followQueue(
        ({ version }) => {
          const { queryKey } = queueQuery()
          const known = queries.getQueryData(queryKey)?.version
          if (known !== version) void queries.invalidateQueries({ queryKey })
        },
        (away) => {
          setIsAway(away)
          if (!away) void queries.invalidateQueries(queueQuery())
        },
      ),
    [queries],
  )
  return { query, isAway }
}

/**
 * @param onAway called when the connection stays broken, and when it is restored
 * @returns a function that closes it
 */
function followQueue(
  onEvent: (event: QueueEvent) => void,
  onAway: (isAway: boolean) => void,
): () => void {
  let late: ReturnType<typeof setTimeout> | undefined
  let isAway = false
  const report = (now: boolean): void => {
    if (now !== isAway) onAway(now)
    isAway = now
  }
  const hangUp = openStream(() => QUEUE_EVENTS_PATH, {
    names: ['queue', 'alive'],
    opened: () => {
      clearTimeout(late)
      late = undefined
      report(false)
    },
    event: (name, data) => {
      const read = QueueEvent.safeParse(data)
      if (name === 'queue' && read.success) onEvent(read.data)
    },
    lost: () => {
      late ??= setTimeout(() => report(true), AWAY_MS)
    },
  })
  return () => {
    clearTimeout(late)
    hangUp()
  }
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
