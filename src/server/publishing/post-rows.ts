import { picturePath, type SocialPost, type SocialResult } from '#contracts/publishing.ts'
import { postCost, postWeight } from '#domain/publishing/post-length.ts'
import { textFields, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { resultsOf, type StoredPost, type StoredResult } from './posts.store.ts'
import { type SendKit } from './publishing-kit.ts'
import { picturesKnown } from './pictures/pictures.store.ts'

/** What rows of posts are made with. */
export type RowsKit = Pick<SendKit, 'db' | 'clock' | 'limits' | 'aloneSinceMs'>

/** Posts as calls send them, with their results and what is known of their pictures. */
export async function postRows(kit: RowsKit, posts: readonly StoredPost[]): Promise<SocialPost[]> {
  const { db } = kit
  const results = await resultsOf(
    db,
    posts.map((one) => one.id),
  )
  const known = await picturesKnown(db, [
    ...new Set(posts.flatMap((post) => post.pictures.map((one) => one.id))),
  ])
  return posts.map((post) => ({
    id: post.id,
    kind: post.kind,
    state: post.state,
    networks: post.networks,
    ...textFields((network) => post[`${network}Text` as const]),
    pictures: post.pictures.flatMap(({ id, alt }) => {
      const picture = known.get(id)
      if (!picture) return []
      const { type, width, height } = picture
      return [{ id, alt, type, width, height, url: picturePath(id) }]
    }),
    scheduled_at: isoOrNull(post.scheduledAt),
    zone: post.zone,
    submission_id: post.submissionId,
    prediction_id: post.predictionId,
    event_id: post.eventId,
    automatic: post.isAutomatic,
    created_by: post.author,
    created_at: iso(post.createdAt),
    updated_at: iso(post.updatedAt),
    x_weight: postWeight(post.xText),
    x_cost_usd: post.networks.includes('x')
      ? postCost(post.xText, post.pictures.filter((one) => one.alt !== '').length)
      : null,
    results: results.filter((one) => one.postId === post.id).map((one) => resultRow(kit, one)),
    left_at: isoOrNull(post.leftAt),
    approval: post.approval && { state: post.approval, error: post.approvalError },
  }))
}

function resultRow(kit: RowsKit, result: StoredResult): SocialResult {
  const { network, state, remoteId, relays } = result
  return {
    network,
    state,
    remote_id: remoteId,
    url: remoteId === null || state !== 'posted' ? null : addressOf(network, remoteId),
    error: result.error,
    fault: result.fault,
    attempts: result.attempts,
    // While it is being sent the time is only the end of a lease.
    next_try_at: state === 'sending' ? null : isoOrNull(result.nextTryAt),
    known_at: wasLeft(kit, result) ? isoOrNull(result.nextTryAt) : null,
    finished_at: isoOrNull(result.finishedAt),
    relays,
  }
}

/** Whether the process that was sending it has stopped: it was there before this one, or a try takes no longer. */
function wasLeft(
  { clock, limits, aloneSinceMs }: RowsKit,
  { state, nextTryAt }: StoredResult,
): boolean {
  if (state !== 'sending' || nextTryAt === null) return false
  const takenMs = Date.parse(nextTryAt) - limits.takenForMs
  return takenMs < (aloneSinceMs ?? -Infinity) || clock.now() > takenMs + limits.sendWithinMs
}

/** The address of what was posted. */
function addressOf(network: SocialNetwork, remoteId: string): string {
  switch (network) {
    case 'x':
      return `https://x.com/i/status/${remoteId}`
    case 'nostr':
      return `https://njump.me/${remoteId}`
    case 'bluesky':
      return remoteId.replace(
        /^at:\/\/([^/]+)\/[^/]+\/([^/]+)$/,
        'https://bsky.app/profile/$1/post/$2',
      )
  }
}
