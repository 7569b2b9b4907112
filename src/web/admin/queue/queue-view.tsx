import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type z } from 'zod'
import * as calls from '#contracts/posts.ts'
import { type QueueItem } from '#contracts/posts.ts'
import { MOST_LINKS, READ_STEPS, postUrlFault } from '#domain/posts/post-url.ts'
import { counted, showCount } from '#domain/price-text.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { AdminTable, type Column, column } from '#web/admin/kit/admin-table.tsx'
import { callQuery } from '#web/admin/kit/list.tsx'
import { Act, DecisionArea, useAreaDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError } from '#web/api/call.ts'
import { openStream } from '#web/api/page-stream.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Figures } from '#web/ui/facts.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'
import { showMoment } from '#web/ui/show.ts'
import { useParams } from '#web/ui/use-params.ts'

/** Characters after which addresses are truncated (administrator-tools.md §9). */
const LONGEST_URL = 50
/** Longer than the 20 seconds after which the server answers with the current state. */
const PROCESS_PATIENCE_MS = 40_000

/** A model reads pasted text twice, each time with its own retries. */
const READ_PATIENCE_MS = 150_000

type Added = z.infer<(typeof calls.addToTweetQueue)['reply']>

/** The next step for an item, beyond whether it was read. */
type State = 'pending' | 'processing' | 'failed' | 'to decide' | 'submitted' | 'nothing here'

/** States differ by sign and text, not by colour alone. */
const STATES: Readonly<
  Record<State, readonly [sign: string, tone: 'wait' | 'bad' | 'good' | 'quiet']>
> = {
  pending: ['◇', 'wait'],
  processing: ['◔', 'wait'],
  failed: ['✕', 'bad'],
  'to decide': ['●', 'wait'],
  submitted: ['✓', 'good'],
  'nothing here': ['–', 'quiet'],
}

const FILTERS = {
  all: 'All',
  'to decide': 'Needs a decision',
  submitted: 'Submitted',
  'nothing here': 'No prediction',
  failed: 'Failed',
  waiting: 'Waiting',
} as const
type Filter = keyof typeof FILTERS
const FILTER_NAMES = Object.keys(FILTERS) as Filter[]

const QUEUE = callQuery(calls.tweetQueue, { query: { results: 'none' } })
/** Polling interval, for networks that block server-sent events. */
const ASK_MS = 15_000

/** The queue, reloaded with every change and once the server is back. */
function useQueue() {
  const queries = useQueryClient()
  useEffect(() => {
    const { queryKey } = QUEUE
    const reload = (): void => void queries.invalidateQueries({ queryKey })
    return openStream(() => calls.QUEUE_EVENTS_PATH, {
      names: ['queue', 'alive'],
      opened: () => void (queries.getQueryState(queryKey)?.error && reload()),
      event: (name, data) => {
        const { data: read } = calls.QueueEvent.safeParse(data)
        const isNew = read?.version !== queries.getQueryData(queryKey)?.version
        if (name === 'queue' && read && isNew) reload()
      },
      lost: () => undefined,
    })
  }, [queries])
  return useQuery({ ...QUEUE, refetchInterval: ASK_MS })
}

/** @param returnTo the item opened last, to restore the focus; null at first */
export function QueueView({ returnTo }: { readonly returnTo: number | null }) {
  const query = useQueue()
  const [param, change] = useParams()
  const show = FILTER_NAMES.find((name) => name === param('show')) ?? 'all'
  return (
    <Stack gap={4} size="small">
      <AddLinks />
      <Loaded query={query} what="queue">
        {(data) => (
          <>
            <Row gap={4} justify="between">
              <Figures
                figures={COUNTS.map((name) => ({ name, value: showCount(data.counts[name]) }))}
              />
              <Button aria-busy={query.isFetching} onClick={() => void query.refetch()}>
                <Icon name="refresh" size={16} /> Refresh
              </Button>
            </Row>
            {data.queue.length === 0 ? (
              <Notice title="The queue is empty" text="Add links above; each is read on its own." />
            ) : (
              <>
                <Row role="group" aria-label="Show">
                  {FILTER_NAMES.map((name) => (
                    <Chip
                      key={name}
                      pressed={name === show}
                      count={data.queue.filter((item) => fits(item, name)).length}
                      onPress={() => change({ show: name === 'all' ? null : name })}
                    >
                      {FILTERS[name]}
                    </Chip>
                  ))}
                </Row>
                <DecisionArea>
                  <AdminTable<QueueItem>
                    label="Links in the queue"
                    rows={data.queue.filter((item) => fits(item, show))}
                    empty={
                      <Notice title="No links in this state">
                        <Button onClick={() => change({ show: null })}>Show all</Button>
                      </Notice>
                    }
                    idOf={({ id }) => String(id)}
                    columns={COLUMNS}
                    first={returnTo === null ? null : String(returnTo)}
                    isKeyed
                  />
                </DecisionArea>
              </>
            )}
            {data.counts.total > data.queue.length && (
              <Text tone="quiet">
                The newest {showCount(data.queue.length)} of {showCount(data.counts.total)} are
                shown.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

const COUNTS = ['total', 'pending', 'processing', 'completed', 'failed'] as const

function stateOf({ status, submitted, step }: QueueItem): State {
  if (submitted > 0) return 'submitted'
  if (status !== 'completed') return status
  return step === READ_STEPS.none ? 'nothing here' : 'to decide'
}

function fits(item: QueueItem, filter: Filter): boolean {
  const state = stateOf(item)
  if (filter === 'waiting') return state === 'pending' || state === 'processing'
  return filter === 'all' || filter === state
}

const COLUMNS: readonly Column<QueueItem>[] = [
  column.title('ID', ({ id }) => id),
  column.text('Tweet URL', ({ tweet_url: url }) => (
    <a href={url} target="_blank" rel="noreferrer" title={url}>
      {shortUrl(url)}
    </a>
  )),
  column.text('Expert', ({ expert_name: name }) => name ?? '–'),
  column.text('Status', (item) => {
    const { id, status, error_message: reason } = item
    const [sign, tone] = STATES[stateOf(item)]
    return (
      <Stack gap={1}>
        <Text as="span" tone={tone} strong>
          <span aria-hidden="true">{sign}</span> {status}
        </Text>
        <Text tone="quiet">{stepText(item)}</Text>
        {/* After a failed reading, offer to paste the text instead. */}
        {(status === 'failed' || (status === 'pending' && reason !== null)) && (
          <PasteText id={id} />
        )}
      </Stack>
    )
  }),
  column.moment('Created', ({ created_at: at }) => at),
  column.actions((item) => <Actions item={item} />),
]

function shortUrl(url: string): string {
  return url.length > LONGEST_URL ? `${url.slice(0, LONGEST_URL)}...` : url
}

/** The second line of every row, so that its height does not change with its status. */
function stepText(item: QueueItem): string {
  const { status, step, submitted, error_message: reason, next_try_at: at } = item
  if (status === 'failed') return reason ?? 'Processing failed'
  if (submitted > 0) return `Submitted (${String(submitted)})`
  if (status === 'completed') {
    return step === READ_STEPS.none ? 'No prediction found' : 'Needs a decision'
  }
  if (reason === null) return step
  return `${reason} ${at === null ? 'It will be retried soon.' : `It will be retried at ${showMoment(at)}.`}`
}

function Actions({ item: { id, status } }: { readonly item: QueueItem }) {
  const [, change] = useParams()
  const name = `#${String(id)}`
  const common = { id, disabled: false, 'aria-disabled': useAreaDecision().doing.has(id) }
  const process = (text: string) => (
    <Act
      {...common}
      aria-label={`${text} ${name}`}
      send={async () => {
        const input = { body: { id }, patienceMs: PROCESS_PATIENCE_MS }
        const { status, error } = await adminCall(calls.processTweetQueueItem, input)
        if (status === 'failed') {
          throw new CallError(`${name}: ${error ?? 'Processing failed'}`, 200)
        }
      }}
    >
      {text}
    </Act>
  )
  return (
    <>
      {status === 'pending' && process('Process')}
      {status === 'failed' && process('Retry')}
      {status === 'completed' && (
        <Button aria-label={`View ${name}`} onClick={() => change({ item: id })}>
          View
        </Button>
      )}
      <Act
        {...common}
        aria-label={`Delete ${name}`}
        send={async () => {
          await adminCall(calls.deleteFromTweetQueue, { params: { id } })
          return { message: `${name} deleted.` }
        }}
        undo={() => adminCall(calls.restoreToTweetQueue, { params: { id } })}
      >
        Delete
      </Act>
    </>
  )
}

function PasteText({ id }: { readonly id: number }) {
  const [isOpen, setOpen] = useState(false)
  const name = `#${String(id)}`
  if (!isOpen) {
    return (
      <Row>
        <Button size="small" aria-label={`Paste the text of ${name}`} onClick={() => setOpen(true)}>
          Paste the text
        </Button>
      </Row>
    )
  }
  return (
    <AdminForm
      label={`Text of ${name}`}
      route={calls.processTweetQueueItem}
      start={{ text: '' }}
      fields={{ text: { label: 'Text of the post', rows: 4, maxLength: calls.MOST_TEXT } }}
      check={({ text }) => ({
        text: text.trim() === '' ? 'Please paste the text of the post.' : null,
      })}
      body={({ text }) => ({ id, text })}
      patienceMs={READ_PATIENCE_MS}
      send="Read this text"
      sending="Reading..."
      onDone={() => setOpen(false)}
      onCancel={() => setOpen(false)}
    />
  )
}

function AddLinks() {
  const [added, setAdded] = useState<Added | null>(null)
  return (
    <>
      <AdminForm
        label="Add links"
        route={calls.addToTweetQueue}
        start={{ urls: added?.refused.map(({ url }) => url).join('\n') ?? '', process: true }}
        fields={{
          urls: {
            label: 'Links of posts',
            rows: 3,
            placeholder: 'https://x.com/name/status/...',
            hint: `Up to ${String(MOST_LINKS)} at once, one per line or anywhere in a text.`,
          },
          process: { label: 'Process them at once' },
        }}
        // An invalid link among many is reported with the others; a single one is a typing mistake.
        check={({ urls }) => {
          const words = urls.trim().split(/\s+/)
          return { urls: words.length === 1 ? postUrlFault(words[0] ?? '') : null }
        }}
        send="Add to the queue"
        sending="Adding..."
        onDone={setAdded}
      />
      {added && <AddedText {...added} />}
    </>
  )
}

function AddedText({ added, duplicates, refused }: Added) {
  const fresh = new Set(added.map(({ id }) => id))
  const before = duplicates.filter(({ id }) => !fresh.has(id))
  // The text may contain a link more than once.
  const known = [...new Set(before.map(({ id }) => `#${String(id)}`))].join(', ')
  const twice = duplicates.length - before.length
  const count = (n: number, text: string) => (n === 0 ? null : `${String(n)} ${text}`)
  const parts = [
    `${counted(added.length, 'link')} added`,
    count(twice, twice === 1 ? 'duplicate skipped' : 'duplicates skipped'),
    count(before.length, `already in the queue (${known})`),
    count(refused.length, 'rejected'),
  ]
  return (
    <Stack gap={1} role="status">
      <p>{parts.filter(Boolean).join(', ')}.</p>
      <ul>
        {refused.map(({ url, reason }) => (
          <li key={url}>
            <code title={url}>{shortUrl(url)}</code>{' '}
            <Text as="span" tone="bad">
              {reason}
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
