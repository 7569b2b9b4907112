import { useEffect, useRef, useState, type RefObject } from 'react'
import { type AssetKey } from '#domain/asset.ts'
import { ALT_TEXT_USD, PANEL_LIMIT } from '#domain/publishing/post-length.ts'
import {
  eachNetwork,
  NETWORK_NAMES,
  NETWORKS_OF_POSTS,
  platformText,
} from '#domain/publishing/social-post.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns, Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { useSentPost, useSubmission } from './calls.ts'
import css from './composer.module.css'
import {
  aimOf,
  costText,
  hasContent,
  obstacle,
  xCost,
  type Aim,
  type Readiness,
} from './composition.ts'
import { FromData, Proposals } from './from-data.tsx'
import { BlueskyFacts, NostrFacts, shownKey, XFacts } from './network-facts.tsx'
import { NetworkPanel } from './network-panel.tsx'
import { ApprovalNote } from './outcome-note.tsx'
import { PictureStrip } from './picture-strip.tsx'
import { PostLists } from './post-lists.tsx'
import { PostPreview } from './post-preview.tsx'
import { useRowActs } from './post-rows.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { ToDecide } from './to-decide.tsx'
import { ToPost } from './to-post.tsx'
import { useComposer, type Composer } from './use-composer.ts'
import { useNetworks } from './use-networks.ts'

const TICK_MS = 30_000

type ComposerProps = {
  /** The administrator's name; give it as the key, too. */
  readonly owner: string
  readonly asset: AssetKey
  /** Of the text for X, weighted; the two screens with a composer have different ones. */
  readonly limit?: number
  /** What is handed over: posting about it approves it. */
  readonly submissionId?: string | null
  readonly predictionId?: string | null
}

/** Writes one post for several networks with its pictures, now or at a time, and shows what became of it. */
export function SocialComposer({
  owner,
  asset,
  limit = PANEL_LIMIT,
  submissionId = null,
  predictionId = null,
}: ComposerProps) {
  const composer = useComposer({ owner, submissionId, predictionId })
  const { composition, pictures, work } = composer
  const nowMs = useNow()
  const networks = useNetworks()
  const sent = useSentPost(composition.sent).data ?? null
  const handle = networks.x.data?.handle ?? null
  const profile = handle === null ? null : `https://x.com/${handle}`
  const acts = useRowActs(composer)
  const xPanel = useRef<HTMLElement>(null)
  const nostrPanel = useRef<HTMLElement>(null)
  const blueskyPanel = useRef<HTMLElement>(null)
  const whenField = useRef<HTMLInputElement>(null)
  useFocusKept(work, work === 'nostr' ? nostrPanel : work === 'bluesky' ? blueskyPanel : xPanel)
  const readiness: Readiness = {
    ...networks.readiness,
    isPosting: work !== null,
    openPictures: pictures.slots.filter(({ picture }) => picture === null).length,
    limit,
  }
  const aim = aimOf(composition, readiness)
  const shared = { composer, readiness, sent }
  const showTakenUp = (isPlanned: boolean): void => {
    if (isPlanned) whenField.current?.focus()
    else xPanel.current?.focus()
  }
  return (
    <Stack
      gap={6}
      size="small"
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
      <ToDecide acts={acts} profile={profile} sentId={composition.sent} />
      <ToPost composer={composer} readiness={readiness} nowMs={nowMs} onTakenUp={showTakenUp} />
      <EditedPost composer={composer} />
      <HandedOver composer={composer} />
      <FromData asset={asset} composer={composer} />
      <PictureStrip composer={composer} />
      <Columns className={css.networks}>
        <NetworkPanel
          ref={xPanel}
          network="x"
          facts={<XFacts networks={networks} />}
          profile={profile}
          {...shared}
        />
        <NetworkPanel
          ref={nostrPanel}
          network="nostr"
          facts={<NostrFacts query={networks.nostr} />}
          profile={null}
          {...shared}
        />
        <NetworkPanel
          ref={blueskyPanel}
          network="bluesky"
          facts={<BlueskyFacts query={networks.bluesky} />}
          profile={null}
          {...shared}
        />
      </Columns>
      {sent && <ApprovalNote post={sent} />}
      <div className={css.actions}>
        <PostActions aim={aim} composer={composer} readiness={readiness} />
        <ScheduleForm
          aim={aim}
          composer={composer}
          readiness={readiness}
          nowMs={nowMs}
          field={whenField}
        />
      </div>
      <Columns as="section" className={css.networks} aria-label="Previews">
        <PostPreview
          network="x"
          aim={aim}
          address={handle === null ? '@…' : `@${handle}`}
          composer={composer}
        />
        <PostPreview
          network="nostr"
          aim={aim}
          address={shownKey(networks.nostr.data?.publicKey)}
          composer={composer}
        />
        <PostPreview
          network="bluesky"
          aim={aim}
          address={`@${networks.bluesky.data?.handle ?? '…'}`}
          composer={composer}
        />
      </Columns>
      <PostLists acts={acts} nowMs={nowMs} profile={profile} composer={composer} />
    </Stack>
  )
}

const EDITING = {
  draft: 'Changing a draft',
  scheduled: 'Changing a scheduled post',
  missed: 'Changing a missed post',
} as const

function EditedPost({ composer: { composition, clear } }: { readonly composer: Composer }) {
  return (
    composition.editing && (
      <Panel className={css.hand} role="status">
        <Row gap={4} justify="between">
          <p>
            <strong>{EDITING[composition.editing.state]}.</strong> Save it with a time, keep it as a
            draft, or post it now.
          </p>
          <Button onClick={clear}>Stop editing</Button>
        </Row>
      </Panel>
    )
  )
}

/** The submission that the post is about, with texts that were proposed for it. */
function HandedOver({ composer }: { readonly composer: Composer }) {
  const { submissionId } = composer.composition
  const { data, error } = useSubmission(submissionId)
  if (submissionId === null) return null
  return (
    <Panel as="section" className={css.hand} aria-label="Submission">
      <Row gap={4} justify="between">
        <p>
          {data ? (
            <>
              From the submission of <strong>{data.submission.expert_name}</strong>:{' '}
              {data.submission.price_prediction} ({data.submission.status}).{' '}
              {data.submission.status === 'pending'
                ? 'Once the post is out, it is approved.'
                : 'Its status stays as it is.'}
            </>
          ) : error ? (
            `The submission could not be loaded. ${sentenceOf(error)}`
          ) : (
            'Loading the submission…'
          )}
        </p>
        <Button onClick={() => composer.change({ submissionId: null })}>Post without it</Button>
      </Row>
      <Proposals
        proposals={data?.proposals ?? []}
        onUse={(text) => composer.fill(eachNetwork(() => text))}
      />
    </Panel>
  )
}

/** What is done with the post as a whole, and what that costs. */
function PostActions({
  aim,
  composer,
  readiness,
}: {
  readonly aim: Aim
  readonly composer: Composer
  readonly readiness: Readiness
}) {
  const { composition, faults, work } = composer
  const why = obstacle(aim, composition, readiness)
  const isEmpty = work !== null || !hasContent(composition)
  const fault = faults.all ?? faults.draft
  return (
    <Stack gap={2} align="start" className={css.group}>
      <Text as="h2" size="base">
        This post
      </Text>
      <Row as="fieldset" gap={6}>
        <legend>Where</legend>
        {NETWORKS_OF_POSTS.map((network) => (
          <Tick
            key={network}
            label={NETWORK_NAMES[network]}
            checked={aim.includes(network)}
            onChange={(isOn) =>
              composer.change({
                where: NETWORKS_OF_POSTS.filter((one) =>
                  one === network ? isOn : aim.includes(one),
                ),
              })
            }
          />
        ))}
      </Row>
      <Row className={css.buttons}>
        <Button
          look="primary"
          disabled={why !== null}
          onClick={() => void composer.send(aim, 'all')}
        >
          {work === 'all'
            ? 'Posting…'
            : aim.length < 2
              ? 'Post it'
              : `Post to ${platformText(aim)}`}
        </Button>
        <Button
          disabled={isEmpty || readiness.openPictures > 0}
          onClick={() => void composer.saveDraft(aim)}
        >
          {work === 'draft' ? 'Keeping…' : 'Keep as draft'}
        </Button>
        <Button look="quiet" disabled={isEmpty} onClick={composer.clear}>
          Clear
        </Button>
      </Row>
      {why !== null && why !== obstacle(['x'], composition, readiness) && !isEmpty && (
        <Text tone="quiet">{why}</Text>
      )}
      {fault !== undefined && (
        <Text tone="bad" role="alert">
          {fault}
        </Text>
      )}
      <Text tone="quiet">
        Costs {xCost(aim, composition)} on X, nothing elsewhere. Alternative texts cost{' '}
        {costText(ALT_TEXT_USD)} each.
      </Text>
    </Stack>
  )
}

/**
 * A button that was pressed is closed while its work goes on, and often after it, too. A keyboard would then begin again at
 * the top of the page: it goes on at the panel instead, where the outcome is shown.
 */
function useFocusKept(work: Composer['work'], panel: RefObject<HTMLElement | null>): void {
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
