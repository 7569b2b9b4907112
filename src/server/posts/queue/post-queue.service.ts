import { TweetExtraction } from '#contracts/extraction.ts'
import {
  type ExtractionRequest,
  type processTweetQueueItem,
  type QueueItem,
  type tweetQueue,
  type tweetQueueItem,
} from '#contracts/posts.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { failure } from '#server/kit/failure.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { jsonOrNull } from '#server/kit/json-or-null.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { decidedCards } from '#server/posts/decided-cards.service.ts'
import { extract } from '#server/posts/extraction.service.ts'
import { type PostsKit } from '#server/posts/posts-kit.ts'
import { once } from 'node:events'
import { type z } from 'zod'
import { completedBy } from './try-link.service.ts'
import {
  completeItem,
  deleteItem,
  queueItem,
  queueItems,
  queueState,
  restoreItem,
  wantItem,
  type QueueRow,
} from './post-queue.store.ts'

/** The page shows no more; older items appear as newer ones are deleted. */
const MOST_SHOWN = 500

export async function listQueue(
  { db }: PostsKit,
  withResults: boolean,
): Promise<z.input<typeof tweetQueue.reply>> {
  // The version first: a change in between is sent once more.
  const state = await queueState(db)
  const rows = await queueItems(db, { most: MOST_SHOWN, withResults })
  return { success: true, queue: rows.map(queueRow), ...state }
}

/** @throws AppError `not_found` */
export async function itemInQueue(
  kit: PostsKit,
  id: number,
): Promise<z.input<typeof tweetQueueItem.reply>> {
  const row = await foundItem(kit, id)
  const extraction = stored(row.result)
  const decided = extraction ? await decidedCards(kit.db, extraction) : []
  const submissions = decided.map((one) => ({ id: one.submissionId, card: one.card }))
  return { success: true, item: queueRow(row), submissions }
}

/** Has an item read before all others, or the text that was pasted for it, and waits for the result. */
export async function processItem(
  kit: PostsKit,
  id: number,
  pasted: Omit<ExtractionRequest, 'url'> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<z.input<typeof processTweetQueueItem.reply>> {
  if (pasted.text?.trim()) {
    const { url } = await foundItem(kit, id)
    const read = await extract(kit, { ...pasted, url }, signal)
    await completeItem(kit.db, id, { ...completedBy(read), processedAt: isoNow(kit) })
  } else if ((await foundItem(kit, id)).status !== 'completed') {
    await wantItem(kit.db, id, isoNow(kit))
    kit.onWork(id)
    await settled(kit, id)
  }
  const { status, result, errorMessage } = await foundItem(kit, id)
  return {
    success: status !== 'failed',
    status,
    extracted_data: stored(result),
    ...(errorMessage === null ? {} : { error: errorMessage }),
  }
}

/** Null also where an earlier version read it into another shape. */
function stored(result: string | null): TweetExtraction | null {
  return TweetExtraction.safeParse(jsonOrNull(result ?? '')).data ?? null
}

/** Resolves once the item is neither waiting nor being read, or when the time is over. */
async function settled({ db, follow, answerWithinMs }: PostsKit, id: number): Promise<void> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), answerWithinMs)
  const end = await follow(() => {
    void queueItem(db, id).then(
      (row) => {
        if (row?.status !== 'pending' && row?.status !== 'processing') over.abort()
      },
      () => over.abort(),
    )
  })
  if (!over.signal.aborted) await once(over.signal, 'abort')
  clearTimeout(timer)
  end()
}

export async function deleteLink(
  kit: PostsKit,
  admin: Admin,
  id: number,
): Promise<{ success: true }> {
  await kit.db.transaction(async (tx) => {
    const { url, status } = await foundItem(kit, id)
    if (!(await deleteItem(tx, id, isoNow(kit)))) return
    await writeAudit(tx, {
      at: isoNow(kit),
      admin,
      action: 'link deleted',
      subject: { kind: 'tweet queue', id },
      before: { url, status },
    })
  })
  return { success: true }
}

export async function restoreLink(
  kit: PostsKit,
  admin: Admin,
  id: number,
): Promise<{ success: true; item: QueueItem }> {
  await kit.db.transaction(async (tx) => {
    const end = await restoreItem(tx, id)
    if (end === 'taken') {
      const message = 'This post has been added again in the meantime; nothing was restored.'
      throw failure('conflict', message)
    }
    if (end === 'missing') return
    const subject = { kind: 'tweet queue', id }
    await writeAudit(tx, { at: isoNow(kit), admin, action: 'link restored', subject })
  })
  kit.onWork(null)
  return { success: true, item: queueRow(await foundItem(kit, id)) }
}

async function foundItem({ db }: PostsKit, id: number): Promise<QueueRow> {
  const row = await queueItem(db, id)
  if (!row) throw failure('not_found', 'This item is no longer in the queue.')
  return row
}

export function queueRow(row: QueueRow): QueueItem {
  return {
    id: row.id,
    tweet_url: row.url,
    status: row.status,
    created_at: iso(row.createdAt),
    processed_at: isoOrNull(row.processedAt),
    expert_name: row.expertName,
    result_data: row.result,
    error_message: row.errorMessage,
    step: row.step,
    attempts: row.attempts,
    next_try_at: row.nextTryAt,
    submitted: row.submitted,
  }
}
