import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { AdminPage } from '#web/admin/kit/screen.tsx'
import {
  ExtractionView,
  UnsentChanges,
  ReadingState,
  useReading,
} from '#web/admin/extract/extraction-view.tsx'
import { openedQuery } from '#web/admin/queue/calls.ts'
import { QueueView } from '#web/admin/queue/queue-view.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack } from '#web/ui/primitives.tsx'
import { useToasts } from '#web/ui/toasts.tsx'

/**
 * Links that are read in the background. An opened item has its own address (`?item=3`), so it can be shared and Back
 * closes it.
 */
export function QueuePage() {
  const [params, setParams] = useSearchParams()
  const item = Number(params.get('item'))
  const requested = Number.isSafeInteger(item) && item > 0 ? item : null
  const [last, setLast] = useState(requested)
  const [isEdited, setIsEdited] = useState(false)
  const toasts = useToasts()
  if (requested !== null && requested !== last && !isEdited) setLast(requested)
  // Ask before unsaved changes to a post are replaced.
  const opened = isEdited ? last : requested

  function address(id: number | null, replace = false): void {
    const show = params.get('show')
    const search = {
      ...(show === null ? {} : { show }),
      ...(id === null ? {} : { item: String(id) }),
    }
    setParams(search, { replace })
  }

  return (
    <AdminPage width="full">
      {opened === null ? (
        <QueueView returnTo={last} onView={(id) => address(id)} />
      ) : (
        <>
          {opened !== requested && (
            // The address has changed already, but this item has unsaved edits.
            <UnsentChanges
              go="Leave anyway"
              onGo={() => setIsEdited(false)}
              onStay={() => address(opened)}
            />
          )}
          <OpenedItem
            key={opened}
            id={opened}
            onClose={() => address(null, true)}
            onEdited={setIsEdited}
            onSubmitted={(message) => {
              toasts.done(message)
              setIsEdited(false)
              address(null, true)
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
  onEdited,
  onSubmitted,
}: {
  readonly id: number
  readonly onClose: () => void
  readonly onEdited: (isEdited: boolean) => void
  readonly onSubmitted: (message: string) => void
}) {
  const query = useQuery(openedQuery(id))
  const reading = useReading(query.data?.extraction)
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
              onEdited={onEdited}
              onCleared={onSubmitted}
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
