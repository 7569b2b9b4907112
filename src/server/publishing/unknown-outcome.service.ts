import { type checkPost, type SocialPost } from '#contracts/publishing.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type z } from 'zod'
import { auditPost, lockedPost, NO_POST, postDetail } from './post-changes.service.ts'
import { answerUnknown, postById, resultsOf } from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'
import { endPost } from './end-posts.service.ts'
import { NO_X } from './x/x-account.service.ts'

const FIND_WITHIN_MS = 60_000
const FIND_BEFORE_MS = 10 * 60_000
const ON_X = 'The post is on X.'
const ABSENT = 'The post is not on X. It can be sent again.'
const KNOWN = 'It is known whether this post is on X.'

/** Looks on X for a post whose outcome is unknown. */
export async function lookUpPost(
  kit: PublishingKit,
  admin: Admin,
  id: string,
): Promise<z.input<typeof checkPost.reply>> {
  const { db, x } = kit
  const post = await postById(db, id)
  if (!post) throw failure('not_found', NO_POST)
  const unknown = (await resultsOf(db, [id])).find(
    (one) => one.network === 'x' && one.state === 'unknown',
  )
  if (!unknown) throw failure('conflict', KNOWN)
  if (!x) throw failure('unavailable', NO_X)
  const begun = Date.parse(unknown.postingAt ?? post.scheduledAt ?? post.createdAt)
  const ask = { text: post.xText, sinceMs: begun - FIND_BEFORE_MS }
  const seen = await x.publisher.find(ask, AbortSignal.timeout(FIND_WITHIN_MS))
  if (seen.state !== 'found' && seen.state !== 'absent') {
    return { success: true, found: null, message: seen.message, post: await postDetail(kit, id) }
  }
  const found = seen.state === 'found'
  const values = { ...answered(kit, found), ...(found ? { remoteId: seen.id } : {}) }
  await db.transaction(async (tx) => {
    if (!(await answerUnknown(tx, id, values))) return
    const before = { state: 'unknown' }
    await auditPost(kit, tx, admin, id, { action: 'post looked for on X', before, after: values })
  })
  await endPost(kit, id)
  const message = found ? ON_X : ABSENT
  return { success: true, found, message, post: await postDetail(kit, id) }
}

/** Notes what an administrator saw on X of a post whose outcome was unknown, or that X refused as a duplicate. */
export async function answerOutcome(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  isPosted: boolean,
): Promise<SocialPost> {
  const values = answered(kit, isPosted)
  await kit.db.transaction(async (tx) => {
    await lockedPost(tx, id)
    const before = (await resultsOf(tx, [id])).find(({ network }) => network === 'x')
    const isNoted = await answerUnknown(tx, id, values, { orDuplicate: isPosted })
    if (!before || !isNoted) throw failure('conflict', KNOWN)
    const { state } = before
    await auditPost(kit, tx, admin, id, { action: 'post marked', before: { state }, after: values })
  })
  await endPost(kit, id)
  return postDetail(kit, id)
}

function answered(kit: PublishingKit, isPosted: boolean) {
  const finishedAt = isoNow(kit)
  return isPosted
    ? { state: 'posted' as const, error: null, fault: null, finishedAt }
    : { state: 'failed' as const, error: ABSENT, fault: 'unsent', finishedAt }
}
