import { Tabs } from '@base-ui/react/tabs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type z } from 'zod'
import * as calls from '#contracts/publishing.ts'
import { type SocialPost } from '#contracts/publishing.ts'
import { showCount } from '#domain/price-text.ts'
import {
  MOST_LISTED,
  NETWORKS_OF_POSTS,
  platformText,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { Load, Older, useCall } from '#web/admin/kit/list.tsx'
import { Section } from '#web/admin/kit/screen.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Figures, type Figure } from '#web/ui/facts.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel, Stack, Text } from '#web/ui/primitives.tsx'
import { showMoment } from '#web/ui/show.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { costText, distanceText, isUnderWay } from './composition.ts'
import { LISTS_MS, useDesk } from './desk.ts'
import { PostTable } from './posts.tsx'
import kit from '#web/admin/kit/kit.module.css'

const UNDER_WAY_MS = 2_000
const REFRESHED = { refetchInterval: LISTS_MS }
/** The rest is shown on request. */
export const MOST_AT_FIRST = 3

/** Posts that missed their time, failed, or have an unknown outcome; they wait for a decision. */
export function NeedsDecision() {
  const { data } = useCall(calls.postsToDecide, {}, REFRESHED)
  const [isWhole, setWhole] = useState(false)
  if (!data || data.count === 0) return null
  const { count, posts } = data
  const listed = isWhole ? posts : posts.slice(0, MOST_AT_FIRST)
  return (
    <Section title={`Needs a decision (${showCount(count)})`} label="Needs a decision">
      <Text tone="quiet">
        {kindsToDecide(posts)}. Nothing is sent late or twice by itself.
        {isWhole && posts.length < count && ` The newest ${String(posts.length)} are shown.`}
      </Text>
      <PostTable label="Posts that need a decision" posts={listed} kind="sent" isKeyed />
      {listed.length < posts.length && (
        <Button className="start" onClick={() => setWhole(true)}>
          Show all {posts.length}
        </Button>
      )}
    </Section>
  )
}

/** `1 missed its time, 2 failed, 1 possibly posted` */
function kindsToDecide(posts: readonly SocialPost[]): string {
  const missed = posts.filter(({ state }) => state === 'missed').length
  const unknown = posts.filter(({ results }) =>
    results.some(({ state }) => state === 'unknown'),
  ).length
  return [
    [missed, missed === 1 ? 'missed its time' : 'missed their time'],
    [posts.length - missed - unknown, 'failed'],
    [unknown, 'possibly posted'],
  ]
    .filter(([n]) => n !== 0)
    .map((part) => part.join(' '))
    .join(', ')
}

const TABS = { planned: 'Planned', draft: 'Drafts', sent: 'History', automatic: 'Automatic posts' }

export function PostLists() {
  const { nowMs } = useDesk()
  const [tab, setTab] = useState('planned')
  const { data } = useCall(calls.schedulingStats, {}, REFRESHED)
  const stats = data?.stats
  const counts: Readonly<Record<string, number>> = {
    planned: stats?.scheduled ?? 0,
    draft: stats?.drafts ?? 0,
  }
  return (
    <Stack as="section" aria-label="Posts">
      <Figures figures={stats ? figuresOf(stats, nowMs) : []} />
      <Tabs.Root render={<Stack />} value={tab} onValueChange={(next) => setTab(String(next))}>
        <Tabs.List className={`${kit.tabs} scrolls ruled-bottom`} aria-label="Posts">
          {Object.entries(TABS).map(([key, name]) => (
            <Tabs.Tab key={key} value={key} className={kit.tab}>
              {name}{' '}
              {counts[key] ? <span className="regular">{showCount(counts[key])}</span> : null}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {(['planned', 'draft', 'sent'] as const).map((kind) => (
          <Tabs.Panel key={kind} value={kind}>
            <Posts kind={kind} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="automatic">
          <AutoSettings />
        </Tabs.Panel>
      </Tabs.Root>
    </Stack>
  )
}

/** Planned posts are loaded at once, the others page by page. */
const LISTS = {
  planned: {
    label: 'Scheduled posts',
    what: 'scheduled posts',
    empty: ['Nothing is scheduled', 'Write a post and choose a time for it.'],
    state: 'scheduled',
  },
  draft: {
    label: 'Drafts',
    what: 'drafts',
    empty: ['No drafts', '“Keep as draft” saves a post for all administrators.'],
    state: 'draft',
  },
  sent: {
    label: 'Posts that were sent',
    what: 'history',
    empty: ['Nothing was posted yet', 'Sent posts are listed here with their results.'],
    state: 'gone',
  },
} as const

function Posts({ kind }: { readonly kind: keyof typeof LISTS }) {
  const { label, what, empty, state } = LISTS[kind]
  const query = useInfiniteQuery({
    queryKey: [calls.listPosts.path, state],
    queryFn: async ({ signal, pageParam }) => {
      if (kind !== 'planned') {
        return (await adminCall(calls.listPosts, { query: { state, ...pageParam }, signal })).posts
      }
      const { tweets } = await adminCall(calls.scheduledTweets, { signal })
      return tweets.filter((one) => one.state === state)
    },
    initialPageParam: {} as { before?: string; before_id?: string },
    getNextPageParam: (page) => {
      const last = kind === 'planned' || page.length < MOST_LISTED ? undefined : page.at(-1)
      const time = kind === 'draft' ? last?.created_at : last?.scheduled_at
      return last && { before: time ?? last.created_at, before_id: last.id }
    },
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.some(isUnderWay)) ? UNDER_WAY_MS : LISTS_MS,
  })
  return (
    <Loaded query={query} what={what}>
      {({ pages }) =>
        pages[0]?.length === 0 ? (
          <Notice title={empty[0]} text={empty[1]} />
        ) : (
          <Stack>
            <PostTable label={label} posts={pages.flat()} kind={kind} />
            <Older query={query}>Older posts</Older>
          </Stack>
        )
      }
    </Loaded>
  )
}

function figuresOf(
  stats: z.infer<typeof calls.schedulingStats.reply>['stats'],
  nowMs: number,
): readonly Figure[] {
  const next = stats.next_at === null ? null : Date.parse(stats.next_at)
  return [
    { name: 'Next post', value: next === null ? 'none' : distanceText(next, nowMs) },
    {
      name: 'Posted in 24 hours',
      value: `${String(stats.posted_last_24h)} (${String(stats.posted_on_x_last_24h)} on X)`,
    },
    { name: 'Failed', value: String(stats.failed) },
    { name: 'Unknown', value: String(stats.unknown) },
    { name: 'Cost of 30 days on X', value: costText(stats.cost_last_30d_usd) },
  ]
}

/** All combinations of networks, largest first. */
const WHERE = [7, 3, 5, 6, 1, 2, 4].map((bits) => {
  const networks = NETWORKS_OF_POSTS.filter((_, n) => bits & (1 << n))
  return [networks.join(), platformText(networks)] as const
})

/** Whether the server posts verdicts automatically; off by default. */
function AutoSettings() {
  const toasts = useToasts()
  return (
    <Load route={calls.socialSettings} what="settings">
      {(stored) => (
        <Panel>
          <Text tone="quiet">
            Each new hit or miss is posted once, in the words of “Text from data”. Verdicts from
            before it was turned on are not posted.
          </Text>
          <AdminForm
            label="Automatic posts"
            route={calls.changeSocialSettings}
            start={{
              auto_verdicts: stored.auto_verdicts,
              auto_networks: NETWORKS_OF_POSTS.filter((one) =>
                stored.auto_networks.includes(one),
              ).join(),
              auto_with_link: stored.auto_with_link,
              auto_daily_cap: String(stored.auto_daily_cap),
            }}
            fields={{
              auto_verdicts: { label: 'Post verdicts automatically' },
              auto_networks: { label: 'Where', options: WHERE },
              auto_with_link: { label: 'With a link on X, which costs more' },
              auto_daily_cap: { label: 'At most in 24 hours', is: 'decimal' },
            }}
            body={(values) => ({
              ...values,
              auto_networks: values.auto_networks.split(',') as SocialNetwork[],
              auto_daily_cap: Number(values.auto_daily_cap),
            })}
            send="Save"
            onDone={(saved) =>
              toasts.done(
                saved.auto_verdicts
                  ? 'The server now posts new verdicts automatically.'
                  : 'The server no longer posts automatically.',
              )
            }
          />
          {stored.changed_at !== null && (
            <Text tone="quiet">
              Last changed {showMoment(stored.changed_at)}
              {stored.changed_by !== null && ` by ${stored.changed_by}`}
            </Text>
          )}
        </Panel>
      )}
    </Load>
  )
}
