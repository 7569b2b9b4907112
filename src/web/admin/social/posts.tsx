import { useState } from 'react'
import { cancelPost, leavePost, sendPost, type SocialPost } from '#contracts/publishing.ts'
import { truncate } from '#domain/clean-text.ts'
import { counted } from '#domain/price-text.ts'
import {
  anyText,
  fieldOf,
  NETWORK_NAMES,
  NETWORKS_OF_POSTS,
  platformText,
} from '#domain/publishing/social-post.ts'
import { AdminTable, type Column, column } from '#web/admin/kit/admin-table.tsx'
import { Detail, Words } from '#web/admin/kit/screen.tsx'
import { Act, DecisionArea, useAreaDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { newKey } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'
import {
  askOf,
  compositionOf,
  costText,
  dayText,
  distanceText,
  longMoment,
  timeText,
} from './composition.ts'
import { useDesk, makePost, SEND_PATIENCE } from './desk.ts'
import { ApprovalNote, OutcomeNote, outcomeView, TAG_TONES } from './outcome-note.tsx'
import css from './social.module.css'

/** When a post is scheduled, or else was created. */
function timeOf({ scheduled_at: at, created_at: made }: SocialPost): number {
  return Date.parse(at ?? made)
}

/** A list of posts; each opens with its results, texts and actions. */
export function PostTable({
  label,
  posts,
  kind,
  isKeyed = false,
}: {
  readonly label: string
  readonly posts: readonly SocialPost[]
  readonly kind: 'planned' | 'draft' | 'sent'
  readonly isKeyed?: boolean
}) {
  const [open, setOpen] = useState('')
  const { nowMs } = useDesk()
  return (
    <DecisionArea>
      <AdminTable
        label={label}
        rows={posts}
        idOf={({ id }) => id}
        columns={
          kind === 'sent'
            ? [TITLE, STATE, TIME, BY]
            : [...(kind === 'draft' ? changed(nowMs) : planned(nowMs)), TITLE, WHERE, BY, ACTIONS]
        }
        open={open}
        onOpen={(id) => setOpen(id ?? '')}
        renderDetail={(post) => <PostDetail post={post} />}
        isKeyed={isKeyed}
      />
    </DecisionArea>
  )
}

const TITLE: Column<SocialPost> = column.title('Post', (post) => (
  <Text as="span" clip={2}>
    {shortText(post, LISTED_LENGTH)}
    {post.pictures.length > 0 && ` (${counted(post.pictures.length, 'picture')})`}
  </Text>
))
const WHERE: Column<SocialPost> = column.short(
  'Where',
  ({ networks, x_cost_usd: usd }) =>
    `${platformText(networks)}${usd === null ? '' : `, ${costText(usd)}`}`,
)
const BY: Column<SocialPost> = column.short('By', ({ automatic, created_by: by }) =>
  automatic ? 'automatic' : by,
)
const ACTIONS: Column<SocialPost> = column.actions((post) => <Actions post={post} />)
const STATE: Column<SocialPost> = column.text('State', (post) => <States post={post} />)
const TIME: Column<SocialPost> = column.short('Time', (post) => longMoment(timeOf(post)))
const planned = (nowMs: number): readonly Column<SocialPost>[] => [
  column.short('Day', (post) => dayText(timeOf(post))),
  column.short('Time', (post) => `${timeText(timeOf(post))}, ${distanceText(timeOf(post), nowMs)}`),
]
const changed = (nowMs: number): readonly Column<SocialPost>[] => [
  column.short('Changed', ({ updated_at: at }) => distanceText(Date.parse(at), nowMs)),
  column.short('Meant for', ({ scheduled_at: at }) => at && longMoment(Date.parse(at))),
]

/** Actions before a post is sent. Row labels contain its first words, so that they differ. */
function Actions({ post }: { readonly post: SocialPost }) {
  const { composer, takeUp } = useDesk()
  const { id, state, networks, updated_at: seen_at } = post
  const about = shortText(post, NAME_LENGTH)
  const isDraft = state === 'draft'
  const isBusy = useAreaDecision().doing.has(id)
  const [verb, message] = isDraft
    ? ['Delete', 'The draft is deleted.']
    : ['Cancel', 'The post is cancelled.']
  const params = { id }
  /** A cancelled post cannot be revived, so undo creates a copy. */
  function restore(key: string): Promise<unknown> {
    const isAhead = !isDraft && timeOf(post) > Date.now()
    const ask = askOf(networks, compositionOf(post), true)
    return makePost(isAhead ? 'schedule' : 'draft', ask, key)
  }
  return (
    <>
      <Button disabled={isBusy} aria-label={`Edit: ${about}`} onClick={() => takeUp(post)}>
        Edit
      </Button>
      <Act
        id={id}
        sending="Posting…"
        aria-label={`Send now: ${about}`}
        send={() => adminCall(sendPost, { params, body: { seen_at }, ...SEND_PATIENCE })}
        done={(sent) => composer.sent(sent.post)}
      >
        Send now
      </Act>
      <Act
        id={id}
        look="quiet"
        aria-label={`${verb}: ${about}`}
        send={async () => {
          const answer = await adminCall(cancelPost, { params })
          return { ...answer, message, key: newKey() }
        }}
        undo={({ key }) => restore(key)}
      >
        {verb}
      </Act>
    </>
  )
}

function States({ post: { state, left_at: left, results } }: { readonly post: SocialPost }) {
  return (
    <Row as="span" gap={1}>
      {state === 'cancelled' && <Tag>cancelled</Tag>}
      {state === 'missed' && <Tag tone="wait">missed</Tag>}
      {left !== null && <Tag>left as it is</Tag>}
      {results.map((result) => {
        const { tone, badge } = outcomeView(result, String)
        return (
          <Tag key={result.network} tone={TAG_TONES[tone]}>
            {NETWORK_NAMES[result.network]}: {badge}
          </Tag>
        )
      })}
    </Row>
  )
}

function PostDetail({ post }: { readonly post: SocialPost }) {
  const { reuse } = useDesk()
  const { id, state, networks, results, left_at: left } = post
  const states = results.map((one) => one.state)
  const mayBeLeft = left === null && states.includes('failed') && !states.includes('unknown')
  return (
    <Detail
      title={state === 'draft' ? 'Draft' : longMoment(timeOf(post))}
      label={`Details: ${shortText(post, NAME_LENGTH)}`}
      aside={<States post={post} />}
    >
      {results.map((result) => (
        <OutcomeNote key={result.network} post={post} result={result} />
      ))}
      <ApprovalNote post={post} />
      <PostTexts post={post} />
      <Row fill>
        {state === 'missed' && <Actions post={post} />}
        {results.length > 0 && (
          <Button onClick={() => reuse(post, networks)}>Use its texts for a new post</Button>
        )}
        {mayBeLeft && (
          <Act id={id} look="quiet" send={() => adminCall(leavePost, { params: { id } })}>
            Leave it as it is
          </Act>
        )}
      </Row>
    </Detail>
  )
}

/** Texts and pictures of a post; networks with equal texts are grouped. */
function PostTexts({ post }: { readonly post: SocialPost }) {
  const { pictures, networks } = post
  const written = NETWORKS_OF_POSTS.filter((one) => post[fieldOf(one)] !== '')
  return (
    <>
      {[...new Set(written.map((one) => post[fieldOf(one)]))].map((text) => {
        const where = written.filter((one) => post[fieldOf(one)] === text)
        return (
          <Stack key={text} gap={1}>
            <Text tone="quiet">
              {where.length === networks.length ? 'Text' : platformText(where)}
            </Text>
            <Words>{text}</Words>
          </Stack>
        )
      })}
      {pictures.length > 0 && (
        <Row>
          {pictures.map(({ id, url, alt }, at) => (
            <img
              key={id}
              src={url}
              alt={alt || `Picture ${String(at + 1)}`}
              className={`${css.thumb} card`}
              loading="lazy"
            />
          ))}
        </Row>
      )}
    </>
  )
}

function shortText(post: SocialPost, most: number): string {
  return truncate(anyText(post) || 'Nothing is written yet', most)
}

const LISTED_LENGTH = 160
const NAME_LENGTH = 50
