import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useRef, useState } from 'react'
import { readPost, type SocialPost } from '#contracts/publishing.ts'
import { eachNetwork, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { aimOf, type Readiness } from './composition.ts'
import { isUnderWay } from './moments.ts'
import { useNetworks } from './networks.ts'
import { useComposer } from './use-composer.ts'

const TICK_MS = 30_000
const UNDER_WAY_MS = 1_500
export const LISTS_MS = 20_000

type Composer = ReturnType<typeof useComposer>
type Desk = ReturnType<typeof useNewDesk>
export const DeskContext = createContext<Desk | null>(null)

/** The composer and the networks, for all parts of the screen. */
export function useDesk(): Desk {
  const desk = use(DeskContext)
  if (!desk) throw new Error('outside of the publisher')
  return desk
}

/** @param limit of the text for X, weighted */
export function useNewDesk(limit: number, given: Parameters<typeof useComposer>[0]) {
  const composer = useComposer(given)
  const { composition, pictures, work } = composer
  const networks = useNetworks()
  const sent = useSentPost(composer)
  const nowMs = useNow()
  const text = useRef<HTMLTextAreaElement>(null)
  const day = useRef<HTMLInputElement>(null)
  const readiness: Readiness = {
    ...eachNetwork((one) => networks[one].connection),
    rate: networks.rate,
    isPosting: work !== null,
    openPictures: pictures.slots.filter(({ picture }) => picture === null).length,
    limit,
  }
  /** @param isPlanned to where its time is chosen */
  function showComposer(isPlanned = false): void {
    const place = (isPlanned ? day : text).current
    place?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'center' })
  }
  return {
    composer,
    networks,
    readiness,
    aim: aimOf(composition, readiness),
    /** The post that was sent last. */
    sent,
    nowMs,
    places: { text, day },
    showComposer,
    takeUp: (from: Parameters<Composer['takeUp']>[0], isPlanned = false): void => {
      composer.takeUp(from)
      showComposer(isPlanned)
    },
    /** Writes a sent post once more, for some of its networks. */
    reuse: (post: SocialPost, meant: readonly SocialNetwork[]): void => {
      composer.reuse(post, meant)
      showComposer()
    },
  }
}

/** Asked for often until every network has its outcome. */
function useSentPost({ composition: { sent: id } }: Composer): SocialPost | null {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: [readPost.path, id],
    queryFn: ({ signal }) => adminCall(readPost, { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state: { data: last } }) =>
      last && !isUnderWay(last.post) ? LISTS_MS : UNDER_WAY_MS,
  })
  const post = id === null ? null : (data?.post ?? null)
  const isDone = post?.state === 'done'
  useEffect(() => {
    // The answer of X also shows whether its keys work.
    if (isDone) void client.invalidateQueries({ queryKey: ['status'] })
  }, [isDone, id, client])
  return post
}

function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
