import { type checkPost, type SocialPost } from '#contracts/publishing.ts'
import { NETWORK_NAMES, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type z } from 'zod'
import { auditPost, lockedPost, NO_POST, postDetail } from './post-changes.service.ts'
import {
  answerUnknown,
  postById,
  resultsOf,
  type StoredPost,
  type StoredResult,
} from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'
import { type NotPosted } from './ports.ts'
import { endPost } from './end-posts.service.ts'
import { NO_BLUESKY } from './bluesky/bluesky-account.service.ts'
import { NO_X } from './x/x-account.service.ts'

const FIND_WITHIN_MS = 60_000
const FIND_BEFORE_MS = 10 * 60_000

/** Looks on a network for a post whose outcome is unknown there. */
export async function lookUpPost(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  network: SocialNetwork,
): Promise<z.input<typeof checkPost.reply>> {
  const { db } = kit
  const name = NETWORK_NAMES[network]
  const post = await postById(db, id)
  if (!post) throw failure('not_found', NO_POST)
  const unknown = (await resultsOf(db, [id])).find(
    (one) => one.network === network && one.state === 'unknown',
  )
  if (!unknown) throw failure('conflict', known(name))
  const seen = await look(kit, post, unknown)
  if (seen.state !== 'found' && seen.state !== 'absent') {
    return { success: true, found: null, message: seen.message, post: await postDetail(kit, id) }
  }
  const found = seen.state === 'found'
  const remoteId = found ? seen.id : undefined
  const values = { ...answered(kit, name, found), ...(remoteId === undefined ? {} : { remoteId }) }
  await db.transaction(async (tx) => {
    if (!(await answerUnknown(tx, id, network, values))) return
    const action = `post looked for on ${name}`
    await auditPost(kit, tx, admin, id, { action, before: { state: 'unknown' }, after: values })
  })
  await endPost(kit, id)
  const message = found ? `The post is on ${name}.` : absent(name)
  return { success: true, found, message, post: await postDetail(kit, id) }
}

type Seen =
  | { readonly state: 'found'; readonly id?: string }
  | { readonly state: 'absent' }
  | NotPosted

function look(
  { x, bluesky }: PublishingKit,
  post: StoredPost,
  unknown: StoredResult,
): Promise<Seen> {
  const signal = AbortSignal.timeout(FIND_WITHIN_MS)
  if (unknown.network === 'bluesky') {
    if (!bluesky) throw failure('unavailable', NO_BLUESKY)
    return bluesky.publisher.find(unknown.remoteId ?? '', signal)
  }
  if (!x) throw failure('unavailable', NO_X)
  const begun = Date.parse(unknown.postingAt ?? post.scheduledAt ?? post.createdAt)
  return x.publisher.find({ text: post.xText, sinceMs: begun - FIND_BEFORE_MS }, signal)
}

/** Notes what an administrator saw of a post whose outcome was unknown, or that X refused as a duplicate. */
export async function answerOutcome(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  { isPosted, network }: { readonly isPosted: boolean; readonly network: SocialNetwork },
): Promise<SocialPost> {
  const name = NETWORK_NAMES[network]
  const values = answered(kit, name, isPosted)
  await kit.db.transaction(async (tx) => {
    await lockedPost(tx, id)
    const before = (await resultsOf(tx, [id])).find((one) => one.network === network)
    const isNoted = await answerUnknown(tx, id, network, values, { orDuplicate: isPosted })
    if (!before || !isNoted) throw failure('conflict', known(name))
    const { state } = before
    await auditPost(kit, tx, admin, id, { action: 'post marked', before: { state }, after: values })
  })
  await endPost(kit, id)
  return postDetail(kit, id)
}

function answered(kit: PublishingKit, name: string, isPosted: boolean) {
  // The server need not look any more.
  const ended = { nextTryAt: null, finishedAt: isoNow(kit) }
  return isPosted
    ? { ...ended, state: 'posted' as const, error: null, fault: null }
    : { ...ended, state: 'failed' as const, error: absent(name), fault: 'unsent' }
}

function known(name: string): string {
  return `It is known whether this post is on ${name}.`
}

function absent(name: string): string {
  return `The post is not on ${name}. It can be sent again.`
}
