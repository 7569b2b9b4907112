import { useSyncExternalStore, type ReactNode } from 'react'
import { type ReviewFlag, type SubmissionRow } from '#contracts/review.ts'
import { claimType, type PredictionType } from '#domain/claim/fields.ts'
import { typeMeaning } from '#domain/claim/claim-input.ts'
import { labelOf } from '#domain/claim/text.ts'
import { fieldsText } from '#domain/claim/written.ts'
import { type SubmissionStatus } from '#domain/submission.ts'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { handleText, hostOf } from '#web/address/addresses.ts'
import { Away } from '#web/ui/source-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { ClaimSign } from '#web/ui/verdict-badge.tsx'
import { showMoment, showDate } from '#web/ui/show.ts'
import { Tag } from '#web/ui/chip.tsx'
import { Row, Text } from '#web/ui/primitives.tsx'
import {
  DASHBOARDS,
  FLAGS,
  isOpen,
  paidText,
  STATUS_NAMES,
  titleOf,
  type ColumnKey,
  type Mode,
} from './dashboards.ts'
import css from './review.module.css'

type Cells = {
  /** By row id; pending rows only. */
  readonly flags: Readonly<Record<string, readonly ReviewFlag[]>>
  readonly onOpen: (row: SubmissionRow, mode: Mode) => void
}

const COLUMNS: Readonly<
  Record<
    ColumnKey,
    Pick<Column<SubmissionRow>, 'is' | 'sort'> & {
      readonly cell: (row: SubmissionRow, cells: Cells) => ReactNode
      /** The column placed below this one when space is short. */
      readonly below?: ColumnKey
    }
  >
> = {
  expert: {
    sort: 'expert',
    below: 'handle',
    cell: ({ expert_name: name }) => (
      <Text as="bdi" clip={2} className={css.name} title={name}>
        {name}
      </Text>
    ),
  },
  handle: { cell: (row) => handleOf(row.twitter_handle) },
  prediction: { below: 'type', cell: (row) => <b>{claimOf(row)}</b> },
  type: { is: 'short', cell: (row) => <TypeBadge type={row.prediction_type} /> },
  target: {
    is: 'short',
    sort: 'target',
    below: 'source',
    cell: (row) => showDate(row.target_time),
  },
  submitted: {
    is: 'short',
    sort: 'submitted',
    cell: ({ created_at: at }) => (
      <time dateTime={at} title={showMoment(at)}>
        {showDate(at)}
      </time>
    ),
  },
  status: {
    is: 'short',
    below: 'paid',
    // In the pending list every row would have the same word.
    cell: (row, { flags: { [row.id]: flags } }) =>
      flags === undefined ? <StatusBadge status={row.status} /> : flagsTag(flags),
  },
  source: { cell: (row) => sourceLink(row.source_url) },
  paid: {
    is: 'short',
    sort: 'paid',
    cell: (row) => {
      const isOdd = row.payment_state === 'paid_late' || row.payment_state === 'overpaid'
      return isOdd ? (
        <Text as="span" tone="wait" strong>
          {paidText(row)}
        </Text>
      ) : (
        paidText(row)
      )
    },
  },
}

const NARROW = '(min-width: 768px) and (max-width: 1279.98px)'

export function useColumns(
  asset: SubmissionRow['asset_type'],
  cells: Cells,
): readonly Column<SubmissionRow>[] {
  const isNarrow = useSyncExternalStore(
    (notify) => {
      const query = window.matchMedia(NARROW)
      query.addEventListener('change', notify)
      return () => query.removeEventListener('change', notify)
    },
    () => window.matchMedia(NARROW).matches,
    () => false,
  )
  const { columns } = DASHBOARDS[asset]
  const entries = Object.entries(columns) as readonly [ColumnKey, string][]
  const folded = isNarrow ? Object.values(COLUMNS).map(({ below }) => below) : []
  return [
    ...entries
      .filter(([key]) => !folded.includes(key))
      .map(([key, name]): Column<SubmissionRow> => {
        const { cell, below, ...column } = COLUMNS[key]
        if (!isNarrow || below === undefined || columns[below] === undefined) {
          return { ...column, name, cell: (row) => cell(row, cells) }
        }
        return {
          ...column,
          name,
          cell: (row) => (
            <>
              {cell(row, cells)}
              <div>{COLUMNS[below].cell(row, cells)}</div>
            </>
          ),
        }
      }),
    column.actions((row) => <Actions row={row} onOpen={cells.onOpen} />),
  ]
}

function Actions({ row, onOpen }: { readonly row: SubmissionRow } & Pick<Cells, 'onOpen'>) {
  const name = <span className="aside-voice"> {titleOf(row)}</span>
  return (
    <>
      <Button onClick={() => onOpen(row, 'view')}>View{name}</Button>
      {isOpen(row) && (
        <>
          <Button tone="good" onClick={() => onOpen(row, 'approve')}>
            Approve{name}
          </Button>
          <Button tone="bad" onClick={() => onOpen(row, 'reject')}>
            Reject{name}
          </Button>
        </>
      )}
    </>
  )
}

/** `≥ $100`, so that the kind of claim is clear. */
function claimOf(row: SubmissionRow): string {
  return fieldsText(row).replace(/^Above /, '≥ ')
}

function flagsTag(flags: readonly ReviewFlag[]): ReactNode {
  const all = Object.entries(FLAGS).filter(([flag]) => flags.some((one) => one === flag))
  const [first, ...more] = all
  if (first === undefined) return null
  const [flag, [name]] = first
  return (
    <span title={all.map(([, [one, meaning]]) => `${one}: ${meaning}`).join('\n')}>
      <Tag tone={flag === 'new-person' || flag === 'before-split' ? undefined : 'bad'}>{name}</Tag>
      {more.length > 0 && (
        <>
          {' '}
          +{more.length}
          <span className="aside-voice"> {more.map(([, [one]]) => one).join(', ')}</span>
        </>
      )}
    </span>
  )
}

const TONES = { pending: 'wait', approved: 'good', rejected: 'bad', unpaid: undefined } as const

export function StatusBadge({ status }: { readonly status: SubmissionStatus }) {
  return <Tag tone={TONES[status]}>{STATUS_NAMES[status]}</Tag>
}

export function TypeBadge({ type }: { readonly type: PredictionType }) {
  return (
    <Row as="span" gap={1} whole className="nowrap" title={typeMeaning(type)}>
      <ClaimSign type={claimType(type)} />
      {labelOf(type)}
    </Row>
  )
}

export function handleOf(handle: string | null): ReactNode {
  if (handle === null) return null
  const name = handle.replace(/^@/, '')
  if (!/^\w{1,20}$/.test(name)) return <bdi>{handle}</bdi>
  return away(`https://x.com/${name}`, handleText(handle))
}

export function sourceLink(address: string | null): ReactNode {
  if (address === null || address === '') return null
  const host = hostOf(address)
  return host === null ? (
    <Text as="bdi" clip={2} className={css.name}>
      {address}
    </Text>
  ) : (
    away(address, host)
  )
}

function away(to: string, text: string): ReactNode {
  return (
    <Text as="bdi" clip={2} className={css.name} title={to}>
      <Away to={to}>{text}</Away>
    </Text>
  )
}
