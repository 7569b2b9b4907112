import { type z } from 'zod'
import * as contract from '#contracts/publishing.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { DAY_MS } from '#domain/day.ts'
import { composeCorrection, composePost } from '#domain/publishing/post-compose.ts'
import { postCost, postWeight } from '#domain/publishing/post-length.ts'
import {
  textFields,
  type PostKind,
  type PostState,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { iso, isoOrNull, isoIn } from '#server/kit/time.ts'
import { picturesKnown } from './pictures/pictures.service.ts'
import { NOT_SET_UP } from './ports.ts'
import * as store from './posts.store.ts'
import { type PublishingKit, type SendKit } from './publishing-kit.ts'

const STATUS_MS = 8_000

type RowsKit = Pick<SendKit, 'db' | 'clock' | 'limits' | 'aloneSinceMs'>

/** Posts with their results and picture metadata. */
async function postRows(kit: RowsKit, posts: readonly store.StoredPost[]) {
  const { db } = kit
  const ids = posts.map(({ id }) => id)
  const results = Map.groupBy(await store.resultsOf(db, ids), ({ row }) => row.ref)
  const known = await picturesKnown(db, [
    ...new Set(posts.flatMap(({ pictures }) => pictures.map(({ id }) => id))),
  ])
  return posts.map((post) => ({
    ...post,
    pictures: post.pictures.flatMap(({ id, alt }) => {
      const picture = known.get(id)
      return picture ? [{ ...picture, alt, url: contract.picturePath(id) }] : []
    }),
    scheduled_at: isoOrNull(post.scheduled_at),
    left_at: isoOrNull(post.left_at),
    created_at: iso(post.created_at),
    updated_at: iso(post.updated_at),
    x_weight: postWeight(post.x_text),
    x_cost_usd: post.networks.includes('x')
      ? postCost(post.x_text, post.pictures.filter(({ alt }) => alt !== '').length)
      : null,
    results: (results.get(post.id) ?? []).map((one) => resultRow(kit, one)),
    approval: post.approval && { state: post.approval, error: post.approvalError },
  }))
}

/** @throws AppError `not_found` */
export function found<T>(post: T | null | undefined): T {
  if (!post) throw failure('not_found', 'There is no such post.')
  return post
}

/** @throws AppError `not_found` */
export async function postDetail(kit: RowsKit, id: string): Promise<contract.SocialPost> {
  const post = await store.postById(kit.db, id)
  return found(post && (await postRows(kit, [post]))[0])
}

function resultRow(kit: RowsKit, result: store.StoredResult): contract.SocialResult {
  const { network, state, remote_id: remoteId, row } = result
  return {
    ...result,
    url: remoteId === null || state !== 'posted' ? null : ADDRESS_OF[network](remoteId),
    // During sending, the time is the end of the sender's lease.
    next_try_at: state === 'sending' ? null : isoOrNull(row.due),
    known_at: wasLeft(kit, result) ? isoOrNull(row.due) : null,
    finished_at: isoOrNull(result.finished_at),
  }
}

/** Whether the sender has died: it started before this process, or its attempt has taken too long. */
function wasLeft(
  { clock, limits, aloneSinceMs }: RowsKit,
  { state, row: { due } }: store.StoredResult,
): boolean {
  if (state !== 'sending' || due === null) return false
  const takenMs = Date.parse(due) - limits.takenForMs
  return takenMs < (aloneSinceMs ?? -Infinity) || clock.now() > takenMs + limits.sendWithinMs
}

const ADDRESS_OF: Readonly<Record<SocialNetwork, (remoteId: string) => string>> = {
  x: (id) => `https://x.com/i/status/${id}`,
  nostr: (id) => `https://njump.me/${id}`,
  bluesky: (uri) =>
    uri.replace(/^at:\/\/([^/]+)\/[^/]+\/([^/]+)$/, 'https://bsky.app/profile/$1/post/$2'),
}

export async function postsPage(
  kit: PublishingKit,
  ...page: [states: readonly PostState[] | null, before: { at: string; id: string } | null]
): Promise<contract.SocialPost[]> {
  return postRows(kit, await store.listPosts(kit.db, ...page))
}

export async function plannedTweets(kit: PublishingKit): Promise<contract.SocialPost[]> {
  return postRows(kit, await store.plannedPosts(kit.db))
}

/** For the menu. */
export function countToDecide({ db }: Pick<PublishingKit, 'db'>): Promise<number> {
  return store.countForPerson(db)
}

export async function postsToDecide(kit: PublishingKit) {
  return {
    count: await store.countForPerson(kit.db),
    posts: await postRows(kit, await store.postsForPerson(kit.db)),
  }
}

export async function postStats(kit: PublishingKit) {
  const { db, clock } = kit
  const none = { drafts: 0, scheduled: 0, sending: 0, missed: 0, cancelled: 0 }
  const { draft = 0, done: _, waiting: __, ...counts } = await store.countPosts(db)
  const posted = await store.postedSince(db, isoIn(kit, -30 * DAY_MS))
  const onX = posted.filter((one) => one.network === 'x')
  const usd = onX.reduce((sum, one) => sum + postCost(one.xText, one.alts), 0)
  const dayAgo = clock.now() - DAY_MS
  const isToday = ({ at }: { at: string }): boolean => Date.parse(at) >= dayAgo
  return {
    ...none,
    posted: 0,
    failed: 0,
    unknown: 0,
    ...counts,
    drafts: draft,
    next_at: isoOrNull(await store.nextPlanned(db)),
    posted_last_24h: new Set(posted.filter(isToday).map(({ id }) => id)).size,
    posted_on_x_last_24h: onX.filter(isToday).length,
    cost_last_30d_usd: Math.round(usd * 1_000) / 1_000,
  }
}

/**
 * Texts per network with a link to the page; on X, where links cost more, only on request. Empty if there is nothing to post.
 * @param words of a correction
 */
export function textsAbout(
  origin: string,
  prediction: Prediction,
  kind: Exclude<PostKind, 'manual'>,
  { isLinkedOnX = false, words = '' } = {},
) {
  const link = `${origin}/predictions/${encodeURIComponent(prediction.id)}`
  return textFields((network) => {
    const on = { network, link: network !== 'x' || isLinkedOnX ? link : null }
    return kind === 'correction'
      ? composeCorrection(prediction, words, on)
      : (composePost(prediction, kind, on) ?? '')
  })
}

/** Texts about a prediction from the public record. */
export async function composeNews(
  { config, record }: PublishingKit,
  predictionId: string,
  isLinkedOnX: boolean,
): Promise<z.input<typeof contract.composePosts.reply>> {
  const prediction = await record.find(predictionId)
  if (!prediction || prediction.withdrawn)
    throw failure('not_found', 'There is no such prediction.')
  const kind = prediction.verdicts.touch.outcome === 'pending' ? 'prediction' : 'verdict'
  return { kind, ...composed(config.origin, prediction, kind, { isLinkedOnX }) }
}

/** Texts about a prediction, with their length and cost on X. */
export function composed(...about: Parameters<typeof textsAbout>) {
  const texts = textsAbout(...about)
  const { x_text: x } = texts
  return { asset: about[1].asset, ...texts, x_weight: postWeight(x), x_cost_usd: postCost(x) }
}

export async function relayStatus({
  nostr,
}: PublishingKit): Promise<z.input<typeof contract.nostrStatus.reply>> {
  if (!nostr) {
    const none = { connectedRelays: 0, totalRelays: 0, faults: [] }
    return { configured: false, publicKey: null, ...none, error: NOT_SET_UP.nostr }
  }
  const { count, faults } = await nostr.connected(AbortSignal.timeout(STATUS_MS))
  return {
    configured: true,
    publicKey: nostr.npub,
    connectedRelays: count,
    totalRelays: nostr.relays.length,
    error: count === 0 ? 'No relay accepts a connection.' : null,
    faults: [...faults],
  }
}
