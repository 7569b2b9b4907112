import { useCallback, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { type Day } from '#domain/day.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AccuracyView } from './accuracy-view.tsx'
import { Analysis } from './analysis.tsx'
import { accuracyQuery, readPost, type ReadAsk } from './calls.ts'
import css from './columns.module.css'
import { PredictionCards, type SubmissionMade } from './prediction-cards.tsx'
import { Proposals } from './proposals.tsx'
import { RawPost } from './raw-post.tsx'
import { ReadForm } from './read-form.tsx'
import { Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'

type Failure = {
  readonly title: string
  readonly text: string
  /** What to ask again; null where trying again does not help. */
  readonly retry: ReadAsk | null
}
type Shown =
  /** @property said the answer to the last decision */
  | { readonly state: 'idle'; readonly said: string | null }
  | { readonly state: 'reading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | {
      readonly state: 'read'
      readonly extraction: TweetExtraction
      /** Whether it is being read once more, or why that failed; null when neither. */
      readonly again: 'reading' | Failure | null
    }

/** From a link to a submission: the post, what was read in it, and the decision on it. */
export function Extractor({ today }: { readonly today: Day }) {
  const [shown, setShown] = useState<Shown>({ state: 'idle', said: null })
  const [pasting, setPasting] = useState(false)
  const [round, setRound] = useState(0)
  /** How many posts have been read. */
  const [reads, setReads] = useState(0)
  const [isEdited, setIsEdited] = useState(false)
  /** Another post that is asked for while a decision has been edited. */
  const [next, setNext] = useState<ReadAsk | null>(null)
  const reading = useRef<AbortController>(null)
  const queries = useQueryClient()

  useEffect(() => () => reading.current?.abort(), [])

  async function read(ask: ReadAsk, isSure = false): Promise<void> {
    const isOther = shown.state === 'read' && !isOf(shown.extraction, ask)
    setNext(isOther && isEdited && !isSure ? ask : null)
    if (isOther && isEdited && !isSure) return
    reading.current?.abort()
    const leave = new AbortController()
    reading.current = leave
    // What has been typed on a post stays while that post is read again, and if that fails.
    const kept = shown.state === 'read' && isOf(shown.extraction, ask) ? shown.extraction : null
    setShown(kept ? { state: 'read', extraction: kept, again: 'reading' } : { state: 'reading' })
    try {
      const extraction = await readPost(ask, leave.signal)
      if (leave.signal.aborted) return
      if (kept === null) setReads((before) => before + 1)
      setShown({ state: 'read', extraction, again: null })
    } catch (error) {
      if (leave.signal.aborted) return
      if (error instanceof CallError && error.code === 'unavailable') setPasting(true)
      const failure = failureOf(error, ask)
      setShown(
        kept ? { state: 'read', extraction: kept, again: failure } : { state: 'failed', failure },
      )
    }
  }

  function stop(): void {
    reading.current?.abort()
    setShown(shown.state === 'read' ? { ...shown, again: null } : { state: 'idle', said: null })
  }

  const cleared = useCallback(
    (said: string) => {
      reading.current?.abort()
      setShown({ state: 'idle', said })
      setNext(null)
      setRound((before) => before + 1)
      setPasting(false)
      void queries.invalidateQueries({ queryKey: accuracyQuery().queryKey })
    },
    [queries],
  )

  return (
    <Stack gap={4} size="small">
      <ReadForm
        // The link goes with the decision on it.
        key={round}
        isNext={round > 0}
        isReading={
          shown.state === 'reading' || (shown.state === 'read' && shown.again === 'reading')
        }
        pasting={pasting}
        onPasting={setPasting}
        onRead={(ask) => void read(ask)}
        onStop={stop}
      />
      {next && (
        <UnsentChanges
          go="Read the other post"
          onGo={() => void read(next, true)}
          onStay={() => setNext(null)}
        />
      )}
      {shown.state === 'idle' && shown.said !== null && (
        <Callout tone="good" strong role="status">
          {shown.said}
        </Callout>
      )}
      {shown.state === 'idle' && shown.said === null && (
        <Text tone="quiet">
          Paste the link of a post. The site reads what it predicts; you decide what is submitted.
        </Text>
      )}
      {shown.state === 'reading' && (
        <div className={css.columns}>
          <Skeleton shape="chart" label="Reading the post..." />
          <Skeleton shape="chart" label="" />
          <Skeleton shape="chart" label="" />
        </div>
      )}
      {shown.state === 'failed' && (
        <Failed failure={shown.failure} onRead={(ask) => void read(ask)} />
      )}
      {shown.state === 'read' && shown.again === 'reading' && (
        <Text tone="quiet" role="status">
          Reading the post again...
        </Text>
      )}
      {shown.state === 'read' && shown.again !== null && shown.again !== 'reading' && (
        <Failed failure={shown.again} onRead={(ask) => void read(ask)} />
      )}
      {shown.state === 'read' && (
        <ExtractionView
          key={reads}
          extraction={shown.extraction}
          today={today}
          onRead={(ask) => void read(ask)}
          onEdited={setIsEdited}
          onCleared={cleared}
        />
      )}
      <AccuracyView />
    </Stack>
  )
}

/** Asks before what has been typed on a post is lost. */
export function UnsentChanges({
  go,
  onGo,
  onStay,
}: {
  /** What is done instead. */
  readonly go: string
  readonly onGo: () => void
  readonly onStay: () => void
}) {
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

/** Whether the post that is asked for is the one that has been read. */
function isOf({ tweet_id: id }: TweetExtraction, { url = '' }: ReadAsk): boolean {
  return id !== null && readPostUrl(url)?.id === id
}

const NONE_MADE: readonly SubmissionMade[] = []

/** One post that has been read, in three columns. Reading it again keeps what has been typed on it. */
export function ExtractionView({
  extraction,
  made = NONE_MADE,
  today,
  onRead,
  onEdited,
  onCleared,
}: {
  readonly extraction: TweetExtraction
  /** What has been submitted of it before. */
  readonly made?: readonly SubmissionMade[]
  readonly today: Day
  readonly onRead: (ask: ReadAsk) => void
  readonly onEdited: (isEdited: boolean) => void
  readonly onCleared: (message: string) => void
}) {
  const { tweet_url: url, source } = extraction
  return (
    <Stack gap={4} size="small">
      <div className={css.columns}>
        <RawPost
          extraction={extraction}
          onRefetch={
            url === null || source.name === 'pasted' ? null : () => onRead({ url, refetch: true })
          }
        />
        <Analysis extraction={extraction} />
        <PredictionCards {...{ extraction, made, today, onEdited, onCleared }} />
      </div>
      <Proposals proposals={extraction.tweet_proposals} />
    </Stack>
  )
}

function Failed({
  failure: { title, text, retry },
  onRead,
}: {
  readonly failure: Failure
  readonly onRead: (ask: ReadAsk) => void
}) {
  return (
    <Notice alert title={title} text={text}>
      {retry && <Button onClick={() => onRead(retry)}>Try again</Button>}
    </Notice>
  )
}

function failureOf(error: unknown, ask: ReadAsk): Failure {
  if (!(error instanceof CallError) || error.code === null) {
    return {
      title: 'Failed to extract tweet data. This feature may require API keys.',
      text: error instanceof CallError ? error.message : '',
      retry: ask,
    }
  }
  const isFinal =
    error.code === 'not_found' || error.code === 'conflict' || error.code === 'invalid'
  return {
    title: 'Failed to extract tweet data',
    text: error.message,
    retry: isFinal ? null : ask,
  }
}
