import { useEffect, useRef, useState, type RefObject } from 'react'
import { type SocialPost } from '#contracts/publishing.ts'
import { type AssetKey } from '#domain/asset.ts'
import {
  ALT_TEXT_USD,
  LINK_POST_USD,
  PANEL_LIMIT,
  POST_USD,
  COMPOSER_LIMIT,
  isBlank,
  postCost,
} from '#domain/publishing/post-length.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { useNostrStatus, useSentPost, useSubmissionAtHand, useXRate, useXStatus } from './calls.ts'
import {
  costText,
  momentMeant,
  nostrConnection,
  obstacle,
  planObstacle,
  textFor,
  xConnection,
  xWarnings,
  type Aim,
  type DeskState,
} from './composition.ts'
import actions from './desk-actions.module.css'
import { FromData, Proposals } from './from-data.tsx'
import { NostrFacts, shownKey, XFacts } from './network-facts.tsx'
import { NetworkPanel } from './network-panel.tsx'
import { ApprovalNote } from './outcome-note.tsx'
import { PictureStrip } from './picture-strip.tsx'
import { PostPreview } from './post-preview.tsx'
import { useRowActs } from './post-rows.tsx'
import { MissedPosts, PostsBoard } from './posts-board.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import css from './social-desk.module.css'
import { hasContent, useDesk, type Desk, type Work } from './use-desk.ts'
import { Columns, Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const SITE_NAME = 'Proof of Price'
const TICK_MS = 30_000

/**
 * The publishing desk: one post for X and Nostr with its pictures, now or at a time, with honest results.
 *
 * @param limit of the text for X, weighted; the two places of the desk have different ones
 */
export function SocialDesk({
  owner,
  asset: givenAsset,
  limit = PANEL_LIMIT,
  submissionId = null,
  predictionId = null,
}: {
  /** The name of whoever writes here; give it as key, too. */
  readonly owner: string
  readonly asset: AssetKey
  readonly limit?: number
  /** What is handed over: posting about it approves it. */
  readonly submissionId?: string | null
  readonly predictionId?: string | null
}) {
  const desk = useDesk({ owner, submissionId, predictionId })
  const [asset, setAsset] = useState(givenAsset)
  const nowMs = useNow()
  const xStatus = useXStatus()
  const xRate = useXRate()
  const nostrStatus = useNostrStatus()
  const { composition, pictures, work, faults } = desk
  const sent = useSentPost(composition.sent).data ?? null
  const acts = useRowActs(desk.sentFromList)

  const xPanel = useRef<HTMLElement>(null)
  const nostrPanel = useRef<HTMLElement>(null)
  useFocusKept(work, work === 'nostr' ? nostrPanel : xPanel)

  const state: DeskState = {
    x: xConnection(xStatus.data, xStatus.isError),
    nostr: nostrConnection(nostrStatus.data, nostrStatus.isError),
    rate: xRate.data,
    missing: [
      ...(xStatus.data?.configured === false ? (['x'] as const) : []),
      ...(nostrStatus.data?.configured === false ? (['nostr'] as const) : []),
    ],
    isPosting: work !== null,
    openPictures: pictures.slots.filter(({ picture }) => picture === null).length,
    limit,
  }
  const altTexts = pictures.slots.filter(({ alt }) => alt !== '').length
  const handle = xStatus.data?.handle ?? null
  const profile = handle === null ? null : `https://x.com/${handle}`
  const publicKey = nostrStatus.data?.publicKey ?? null

  /** Pressing sends; Ctrl+Enter may come before there is anything to send. */
  function post(aim: Aim): void {
    const fault = obstacle(aim, composition, state)
    if (fault === null) void desk.send(aim)
    else if (work === null) desk.complain(aim, fault)
  }

  function edit(stored: SocialPost): void {
    desk.edit(stored)
    window.scrollTo({ top: 0 })
  }

  const xWhy = obstacle('x', composition, state)
  const bothWhy = obstacle('both', composition, state)
  return (
    <Stack
      gap={6}
      size="small"
      className={css.desk}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      }}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        pictures.add([...event.dataTransfer.files])
      }}
      onPaste={(event) => {
        const files = [...event.clipboardData.files]
        if (files.length === 0) return
        event.preventDefault()
        pictures.add(files)
      }}
    >
      <MissedPosts acts={acts} onEdit={edit} />
      {composition.editing && (
        <Panel className={css.hand} role="status">
          <Row gap={4} justify="between">
            <p>
              <strong>{EDITING[composition.editing.state]}.</strong> Save it with a time, keep it as
              a draft, or post it now.
            </p>
            <Button onClick={desk.clear}>Stop editing</Button>
          </Row>
        </Panel>
      )}
      <AtHand desk={desk} />
      <FromData
        asset={asset}
        onAsset={setAsset}
        chosen={composition.predictionId}
        onChoose={(id) => desk.change({ predictionId: id })}
        linkUsd={LINK_POST_USD}
        plainUsd={POST_USD}
        onTexts={({ x, nostr, kind, predictionId: id }, withChart) => {
          const hasChart = withChart && pictures.slots.length > 0
          desk.fill({ x, nostr, kind, predictionId: id })
          if (withChart && !hasChart) void pictures.addChart(id)
        }}
      />
      <PictureStrip
        pictures={pictures}
        chart={
          composition.predictionId === null
            ? null
            : () => pictures.addChart(composition.predictionId ?? '')
        }
      />
      <Columns>
        <NetworkPanel
          ref={xPanel}
          network="x"
          connection={state.x}
          facts={
            <XFacts
              status={xStatus.data}
              rate={xRate.data}
              error={xStatus.error}
              onCheck={() => void xStatus.refetch()}
            />
          }
          text={composition.x}
          onText={(x) => desk.change({ x })}
          placeholder="What happened, who said it, and when"
          limit={limit}
          warnings={xWarnings(composition.x, costText(LINK_POST_USD), costText(POST_USD))}
          cost={
            isBlank(composition.x) ? null : `Costs ${costText(postCost(composition.x, altTexts))}`
          }
          obstacle={xWhy}
          fault={faults.x}
          isPosting={work === 'x'}
          onPost={() => post('x')}
          sent={sent}
          profile={profile}
          onNews={desk.settle}
        />
        <NetworkPanel
          ref={nostrPanel}
          network="nostr"
          connection={state.nostr}
          facts={
            <NostrFacts
              status={nostrStatus.data}
              error={nostrStatus.error}
              onCheck={() => void nostrStatus.refetch()}
            />
          }
          text={composition.nostr}
          onText={(nostr) => desk.change({ nostr })}
          placeholder="Left empty, a post to both says the same as on X"
          limit={COMPOSER_LIMIT}
          warnings={[]}
          cost={null}
          obstacle={obstacle('nostr', composition, state)}
          fault={faults.nostr}
          isPosting={work === 'nostr'}
          onPost={() => post('nostr')}
          sent={sent}
          profile={null}
          onNews={desk.settle}
        />
      </Columns>
      {sent && <ApprovalNote post={sent} />}
      <div className={actions.actions}>
        <Stack gap={2} align="start" className={actions.group}>
          <Text as="h2" size="base">
            This post
          </Text>
          <Row className={actions.buttons}>
            <Button look="primary" disabled={bothWhy !== null} onClick={() => post('both')}>
              {work === 'both' ? 'Posting…' : 'Post to both'}
            </Button>
            <Button
              disabled={work !== null || !hasContent(composition) || state.openPictures > 0}
              onClick={() => void desk.saveDraft()}
            >
              {work === 'draft' ? 'Keeping…' : 'Keep as draft'}
            </Button>
            <Button
              look="quiet"
              disabled={work !== null || !hasContent(composition)}
              onClick={desk.clear}
            >
              Clear
            </Button>
          </Row>
          {bothWhy !== null && bothWhy !== xWhy && hasContent(composition) && work === null && (
            <Text tone="quiet">To both: {bothWhy}</Text>
          )}
          {(faults.both ?? faults.draft) !== undefined && (
            <Text tone="bad" role="alert">
              {faults.both ?? faults.draft}
            </Text>
          )}
          <Text tone="quiet">
            Costs {costText(postCost(textFor('x', 'both', composition), altTexts))} on X, nothing on
            Nostr. Alternative texts cost {costText(ALT_TEXT_USD)} each.
          </Text>
        </Stack>
        <ScheduleForm
          when={composition.when}
          ms={momentMeant(composition)}
          aim={composition.whenAim}
          nowMs={nowMs}
          label={composition.editing?.state === 'scheduled' ? 'Save with this time' : 'Schedule'}
          obstacleOf={(aim) => planObstacle(aim, composition, state)}
          fault={faults.schedule}
          isBusy={work !== null}
          onWhen={(when) => desk.change({ when })}
          onAim={(whenAim) => desk.change({ whenAim })}
          onSchedule={() => void desk.schedule(composition.whenAim)}
        />
      </div>
      <Columns as="section" aria-label="Previews">
        <PostPreview
          network="x"
          name={SITE_NAME}
          address={handle === null ? '@…' : `@${handle}`}
          text={textFor('x', 'both', composition)}
          note={
            isBorrowed(composition.x, composition.nostr)
              ? 'in a post to both: the text of Nostr'
              : null
          }
          slots={pictures.slots}
        />
        <PostPreview
          network="nostr"
          name={SITE_NAME}
          address={publicKey === null ? 'npub…' : `${shownKey(publicKey)}`}
          text={textFor('nostr', 'both', composition)}
          note={
            isBorrowed(composition.nostr, composition.x) ? 'in a post to both: the text of X' : null
          }
          slots={pictures.slots}
        />
      </Columns>
      <PostsBoard
        acts={acts}
        nowMs={nowMs}
        profile={profile}
        onEdit={edit}
        onAgain={(stored) => edit(forNewPost(stored))}
      />
    </Stack>
  )
}

/** A post for a new one: nothing of its time, its outcome or its submission. */
function forNewPost(post: SocialPost): SocialPost {
  return { ...post, state: 'done', scheduled_at: null, submission_id: null }
}

/** Whether a network without a text of its own gets the other one's. */
function isBorrowed(own: string, other: string): boolean {
  return isBlank(own) && !isBlank(other)
}

const EDITING = {
  draft: 'Changing a draft',
  scheduled: 'Changing a scheduled post',
  missed: 'Changing a missed post',
} as const

/** The submission that is being posted about, with texts that were proposed for it. */
function AtHand({ desk }: { readonly desk: Desk }) {
  const { submissionId } = desk.composition
  const { data, error } = useSubmissionAtHand(submissionId)
  if (submissionId === null) return null
  const { submission, proposals } = data ?? { submission: null, proposals: [] }
  return (
    <Panel as="section" className={css.hand} aria-label="Submission">
      <Row gap={4} justify="between">
        <p>
          {submission ? (
            <>
              From the submission of <strong>{submission.expert_name}</strong>:{' '}
              {submission.price_prediction} ({submission.status}).{' '}
              {submission.status === 'pending'
                ? 'Once the post is out, it is approved.'
                : 'Its status stays as it is.'}
            </>
          ) : error ? (
            `The submission could not be loaded. ${sentenceOf(error)}`
          ) : (
            'Loading the submission…'
          )}
        </p>
        <Button onClick={() => desk.change({ submissionId: null })}>Post without it</Button>
      </Row>
      <Proposals proposals={proposals} onUse={(text) => desk.fill({ x: text, nostr: text })} />
    </Panel>
  )
}

/**
 * A button that was pressed is closed while its work goes on, and often behind it, too. A keyboard would then begin again at
 * the top of the page: it goes on at the panel instead, where the outcome stands.
 */
function useFocusKept(work: Work, panel: RefObject<HTMLElement | null>): void {
  const last = useRef<RefObject<HTMLElement | null> | null>(null)
  useEffect(() => {
    const ended = work === null ? last.current?.current : null
    last.current = work === null ? null : panel
    if (document.activeElement === document.body) ended?.focus({ preventScroll: true })
  }, [work, panel])
}

/** The time, for distances and for what is over. */
function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
