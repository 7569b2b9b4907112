import { type TweetExtraction } from '#contracts/posts.ts'
import { MOST_TRIES, READ_STEPS, readPostUrl, type PostAddress } from '#domain/posts/post-url.ts'
import { isoNow } from '#server/kit/now.ts'
import { extractPost } from '#server/posts/extraction.service.ts'
import { type PostsKit } from '#server/posts/posts-kit.ts'
import { changeTry, claimItem, type ClaimedItem, type TryChange } from './post-queue.store.ts'

const OUR_FAULT = 'Something went wrong on our side while reading it. The log says more.'
const LATER = { status: 'pending', step: 'Will be tried again' } as const

/** The item was deleted, or another try of it has begun: what this one finds no longer counts. */
class LostTry extends Error {
  override readonly name = 'LostTry'
}

/** What a try came to: `again` when a later one may do better. */
export type TryEnd = 'done' | 'again'

/** Tries once to read a link. The worker that gets `again` asks once more, later. @throws the reason of `signal` */
export async function tryLink(kit: PostsKit, id: number, signal: AbortSignal): Promise<TryEnd> {
  const { db } = kit
  const item = await claimItem(db, id)
  if (!item) return 'done'
  const address = readPostUrl(item.url)
  if (!address) throw new Error('a queued link is not the address of a post')
  try {
    if (item.attempt > MOST_TRIES) {
      // Whatever stopped the server in the middle each time would do so again.
      const message = `Reading it was interrupted ${String(MOST_TRIES)} times.`
      await changeTry(db, item, failedTry(kit, message))
      return 'done'
    }
    return await readItem(kit, item, address, signal)
  } catch (error) {
    if (error instanceof LostTry) return 'done'
    // Broken off from outside, or by a fault of ours: back to its place, and only the second counts as a try.
    const attempts = signal.aborted ? item.attempt - 1 : item.attempt
    const isLast = attempts >= MOST_TRIES
    await changeTry(db, item, isLast ? failedTry(kit, OUR_FAULT) : { ...LATER, attempts })
    if (isLast) return 'done'
    throw error
  }
}

async function readItem(
  kit: PostsKit,
  item: ClaimedItem,
  address: PostAddress,
  signal: AbortSignal,
): Promise<TryEnd> {
  const write = async (values: TryChange): Promise<void> => {
    if (!(await changeTry(kit.db, item, values))) throw new LostTry()
  }
  const onStep = (step: string): Promise<void> => write({ step })
  const read = await extractPost(kit, address, { refetch: false, signal, onStep })
  if (read.ok) {
    await write({
      ...completedBy(read.data),
      status: 'completed',
      errorMessage: null,
      processedAt: isoNow(kit),
    })
    return 'done'
  }
  const { message, mayPass } = read.failure
  const isAgain = mayPass && item.attempt < MOST_TRIES
  await write(isAgain ? { ...LATER, errorMessage: message } : failedTry(kit, message))
  return isAgain ? 'again' : 'done'
}

/** What an item keeps of its reading. */
export function completedBy({ has_prediction, expert_name, extraction_id }: TweetExtraction) {
  return {
    step: has_prediction ? READ_STEPS.found : READ_STEPS.none,
    expertName: expert_name,
    extractionId: extraction_id,
  }
}

function failedTry(kit: PostsKit, errorMessage: string): TryChange {
  return { status: 'failed', step: 'Failed', errorMessage, processedAt: isoNow(kit) }
}
