import { Tabs } from '@base-ui/react/tabs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPosts } from '#contracts/publishing.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AutoSettings } from './auto-settings.tsx'
import { useScheduled, useStats, type Stats } from './calls.ts'
import { costText } from './composition.ts'
import { History } from './history.tsx'
import { distanceText } from './moments.ts'
import { PostTable, type RowActs } from './post-rows.tsx'
import { type Composer } from './use-composer.ts'
import { WeekCalendar } from './week-calendar.tsx'
import tabs from '#web/ui/tabs.module.css'
import css from './composer.module.css'
import { Stack } from '#web/ui/stack.tsx'
import { Figures, type Figure } from '#web/ui/figures.tsx'

/** Scheduled posts, drafts, what was sent, and what the server posts by itself. */
export function PostLists({
  acts,
  nowMs,
  profile,
  composer,
}: ListProps & { readonly profile: string | null; readonly composer: Composer }) {
  const stats = useStats()
  const [tab, setTab] = useState<string>('scheduled')
  const counts = stats.data?.stats
  return (
    <Stack as="section" aria-label="Posts">
      <Figures figures={counts ? figuresOf(counts, nowMs) : []} />
      <Tabs.Root value={tab} onValueChange={(next) => setTab(String(next))}>
        <Tabs.List className={tabs.tabs} aria-label="Posts">
          {[
            { key: 'scheduled', name: 'Scheduled', count: counts?.scheduled },
            { key: 'week', name: 'Week', count: undefined },
            { key: 'drafts', name: 'Drafts', count: counts?.drafts },
            { key: 'history', name: 'History', count: undefined },
            { key: 'automatic', name: 'Automatic posts', count: undefined },
          ].map(({ key, name, count }) => (
            <Tabs.Tab key={key} value={key} className={tabs.tab}>
              {name}
              {count !== undefined && count > 0 && <span className={tabs.count}>{count}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="scheduled" className={css.panel}>
          <ScheduledPosts acts={acts} nowMs={nowMs} />
        </Tabs.Panel>
        <Tabs.Panel value="week" className={css.panel}>
          <WeekCalendar acts={acts} nowMs={nowMs} profile={profile} composer={composer} />
        </Tabs.Panel>
        <Tabs.Panel value="drafts" className={css.panel}>
          <Drafts acts={acts} nowMs={nowMs} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className={css.panel}>
          <History profile={profile} acts={acts} />
        </Tabs.Panel>
        <Tabs.Panel value="automatic" className={css.panel}>
          <AutoSettings />
        </Tabs.Panel>
      </Tabs.Root>
    </Stack>
  )
}

type ListProps = {
  readonly acts: RowActs
  readonly nowMs: number
}

function ScheduledPosts(props: ListProps) {
  return (
    <Loaded
      query={useScheduled()}
      loading="Loading scheduled posts..."
      failed="The scheduled posts could not be loaded."
    >
      {({ tweets }) => {
        const posts = tweets.filter(({ state }) => state === 'scheduled')
        return posts.length === 0 ? (
          <Notice
            title="Nothing is scheduled"
            text="Write a post above and choose a time for it."
          />
        ) : (
          <PostTable posts={posts} label="Scheduled posts" {...props} />
        )
      }}
    </Loaded>
  )
}

function Drafts(props: ListProps) {
  const query = useQuery({
    queryKey: ['social', 'posts', 'draft'],
    queryFn: async ({ signal }) =>
      (await adminCall(listPosts, { query: { state: 'draft' }, signal })).posts,
  })
  return (
    <Loaded query={query} loading="Loading drafts..." failed="The drafts could not be loaded.">
      {(posts) =>
        posts.length === 0 ? (
          <Notice
            title="No drafts"
            text="What you type stays in this browser; “Keep as draft” saves it on the server, for all administrators."
          />
        ) : (
          <PostTable posts={posts} label="Drafts" {...props} />
        )
      }
    </Loaded>
  )
}

function figuresOf(stats: Stats, nowMs: number): readonly Figure[] {
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
