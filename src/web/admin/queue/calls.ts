import { queryOptions } from '@tanstack/react-query'
import { type z } from 'zod'
import { TweetExtraction } from '#contracts/extraction.ts'
import {
  addToTweetQueue,
  deleteFromTweetQueue,
  processTweetQueueItem,
  QUEUE_EVENTS_PATH,
  QueueEvent,
  restoreToTweetQueue,
  tweetQueue,
  tweetQueueItem,
} from '#contracts/posts.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { keepConnection } from '#web/api/keep-connection.ts'
import { jsonOf } from '#web/api/live-messages.ts'
import { SILENT_MS } from '#web/api/page-stream.ts'

/** Events announce changes; where they are blocked, the list is loaded this often. */
const ASK_MS = 15_000
/** A restart of the server is over by then, and need not be mentioned. */
const AWAY_MS = 8_000
/** The server itself answers after 20 seconds, with the state by then. */
const PROCESS_PATIENCE_MS = 40_000
/** A model reads pasted text twice, each time with tries of its own. */
const READ_PATIENCE_MS = 150_000

export function queueQuery() {
  return queryOptions({
    queryKey: ['tweet-queue'],
    // Without what was read: the list is loaded with every change, a result when it is opened.
    queryFn: ({ signal }) => adminCall(tweetQueue, { query: { results: 'none' }, signal }),
    refetchInterval: ASK_MS,
  })
}
export type Queue = z.infer<(typeof tweetQueue)['reply']>
export type Added = z.infer<(typeof addToTweetQueue)['reply']>

export function addLinks(urls: string, process: boolean): Promise<Added> {
  return adminCall(addToTweetQueue, { body: { urls, process } })
}

/** @param text pasted in place of the post; null has it fetched */
export function processItem(id: number, text: string | null = null) {
  return adminCall(processTweetQueueItem, {
    body: text === null ? { id } : { id, text },
    patienceMs: text === null ? PROCESS_PATIENCE_MS : READ_PATIENCE_MS,
  })
}

export async function deleteItem(id: number): Promise<void> {
  await adminCall(deleteFromTweetQueue, { params: { id } })
}

export async function restoreItem(id: number): Promise<void> {
  await adminCall(restoreToTweetQueue, { params: { id } })
}

/**
 * Follows the queue; a connection that breaks is made again.
 *
 * @param onAway called when it stays broken, and when it is back
 * @returns ends it
 */
export function followQueue(
  onEvent: (event: QueueEvent) => void,
  onAway: (isAway: boolean) => void,
): () => void {
  let late: ReturnType<typeof setTimeout> | undefined
  let isAway = false
  const report = (now: boolean): void => {
    if (now !== isAway) onAway(now)
    isAway = now
  }
  const hangUp = keepConnection(({ heard, lost }) => {
    const events = new EventSource(QUEUE_EVENTS_PATH)
    events.addEventListener('open', () => {
      clearTimeout(late)
      late = undefined
      report(false)
    })
    events.addEventListener('queue', ({ data }) => {
      const read = QueueEvent.safeParse(jsonOf(data))
      if (read.success) onEvent(read.data)
    })
    events.addEventListener('alive', heard)
    // Also where the browser would give up, as behind a proxy that answers for a server that is away.
    events.addEventListener('error', () => {
      late ??= setTimeout(() => report(true), AWAY_MS)
      lost()
    })
    return () => events.close()
  }, SILENT_MS)
  return () => {
    clearTimeout(late)
    hangUp()
  }
}

/** What was read of an item, and submitted of it; the extraction is null where nothing can be read any more. */
export function openedQuery(id: number) {
  return queryOptions({
    queryKey: ['tweet-queue-item', id],
    queryFn: async ({ signal }) => {
      const { item, submissions } = await adminCall(tweetQueueItem, { params: { id }, signal })
      const read = TweetExtraction.safeParse(jsonOf(item.result_data))
      return { extraction: read.success ? read.data : null, submissions }
    },
    // A form is filled from it: it changes only when the post is read again.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}
