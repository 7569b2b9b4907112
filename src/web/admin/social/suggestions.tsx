import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cancelPost, dismissProposal, listProposals, type Proposal } from '#contracts/publishing.ts'
import { platformText } from '#domain/publishing/social-post.ts'
import { Section } from '#web/admin/kit/detail.tsx'
import { Act, Refused, useDecision, type Decision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { newKey } from '#web/api/new-key.ts'
import { Button } from '#web/ui/button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Panel, Row, Stack, Text } from '#web/ui/primitives.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { aimOf, askOf, compositionOf, costText, obstacle } from './composition.ts'
import { LISTS_MS, useDesk } from './desk.ts'
import { longMoment } from './moments.ts'
import { MOST_SHOWN } from './post-lists.tsx'
import css from './social.module.css'
import { makePost } from './use-composer.ts'
import { chartOf } from './use-pictures.ts'

const NEWS = { prediction: 'New on record', verdict: 'Verdict', correction: 'Correction' } as const

/** Record events without a post: an administrator posts, schedules, edits or dismisses each. */
export function ToPost() {
  const query = useInfiniteQuery({
    queryKey: [listProposals.path],
    queryFn: ({ signal, pageParam }) =>
      adminCall(listProposals, { query: pageParam === null ? {} : { before: pageParam }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LISTS_MS,
  })
  const decision = useDecision()
  const [isWhole, setWhole] = useState(false)
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query
  return (
    <Section title="To post">
      <Refused decision={decision} />
      <Loaded
        query={query}
        loading="Looking for news on record..."
        failed="The proposed posts could not be loaded."
      >
        {({ pages }) => {
          const all = pages.flatMap(({ proposals }) => proposals)
          const shown = isWhole ? all : all.slice(0, MOST_SHOWN)
          if (all.length === 0 && !hasNextPage) {
            return (
              <Text tone="quiet">
                Nothing new. Predictions, verdicts and corrections of the last seven days appear
                here.
              </Text>
            )
          }
          return (
            <>
              <Stack as="ul" aria-label="Proposed posts">
                {shown.map((one) => (
                  <Suggestion key={one.event_id} proposal={one} decision={decision} />
                ))}
              </Stack>
              {shown.length < all.length && (
                <Button className={css.more} onClick={() => setWhole(true)}>
                  Show all {all.length}
                  {hasNextPage ? ' and older ones' : ''}
                </Button>
              )}
              {isWhole && hasNextPage && (
                <Button
                  className={css.more}
                  disabled={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  {isFetchingNextPage ? 'Loading…' : 'Older news'}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Suggestion({
  proposal,
  decision,
}: {
  readonly proposal: Proposal
  readonly decision: Decision
}) {
  const { takeUp, readiness } = useDesk()
  const { event_id: event, kind, prediction_id: predictionId, x_text: text } = proposal
  const composition = compositionOf(proposal)
  const aim = aimOf(composition, readiness)
  const isBusy = decision.doing.has(event)
  const why = obstacle(aim, composition, { ...readiness, openPictures: 0 })
  const words = text.slice(0, text.indexOf('.') + 1)

  /** There is one post about each event, so pressed again after a lost answer it is not sent twice. */
  async function post() {
    const pictures = proposal.has_chart ? [await chartOf(predictionId)] : []
    const sent = await makePost('soon', askOf(aim, { ...composition, pictures }), newKey())
    return { ...sent, message: `Posting on ${platformText(aim)} in ten seconds.` }
  }
  const dismiss = (dismissed: boolean) => async () => ({
    ...(await adminCall(dismissProposal, { params: { event }, body: { dismissed } })),
    message: dismissed ? 'The proposal is dismissed.' : 'The proposal is back.',
  })
  return (
    <Panel as="li" gap={2} className={css.suggestion}>
      {proposal.has_chart && (
        <img
          src={`/predictions/${encodeURIComponent(predictionId)}/picture.png`}
          alt="Its chart"
          width={1_200}
          height={630}
          loading="lazy"
        />
      )}
      <Stack gap={2}>
        <Row gap={2}>
          <Tag>{NEWS[kind]}</Tag>
          <Text as="span" tone="quiet">
            {longMoment(Date.parse(proposal.at))}
          </Text>
        </Row>
        <p className={css.post}>{text}</p>
      </Stack>
      <Row fill>
        <Act
          decision={decision}
          id={event}
          {...(why !== null && { disabled: true })}
          aria-label={`Post now: ${words}`}
          send={post}
          undo={({ post: { id } }) => adminCall(cancelPost, { params: { id } })}
        >
          {isBusy ? 'Posting…' : 'Post now'}
        </Act>
        {(['Plan', 'Edit'] as const).map((name) => (
          <Button
            key={name}
            disabled={isBusy}
            aria-label={`${name}: ${words}`}
            onClick={() => takeUp(proposal, name === 'Plan')}
          >
            {name}
          </Button>
        ))}
        <Act
          decision={decision}
          id={event}
          look="quiet"
          aria-label={`Dismiss: ${words}`}
          send={dismiss(true)}
          undo={dismiss(false)}
        >
          Dismiss
        </Act>
        <Text as="span" tone="quiet">
          {why ??
            `On ${platformText(aim)}${aim.includes('x') ? `, ${costText(proposal.x_cost_usd)}` : ''}`}
        </Text>
      </Row>
    </Panel>
  )
}
