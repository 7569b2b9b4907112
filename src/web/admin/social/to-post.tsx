import { useRef, useState } from 'react'
import { cancelPost, dismissProposal, type Proposal } from '#contracts/publishing.ts'
import { platformText } from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { newKey } from '#web/api/new-key.ts'
import { Button } from '#web/ui/button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { Text } from '#web/ui/text.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { chartOf, makePost, useProposals, useShowPosts, type Ask } from './calls.ts'
import {
  aimOf,
  askOf,
  costText,
  obstacle,
  proposedComposition,
  type Readiness,
} from './composition.ts'
import { distanceText } from './moments.ts'
import css from './to-post.module.css'
import { type Composer } from './use-composer.ts'

/** More are shown on request: the list is above the post that is being written. */
const MOST_SHOWN = 3

const NEWS = { prediction: 'New on record', verdict: 'Verdict', correction: 'Correction' } as const

type Props = {
  readonly composer: Composer
  readonly readiness: Readiness
  readonly nowMs: number
  /** Shows the post that was taken up. @param isPlanned where its time is chosen */
  readonly onTakenUp: (isPlanned: boolean) => void
}

/** What happened on record and was not posted about: each is posted, planned, edited or dismissed by a person. */
export function ToPost(props: Props) {
  const query = useProposals()
  const acts = useProposalActs(props)
  const [isWhole, setWhole] = useState(false)
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query
  return (
    <Stack as="section" aria-label="To post">
      <Text as="h2" size="lead">
        To post
      </Text>
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
                Nothing new: predictions, verdicts and corrections of the last seven days are
                proposed here.
              </Text>
            )
          }
          return (
            <Stack align="start">
              <ul className={css.list} aria-label="Proposed posts">
                {shown.map((proposal) => (
                  <Proposed key={proposal.event_id} proposal={proposal} acts={acts} {...props} />
                ))}
              </ul>
              {shown.length < all.length && (
                <Button onClick={() => setWhole(true)}>
                  Show all {all.length}
                  {hasNextPage ? ' and older ones' : ''}
                </Button>
              )}
              {isWhole && hasNextPage && (
                <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {isFetchingNextPage ? 'Loading…' : 'Older news'}
                </Button>
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Stack>
  )
}

function Proposed({
  proposal,
  acts,
  composer,
  readiness,
  nowMs,
  onTakenUp,
}: Props & { readonly proposal: Proposal; readonly acts: ReturnType<typeof useProposalActs> }) {
  const { event_id: event, kind, prediction_id: predictionId, x_text: text } = proposal
  const aim = aimOf({ where: null }, readiness)
  const isBusy = acts.busy.has(event)
  const why = obstacle(aim, proposedComposition(proposal), {
    ...readiness,
    openPictures: 0,
  })
  const words = text.slice(0, text.indexOf('.') + 1)
  const takeUp = (isPlanned: boolean): void => {
    composer.takeUp(proposal)
    onTakenUp(isPlanned)
  }
  return (
    <li className={css.proposal}>
      {proposal.has_chart ? (
        <img
          className={css.chart}
          src={`/predictions/${encodeURIComponent(predictionId)}/picture.png`}
          alt="Its chart"
          width={1_200}
          height={630}
          loading="lazy"
        />
      ) : (
        <Text tone="quiet" className={css.chart}>
          No chart
        </Text>
      )}
      <Stack gap={2}>
        <Row gap={2}>
          <Tag>{NEWS[kind]}</Tag>
          <Text as="span" tone="quiet">
            {distanceText(Date.parse(proposal.at), nowMs)}
          </Text>
        </Row>
        <p className={css.text}>{text}</p>
      </Stack>
      <Stack gap={2} className={css.acts}>
        <Row fill>
          <Button
            look="primary"
            disabled={isBusy || why !== null}
            aria-label={`Post now: ${words}`}
            onClick={() => acts.post(proposal)}
          >
            {isBusy ? 'Posting…' : 'Post now'}
          </Button>
          <Button disabled={isBusy} aria-label={`Plan: ${words}`} onClick={() => takeUp(true)}>
            Plan
          </Button>
          <Button disabled={isBusy} aria-label={`Edit: ${words}`} onClick={() => takeUp(false)}>
            Edit
          </Button>
          <Button
            look="quiet"
            disabled={isBusy}
            aria-label={`Dismiss: ${words}`}
            onClick={() => acts.dismiss(proposal)}
          >
            Dismiss
          </Button>
        </Row>
        <Text tone="quiet">
          {why ??
            `On ${platformText(aim)}${aim.includes('x') ? `, ${costText(proposal.x_cost_usd)}` : ''}`}
        </Text>
      </Stack>
    </li>
  )
}

function useProposalActs({ readiness }: Pick<Props, 'readiness'>) {
  const toasts = useToasts()
  const showPosts = useShowPosts()
  // Pressed again after an answer was lost, it is the same post.
  const asked = useRef(new Map<number, { readonly key: string; readonly ask: Ask }>())
  const change = useChange({
    onFailed({ message }) {
      toasts.failed(message)
      void showPosts()
    },
  })

  async function askFor(proposal: Proposal): Promise<{ key: string; ask: Ask }> {
    const { event_id: event, prediction_id: id, has_chart: hasChart } = proposal
    const before = asked.current.get(event)
    if (before) return before
    const pictures = hasChart ? [await chartOf(id)] : []
    const composition = { ...proposedComposition(proposal), pictures }
    const next = { key: newKey(), ask: askOf(aimOf({ where: null }, readiness), composition) }
    asked.current.set(event, next)
    return next
  }

  async function turn(event: number, dismissed: boolean): Promise<void> {
    await change.run(async () => {
      await adminCall(dismissProposal, { params: { event }, body: { dismissed } })
      await showPosts()
      if (dismissed) toasts.undoable('The proposal is dismissed.', () => void turn(event, false))
    }, event)
  }

  function takeBack(id: string, event: number): void {
    asked.current.delete(event)
    void change.run(async () => {
      void showPosts((await adminCall(cancelPost, { params: { id } })).post)
    }, event)
  }

  return {
    busy: change.doing,
    dismiss: ({ event_id: event }: Proposal): void => void turn(event, true),
    post: (proposal: Proposal): void => {
      const { event_id: event } = proposal
      void change.run(async () => {
        const { ask, key } = await askFor(proposal)
        const post = await makePost('soon', ask, key)
        const where = platformText(post.networks)
        toasts.undoable(`Posting on ${where} in ten seconds.`, () => takeBack(post.id, event))
        // Not awaited: it also asks the networks, and until it ends nothing could be taken back.
        void showPosts(post)
      }, event)
    },
  }
}
