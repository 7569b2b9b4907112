import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type z } from 'zod'
import { AiMetadata } from '#contracts/posts.ts'
import { oneSubmission } from '#contracts/review.ts'
import {
  calendarPosts,
  chartPicture,
  composePosts,
  createPost,
  editPost,
  listProposals,
  postsToDecide,
  readPost,
  scheduledTweets,
  schedulingStats,
  sendPost,
  socialSettings,
  uploadPicture,
  type PostInput,
  type SocialPicture,
  type SocialPost,
} from '#contracts/publishing.ts'
import { type PostNews } from '#domain/publishing/post-compose.ts'
import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { isUnderWay } from './outcomes.ts'

export type Picture = z.infer<typeof SocialPicture>
export type Stats = z.infer<typeof schedulingStats.reply>['stats']
export type Ask = z.input<typeof PostInput>

const LISTS_MS = 20_000
/** Pictures go up and posts go out within this; X with its pictures takes longest. */
const SEND_PATIENCE_MS = 150_000
const UPLOAD_PATIENCE_MS = 60_000
const UNDER_WAY_MS = 1_500

export function useScheduled() {
  return useQuery({
    queryKey: ['social', 'scheduled'],
    queryFn: ({ signal }) => adminCall(scheduledTweets, { signal }),
    refetchInterval: LISTS_MS,
  })
}

/** Posts that wait for a decision. */
export function useToDecide() {
  return useQuery({
    queryKey: ['social', 'to-decide'],
    queryFn: ({ signal }) => adminCall(postsToDecide, { signal }),
    refetchInterval: LISTS_MS,
  })
}

/** What is planned and was sent within a span; the last one is shown until the next one is here. */
export function useCalendar(from: string, to: string) {
  return useQuery({
    queryKey: ['social', 'calendar', from, to],
    queryFn: ({ signal }) => adminCall(calendarPosts, { query: { from, to }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LISTS_MS,
  })
}

/** Posts that the record proposes, the newest first. */
export function useProposals() {
  return useInfiniteQuery({
    queryKey: ['social', 'proposals'],
    queryFn: ({ signal, pageParam }) =>
      adminCall(listProposals, { query: pageParam === null ? {} : { before: pageParam }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LISTS_MS,
  })
}

export function useStats() {
  return useQuery({
    queryKey: ['social', 'stats'],
    queryFn: ({ signal }) => adminCall(schedulingStats, { signal }),
    refetchInterval: LISTS_MS,
  })
}

export function useSocialSettings() {
  return useQuery({
    queryKey: ['social', 'settings'],
    queryFn: ({ signal }) => adminCall(socialSettings, { signal }),
  })
}

/** A post that was sent; asked for often until every network has its outcome. */
export function useSentPost(id: string | null) {
  return useQuery({
    queryKey: ['social', 'post', id],
    queryFn: async ({ signal }) =>
      (await adminCall(readPost, { params: { id: id ?? '' }, signal })).post,
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data && isUnderWay(state.data) ? UNDER_WAY_MS : LISTS_MS,
  })
}

/** The submission that is handed over, with the texts that the assistant proposed for it. */
export function useSubmission(id: string | null) {
  return useQuery({
    queryKey: ['submission', id],
    queryFn: ({ signal }) => adminCall(oneSubmission, { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
    select: ({ submission }) => ({
      submission,
      proposals: proposalsOf(submission.ai_metadata),
    }),
  })
}

export function predictionsKey(asset: string): readonly string[] {
  return ['social-predictions', asset]
}

export function composeQuery(ask: { id: string; news: PostNews; link: boolean }) {
  return queryOptions({
    queryKey: ['social', 'compose', ask],
    queryFn: ({ signal }) =>
      adminCall(composePosts, {
        query: { prediction_id: ask.id, news: ask.news, link: ask.link ? 'true' : 'false' },
        signal,
      }),
    staleTime: 0,
  })
}

export async function putPicture(file: Blob): Promise<Picture> {
  const form = new FormData()
  form.append('image', file, 'picture.jpg')
  const { picture } = await adminCall(uploadPicture, { form, patienceMs: UPLOAD_PATIENCE_MS })
  return picture
}

export async function chartOf(predictionId: string): Promise<Picture> {
  const body = { prediction_id: predictionId }
  const { picture } = await adminCall(chartPicture, { body, patienceMs: UPLOAD_PATIENCE_MS })
  return picture
}

/** @param key asked for again under the same key, it is the same post, whatever became of the first answer */
export async function makePost(
  action: 'draft' | 'schedule' | 'soon' | 'send',
  ask: Ask,
  key: string,
): Promise<SocialPost> {
  const { post } = await adminCall(createPost, {
    body: { ...ask, action },
    headers: { 'idempotency-key': key },
    patienceMs: SEND_PATIENCE_MS,
  })
  return post
}

/** @param seenAt when it was last changed as far as is known here; changed since, the call is a conflict */
export async function changePost(
  id: string,
  action: 'draft' | 'schedule',
  ask: Ask,
  seenAt: string | null,
): Promise<SocialPost> {
  const body = { ...ask, action, seen_at: seenAt }
  return (await adminCall(editPost, { params: { id }, body })).post
}

export async function storedPost(id: string): Promise<SocialPost> {
  return (await adminCall(readPost, { params: { id } })).post
}

/** @param how the networks to try again, for a post that was sent before; for others, when it was last changed as far as is known here, and what goes out instead */
export async function sendStored(
  id: string,
  how:
    | { readonly networks: SocialNetwork[] }
    | { readonly seen_at: string | null; readonly post?: Ask },
): Promise<SocialPost> {
  const { post } = await adminCall(sendPost, {
    params: { id },
    body: how,
    patienceMs: SEND_PATIENCE_MS,
  })
  return post
}

/** Loads again what a post may have changed: the lists, and the submissions, since it may have approved one. */
export function useShowPosts(): (post?: SocialPost) => Promise<void> {
  const client = useQueryClient()
  return async (post) => {
    if (post) client.setQueryData(['social', 'post', post.id], post)
    // The answer of X also shows whether its keys work; the server keeps that and does not ask again.
    const lists = [
      'posts',
      'calendar',
      'proposals',
      'scheduled',
      'to-decide',
      'stats',
      'rate',
      'x',
      'bluesky',
    ].map((name) => client.invalidateQueries({ queryKey: ['social', name] }))
    // The count in the menu.
    lists.push(client.invalidateQueries({ queryKey: ['review-here'] }))
    const reviewed = ['submissions', 'submission', 'review-home', 'influencers'].map((name) =>
      client.invalidateQueries({ queryKey: [name] }),
    )
    await Promise.all(post?.approval ? [...lists, ...reviewed] : lists)
  }
}

function proposalsOf(metadata: string | null): readonly { style: string; text: string }[] {
  if (metadata === null) return []
  try {
    const read = AiMetadata.safeParse(JSON.parse(metadata))
    return read.success ? (read.data.tweet_proposals ?? []) : []
  } catch {
    return []
  }
}
