import { picturePath, type SocialPost, type SocialResult } from '#contracts/publishing.ts'
import { postCost, postWeight } from '#domain/publishing/post-length.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { type Db } from '#server/kit/db.ts'
import { resultsOf, type StoredPost, type StoredResult } from './posts.store.ts'
import { picturesKnown } from './pictures/pictures.store.ts'

/** Posts as calls send them, with their results and what is known of their pictures. */
export async function postRows(db: Db, posts: readonly StoredPost[]): Promise<SocialPost[]> {
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
    x_text: post.xText,
    nostr_text: post.nostrText,
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
    automatic: post.isAutomatic,
    created_by: post.author,
    created_at: iso(post.createdAt),
    updated_at: iso(post.updatedAt),
    x_weight: postWeight(post.xText),
    x_cost_usd: post.networks.includes('x')
      ? postCost(post.xText, post.pictures.filter((one) => one.alt !== '').length)
      : null,
    results: results.filter((one) => one.postId === post.id).map(resultRow),
    approval: post.approval && { state: post.approval, error: post.approvalError },
  }))
}

function resultRow(result: StoredResult): SocialResult {
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
    finished_at: isoOrNull(result.finishedAt),
    relays,
  }
}

/** The address of what was posted. */
function addressOf(network: StoredResult['network'], remoteId: string): string {
  return network === 'x' ? `https://x.com/i/status/${remoteId}` : `https://njump.me/${remoteId}`
}
