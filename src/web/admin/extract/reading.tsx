import { useEffect, useRef, useState } from 'react'
import { type TweetExtraction, extractTweet, type ExtractionRequest } from '#contracts/posts.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/loaded.tsx'
import { Text } from '#web/ui/primitives.tsx'

/** A model reads twice, each time with tries of its own. */
const READ_PATIENCE_MS = 150_000
/** Trying again does not help with these. */
const FINAL = ['not_found', 'conflict', 'invalid']

type Reading = {
  readonly extraction: TweetExtraction | null
  readonly isReading: boolean
  readonly failed: { readonly error: unknown; readonly ask: ExtractionRequest } | null
  /** How many posts have been read; the same one again does not count. */
  readonly posts: number
}
const NONE: Reading = { extraction: null, isReading: false, failed: null, posts: 0 }

/** Reads posts, one at a time. A post that is read again stays until that is done, also if it fails. */
export function useReading(opened: TweetExtraction | null = null) {
  const [now, setNow] = useState(NONE)
  const asked = useRef<AbortController>(null)
  useEffect(() => () => asked.current?.abort(), [])
  const extraction = now.extraction ?? opened

  async function read(ask: ExtractionRequest): Promise<void> {
    asked.current?.abort()
    const { signal } = (asked.current = new AbortController())
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
    asked.current?.abort()
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

/** Whether the post that is asked for is the one that has been read. */
export function isOf(extraction: TweetExtraction | null, { url }: ExtractionRequest): boolean {
  const id = extraction?.tweet_id ?? null
  return id !== null && readPostUrl(url ?? '')?.id === id
}

/** That a post is being read once more, or why it could not be read. */
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
