import { type QueueItem } from '#contracts/posts.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import { useLayout } from '#web/ui/layout.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import { PasteText } from './paste-text.tsx'
import { shortUrl, STATE_SIGNS, stateOf, stateText, stepText } from './queue-texts.ts'
import css from './queue-view.module.css'
import { Text } from '#web/ui/text.tsx'

type Act = (item: QueueItem) => void

const TONES = {
  pending: 'wait',
  processing: 'wait',
  failed: 'bad',
  'to decide': 'wait',
  submitted: 'good',
  'nothing here': 'quiet',
} as const
const COLUMNS = ['ID', 'Tweet URL', 'Expert', 'Status', 'Created', 'Actions'] as const

/** The items of the queue, newest first; on a phone each is a card. */
export function QueueTable({
  items,
  busy,
  onProcess,
  onView,
  onPaste,
  onDelete,
}: {
  readonly items: readonly QueueItem[]
  /** Ids whose call is under way. */
  readonly busy: ReadonlySet<number | string>
  readonly onProcess: Act
  readonly onView: Act
  readonly onPaste: (item: QueueItem, text: string) => void
  readonly onDelete: Act
}) {
  return (
    <DenseTable
      label="Links in the queue"
      columns={COLUMNS}
      isStacked={useLayout() === 'phone'}
      className={css.list}
    >
      {items.map((item) => (
        <tr key={item.id}>
          <th scope="row" className={classNames(table.nowrap, css.id)}>
            {item.id}
          </th>
          <td className={css.url}>
            <a href={item.tweet_url} target="_blank" rel="noreferrer" title={item.tweet_url}>
              {shortUrl(item.tweet_url)}
            </a>
          </td>
          <td data-label="Expert">
            <bdi>{item.expert_name ?? '–'}</bdi>
          </td>
          <td>
            <Status item={item} />
            {needsText(item) && (
              <PasteText
                name={`#${String(item.id)}`}
                isBusy={busy.has(item.id)}
                onPaste={(text) => onPaste(item, text)}
              />
            )}
          </td>
          <td data-label="Created" className={table.nowrap}>
            {showMoment(item.created_at)}
          </td>
          <td className={table.nowrap}>
            <div className={table.actions}>
              <Actions {...{ item, onProcess, onView, onDelete }} isBusy={busy.has(item.id)} />
            </div>
          </td>
        </tr>
      ))}
    </DenseTable>
  )
}

/** Its sources have failed at least once: what it says can be pasted instead. */
function needsText({ status, error_message: reason }: QueueItem): boolean {
  return status === 'failed' || (status === 'pending' && reason !== null)
}

function Status({ item }: { readonly item: QueueItem }) {
  const state = stateOf(item)
  const more = stepText(item)
  return (
    <>
      <Text as="span" tone={TONES[state]} strong className={table.nowrap}>
        <span aria-hidden="true">{STATE_SIGNS[state]}</span> {stateText(item)}
      </Text>
      {more !== '' && (
        <Text tone="quiet" className={css.step}>
          {more}
        </Text>
      )}
    </>
  )
}

function Actions({
  item,
  isBusy,
  onProcess,
  onView,
  onDelete,
}: {
  readonly item: QueueItem
  readonly isBusy: boolean
  readonly onProcess: Act
  readonly onView: Act
  readonly onDelete: Act
}) {
  const name = `#${String(item.id)}`
  return (
    <>
      {item.status === 'pending' && (
        <Button
          aria-disabled={isBusy}
          aria-label={`Process ${name}`}
          onClick={() => onProcess(item)}
        >
          Process
        </Button>
      )}
      {item.status === 'failed' && (
        <Button aria-disabled={isBusy} aria-label={`Retry ${name}`} onClick={() => onProcess(item)}>
          Retry
        </Button>
      )}
      {item.status === 'completed' && (
        <Button aria-disabled={isBusy} aria-label={`View ${name}`} onClick={() => onView(item)}>
          View
        </Button>
      )}
      <Button
        look="quiet"
        aria-disabled={isBusy}
        aria-label={`Delete ${name}`}
        onClick={() => onDelete(item)}
      >
        Delete
      </Button>
    </>
  )
}
