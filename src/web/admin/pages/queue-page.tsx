import { useCallback, useState } from 'react'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { dayOfTime } from '#domain/day.ts'
import { useTitle } from '#web/admin/use-title.ts'
import { ExtractionView } from '#web/features/extract/extract-desk.tsx'
import { readPost, type ReadAsk } from '#web/features/extract/calls.ts'
import { QueueView } from '#web/features/queue/queue-view.tsx'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import css from './extract-page.module.css'

/** Links that are read in the background; one that has been read opens in the extractor's columns. */
export function QueuePage() {
  const [today] = useState(() => dayOfTime(Date.now()))
  const [viewed, setViewed] = useState<TweetExtraction | null>(null)
  const toasts = useToasts()
  useTitle('Tweet Queue')

  const submitted = useCallback(
    (message: string) => {
      toasts.done(message)
      setViewed(null)
    },
    [toasts],
  )

  async function readAgain(ask: ReadAsk): Promise<void> {
    try {
      setViewed(await readPost(ask, AbortSignal.timeout(150_000)))
    } catch (error) {
      toasts.failed(sentenceOf(error))
    }
  }

  return (
    <>
      <h1 className={css.title}>Tweet Queue</h1>
      {viewed ? (
        <div className={css.viewed}>
          <p>
            <Button onClick={() => setViewed(null)}>Back to the queue</Button>
          </p>
          <ExtractionView
            extraction={viewed}
            today={today}
            onRead={(ask) => void readAgain(ask)}
            onCleared={submitted}
          />
        </div>
      ) : (
        <QueueView onView={setViewed} />
      )}
    </>
  )
}
