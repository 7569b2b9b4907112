import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPosts, type SocialPost } from '#contracts/publishing.ts'
import {
  MOST_LISTED,
  NETWORKS_OF_POSTS,
  platformText,
  textsOfFields,
} from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { costText } from './composition.ts'
import css from './history.module.css'
import { longMoment } from './moments.ts'
import { ApprovalNote, OutcomeNote } from './outcome-note.tsx'
import {
  isUnderWay,
  mayBeLeft,
  needsHelp,
  networkName,
  outcomeView,
  TAG_TONES,
} from './outcomes.ts'
import { PostWords, RowButtons, type RowActs } from './post-rows.tsx'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { Text } from '#web/ui/text.tsx'

const REFRESH_MS = 20_000
const UNDER_WAY_MS = 2_000

type Listed = {
  readonly profile: string | null
  readonly acts: RowActs
}

/** What was posted, newest first, with what became of it on each network and relay. */
export function History({ profile, acts }: Listed) {
  const query = useInfiniteQuery({
    queryKey: ['social', 'posts', 'history'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { state: 'gone' as const, ...pageParam }
      return (await adminCall(listPosts, { query, signal })).posts
    },
    initialPageParam: {} as { before?: string; before_id?: string },
    getNextPageParam: (page) => {
      const last = page.length < MOST_LISTED ? undefined : page.at(-1)
      return last && { before: last.scheduled_at ?? last.created_at, before_id: last.id }
    },
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.some(isUnderWay)) ? UNDER_WAY_MS : REFRESH_MS,
  })
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query
  return (
    <Loaded
      query={query}
      loading="Loading the history..."
      failed="The history could not be loaded."
    >
      {({ pages }) => (
        <Stack align="start">
          <Entries posts={pages.flat()} profile={profile} acts={acts} />
          {hasNextPage && (
            <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {isFetchingNextPage ? 'Loading…' : 'Older posts'}
            </Button>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function Entries({ posts, profile, acts }: Listed & { readonly posts: readonly SocialPost[] }) {
  return posts.length === 0 ? (
    <Notice
      title="Nothing was posted yet"
      text="What is sent is kept here with its results and links."
    />
  ) : (
    <Panel as="ul" gap={0} className={css.list} aria-label="Posts that were sent">
      {posts.map((post) => (
        <Entry key={post.id} post={post} profile={profile} acts={acts} isOpen={needsHelp(post)} />
      ))}
    </Panel>
  )
}

/** One post with its results, its texts and what can be done about it. */
export function Entry({
  post,
  profile,
  acts,
  isOpen,
}: Listed & { readonly post: SocialPost; readonly isOpen: boolean }) {
  // It stays as the person leaves it, whatever becomes of the others.
  const [isOpenFirst] = useState(isOpen)
  const showTime = (iso: string): string => longMoment(Date.parse(iso))
  return (
    <li>
      <details open={isOpenFirst}>
        <Row as="summary" gap={4} justify="between" className={css.head}>
          <span>
            <PostWords post={post} />
            <Text as="span" tone="quiet" className={css.facts}>
              {showTime(post.scheduled_at ?? post.created_at)} · {platformText(post.networks)} ·{' '}
              {post.automatic ? 'automatic' : `by ${post.created_by}`}
              {post.x_cost_usd !== null && ` · ${costText(post.x_cost_usd)}`}
            </Text>
          </span>
          <Row as="span" gap={1}>
            {post.state === 'cancelled' && <Tag>cancelled</Tag>}
            {post.state === 'missed' && <Tag tone="wait">missed</Tag>}
            {post.left_at !== null && <Tag>left as it is</Tag>}
            {post.results.map((result) => {
              const { tone, badge } = outcomeView(result, showTime)
              return (
                <Tag key={result.network} tone={TAG_TONES[tone]}>
                  {networkName(result.network)}: {badge}
                </Tag>
              )
            })}
          </Row>
        </Row>
        <Stack className={css.body}>
          {post.results.map((result) => (
            <OutcomeNote key={result.network} post={post} result={result} profile={profile} />
          ))}
          <ApprovalNote post={post} />
          <Texts post={post} />
          <Row>
            {post.state === 'missed' ? (
              <RowButtons post={post} acts={acts} />
            ) : (
              <Button onClick={() => acts.reuse(post)}>Use its texts for a new post</Button>
            )}
            {mayBeLeft(post) && (
              <Button
                look="quiet"
                disabled={acts.busy.has(post.id)}
                onClick={() => acts.leave(post)}
              >
                Leave it as it is
              </Button>
            )}
          </Row>
        </Stack>
      </details>
    </li>
  )
}

function Texts({ post }: { readonly post: SocialPost }) {
  const { pictures, networks } = post
  const texts = textsOfFields(post)
  const written = NETWORKS_OF_POSTS.filter((one) => texts[one] !== '')
  // Networks that say the same are named together.
  const said = [...new Set(written.map((one) => texts[one]))].map((text) => {
    const where = written.filter((one) => texts[one] === text)
    return { text, name: where.length === networks.length ? 'Text' : platformText(where) }
  })
  return (
    <>
      {said.map(({ name, text }) => (
        <div key={name}>
          <p className={css.facts}>{name}</p>
          <p className={css.full}>{text}</p>
        </div>
      ))}
      {pictures.length > 0 && (
        <Row className={css.pictures}>
          {pictures.map(({ id, url, alt }, at) => (
            <img
              key={id}
              src={url}
              alt={alt === '' ? `Picture ${String(at + 1)}` : alt}
              loading="lazy"
            />
          ))}
        </Row>
      )}
    </>
  )
}
