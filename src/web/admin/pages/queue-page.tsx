import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, type ComponentProps } from 'react'
import { TweetExtraction, tweetQueueItem } from '#contracts/posts.ts'
import {
  ExtractionView,
  UnsentChanges,
  ReadingState,
  useReading,
} from '#web/admin/extract/extraction-view.tsx'
import { callQuery } from '#web/admin/kit/list.tsx'
import { AdminPage } from '#web/admin/kit/screen.tsx'
import { QueueView } from '#web/admin/queue/queue-view.tsx'
import { jsonOf } from '#web/api/page-stream.ts'
import { Button } from '#web/ui/button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack } from '#web/ui/primitives.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useParams } from '#web/ui/use-params.ts'

/**
 * Links that are read in the background. An opened item has its own address (`?item=3`), so it can be shared and Back
 * closes it.
 */
export function QueuePage() {
  const [param, change] = useParams()
  const item = Number(param('item'))
  const requested = Number.isSafeInteger(item) && item > 0 ? item : null
  const [last, setLast] = useState(requested)
  const [isEdited, setIsEdited] = useState(false)
  const toasts = useToasts()
  if (requested !== null && requested !== last && !isEdited) setLast(requested)
  // Ask before unsaved changes to a post are replaced.
  const opened = isEdited ? last : requested
  const close = (): void => change({ item: null }, 'replace')
  return (
    <AdminPage width="full">
      {opened === null ? (
        <QueueView returnTo={last} />
      ) : (
        <>
          {opened !== requested && (
            // The address has changed already, but this item has unsaved edits.
            <UnsentChanges
              go="Leave anyway"
              onGo={() => setIsEdited(false)}
              onStay={() => change({ item: opened })}
            />
          )}
          <OpenedItem
            key={opened}
            id={opened}
            onClose={close}
            onEdited={setIsEdited}
            onCleared={(message) => {
              toasts.done(message)
              setIsEdited(false)
              close()
            }}
          />
        </>
      )}
    </AdminPage>
  )
}

function OpenedItem({
  id,
  onClose,
  ...handlers
}: Pick<ComponentProps<typeof ExtractionView>, 'onEdited' | 'onCleared'> & {
  readonly id: number
  readonly onClose: () => void
}) {
  const query = useQuery({
    ...callQuery(tweetQueueItem, { params: { id } }),
    // The form is filled from this, and it changes only when the post is read again.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const text = query.data?.item.result_data ?? null
  const stored = useMemo(() => TweetExtraction.safeParse(jsonOf(text)).data, [text])
  const reading = useReading(stored)
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => back.current?.focus(), [])
  return (
    <Stack gap={4}>
      <Row as="p" gap={4}>
        <Button ref={back} onClick={onClose}>
          Back to the queue
        </Button>
      </Row>
      <ReadingState reading={reading} />
      <Loaded query={query} loading="Loading the post..." failed="This item could not be opened.">
        {({ submissions }) =>
          reading.extraction ? (
            <ExtractionView
              extraction={reading.extraction}
              made={submissions}
              onRead={(ask) => void reading.read(ask)}
              {...handlers}
            />
          ) : (
            <Notice
              alert
              title="This post cannot be shown"
              text="It has not been read yet, or its reading can no longer be shown. Read it in the queue, or delete it there and add its link again."
            />
          )
        }
      </Loaded>
    </Stack>
  )
}
