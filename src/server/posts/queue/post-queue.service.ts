import { TweetExtraction } from '#contracts/extraction.ts'
import {
  type addToTweetQueue,
  type processTweetQueueItem,
  type QueueItem,
  type tweetQueue,
} from '#contracts/posts.ts'
import { MOST_LINKS, MOST_TRIES, READ_STEPS } from '#domain/posts/post-queue.ts'
import {
  addressesIn,
  POST_URL_MESSAGES,
  postUrlFault,
  readPostUrl,
  type PostAddress,
} from '#domain/posts/post-url.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin, type Clock } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import {
  addToQueue,
  changeTry,
  claimItem,
  deleteItem,
  queuedPosts,
  queueItem,
  queueItems,
  queueState,
  restoreItem,
  wantItem,
  type ClaimedItem,
  type QueueRow,
} from './post-queue.store.ts'
import { once } from 'node:events'
import { type z } from 'zod'
import { type Extraction } from '#server/posts/extraction.service.ts'
import { type FollowQueue } from './follow-queue.service.ts'

/** The page shows no more; older ones come into sight as newer ones are deleted. */
const MOST_SHOWN = 500
/** How long `process` waits for the item to be read. */
const ANSWER_WITHIN_MS = 20_000

export type TweetQueue = ReturnType<typeof tweetQueueService>

/** What a try came to: `again` when a later one may do better. */
export type TryEnd = 'done' | 'again'

/** The links that wait for being read: adding, working off, deleting. */
export function tweetQueueService({
  db,
  clock,
  extraction,
  follow,
  onWork,
  answerWithinMs = ANSWER_WITHIN_MS,
}: {
  db: Db
  clock: Clock
  extraction: Extraction
  follow: FollowQueue
  /** Told of items to be read; a number means that this one goes before all others. */
  onWork: (first: number | null) => void
  answerWithinMs?: number
}) {
  const now = (): string => new Date(clock.now()).toISOString()

  async function found(id: number): Promise<QueueRow> {
    const row = await queueItem(db, id)
    if (!row) throw failure('not_found', 'This item is not in the queue any more.')
    return row
  }

  /** Resolves once the item is neither waiting nor being read, or when the time is over. */
  async function settled(id: number): Promise<void> {
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), answerWithinMs)
    const end = await follow(() => {
      void queueItem(db, id).then(
        (row) => {
          if (!row || isSettled(row)) over.abort()
        },
        () => over.abort(),
      )
    })
    if (!over.signal.aborted) await once(over.signal, 'abort')
    clearTimeout(timer)
    end()
  }

  async function run(
    item: ClaimedItem,
    address: PostAddress,
    signal: AbortSignal,
  ): Promise<TryEnd> {
    const write = async (values: Parameters<typeof changeTry>[2]): Promise<void> => {
      const isMine = await changeTry(db, item, values)
      if (!isMine) throw new LostTry()
    }
    const read = await extraction.byAddress(address, {
      refetch: false,
      signal,
      onStep: (step) => write({ step }),
    })
    if (read.ok) {
      const { expert_name, extraction_id, has_prediction } = read.data
      await write({
        status: 'completed',
        step: has_prediction ? READ_STEPS.found : READ_STEPS.none,
        expertName: expert_name,
        extractionId: extraction_id,
        errorMessage: null,
        processedAt: now(),
      })
      return 'done'
    }
    const { message, mayPass } = read.failure
    const isAgain = mayPass && item.attempt < MOST_TRIES
    await write(
      isAgain
        ? { status: 'pending', step: 'Will be tried again', errorMessage: message }
        : { status: 'failed', step: 'Failed', errorMessage: message, processedAt: now() },
    )
    return isAgain ? 'again' : 'done'
  }

  return {
    async list(withResults = true): Promise<z.input<typeof tweetQueue.reply>> {
      // The version first: what changes in between is told once more.
      const state = await queueState(db)
      const rows = await queueItems(db, { most: MOST_SHOWN, withResults })
      return { success: true, queue: rows.map(itemOf), ...state }
    },

    async item(id: number): Promise<{ success: true; item: QueueItem }> {
      return { success: true, item: itemOf(await found(id)) }
    },

    /** Takes links out of a text, or a list of them. */
    async add(
      admin: Admin,
      urls: string | readonly string[],
      isWanted: boolean,
    ): Promise<z.input<typeof addToTweetQueue.reply>> {
      const words = typeof urls === 'string' ? addressesIn(urls, MOST_LINKS + 1) : urls
      if (words.length === 0) {
        throw failure('invalid', POST_URL_MESSAGES.missing, { urls: POST_URL_MESSAGES.missing })
      }
      if (words.length > MOST_LINKS) {
        const said = `Please add at most ${String(MOST_LINKS)} links at once.`
        throw failure('invalid', said, { urls: said })
      }
      const refused: { url: string; reason: string }[] = []
      const given = new Map<string, PostAddress>()
      const repeated: { url: string; postId: string }[] = []
      for (const url of words) {
        const address = readPostUrl(url)
        if (!address) refused.push({ url: url.slice(0, 300), reason: postUrlFault(url) ?? '' })
        else if (given.has(address.id)) repeated.push({ url, postId: address.id })
        else given.set(address.id, address)
      }
      const wanted = [...given.values()]
      const { ids, known } = await db.transaction(async (tx) => {
        const before = await queuedPosts(tx, [...given.keys()])
        const rows = wanted.map(({ id, url }) => ({ postId: id, url }))
        const added = await addToQueue(tx, rows, { now: now(), wanted: isWanted })
        if (added.length > 0) {
          await writeAudit(tx, {
            at: now(),
            admin,
            action: 'links added',
            subject: { kind: 'tweet queue', id: null },
            after: { ids: added },
          })
        }
        return { ids: added, known: { before, after: await queuedPosts(tx, [...given.keys()]) } }
      })
      if (isWanted && ids.length > 0) onWork(null)
      const added = new Set(ids)
      const duplicates = [
        ...wanted
          .map(({ id, url }) => ({ url, postId: id }))
          .filter((one) => {
            const itemId = known.after.get(one.postId)
            return itemId !== undefined && !added.has(itemId)
          }),
        ...repeated,
      ].flatMap(({ url, postId }) => {
        const id = known.after.get(postId)
        return id === undefined ? [] : [{ url, id }]
      })
      const items = await Promise.all(ids.map((id) => queueItem(db, id)))
      return {
        success: true,
        added: items.flatMap((row) => (row ? [itemOf(row)] : [])),
        duplicates,
        refused,
      }
    },

    /** Has an item read before all others. */
    async process(id: number): Promise<z.input<typeof processTweetQueueItem.reply>> {
      if ((await found(id)).status !== 'completed') {
        await wantItem(db, id, now())
        onWork(id)
        await settled(id)
      }
      const { status, result, errorMessage } = await found(id)
      const data = result === null ? null : TweetExtraction.parse(JSON.parse(result))
      return {
        success: status !== 'failed',
        status,
        extracted_data: data,
        ...(errorMessage === null ? {} : { error: errorMessage }),
      }
    },

    /** One try. The worker that gets `again` asks once more, later. @throws what ends `signal` */
    async work(id: number, signal: AbortSignal): Promise<TryEnd> {
      const item = await claimItem(db, id)
      if (!item) return 'done'
      const address = readPostUrl(item.url)
      if (!address) throw new Error('a queued link is no address of a post')
      try {
        if (item.attempt > MOST_TRIES) {
          // Whatever it is that stopped the server in the middle each time, it will do so again.
          const errorMessage = `Reading it was broken off ${String(MOST_TRIES)} times.`
          const end = {
            status: 'failed',
            step: 'Failed',
            errorMessage,
            processedAt: now(),
          } as const
          await changeTry(db, item, end)
          return 'done'
        }
        return await run(item, address, signal)
      } catch (error) {
        if (error instanceof LostTry) return 'done'
        // Broken off from outside, or by a fault of ours: back to its place, and only the second counts as a try.
        const attempts = signal.aborted ? item.attempt - 1 : item.attempt
        const isLast = attempts >= MOST_TRIES
        await changeTry(
          db,
          item,
          isLast
            ? { status: 'failed', step: 'Failed', errorMessage: OUR_FAULT, processedAt: now() }
            : { status: 'pending', step: 'Will be tried again', attempts },
        )
        if (isLast) return 'done'
        throw error
      }
    },

    async delete(admin: Admin, id: number): Promise<{ success: true }> {
      await db.transaction(async (tx) => {
        const { url, status } = await found(id)
        if (!(await deleteItem(tx, id, now()))) return
        const subject = { kind: 'tweet queue', id }
        await writeAudit(tx, {
          at: now(),
          admin,
          action: 'link deleted',
          subject,
          before: { url, status },
        })
      })
      return { success: true }
    },

    async restore(admin: Admin, id: number): Promise<{ success: true; item: QueueItem }> {
      await db.transaction(async (tx) => {
        const end = await restoreItem(tx, id)
        if (end === 'taken') {
          throw failure(
            'conflict',
            'This post has been added again meanwhile; nothing was restored.',
          )
        }
        if (end === 'missing') return
        const subject = { kind: 'tweet queue', id }
        await writeAudit(tx, { at: now(), admin, action: 'link restored', subject })
      })
      onWork(null)
      return { success: true, item: itemOf(await found(id)) }
    },
  }
}

const OUR_FAULT = 'Something went wrong on our side while reading it. The log says more.'

/** The item was deleted, or another try of it has begun: what this one finds counts for nothing. */
class LostTry extends Error {
  override readonly name = 'LostTry'
}

function isSettled({ status }: QueueRow): boolean {
  return status === 'completed' || status === 'failed'
}

function itemOf(row: QueueRow): QueueItem {
  return {
    id: row.id,
    tweet_url: row.url,
    status: row.status,
    created_at: new Date(row.createdAt).toISOString(),
    processed_at: row.processedAt === null ? null : new Date(row.processedAt).toISOString(),
    expert_name: row.expertName,
    result_data: row.result,
    error_message: row.errorMessage,
    step: row.step,
    attempts: row.attempts,
  }
}
