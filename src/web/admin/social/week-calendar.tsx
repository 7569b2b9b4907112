import { useState } from 'react'
import { type SocialPost } from '#contracts/publishing.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { useLayout } from '#web/ui/layout.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { Text } from '#web/ui/text.tsx'
import { useCalendar } from './calls.ts'
import { Entry } from './history.tsx'
import { longMoment, ownZone, zoneText } from './moments.ts'
import { postView, TAG_TONES } from './outcomes.ts'
import { PostWords, RowButtons, type RowActs } from './post-rows.tsx'
import { type Composer } from './use-composer.ts'
import { isMovable, timeOf, useHeld } from './use-held.ts'
import { DAYS, movedBy, weekOf } from './week.ts'
import css from './week-calendar.module.css'
import { dayText, timeText, WeekGrid } from './week-grid.tsx'

/** What is planned and was sent, week by week; on a phone as a list of days. */
export function WeekCalendar({
  acts,
  nowMs,
  profile,
  composer,
}: {
  readonly acts: RowActs
  readonly nowMs: number
  readonly profile: string | null
  readonly composer: Composer
}) {
  const [shownMs, setShown] = useState(nowMs)
  const [chosenId, setChosen] = useState<string | null>(null)
  const holding = useHeld(composer, setShown)
  const { held } = holding
  // The week follows a post that is moved out of it.
  const week = weekOf(held?.ms ?? shownMs)
  const [from = 0, to = 0] = [week[0], week[DAYS]]
  const query = useCalendar(new Date(from).toISOString(), new Date(to).toISOString())
  const stored = query.data?.posts ?? []
  const posts = stored.map((post) =>
    post.id === held?.post.id ? held : { post, ms: timeOf(post) },
  )
  if (held && !posts.includes(held)) posts.push(held)
  const chosen = stored.find(({ id }) => id === chosenId) ?? null
  const isPhone = useLayout() === 'phone'

  function show(ms: number): void {
    holding.putBack()
    setChosen(null)
    setShown(ms)
  }

  return (
    <Stack as="section" aria-label="Week">
      <Row justify="between">
        <Row>
          <Button onClick={() => show(movedBy(from, { days: -DAYS }))}>Earlier</Button>
          <Button onClick={() => show(nowMs)}>This week</Button>
          <Button onClick={() => show(to)}>Later</Button>
        </Row>
        <Text as="span" tone="quiet">
          {dayText(from)} to {longMoment(movedBy(to, { days: -1 })).slice(0, -7)} (
          {zoneText(ownZone(), from)})
        </Text>
      </Row>
      {query.error && (
        <Text tone="bad" role="alert">
          The calendar could not be loaded. {sentenceOf(query.error)}{' '}
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </Text>
      )}
      {query.isPending && <Text tone="quiet">Loading the week…</Text>}
      {query.data?.cut === true && (
        <Text tone="wait">There are more posts this week than are shown: the latest are not.</Text>
      )}
      {isPhone ? (
        <DayList week={week} posts={stored} acts={acts} />
      ) : (
        <WeekGrid
          week={week}
          posts={posts}
          nowMs={nowMs}
          holding={holding}
          onSelect={({ id }) => setChosen(id === chosenId ? null : id)}
        />
      )}
      {!isPhone && (
        <Text tone="quiet">
          A planned post can be dragged to another hour, or picked up with Enter and moved with the
          arrow keys.
        </Text>
      )}
      <p className="aside-voice" role="status">
        {holding.said}
      </p>
      {held ? (
        <Panel>
          <Row gap={4} justify="between">
            <p>
              <strong>{longMoment(held.ms)}</strong>. Move it with the arrow keys or press an hour;
              Enter drops it, Escape puts it back.
            </p>
            <Row>
              <Button
                look="primary"
                disabled={holding.isBusy}
                onClick={() => void holding.drop(held)}
              >
                {holding.isBusy ? 'Saving…' : 'Drop here'}
              </Button>
              <Button disabled={holding.isBusy} onClick={holding.putBack}>
                Put back
              </Button>
              <Button
                disabled={holding.isBusy}
                onClick={() => {
                  holding.putBack()
                  acts.edit(held.post)
                }}
              >
                Edit
              </Button>
            </Row>
          </Row>
        </Panel>
      ) : (
        chosen && (
          <Panel as="ul" gap={0} className={css.chosen} aria-label="The chosen post">
            <Entry key={chosen.id} post={chosen} profile={profile} acts={acts} isOpen />
          </Panel>
        )
      )}
    </Stack>
  )
}

function DayList({
  week,
  posts,
  acts,
}: {
  readonly week: readonly number[]
  readonly posts: readonly SocialPost[]
  readonly acts: RowActs
}) {
  return (
    <Stack as="ul" gap={4} className={css.list} aria-label="Days">
      {week.slice(0, DAYS).map((start, n) => {
        const end = week[n + 1] ?? start
        const ofDay = posts.filter((one) => start <= timeOf(one) && timeOf(one) < end)
        return (
          <Stack as="li" gap={2} key={start}>
            <Text as="h3" size="base">
              {dayText(start)}
            </Text>
            {ofDay.length === 0 && <Text tone="quiet">No posts</Text>}
            {ofDay.map((post) => {
              const { word, tone, sign } = postView(post)
              return (
                <Panel key={post.id} gap={2}>
                  <Row justify="between">
                    <b>{timeText(timeOf(post))}</b>
                    <Tag tone={tone === 'planned' ? undefined : TAG_TONES[tone]}>
                      <span aria-hidden="true">{sign}</span> {word}
                    </Tag>
                  </Row>
                  <PostWords post={post} />
                  {isMovable(post) && (
                    <Row fill>
                      <RowButtons post={post} acts={acts} />
                    </Row>
                  )}
                </Panel>
              )
            })}
          </Stack>
        )
      })}
    </Stack>
  )
}
