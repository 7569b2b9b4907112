import { useCallback, useEffect, useRef, useState } from 'react'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { dayOfTime } from '#domain/day.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { ExtractionView, UnsentChanges } from '#web/admin/extract/extractor.tsx'
import { readPost, type ReadAsk } from '#web/admin/extract/calls.ts'
import { QueueView } from '#web/admin/queue/queue-view.tsx'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'

/** Links that are read in the background; one that has been read opens in the extractor's columns. */
export function QueuePage() {
  const [today] = useState(() => dayOfTime(Date.now()))
  const [viewed, setViewed] = useState<TweetExtraction | null>(null)
  const [last, setLast] = useState<number | null>(null)
  const [isReading, setIsReading] = useState(false)
  const [isEdited, setIsEdited] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  const reading = useRef<AbortController>(null)
  const back = useRef<HTMLButtonElement>(null)
  const toasts = useToasts()

  const leave = useCallback(() => {
    reading.current?.abort()
    setIsReading(false)
    setIsLeaving(false)
    setViewed(null)
  }, [])
  const submitted = useCallback(
    (message: string) => {
      toasts.done(message)
      leave()
    },
    [toasts, leave],
  )
  const isViewing = viewed !== null
  useEffect(() => {
    if (isViewing) back.current?.focus()
  }, [isViewing])
  useEffect(() => () => reading.current?.abort(), [])

  async function readAgain(ask: ReadAsk): Promise<void> {
    reading.current?.abort()
    const { signal } = (reading.current = new AbortController())
    setIsReading(true)
    try {
      const extraction = await readPost(ask, signal)
      if (!signal.aborted) setViewed(extraction)
    } catch (error) {
      if (!signal.aborted) toasts.failed(sentenceOf(error))
    } finally {
      if (!signal.aborted) setIsReading(false)
    }
  }

  return (
    <AdminPage title="Tweet Queue" width="full">
      {viewed ? (
        <Stack gap={4}>
          <Row as="p" gap={4}>
            <Button ref={back} onClick={() => (isEdited ? setIsLeaving(true) : leave())}>
              Back to the queue
            </Button>
            <span role="status">{isReading && 'Reading the post again...'}</span>
          </Row>
          {isLeaving && isEdited && (
            <UnsentChanges go="Leave anyway" onGo={leave} onStay={() => setIsLeaving(false)} />
          )}
          <ExtractionView
            extraction={viewed}
            today={today}
            onRead={(ask) => void readAgain(ask)}
            onEdited={setIsEdited}
            onCleared={submitted}
          />
        </Stack>
      ) : (
        <QueueView
          returnTo={last}
          onView={(extraction, id) => {
            setLast(id)
            setViewed(extraction)
          }}
        />
      )}
    </AdminPage>
  )
}
