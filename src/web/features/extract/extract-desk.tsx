import { useCallback, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { type Day } from '#domain/day.ts'
import { CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AccuracyView } from './accuracy-view.tsx'
import { Analysis } from './analysis.tsx'
import { accuracyQuery, readPost, type ReadAsk } from './calls.ts'
import css from './columns.module.css'
import { DecisionForm } from './decision-form.tsx'
import { Proposals } from './proposals.tsx'
import { RawPost } from './raw-post.tsx'
import { ReadForm } from './read-form.tsx'

type Shown =
  /** @property said what the last decision was told */
  | { readonly state: 'idle'; readonly said: string | null }
  | { readonly state: 'reading' }
  | {
      readonly state: 'failed'
      readonly title: string
      readonly text: string
      /** Trying again may help. */
      readonly again: ReadAsk | null
    }
  | { readonly state: 'read'; readonly extraction: TweetExtraction }

/** From a link to a submission: the post, what was read in it, and the decision on it. */
export function ExtractDesk({ today }: { readonly today: Day }) {
  const [shown, setShown] = useState<Shown>({ state: 'idle', said: null })
  const [pasting, setPasting] = useState(false)
  const [round, setRound] = useState(0)
  const reading = useRef<AbortController>(null)
  const queries = useQueryClient()

  useEffect(() => () => reading.current?.abort(), [])

  async function read(ask: ReadAsk): Promise<void> {
    reading.current?.abort()
    const leave = new AbortController()
    reading.current = leave
    setShown({ state: 'reading' })
    try {
      const extraction = await readPost(ask, leave.signal)
      if (!leave.signal.aborted) setShown({ state: 'read', extraction })
    } catch (error) {
      if (leave.signal.aborted) return
      if (error instanceof CallError && error.code === 'unavailable') setPasting(true)
      setShown(failureOf(error, ask))
    }
  }

  const cleared = useCallback(
    (said: string) => {
      setShown({ state: 'idle', said })
      setRound((before) => before + 1)
      setPasting(false)
      void queries.invalidateQueries({ queryKey: accuracyQuery().queryKey })
    },
    [queries],
  )

  return (
    <div className={css.desk}>
      <ReadForm
        // The link goes with the decision on it.
        key={round}
        isNext={round > 0}
        isReading={shown.state === 'reading'}
        pasting={pasting}
        onPasting={setPasting}
        onRead={(ask) => void read(ask)}
        onStop={() => {
          reading.current?.abort()
          setShown({ state: 'idle', said: null })
        }}
      />
      {shown.state === 'idle' && shown.said !== null && (
        <p className={css.said} role="status">
          {shown.said}
        </p>
      )}
      {shown.state === 'idle' && shown.said === null && (
        <p className={css.quiet}>
          Paste the link of a post. What it predicts is read out of its words; you decide what is
          submitted.
        </p>
      )}
      {shown.state === 'reading' && (
        <div className={css.columns}>
          <Skeleton shape="chart" label="Reading the post..." />
          <Skeleton shape="chart" label="" />
          <Skeleton shape="chart" label="" />
        </div>
      )}
      {shown.state === 'failed' && <Failed shown={shown} onRead={(ask) => void read(ask)} />}
      {shown.state === 'read' && (
        <ExtractionView
          extraction={shown.extraction}
          today={today}
          onRead={(ask) => void read(ask)}
          onCleared={cleared}
        />
      )}
      <AccuracyView />
    </div>
  )
}

/** One post that has been read, in three columns. */
export function ExtractionView({
  extraction,
  today,
  onRead,
  onCleared,
}: {
  readonly extraction: TweetExtraction
  readonly today: Day
  readonly onRead: (ask: ReadAsk) => void
  readonly onCleared: (message: string) => void
}) {
  const { tweet_url: url, extraction_id: id, source } = extraction
  return (
    <div className={css.desk}>
      <div className={css.columns}>
        <RawPost
          extraction={extraction}
          onRefetch={
            url === null || source.name === 'pasted' ? null : () => onRead({ url, refetch: true })
          }
        />
        <Analysis extraction={extraction} />
        <DecisionForm key={id} extraction={extraction} today={today} onCleared={onCleared} />
      </div>
      <Proposals proposals={extraction.tweet_proposals} />
    </div>
  )
}

function Failed({
  shown: { title, text, again },
  onRead,
}: {
  readonly shown: Extract<Shown, { state: 'failed' }>
  readonly onRead: (ask: ReadAsk) => void
}) {
  return (
    <Notice alert title={title} text={text}>
      {again && <Button onClick={() => onRead(again)}>Try again</Button>}
    </Notice>
  )
}

function failureOf(error: unknown, ask: ReadAsk): Shown {
  if (!(error instanceof CallError) || error.code === null) {
    return {
      state: 'failed',
      title: 'Failed to extract tweet data. This feature may require API keys.',
      text: error instanceof CallError ? error.message : '',
      again: ask,
    }
  }
  const isFinal =
    error.code === 'not_found' || error.code === 'conflict' || error.code === 'invalid'
  return {
    state: 'failed',
    title: 'Failed to extract tweet data',
    text: error.message,
    again: isFinal ? null : ask,
  }
}
