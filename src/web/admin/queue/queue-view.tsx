import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { type QueueItem } from '#contracts/posts.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { AddLinks } from './add-links.tsx'
import {
  deleteItem,
  followQueue,
  processItem,
  queueQuery,
  restoreItem,
  type Queue,
} from './calls.ts'
import { stateOf } from './queue-texts.ts'
import { QueueTable } from './queue-table.tsx'
import css from './queue-view.module.css'
import { useRowFocus } from './use-row-focus.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Figures } from '#web/ui/figures.tsx'

/** Which items are shown, by what they still need. */
const FILTERS = {
  all: () => true,
  'to decide': (item) => stateOf(item) === 'to decide',
  submitted: (item) => stateOf(item) === 'submitted',
  'nothing here': (item) => stateOf(item) === 'nothing here',
  failed: (item) => stateOf(item) === 'failed',
  waiting: (item) => ['pending', 'processing'].includes(stateOf(item)),
} as const satisfies Readonly<Record<string, (item: QueueItem) => boolean>>
type Filter = keyof typeof FILTERS
const names = Object.keys(FILTERS) as Filter[]

/** Links of posts that are read in the background, with their current state. */
export function QueueView({
  returnTo,
  onView,
}: {
  /** The item that was opened; null where the list is shown for the first time. */
  readonly returnTo: number | null
  /** Shows what was read of an item. */
  readonly onView: (id: number) => void
}) {
  const queries = useQueryClient()
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery(queueQuery())
  const [isAway, setIsAway] = useState(false)
  const toasts = useToasts()
  const { run, doing: busy } = useChange({ onFailed: ({ message }) => toasts.failed(message) })
  const { list, keep } = useRowFocus(data?.queue, returnTo)
  const [params, setParams] = useSearchParams()
  const show = names.find((name) => name === params.get('show')) ?? 'all'
  const setShow = (name: Filter): void =>
    setParams(name === 'all' ? {} : { show: name }, { replace: true })

  useEffect(
    () =>
      followQueue(
        ({ version }) => {
          const { queryKey } = queueQuery()
          const known = queries.getQueryData(queryKey)?.version
          if (known !== version) void queries.invalidateQueries({ queryKey })
        },
        (away) => {
          setIsAway(away)
          if (!away) void queries.invalidateQueries(queueQuery())
        },
      ),
    [queries],
  )

  const reload = (): Promise<void> => queries.invalidateQueries(queueQuery())

  async function during(id: number, work: () => Promise<void>): Promise<void> {
    keep(id)
    await run(work, id)
    await reload()
  }

  function process(item: QueueItem, text: string | null = null): void {
    void during(item.id, async () => {
      const { success, status, error: reason } = await processItem(item.id, text)
      if (!success && status === 'failed') {
        toasts.failed(`#${String(item.id)}: ${reason ?? 'Processing failed'}`)
      }
    })
  }

  function remove(item: QueueItem): void {
    void during(item.id, async () => {
      await deleteItem(item.id)
      toasts.undoable(`#${String(item.id)} deleted.`, () => {
        void during(item.id, () => restoreItem(item.id))
      })
    })
  }

  const items = data?.queue.filter((item) => FILTERS[show](item))
  const chips = names.map((name) => ({
    name,
    count: data?.queue.filter((item) => FILTERS[name](item)).length,
  }))

  return (
    <Stack gap={4} size="small">
      <AddLinks onAdded={() => void reload()} />
      <Stack as="section" gap={4} size="small" ref={list} aria-label="Links in the queue">
        <Row as="header" gap={4} justify="between">
          {data && <Counts counts={data.counts} />}
          <Button aria-busy={isFetching} onClick={() => void refetch()}>
            <Icon name="refresh" size={16} /> Refresh
          </Button>
        </Row>
        <p className={css.away} role="status">
          {data &&
            (isAway || error) &&
            `Live updates have stopped, because the server cannot be reached. This is the queue as of ${showMoment(new Date(dataUpdatedAt).toISOString())}; it resumes by itself.`}
        </p>
        {error && !data && (
          <Notice
            alert
            title="The queue could not be loaded"
            text={sentenceOf(error)}
            onRetry={() => void refetch()}
          />
        )}
        {!data && !error && <Skeleton shape="card" count={4} label="Loading the queue..." />}
        {data && data.queue.length === 0 && (
          <Notice title="The queue is empty" text="Add links above; each is read on its own." />
        )}
        {data && data.queue.length > 0 && (
          <Row gap={2} role="group" aria-label="Show">
            {chips.map(({ name, count }) => (
              <Chip
                key={name}
                pressed={show === name}
                count={count ?? null}
                onPress={() => setShow(name)}
              >
                {name}
              </Chip>
            ))}
          </Row>
        )}
        {data && items && data.queue.length > 0 && items.length === 0 && (
          <Notice title={`Nothing is in the state "${show}"`}>
            <Button onClick={() => setShow('all')}>Show all</Button>
          </Notice>
        )}
        {items && items.length > 0 && (
          <QueueTable
            items={items}
            busy={busy}
            onProcess={(item) => process(item)}
            onView={({ id }) => onView(id)}
            onPaste={process}
            onDelete={remove}
          />
        )}
        {data && data.counts.total > data.queue.length && (
          <Text tone="quiet">
            The newest {data.queue.length} of {data.counts.total} are shown.
          </Text>
        )}
      </Stack>
    </Stack>
  )
}

const COUNTS = ['total', 'pending', 'processing', 'completed', 'failed'] as const

function Counts({ counts }: { readonly counts: Queue['counts'] }) {
  return (
    <Figures
      figures={COUNTS.map((name) => ({ name, value: counts[name].toLocaleString('en-US') }))}
    />
  )
}
