import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, type SyntheticEvent } from 'react'
import { useSearch } from 'wouter'
import { AiMetadata } from '#contracts/posts.ts'
import { onePrediction } from '#contracts/predictions.ts'
import { cancelPost, dismissProposal, listProposals, type Proposal } from '#contracts/publishing.ts'
import { oneSubmission } from '#contracts/review.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import {
  COMPOSER_LIMIT,
  PANEL_LIMIT,
  postWeight,
  SHORT_POST,
} from '#domain/publishing/post-length.ts'
import { textFields, platformText } from '#domain/publishing/social-post.ts'
import { useHints } from '#web/admin/hints.ts'
import { Older, useCall } from '#web/admin/kit/list.tsx'
import { AdminPage, Beside, Section } from '#web/admin/kit/screen.tsx'
import { Act, useAreaDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { sentenceOf, newKey } from '#web/api/call.ts'
import { jsonOf } from '#web/api/page-stream.ts'
import { Button } from '#web/ui/button.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel, Row, Stack, Tiles, Text, Quiet } from '#web/ui/primitives.tsx'
import { PostForm } from './composer.tsx'
import { aimOf, askOf, compositionOf, costText, obstacle, longMoment } from './composition.ts'
import { DeskContext, useDesk, useNewDesk, LISTS_MS, makePost } from './desk.ts'
import { FromData, writeAbout } from './from-data.tsx'
import { NeedsDecision, PostLists, MOST_AT_FIRST } from './post-lists.tsx'
import { chartOf } from './use-pictures.ts'
import css from './social.module.css'

/** The composer for all assets. The address may say what to post about: `?asset=mstr&submission=…&prediction=…` */
export function SocialPage() {
  const search = useSearch()
  const { username } = useHints()
  const asked = new URLSearchParams(search)
  const predictionId = asked.get('prediction')
  const named = ASSET_KEYS.find((key) => key === asked.get('asset')) ?? null
  // Without `asset`, ask for the asset of the prediction.
  const asks = predictionId !== null && named === null
  const params = { id: predictionId ?? '' }
  const { data, isPending } = useCall(onePrediction, { params }, { enabled: asks })
  return (
    <AdminPage>
      {asks && isPending ? (
        <Notice title="Loading the prediction…" />
      ) : (
        <Publisher
          // Remount for another address or administrator.
          key={`${username} ${search}`}
          owner={username}
          asset={named ?? data?.prediction.asset_type ?? ASSETS.btc.key}
          submissionId={asked.get('submission')}
          predictionId={predictionId}
        />
      )}
    </AdminPage>
  )
}

/** The tab of the Bitcoin dashboard. */
export function PostsTool() {
  const { username } = useHints()
  return <Publisher key={username} owner={username} asset="btc" limit={COMPOSER_LIMIT} />
}

/**
 * The composer, next to it pending decisions and proposals, and below it all posts.
 *
 * @param props `owner` is the administrator's name, which must also be the key
 */
export function Publisher({
  owner,
  asset,
  limit = PANEL_LIMIT,
  submissionId = null,
  predictionId = null,
}: {
  readonly owner: string
  readonly asset: AssetKey
  /** Weighted text limit on X; differs between the two screens with a composer. */
  readonly limit?: number
  readonly submissionId?: string | null
  readonly predictionId?: string | null
}) {
  const desk = useNewDesk(limit, { owner, submissionId, predictionId })
  const { composer, showComposer } = desk
  const { pictures } = composer
  const begin = useEffectEvent(async () => {
    if (!composer.isHandedOver) return
    showComposer()
    if (submissionId !== null) {
      const params = { id: submissionId }
      const { submission } = await adminCall(oneSubmission, { params })
      const [first] = proposalsOf(submission.ai_metadata)
      if (first) composer.fill(textFields(() => first.text))
    } else if (predictionId !== null) await writeAbout(composer, predictionId)
  })
  useEffect(() => {
    // Load errors are shown in place, and the text can be written by hand.
    begin().catch(() => undefined)
  }, [])
  const take = (event: SyntheticEvent, { files }: DataTransfer): void => {
    if (files.length === 0) return
    event.preventDefault()
    pictures.add([...files])
  }
  return (
    <DeskContext value={desk}>
      <Stack
        gap={6}
        size="small"
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault()
        }}
        onDrop={(event) => take(event, event.dataTransfer)}
        onPaste={(event) => take(event, event.clipboardData)}
      >
        <Beside>
          <Stack as="section" gap={4} className={css.composer} aria-label="Composer">
            <HandedOver />
            <FromData asset={asset} />
            <PostForm />
          </Stack>
          <Stack gap={6}>
            <NeedsDecision />
            <ToPost />
          </Stack>
        </Beside>
        <PostLists />
      </Stack>
    </DeskContext>
  )
}

/** The submission that the post is about, with its proposed texts. */
function HandedOver() {
  const { composer } = useDesk()
  const { submission_id: submissionId } = composer.composition
  const params = { id: submissionId ?? '' }
  const { data, error } = useCall(oneSubmission, { params }, { enabled: submissionId !== null })
  if (submissionId === null) return null
  const submission = data?.submission
  return (
    <Panel as="section" aria-label="Submission">
      <Row gap={4} justify="between">
        <p>
          {submission ? (
            <>
              From the submission of <strong>{submission.expert_name}</strong>:{' '}
              {submission.price_prediction} ({submission.status}).{' '}
              {submission.status === 'pending'
                ? 'Once the post is out, it is approved.'
                : 'Its status stays unchanged.'}
            </>
          ) : error ? (
            `The submission could not be loaded. ${sentenceOf(error)}`
          ) : (
            'Loading the submission…'
          )}
        </p>
        <Button onClick={() => composer.change({ submission_id: null })}>Post without it</Button>
      </Row>
      <Tiles as="ul" least="20rem" aria-label="Proposed texts">
        {proposalsOf(submission?.ai_metadata).map(({ style, text }) => (
          <Panel as="li" gap={2} align="start" key={style + text}>
            <Text tone="quiet">
              {style} · {postWeight(text)} / {SHORT_POST}
            </Text>
            <p className="measure as-written">{text}</p>
            <Button onClick={() => composer.fill(textFields(() => text))}>Use this text</Button>
          </Panel>
        ))}
      </Tiles>
    </Panel>
  )
}

const proposalsOf = (metadata: string | null | undefined) =>
  AiMetadata.safeParse(jsonOf(metadata)).data?.tweet_proposals ?? []

const NEWS = { prediction: 'New on record', verdict: 'Verdict', correction: 'Correction' } as const

/** Events on record without a post; each can be posted, scheduled, edited or dismissed. */
function ToPost() {
  const query = useInfiniteQuery({
    queryKey: [listProposals.path],
    queryFn: ({ signal, pageParam }) =>
      adminCall(listProposals, { query: pageParam === null ? {} : { before: pageParam }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LISTS_MS,
  })
  const [isWhole, setWhole] = useState(false)
  const { hasNextPage } = query
  return (
    <Section title="To post">
      <Loaded
        query={query}
        loading="Looking for news on record..."
        failed="The proposed posts could not be loaded."
      >
        {({ pages }) => {
          const all = pages.flatMap(({ proposals }) => proposals)
          const listed = isWhole ? all : all.slice(0, MOST_AT_FIRST)
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
                {listed.map((one) => (
                  <Suggestion key={one.event_id} proposal={one} />
                ))}
              </Stack>
              {listed.length < all.length && (
                <Button className="start" onClick={() => setWhole(true)}>
                  Show all {all.length}
                  {hasNextPage ? ' and older ones' : ''}
                </Button>
              )}
              {isWhole && <Older query={query}>Older news</Older>}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Suggestion({ proposal }: { readonly proposal: Proposal }) {
  const { takeUp, readiness } = useDesk()
  const { event_id: event, kind, prediction_id: predictionId, x_text: text } = proposal
  const composition = compositionOf(proposal)
  const aim = aimOf(composition, readiness)
  const isBusy = useAreaDecision().doing.has(event)
  const why = obstacle(aim, composition, { ...readiness, openPictures: 0 })
  const words = text.slice(0, text.indexOf('.') + 1)

  /** The server accepts one post per event, so a retry after a lost answer cannot post twice. */
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
          className="fluid card"
          width={1_200}
          height={630}
          loading="lazy"
        />
      )}
      <Stack gap={2}>
        <Row gap={2}>
          <Tag>{NEWS[kind]}</Tag>
          <Quiet>{longMoment(Date.parse(proposal.at))}</Quiet>
        </Row>
        <p className="measure as-written">{text}</p>
      </Stack>
      <Row fill>
        <Act
          id={event}
          sending="Posting…"
          {...(why !== null && { disabled: true })}
          aria-label={`Post now: ${words}`}
          send={post}
          undo={({ post: { id } }) => adminCall(cancelPost, { params: { id } })}
        >
          Post now
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
          id={event}
          look="quiet"
          aria-label={`Dismiss: ${words}`}
          send={dismiss(true)}
          undo={dismiss(false)}
        >
          Dismiss
        </Act>
        <Quiet>
          {why ??
            `On ${platformText(aim)}${aim.includes('x') ? `, ${costText(proposal.x_cost_usd)}` : ''}`}
        </Quiet>
      </Row>
    </Panel>
  )
}
