import { type ReactNode } from 'react'
import { type SubmissionRow } from '#contracts/review.ts'
import { fieldsText } from '#domain/claim/text.ts'
import { handleText } from '#web/address/addresses.ts'
import { showTime } from '#web/ui/show-moment.ts'
import { StatusBadge, TypeBadge } from './badges.tsx'
import table from '#web/ui/dense-table.module.css'
import css from './submission-list.module.css'
import { type ColumnKey } from './dashboards.ts'
import { dateText, handleLink, paidText, safeLink } from './row-texts.ts'
import { Text } from '#web/ui/text.tsx'

/** The columns of a row. */
export const CELLS: Readonly<Record<ColumnKey, (row: SubmissionRow) => ReactNode>> = {
  expert: (row) => (
    <bdi className={css.expert} title={row.expert_name}>
      {row.expert_name}
    </bdi>
  ),
  handle: (row) => <Handle handle={row.twitter_handle} />,
  prediction: (row) => <b>{fieldsText(row)}</b>,
  type: (row) => <TypeBadge type={row.prediction_type} />,
  target: (row) => dateText(row.target_time),
  submitted: (row) => (
    <time dateTime={row.created_at}>
      {dateText(row.created_at)}{' '}
      <Text as="span" tone="quiet" size="small">
        {showTime(row.created_at)}
      </Text>
    </time>
  ),
  status: (row) => <StatusBadge status={row.status} />,
  source: (row) => <Source address={row.source_url} />,
  paid: (row) => (
    <Text
      as="span"
      className={table.nowrap}
      tone={isOdd(row) ? 'wait' : undefined}
      strong={isOdd(row)}
    >
      {paidText(row)}
    </Text>
  ),
}

function isOdd({ payment_state: state }: SubmissionRow): boolean {
  return state === 'paid_late' || state === 'overpaid'
}

export function Handle({ handle }: { readonly handle: string | null }) {
  if (handle === null) return '–'
  const href = handleLink(handle)
  if (href === null) return <bdi>{handle}</bdi>
  return (
    <a href={href} title={handleText(handle)} target="_blank" rel="noopener noreferrer nofollow">
      {handleText(handle)}
      <span className="aside-voice"> (opens in a new tab)</span>
    </a>
  )
}

/** Where it was said. An address that cannot be followed safely is shown as the text it is. */
export function Source({ address }: { readonly address: string | null }) {
  if (address === null || address === '') return '–'
  const link = safeLink(address)
  if (!link) return <bdi className={css.noLink}>{address}</bdi>
  return (
    <a href={link.href} title={link.href} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{link.host}</bdi>
      <span className="aside-voice"> (opens in a new tab)</span>
    </a>
  )
}
