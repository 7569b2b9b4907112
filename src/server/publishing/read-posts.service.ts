import {
  type composePosts,
  type nostrStatus,
  type schedulingStats,
  type SocialPost,
} from '#contracts/publishing.ts'
import { composePost, type PostNews } from '#domain/publishing/post-compose.ts'
import { measurePost, postCost } from '#domain/publishing/post-length.ts'
import { MOST_LISTED, textFields, type PostState } from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { isoOrNull } from '#server/kit/iso.ts'
import { isoIn } from '#server/kit/now.ts'
import { type z } from 'zod'
import { NO_NOSTR } from './nostr/send-to-nostr.service.ts'
import { countForPerson, countPosts, nextPlanned, postedSince } from './post-counts.store.ts'
import { postRows } from './post-rows.ts'
import { listPosts, plannedPosts, postsBetween, postsForPerson } from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'

const DAY_MS = 86_400_000
const STATUS_MS = 8_000

export async function postsPage(
  kit: PublishingKit,
  states: readonly PostState[] | null,
  before: { at: string; id: string } | null,
): Promise<SocialPost[]> {
  return postRows(kit, await listPosts(kit.db, { states, before }))
}

export async function plannedTweets(kit: PublishingKit): Promise<SocialPost[]> {
  return postRows(kit, await plannedPosts(kit.db))
}

/** What is planned and was sent within a span. */
export async function postsOfSpan(
  kit: PublishingKit,
  { from, to }: { from: string; to: string },
): Promise<{ posts: SocialPost[]; cut: boolean }> {
  const posts = await postsBetween(kit.db, { from, to, most: MOST_LISTED + 1 })
  return {
    posts: await postRows(kit, posts.slice(0, MOST_LISTED)),
    cut: posts.length > MOST_LISTED,
  }
}

/** The posts that a person has to decide about, and how many they are. */
export async function postsToDecide(
  kit: PublishingKit,
): Promise<{ count: number; posts: SocialPost[] }> {
  return {
    count: await countToDecide(kit),
    posts: await postRows(kit, await postsForPerson(kit.db)),
  }
}

/** For the menu of every screen. */
export function countToDecide({ db }: Pick<PublishingKit, 'db'>): Promise<number> {
  return countForPerson(db)
}

/** How many posts are in which state, and what was sent lately. */
export async function postStats(
  kit: PublishingKit,
): Promise<z.input<typeof schedulingStats.reply>['stats']> {
  const { db, clock } = kit
  const { states, results } = await countPosts(db)
  const posted = await postedSince(db, isoIn(kit, -30 * DAY_MS))
  const onX = posted.filter((one) => one.network === 'x')
  const usd = onX.reduce((sum, one) => sum + postCost(one.xText, one.alts), 0)
  const dayAgo = clock.now() - DAY_MS
  const isToday = ({ at }: { at: string }): boolean => Date.parse(at) >= dayAgo
  return {
    drafts: states.draft ?? 0,
    scheduled: states.scheduled ?? 0,
    sending: states.sending ?? 0,
    missed: states.missed ?? 0,
    cancelled: states.cancelled ?? 0,
    posted: results.posted ?? 0,
    failed: results.failed ?? 0,
    unknown: results.unknown ?? 0,
    next_at: isoOrNull(await nextPlanned(db)),
    posted_last_24h: new Set(posted.filter(isToday).map(({ id }) => id)).size,
    posted_on_x_last_24h: onX.filter(isToday).length,
    cost_last_30d_usd: Math.round(usd * 1_000) / 1_000,
  }
}

/** Texts about a prediction, made from the public record. */
export async function composeNews(
  { origin, record }: PublishingKit,
  predictionId: string,
  news: PostNews,
  withLink: boolean,
): Promise<z.input<typeof composePosts.reply>> {
  const prediction = await record.find(predictionId)
  if (!prediction || prediction.withdrawn)
    throw failure('not_found', 'There is no such prediction.')
  const link = predictionLink(origin, predictionId)
  const texts = textFields((network) =>
    composePost(prediction, news, {
      network,
      link: network !== 'x' || withLink ? link : null,
    }),
  )
  const { x_text: xText } = texts
  return {
    asset: prediction.asset,
    ...texts,
    x_weight: measurePost(xText ?? '').weight,
    x_cost_usd: postCost(xText ?? ''),
  }
}

export function predictionLink(origin: string, predictionId: string): string {
  return `${origin}/predictions/${encodeURIComponent(predictionId)}`
}

export async function relayStatus({
  nostr,
}: PublishingKit): Promise<z.input<typeof nostrStatus.reply>> {
  if (!nostr) {
    const none = { connectedRelays: 0, totalRelays: 0, faults: [] }
    return { configured: false, publicKey: null, ...none, error: NO_NOSTR }
  }
  const { count, faults } = await nostr.connected(AbortSignal.timeout(STATUS_MS))
  return {
    configured: true,
    publicKey: nostr.npub,
    connectedRelays: count,
    totalRelays: nostr.relays.length,
    error: count === 0 ? 'No relay takes a connection.' : null,
    faults: [...faults],
  }
}
