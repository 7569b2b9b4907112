import { type checkPost, type SocialPost } from '#contracts/publishing.ts'
import { NETWORK_NAMES, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type z } from 'zod'
import { NOT_SET_UP, PostFault } from './ports.ts'
import { type PublishingKit } from './publishing-kit.ts'
import { found, postDetail } from './posts.service.ts'
import { answerUnknown, postById, resultsOf, type Known } from './posts.store.ts'
import { endPost } from './send-posts.service.ts'
import { changing } from './write-post.service.ts'

const FIND_WITHIN_MS = 60_000
const FIND_BEFORE_MS = 10 * 60_000

type Doubtful = Exclude<SocialNetwork, 'nostr'>

/** Looks on a network for a post whose outcome is unknown there. */
export async function lookUpPost(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  network: Doubtful,
): Promise<z.input<typeof checkPost.reply>> {
  const name = NETWORK_NAMES[network]
  const post = found(await postById(kit.db, id))
  const results = await resultsOf(kit.db, [id])
  const unknown = results.find((one) => one.network === network && one.state === 'unknown')
  if (!unknown) throw isKnown(name)
  const account = kit[network]
  if (!account) throw failure('unavailable', NOT_SET_UP[network])
  const { remote_id, row } = unknown
  const begun = Date.parse(row.askedAt ?? post.scheduled_at ?? post.created_at)
  let remoteId: string | null
  try {
    remoteId = await account.publisher.find(
      { text: post.x_text, sinceMs: begun - FIND_BEFORE_MS, remoteId: remote_id },
      AbortSignal.timeout(FIND_WITHIN_MS),
    )
  } catch (error) {
    if (!(error instanceof PostFault)) throw error
    const { message } = error
    return { success: true, found: null, message, post: await postDetail(kit, id) }
  }
  const isPosted = remoteId !== null
  const known = { ...knownNow(kit, name, isPosted), ...(remoteId !== null && { remoteId }) }
  await changing(kit, admin, id, async (tx) => {
    if (!(await answerUnknown(tx, id, network, known))) return null
    const action = `post looked for on ${name}`
    return { action, before: { state: 'unknown' }, after: known }
  })
  await endPost(kit, id)
  const message = isPosted ? `The post is on ${name}.` : absent(name)
  return { success: true, found: isPosted, message, post: await postDetail(kit, id) }
}

/** Stores what an administrator saw of a post whose outcome was unknown, or that X refused as a duplicate. */
export async function markOutcome(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  { posted, network }: { readonly posted: boolean; readonly network: Doubtful },
): Promise<SocialPost> {
  const name = NETWORK_NAMES[network]
  const known = knownNow(kit, name, posted)
  await changing(kit, admin, id, async (tx) => {
    const before = (await resultsOf(tx, [id])).find((one) => one.network === network)
    const isNoted = await answerUnknown(tx, id, network, known, posted)
    if (!before || !isNoted) throw isKnown(name)
    return { action: 'post marked', before: { state: before.state }, after: known }
  })
  await endPost(kit, id)
  return postDetail(kit, id)
}

function knownNow(kit: PublishingKit, name: string, isPosted: boolean): Known {
  return {
    state: isPosted ? 'posted' : 'failed',
    error: isPosted ? null : absent(name),
    fault: isPosted ? null : 'unsent',
    finishedAt: isoNow(kit),
  }
}

function isKnown(name: string) {
  return failure('conflict', `It is known whether this post is on ${name}.`)
}

function absent(name: string): string {
  return `Marked as not on ${name}. You can send it again.`
}
