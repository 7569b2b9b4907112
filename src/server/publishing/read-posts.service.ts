import { type Kit } from '#server/kit/kit.ts'
import { type composePosts, type SocialPost } from '#contracts/publishing.ts'
import { composePost, type PostNews } from '#domain/publishing/post-compose.ts'
import { measurePost, postCost } from '#domain/publishing/post-length.ts'
import { type PostState } from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { type NostrPublisher } from './ports.ts'
import { listPosts, plannedPosts, postById } from './posts.store.ts'
import { type z } from 'zod'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { type SocialSender } from './send-posts.service.ts'
import { socialStats } from './publishing-stats.service.ts'
import { postRows } from './post-rows.ts'
import { type XDesk } from './x/x-account.service.ts'

export const NO_POST = 'There is no such post.'
const STATUS_MS = 8_000

/** What administrators do with posts: write, keep, plan, send, take back, look after. */
export type PublishKit = Pick<Kit, 'db' | 'clock'> & {
  readonly origin: string
  readonly catalog: Pick<Catalog, 'snapshot' | 'today'>
  readonly x: XDesk
  readonly nostr: NostrPublisher | null
  readonly sender: SocialSender
}

export async function postDetail(kit: PublishKit, id: string): Promise<SocialPost> {
  const { db } = kit
  const post = await postById(db, id)
  const [row] = post ? await postRows(db, [post]) : []
  if (!row) throw failure('not_found', NO_POST)
  return row
}

export async function postsPage(
  kit: PublishKit,
  states: readonly PostState[] | null,
  before: { at: string; id: string } | null,
): Promise<SocialPost[]> {
  const { db } = kit
  return postRows(db, await listPosts(db, { states, before }))
}

export async function plannedTweets(kit: PublishKit): Promise<SocialPost[]> {
  const { db } = kit
  return postRows(db, await plannedPosts(db))
}

export function postStats(kit: PublishKit) {
  const { db, clock } = kit
  return socialStats(db, clock)
}

/** Texts about a prediction, made from the record. */
export function composeNews(
  kit: PublishKit,
  predictionId: string,
  news: PostNews,
  withLink: boolean,
): z.input<typeof composePosts.reply> {
  const { origin, catalog } = kit
  const prediction = catalog.snapshot()?.byId.get(predictionId)
  if (!prediction) throw failure('not_found', 'There is no such prediction.')
  const today = catalog.today()
  const link = `${origin}/predictions/${encodeURIComponent(predictionId)}`
  const onX = composePost(prediction, news, {
    network: 'x',
    today,
    link: withLink ? link : null,
  })
  return {
    asset: prediction.asset,
    x_text: onX,
    nostr_text: composePost(prediction, news, { network: 'nostr', today, link }),
    x_weight: measurePost(onX ?? '').weight,
    x_cost_usd: postCost(onX ?? ''),
  }
}

export async function nostrState(kit: PublishKit): Promise<{
  connected: number
  error: string | null
  faults: string[]
}> {
  const { nostr } = kit
  if (!nostr) return { connected: 0, error: null, faults: [] }
  const { count, faults } = await nostr.connected(AbortSignal.timeout(STATUS_MS))
  const error = count === 0 ? 'No relay takes a connection.' : null
  return { connected: count, error, faults: [...faults] }
}
