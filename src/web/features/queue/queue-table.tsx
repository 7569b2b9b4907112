import { type QueueItem } from '#contracts/posts.ts'
import { Button } from '#web/ui/button.tsx'
import { createdText, shortUrl, STATUS_SIGNS } from './queue-texts.ts'
import css from './queue-view.module.css'

type Act = (item: QueueItem) => void

/** The items of the queue, newest first; on a phone each is a card. */
export function QueueTable({
  items,
  busy,
  onProcess,
  onView,
  onDelete,
}: {
  readonly items: readonly QueueItem[]
  /** Ids whose call is under way. */
  readonly busy: ReadonlySet<number>
  readonly onProcess: Act
  readonly onView: Act
  readonly onDelete: Act
}) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">ID</th>
          <th scope="col">Tweet URL</th>
          <th scope="col">Expert</th>
          <th scope="col">Status</th>
          <th scope="col">Created</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <th scope="row" className={css.id}>
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
            </td>
            <td data-label="Created" className={css.created}>
              {createdText(item.created_at)}
            </td>
            <td>
              <div className={css.actions}>
                <Actions {...{ item, onProcess, onView, onDelete }} isBusy={busy.has(item.id)} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Status({ item }: { readonly item: QueueItem }) {
  const { status, error_message: reason, step } = item
  const more = status === 'failed' ? (reason ?? 'Processing failed') : step
  return (
    <>
      <span className={css.status} data-status={status}>
        <span aria-hidden="true">{STATUS_SIGNS[status]}</span> {status}
      </span>
      {more !== '' && status !== 'completed' && <span className={css.step}>{more}</span>}
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
        <Button disabled={isBusy} aria-label={`Process ${name}`} onClick={() => onProcess(item)}>
          Process
        </Button>
      )}
      {item.status === 'failed' && (
        <Button disabled={isBusy} aria-label={`Retry ${name}`} onClick={() => onProcess(item)}>
          Retry
        </Button>
      )}
      {item.status === 'completed' && item.result_data !== null && (
        <Button aria-label={`View ${name}`} onClick={() => onView(item)}>
          View
        </Button>
      )}
      <Button
        look="quiet"
        disabled={isBusy}
        aria-label={`Delete ${name}`}
        onClick={() => onDelete(item)}
      >
        Delete
      </Button>
    </>
  )
}
