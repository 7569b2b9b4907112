import { once } from 'node:events'
import { type z } from 'zod'
import * as contract from '#contracts/posts.ts'
import * as postUrl from '#domain/posts/post-url.ts'
import { writeAudit, type Admin } from '#server/kit/admin.ts'
import { isConstraintError } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { oneAtATime } from '#server/kit/signals.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { isoNow } from '#server/kit/time.ts'
import { decidedCards } from '#server/posts/admin-submissions.service.ts'
import { extract, extractPost } from '#server/posts/extraction.service.ts'
import { type PostsKit } from '#server/posts/read-post.service.ts'
import * as store from './post-queue.store.ts'

/** The page shows no more items; older ones appear as newer ones are deleted. */
const MOST_LISTED = 500

export async function listQueue({ db }: PostsKit, withResults: boolean) {
  // The version is read first: a change in between is sent again.
  const state = await store.queueState(db)
  const rows = await store.queueItems(db, { most: MOST_LISTED, withResults })
  return { success: true as const, queue: rows, ...state }
}

/** @throws AppError `not_found` */
export async function itemInQueue(kit: PostsKit, id: number) {
  const item = await foundItem(kit, id)
  const extraction = stored(item.result_data)
  const decided = extraction ? await decidedCards(kit.db, extraction) : []
  const submissions = decided.map((one) => ({ id: one.submissionId, card: one.card }))
  return { success: true as const, item, submissions }
}

/** Reads an item, or the text pasted for it, before all others, and waits for the result. */
export async function processItem(
  kit: PostsKit,
  id: number,
  pasted: Omit<contract.ExtractionRequest, 'url'> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<z.input<typeof contract.processTweetQueueItem.reply>> {
  if (pasted.text?.trim()) {
    const { tweet_url: url } = await foundItem(kit, id)
    const read = await extract(kit, { ...pasted, url }, signal)
    await store.completeItem(kit.db, id, completedBy(kit, read))
  } else if ((await foundItem(kit, id)).status !== 'completed') {
    await store.wantItem(kit.db, id, isoNow(kit))
    await kit.onWork(id)
    await settled(kit, id)
  }
  const { status, result_data: result, error_message: error } = await foundItem(kit, id)
  return {
    success: status !== 'failed',
    status,
    extracted_data: stored(result),
    ...(error === null ? {} : { error }),
  }
}

/** Null also where an earlier version stored another shape. */
function stored(result: string | null): contract.TweetExtraction | null {
  return contract.TweetExtraction.safeParse(jsonOrNull(result ?? '')).data ?? null
}

/** Resolves once the item is no longer pending or processing, or after the time limit. */
async function settled(kit: PostsKit, id: number): Promise<void> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), kit.answerWithinMs)
  const end = await followQueue(kit, () => {
    void store.queueItem(kit.db, id).then(
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

export async function deleteLink(kit: PostsKit, admin: Admin, id: number) {
  await kit.db.transaction(async (tx) => {
    const { tweet_url: url, status } = await foundItem(kit, id)
    if (!(await store.deleteItem(tx, id, isoNow(kit)))) return
    await writeAudit(tx, {
      at: isoNow(kit),
      admin,
      action: 'link deleted',
      subject: { kind: 'tweet queue', id },
      before: { url, status },
    })
  })
  return { success: true as const }
}

export async function restoreLink(kit: PostsKit, admin: Admin, id: number) {
  await kit.db.transaction(async (tx) => {
    const isRestored = await store.restoreItem(tx, id).catch((error: unknown) => {
      if (!isConstraintError(error)) throw error
      const message = 'This post has been added again in the meantime; nothing was restored.'
      throw failure('conflict', message)
    })
    if (!isRestored) return
    const subject = { kind: 'tweet queue', id }
    await writeAudit(tx, { at: isoNow(kit), admin, action: 'link restored', subject })
  })
  await kit.onWork(null)
  return { success: true as const, item: await foundItem(kit, id) }
}

async function foundItem({ db }: PostsKit, id: number): Promise<contract.QueueItem> {
  const row = await store.queueItem(db, id)
  if (!row) throw failure('not_found', 'This item is no longer in the queue.')
  return row
}

const LONGEST_EXCERPT = 300

/** Adds links from a text or a list. @param isQueued whether to read them at once */
export async function addLinks(
  kit: PostsKit,
  admin: Admin,
  urls: string | readonly string[],
  isQueued: boolean,
): Promise<z.input<typeof contract.addToTweetQueue.reply>> {
  const { db } = kit
  const { links, repeated, refused } = readLinks(urls)
  const { ids, known } = await db.transaction(async (tx) => {
    const now = isoNow(kit)
    const rows = links.map(({ id, url }) => ({ postId: id, url }))
    const added = await store.addToQueue(tx, rows, { now, links: isQueued })
    if (added.length > 0) {
      await writeAudit(tx, {
        at: now,
        admin,
        action: 'links added',
        subject: { kind: 'tweet queue', id: null },
        after: { ids: added },
      })
    }
    const postIds = links.map(({ id }) => id)
    return { ids: added, known: await store.queuedPosts(tx, postIds) }
  })
  if (isQueued && ids.length > 0) await kit.onWork(null)
  const added = new Set<number | undefined>(ids)
  const before = links.filter(({ id }) => !added.has(known.get(id)))
  const items = await Promise.all(ids.map((id) => store.queueItem(db, id)))
  return {
    success: true,
    added: items.filter((item) => item !== null),
    duplicates: [...before, ...repeated].flatMap(({ id: postId, url }) => {
      const id = known.get(postId)
      return id === undefined ? [] : [{ url, id }]
    }),
    refused,
  }
}

/** @throws AppError `invalid` without a link, or with too many */
function readLinks(urls: string | readonly string[]) {
  const words = typeof urls === 'string' ? postUrl.addressesIn(urls, postUrl.MOST_LINKS + 1) : urls
  const fault =
    words.length === 0
      ? postUrl.POST_URL_MESSAGES.missing
      : words.length > postUrl.MOST_LINKS
        ? `Please add at most ${String(postUrl.MOST_LINKS)} links at once.`
        : null
  if (fault !== null) throw invalid({ urls: fault })
  const links = new Map<string, postUrl.PostAddress>()
  const repeated: { id: string; url: string }[] = []
  const refused: { url: string; reason: string }[] = []
  for (const url of words) {
    const address = postUrl.readPostUrl(url)
    if (!address) {
      refused.push({ url: url.slice(0, LONGEST_EXCERPT), reason: postUrl.postUrlFault(url) ?? '' })
    } else if (links.has(address.id)) repeated.push({ id: address.id, url })
    else links.set(address.id, address)
  }
  return { links: [...links.values()], repeated, refused }
}

const OUR_FAULT = 'Something went wrong on our side while reading it. The log says more.'
const LATER = { status: 'pending', step: 'Will be tried again' } as const

/** The item was deleted or another attempt has begun; this attempt's result is discarded. */
class LostTry extends Error {
  override readonly name = 'LostTry'
}

/** `again` if a later attempt may succeed. */
export type TryEnd = 'done' | 'again'

/** Attempts to read a link once. On `again` the worker retries later. @throws the reason of `signal` */
export async function tryLink(kit: PostsKit, id: number, signal: AbortSignal): Promise<TryEnd> {
  const { db } = kit
  const item = await store.claimItem(db, id)
  if (!item) return 'done'
  const address = postUrl.readPostUrl(item.url)
  if (!address) throw new Error('queued link is not the address of a post')
  try {
    if (item.attempt > postUrl.MOST_TRIES) {
      // A link that repeatedly crashes the process must not be retried forever.
      const message = `Reading it was interrupted ${String(postUrl.MOST_TRIES)} times.`
      await store.changeTry(db, item, failedTry(kit, message))
      return 'done'
    }
    return await readItem(kit, item, address, signal)
  } catch (error) {
    if (error instanceof LostTry) return 'done'
    // Returned to the queue; only a fault of our own counts as an attempt.
    const attempts = signal.aborted ? item.attempt - 1 : item.attempt
    const isLast = attempts >= postUrl.MOST_TRIES
    await store.changeTry(db, item, isLast ? failedTry(kit, OUR_FAULT) : { ...LATER, attempts })
    if (isLast) return 'done'
    throw error
  }
}

async function readItem(
  kit: PostsKit,
  item: store.ClaimedItem,
  address: postUrl.PostAddress,
  signal: AbortSignal,
): Promise<TryEnd> {
  const write = async (values: store.TryChange): Promise<void> => {
    if (!(await store.changeTry(kit.db, item, values))) throw new LostTry()
  }
  const onStep = (step: string): Promise<void> => write({ step })
  const read = await extractPost(kit, address, { refetch: false, signal, onStep })
  if (read.ok) {
    await write(completedBy(kit, read.data))
    return 'done'
  }
  const { message, mayPass } = read.failure
  const isAgain = mayPass && item.attempt < postUrl.MOST_TRIES
  await write(isAgain ? { ...LATER, errorMessage: message } : failedTry(kit, message))
  return isAgain ? 'again' : 'done'
}

function completedBy(kit: PostsKit, read: contract.TweetExtraction) {
  const { has_prediction, expert_name, extraction_id } = read
  return {
    status: 'completed' as const,
    errorMessage: null,
    processedAt: isoNow(kit),
    step: has_prediction ? postUrl.READ_STEPS.found : postUrl.READ_STEPS.none,
    expertName: expert_name,
    extractionId: extraction_id,
  }
}

function failedTry(kit: PostsKit, errorMessage: string): store.TryChange {
  return { status: 'failed', step: 'Failed', errorMessage, processedAt: isoNow(kit) }
}

/**
 * Follows changes of the queue by any process.
 * @param onChange called at once and on every change; must not throw @returns unsubscribes
 */
export async function followQueue(
  { db, log, signals }: PostsKit,
  onChange: (state: contract.QueueEvent) => void,
): Promise<() => void> {
  let last: number | null = null
  const look = oneAtATime(async () => {
    const now = await store.queueState(db)
    if (now.version !== last) onChange(now)
    last = now.version
  })
  const unlisten = signals.listen('queue', () => {
    look().catch((error: unknown) =>
      log.warn({ err: error }, 'queue stream could not be updated; its next change will be late'),
    )
  })
  await look().catch((error: unknown) => {
    unlisten()
    throw error
  })
  return unlisten
}
