import { type addToTweetQueue } from '#contracts/posts.ts'
import { MOST_LINKS } from '#domain/posts/post-queue.ts'
import {
  addressesIn,
  POST_URL_MESSAGES,
  postUrlFault,
  readPostUrl,
  type PostAddress,
} from '#domain/posts/post-url.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type PostsKit } from '#server/posts/posts-kit.ts'
import { type z } from 'zod'
import { queueRow } from './post-queue.service.ts'
import { addToQueue, queuedPosts, queueItem } from './post-queue.store.ts'

const LONGEST_SHOWN = 300

/** Adds the links in a text, or a list of them. @param isWanted they are to be read at once */
export async function addLinks(
  kit: PostsKit,
  admin: Admin,
  urls: string | readonly string[],
  isWanted: boolean,
): Promise<z.input<typeof addToTweetQueue.reply>> {
  const { db } = kit
  const { wanted, repeated, refused } = readLinks(urls)
  const { ids, known } = await db.transaction(async (tx) => {
    const now = isoNow(kit)
    const rows = wanted.map(({ id, url }) => ({ postId: id, url }))
    const added = await addToQueue(tx, rows, { now, wanted: isWanted })
    if (added.length > 0) {
      await writeAudit(tx, {
        at: now,
        admin,
        action: 'links added',
        subject: { kind: 'tweet queue', id: null },
        after: { ids: added },
      })
    }
    const postIds = wanted.map(({ id }) => id)
    return { ids: added, known: await queuedPosts(tx, postIds) }
  })
  if (isWanted && ids.length > 0) kit.onWork(null)
  const added = new Set<number | undefined>(ids)
  const before = wanted.filter(({ id }) => !added.has(known.get(id)))
  const items = await Promise.all(ids.map((id) => queueItem(db, id)))
  return {
    success: true,
    added: items.flatMap((row) => (row ? [queueRow(row)] : [])),
    duplicates: [...before, ...repeated].flatMap(({ id: postId, url }) => {
      const id = known.get(postId)
      return id === undefined ? [] : [{ url, id }]
    }),
    refused,
  }
}

/** @throws AppError `invalid` where there is no link, or there are too many */
function readLinks(urls: string | readonly string[]): {
  wanted: PostAddress[]
  /** Given more than once, as they were written. */
  repeated: { id: string; url: string }[]
  refused: { url: string; reason: string }[]
} {
  const words = typeof urls === 'string' ? addressesIn(urls, MOST_LINKS + 1) : urls
  const fault =
    words.length === 0
      ? POST_URL_MESSAGES.missing
      : words.length > MOST_LINKS
        ? `Please add at most ${String(MOST_LINKS)} links at once.`
        : null
  if (fault !== null) throw failure('invalid', fault, { urls: fault })
  const wanted = new Map<string, PostAddress>()
  const repeated: { id: string; url: string }[] = []
  const refused: { url: string; reason: string }[] = []
  for (const url of words) {
    const address = readPostUrl(url)
    if (!address) {
      refused.push({ url: url.slice(0, LONGEST_SHOWN), reason: postUrlFault(url) ?? '' })
    } else if (wanted.has(address.id)) repeated.push({ id: address.id, url })
    else wanted.set(address.id, address)
  }
  return { wanted: [...wanted.values()], repeated, refused }
}
