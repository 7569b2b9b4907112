import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { dayOfTime, type Day } from '#domain/day.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { ExtractionView, UnsentChanges } from '#web/admin/extract/extractor.tsx'
import { readPost, type ReadAsk } from '#web/admin/extract/calls.ts'
import { openedQuery } from '#web/admin/queue/calls.ts'
import { QueueView } from '#web/admin/queue/queue-view.tsx'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { useToasts } from '#web/ui/toasts.tsx'

/**
 * Links that are read in the background; one that has been read opens in the extractor's columns, at an address of its own
 * (`?item=3`): Back closes it, and it can be sent to a colleague.
 */
export function QueuePage() {
  const [today] = useState(() => dayOfTime(Date.now()))
  const [params, setParams] = useSearchParams()
  const wanted = Number(params.get('item'))
  const asked = Number.isSafeInteger(wanted) && wanted > 0 ? wanted : null
  const [last, setLast] = useState(asked)
  const [isEdited, setIsEdited] = useState(false)
  const toasts = useToasts()
  if (asked !== null && asked !== last && !isEdited) setLast(asked)
  // What was changed on a post is asked for before another address takes its place.
  const shown = isEdited ? last : asked

  function address(id: number | null, replace = false): void {
    const show = params.get('show')
    const search = {
      ...(show === null ? {} : { show }),
      ...(id === null ? {} : { item: String(id) }),
    }
    setParams(search, { replace })
  }

  return (
    <AdminPage title="Tweet Queue" width="full">
      {shown === null ? (
        <QueueView returnTo={last} onView={(id) => address(id)} />
      ) : (
        <OpenedItem
          key={shown}
          id={shown}
          today={today}
          isLeaving={shown !== asked}
          onStay={() => address(shown)}
          onLeave={() => setIsEdited(false)}
          onClose={() => address(null, true)}
          onEdited={setIsEdited}
          onSubmitted={(message) => {
            toasts.done(message)
            setIsEdited(false)
            address(null, true)
          }}
        />
      )}
    </AdminPage>
  )
}

function OpenedItem({
  id,
  today,
  isLeaving,
  onStay,
  onLeave,
  onClose,
  onEdited,
  onSubmitted,
}: {
  readonly id: number
  readonly today: Day
  /** The address is another one already, but something has been changed here. */
  readonly isLeaving: boolean
  readonly onStay: () => void
  readonly onLeave: () => void
  readonly onClose: () => void
  readonly onEdited: (isEdited: boolean) => void
  readonly onSubmitted: (message: string) => void
}) {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(openedQuery(id))
  const [isReading, setIsReading] = useState(false)
  const reading = useRef<AbortController>(null)
  const back = useRef<HTMLButtonElement>(null)
  const toasts = useToasts()
  useEffect(() => back.current?.focus(), [])
  useEffect(() => () => reading.current?.abort(), [])

  async function readAgain(ask: ReadAsk): Promise<void> {
    reading.current?.abort()
    const { signal } = (reading.current = new AbortController())
    setIsReading(true)
    try {
      const extraction = await readPost(ask, signal)
      if (signal.aborted) return
      queries.setQueryData(
        openedQuery(id).queryKey,
        (before) => before && { ...before, extraction },
      )
    } catch (failed) {
      if (!signal.aborted) toasts.failed(sentenceOf(failed))
    } finally {
      if (!signal.aborted) setIsReading(false)
    }
  }

  return (
    <Stack gap={4}>
      <Row as="p" gap={4}>
        <Button ref={back} onClick={onClose}>
          Back to the queue
        </Button>
        <span role="status">{isReading && 'Reading the post again...'}</span>
      </Row>
      {isLeaving && <UnsentChanges go="Leave anyway" onGo={onLeave} onStay={onStay} />}
      {error && (
        <Notice
          alert
          title="This item could not be opened"
          text={sentenceOf(error)}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton shape="chart" label="Loading the post..." />}
      {data?.extraction === null && (
        <Notice
          alert
          title="This post cannot be shown"
          text="It has not been read yet, or its reading can no longer be shown. Read it in the queue, or delete it there and add its link again."
        />
      )}
      {data?.extraction && (
        <ExtractionView
          extraction={data.extraction}
          made={data.submissions}
          today={today}
          onRead={(ask) => void readAgain(ask)}
          onEdited={onEdited}
          onCleared={onSubmitted}
        />
      )}
    </Stack>
  )
}
