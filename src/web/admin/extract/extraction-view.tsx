import { useEffect, useEffectEvent, useState, useRef } from 'react'
import { type TweetExtraction, type ExtractionRequest, extractTweet } from '#contracts/posts.ts'
import { ASSETS } from '#domain/asset.ts'
import { labelOf } from '#domain/claim/text.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { sentenceCase, showCount } from '#domain/price-text.ts'
import { postWeight, SHORT_POST } from '#domain/publishing/post-length.ts'
import { FactList, Section, Words } from '#web/admin/kit/screen.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel, Row, Stack, Tiles, Callout, Text, Quiet } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { Away } from '#web/ui/source-link.tsx'
import { Analysis } from './analysis.tsx'
import { DecisionForm } from './decision-form.tsx'
import css from './extract.module.css'

/** A submission made from a post; `card` is the index of its prediction. */
type SubmissionMade = { readonly id: string; readonly card: number }
type CardsProps = {
  readonly extraction: TweetExtraction
  readonly made?: readonly SubmissionMade[]
  readonly onEdited: (isEdited: boolean) => void
  /**
   * Called when all predictions are submitted.
   *
   * @param message the last success message
   */
  readonly onCleared: (message: string) => void
}

type PostProps = CardsProps & { readonly onRead: (ask: ExtractionRequest) => void }

/** A post with its extraction and decision in three columns. Reading the post again keeps edits. */
export function ExtractionView({ onRead, ...props }: PostProps) {
  const { tweet_proposals: proposals } = props.extraction
  return (
    <Stack gap={4} size="small">
      <Row gap={4} align="start" className={css.columns}>
        <RawPost extraction={props.extraction} onRead={onRead} />
        <Analysis extraction={props.extraction} />
        <PredictionCards {...props} />
      </Row>
      {proposals.length > 0 && (
        <Section title="Tweet Proposals">
          <Tiles as="ul" least="20rem">
            {proposals.map(({ style, text }) => (
              <Panel as="li" gap={2} key={`${style} ${text}`}>
                <Text tone="quiet" strong>
                  {sentenceCase(style)}
                </Text>
                <p dir="auto">{text}</p>
                <Row as="p" gap={3} justify="between">
                  <Text as="span" tone={postWeight(text) > SHORT_POST ? 'bad' : undefined}>
                    {postWeight(text)} / {SHORT_POST}
                  </Text>
                  <CopyButton text={text} label="Copy" done="Proposal copied!" />
                </Row>
              </Panel>
            ))}
          </Tiles>
        </Section>
      )}
    </Stack>
  )
}

export function UnsentChanges({
  go,
  onGo,
  onStay,
}: Record<'onGo' | 'onStay', () => void> & { readonly go: string }) {
  return (
    <Notice
      alert
      title="Your changes are not submitted."
      text="Your changes to the final decision would be lost."
    >
      <Button onClick={onGo}>{go}</Button> <Button onClick={onStay}>Keep editing</Button>
    </Notice>
  )
}

const SOURCES: Readonly<Record<TweetExtraction['source']['name'], string>> = {
  x: 'X API',
  syndication: 'X, as it embeds posts',
  oembed: 'X, as it embeds posts (text only)',
  pasted: 'pasted text',
}

function RawPost({ extraction, onRead }: Pick<PostProps, 'extraction' | 'onRead'>) {
  const { tweet_url: url, tweet_metrics: metrics, source, retweeted_by: by } = extraction
  const others = [
    ['Quotes', extraction.quoted],
    [extraction.is_thread ? 'Goes on from' : 'Answers', extraction.answered],
  ] as const
  const facts = [
    ['Posted', momentText(extraction.tweet_created_at)],
    ['Retweet', extraction.is_retweet && (by === null ? 'yes' : `passed on by ${by}`)],
    ['Likes', countText(metrics.like_count)],
    ['Retweets', countText(metrics.retweet_count)],
    ['Replies', countText(metrics.reply_count)],
    ['Media', extraction.has_media === null ? 'not known' : extraction.has_media ? 'yes' : 'none'],
    ['Tweet ID', extraction.tweet_id ?? 'none'],
    ['Read from', `${SOURCES[source.name]}, ${momentText(source.fetched_at)}`],
  ] as const
  return (
    <Section title="Raw Tweet Data" framed>
      <Text size="base">
        <strong>
          <bdi>{extraction.expert_name ?? 'Author not known'}</bdi>
        </strong>{' '}
        {extraction.twitter_handle && (
          <Text as="bdi" tone="quiet">
            {extraction.twitter_handle}
          </Text>
        )}{' '}
        {extraction.author_verified && <Tag>verified account</Tag>}
      </Text>
      <Words>{extraction.tweet_text}</Words>
      {others.map(
        ([how, other]) =>
          other?.tweet_text && (
            <Stack key={how} as="section" gap={1} aria-label={`${how} another post`}>
              <Quiet>
                {how} <bdi>{other.twitter_handle ?? 'a post'}</bdi>
              </Quiet>
              <Words>{other.tweet_text}</Words>
            </Stack>
          ),
      )}
      <FactList facts={facts} />
      {source.is_cut && (
        <Callout tone="wait">This source gives only the beginning of the post.</Callout>
      )}
      {source.notes.map((note) => (
        <Text key={note} tone="quiet">
          {note}
        </Text>
      ))}
      {url && (
        <Row as="p" gap={3}>
          <Away to={url}>Open the post on X</Away>
          {source.name !== 'pasted' && (
            <Button look="quiet" onClick={() => onRead({ url, refetch: true })}>
              Fetch again
            </Button>
          )}
        </Row>
      )}
    </Section>
  )
}

/** `20/11/2026 14:05 UTC`, or N/A (administrator-tools.md §2). The UTC day is the day of the prediction. */
function momentText(iso: string | null): string {
  const day = showDate(iso)
  const time = /T(\d{2}:\d{2})/.exec(iso ?? '')?.[1]
  return time === undefined || day === 'Invalid Date' ? day : `${day} ${time} UTC`
}

function countText(count: number | null): string {
  return count === null ? 'not known' : showCount(count)
}

/** The predictions of a post, each with its own form, so that one can be submitted while the others remain. */
function PredictionCards({ extraction, made = [], onEdited, onCleared }: CardsProps) {
  // Presents each prediction as if it were the main one of the post.
  const cards = [extraction, ...extraction.others.map((one) => ({ ...extraction, ...one }))]
  const [before] = useState(
    () => new Map(made.map(({ id, card }) => [card, `Submitted as ${id}.`])),
  )
  const [messages, setMessages] = useState<ReadonlyMap<number, string>>(before)
  const nextOf = (done = messages) => cards.findIndex((_, index) => !done.has(index))
  const [open, setOpen] = useState(() => Math.max(0, nextOf()))
  const [edited, setEdited] = useState<readonly number[]>([])
  const isEdited = edited.length > 0
  const report = useEffectEvent(onEdited)
  useEffect(() => report(isEdited), [isEdited])

  function cleared(index: number, message: string): void {
    const done = new Map(messages).set(index, message)
    setMessages(done)
    const next = nextOf(done)
    if (next < 0) onCleared(message)
    else setOpen(next)
  }

  const hasOne = cards.length === 1
  return (
    <Stack as="section" gap={3} aria-label="Predictions in this post">
      {!hasOne && (
        <Text tone="quiet">
          {cards.length} predictions in this post, {cards.length - messages.size} to decide. Each is
          submitted separately.
        </Text>
      )}
      {cards.map((card, index) => (
        <Stack key={index}>
          {!hasOne && (
            <Button className="full" aria-expanded={open === index} onClick={() => setOpen(index)}>
              <span>{titleOf(card)}</span>
              <Row as="span" gap={2}>
                {edited.includes(index) && <Tag tone="wait">changed</Tag>}
                <Tag tone={messages.has(index) ? 'good' : undefined}>
                  {messages.has(index) ? '✓ submitted' : 'needs a decision'}
                </Tag>
              </Row>
            </Button>
          )}
          {/* Hidden forms stay mounted to keep their edits. */}
          <Stack hidden={!hasOne && open !== index}>
            {before.has(index) && <Callout tone="good">{before.get(index)}</Callout>}
            <DecisionForm
              extraction={card}
              card={index}
              title={`Final Decision${hasOne ? '' : ` ${String(index + 1)}`}`}
              onEdited={(is) =>
                setEdited((all) => [...all.filter((one) => one !== index), ...(is ? [index] : [])])
              }
              onCleared={(message) => cleared(index, message)}
            />
          </Stack>
        </Stack>
      ))}
    </Stack>
  )
}

function titleOf({
  asset_type: asset,
  prediction_type: type,
  price_prediction: price,
  target_time: by,
}: TweetExtraction): string {
  const what = [asset && ASSETS[asset].symbol, type && labelOf(type), price]
  return `${what.filter((one) => one !== null).join(' ')}, ${by === null ? 'no date' : showDate(by)}`
}

/** A model reads twice, each time with its own retries. */
const READ_PATIENCE_MS = 150_000
/** Error codes for which a retry is pointless. */
const FINAL = ['not_found', 'conflict', 'invalid']

type Reading = {
  readonly extraction: TweetExtraction | null
  readonly isReading: boolean
  readonly failed: { readonly error: unknown; readonly ask: ExtractionRequest } | null
  /** Number of different posts read in a row; reading the same post again does not count. */
  readonly posts: number
}
const NONE: Reading = { extraction: null, isReading: false, failed: null, posts: 0 }

/** Reads posts, one at a time. The current post stays visible while it is read again, also if that fails. */
export function useReading(opened: TweetExtraction | null = null) {
  const [now, setNow] = useState(NONE)
  const request = useRef<AbortController>(null)
  useEffect(() => () => request.current?.abort(), [])
  const extraction = now.extraction ?? opened

  async function read(ask: ExtractionRequest): Promise<void> {
    request.current?.abort()
    const { signal } = (request.current = new AbortController())
    const isAgain = isOf(extraction, ask)
    const posts = now.posts + (isAgain ? 0 : 1)
    const begun = { extraction: isAgain ? extraction : null, isReading: true, failed: null, posts }
    setNow(begun)
    try {
      const { data } = await adminCall(extractTweet, {
        body: ask,
        signal,
        patienceMs: READ_PATIENCE_MS,
      })
      if (!signal.aborted) setNow({ ...begun, extraction: data, isReading: false })
    } catch (error) {
      if (!signal.aborted) setNow({ ...begun, isReading: false, failed: { error, ask } })
    }
  }

  function stop(to: Partial<Reading> = {}): void {
    request.current?.abort()
    setNow({ ...now, isReading: false, ...to })
  }

  return {
    ...now,
    extraction,
    read,
    stop: () => stop(),
    clear: () => stop({ extraction: null, failed: null }),
  }
}

/** Whether the request asks for the post already read. */
export function isOf(extraction: TweetExtraction | null, { url }: ExtractionRequest): boolean {
  const id = extraction?.tweet_id ?? null
  return id !== null && readPostUrl(url ?? '')?.id === id
}

export function ReadingState({
  reading: { extraction, isReading, failed, read },
}: {
  readonly reading: ReturnType<typeof useReading>
}) {
  const error = failed?.error instanceof CallError ? failed.error : null
  const code = error?.code ?? null
  return (
    <>
      <Text tone="quiet" role="status">
        {isReading && extraction && 'Reading the post again...'}
      </Text>
      {failed && (
        <Notice
          alert
          title={`Failed to extract tweet data${code === null ? '. This feature may require API keys.' : ''}`}
          text={error?.message ?? ''}
        >
          {!FINAL.includes(code ?? '') && (
            <Button onClick={() => void read(failed.ask)}>Try again</Button>
          )}
        </Notice>
      )}
    </>
  )
}
