import { useSyncExternalStore, type ReactNode } from 'react'
import {
  approveMstr,
  approveNaka,
  approveSubmission,
  type ReviewFlag,
  type SubmissionRow,
} from '#contracts/review.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { typeMeaning } from '#domain/claim/claim-input.ts'
import { type ClaimFields, claimType, type PredictionType } from '#domain/claim/fields.ts'
import { labelOf } from '#domain/claim/text.ts'
import { fieldsText } from '#domain/claim/written.ts'
import { type SubmissionStatus } from '#domain/submission.ts'
import { handleText, hostOf } from '#web/address/addresses.ts'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { type CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { Row, Text } from '#web/ui/primitives.tsx'
import { satsText, showDate, showMoment } from '#web/ui/show.ts'
import { Away } from '#web/ui/source-link.tsx'
import { ClaimSign } from '#web/ui/verdict-badge.tsx'
import css from './review.module.css'

export type Mode = 'view' | 'approve' | 'reject' | 'edit'
export const STATUS_TABS = ['pending', 'approved', 'rejected', 'all'] as const
export type StatusTab = (typeof STATUS_TABS)[number]
type ColumnKey =
  | 'expert'
  | 'handle'
  | 'prediction'
  | 'type'
  | 'target'
  | 'submitted'
  | 'status'
  | 'source'
  | 'paid'

type Columns = Readonly<Partial<Record<ColumnKey, string>>>

/** Everything in which the dashboards differ; no other code depends on the asset. */
export const DASHBOARDS: Readonly<Record<AssetKey, ReturnType<typeof dashboardOf>>> = {
  btc: {
    name: ASSETS.btc.name,
    columns: {
      expert: 'Expert',
      handle: 'Twitter',
      prediction: 'Prediction',
      type: 'Type',
      target: 'Target Date',
      submitted: 'Submitted',
      status: 'Status',
      source: 'Source',
      paid: 'Paid',
    },
    hasTabs: true,
    instructions: [],
    loadFailed: 'Failed to load submissions. Please make sure the backend server is running.',
    approveRoute: approveSubmission,
    failed: (verb, error) =>
      `Error ${verb === 'approve' ? 'approving' : 'rejecting'} submission: ${messageOf(error)}`,
  },
  mstr: dashboardOf(
    'MSTR',
    approveMstr,
    'Only regular sessions in New York count. A level said before the split of 08/08/2024 is compared at a tenth.',
  ),
  naka: dashboardOf(
    'NAKA',
    approveNaka,
    'This is the token of Nakamoto Games, quoted in dollars around the clock: most levels are cents.',
  ),
}

function dashboardOf(symbol: string, approveRoute: typeof approveSubmission, about: string) {
  const columns: Columns = {
    expert: 'Expert Name',
    prediction: `${symbol} Price Prediction`,
    target: 'Target Date',
    status: 'Status',
    submitted: 'Submitted',
    source: 'Source',
    paid: 'Paid',
  }
  return {
    name: symbol,
    columns,
    /** Tabs as filters instead of buttons. */
    hasTabs: false,
    instructions: [
      'View shows what approving would publish: the price it is compared with, and the outcome it would have now.',
      about,
      'Approve publishes it as a prediction. Reject asks for a reason, which the submitter sees. Both can be undone for 10 seconds.',
    ],
    loadFailed: `Failed to fetch ${symbol} submissions`,
    approveRoute,
    /** Message of a failed decision (administrator-tools.md §8). */
    failed: (verb: 'approve' | 'reject', error: CallError): string =>
      error.status > 0
        ? `Failed to ${verb} ${symbol} submission: ${messageOf(error)}`
        : `Error ${verb === 'approve' ? 'approving' : 'rejecting'} ${symbol} submission: ${messageOf(error)}`,
  }
}

function messageOf({ code, status, message }: CallError): string {
  return code === null && status > 0 ? `HTTP ${String(status)}` : message
}

export const KEYS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'In a list': [
    ['j or ↓', 'Next submission'],
    ['k or ↑', 'Previous submission'],
    ['Enter', 'View it'],
    ['a', 'Approve it'],
    ['r', 'Reject it, or all that are selected'],
    ['e', 'Edit it'],
    ['x', 'Select it, to reject several at once'],
    ['Shift + A', 'Approve all unflagged rows on the page'],
    ['z', 'Undo the last decision, for 10 seconds'],
    ['/', 'Search; Enter goes to the first hit'],
    ['?', 'Show these keys'],
  ],
  'In an opened submission': [
    ['j and k', 'Next and previous submission'],
    ['v a r e', 'View, approve, reject, edit'],
    ['d', 'Use the date of the source, if it differs'],
    ['p, n, 1 to 3', 'Approving: the person preselected, a new person, one of those offered'],
    ['1 to 6', 'Rejecting: choose a reason, while the reasons have the focus'],
    ['o', 'Open the source in a new tab'],
    ['z', 'Undo the last decision, for 10 seconds'],
    ['Ctrl + Enter', 'Send the current form'],
    ['Esc', 'Close'],
  ],
}

/** Name and meaning of each flag, most severe first. */
const FLAGS: Readonly<Record<ReviewFlag, readonly [name: string, meaning: string]>> = {
  'other-day': ['Date ≠ post', 'The date of the source differs from the day it counts as made.'],
  'already-true': ['Already true', 'The price was already there when it was said.'],
  'already-broken': ['Already broken', 'The price was already beyond it when it was said.'],
  'window-over': ['Over', 'Its deadline has passed.'],
  duplicate: ['Duplicate', 'The same prediction is on record or pending.'],
  link: ['Link in text', 'The typed text contains a web address.'],
  'other-handle': ['Other’s handle', 'The handle and the name do not match.'],
  'paid-twice': ['Paid twice', 'It was paid twice.'],
  'paid-too-little': ['Paid too little', 'Fewer sats arrived than requested.'],
  'not-paid': ['Not paid', 'A visitor’s submission without a payment.'],
  'paid-late': ['Paid late', 'Paid after its invoice had expired.'],
  'before-split': ['Before the split', 'Said before the split: the level is compared adjusted.'],
  'new-person': ['New person', 'No one of this name is on record.'],
}

export const STATUS_NAMES: Readonly<Record<SubmissionStatus | 'all', string>> = {
  unpaid: 'Unpaid',
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  all: 'All',
}

const PAYMENT_WORDS: Readonly<Record<SubmissionRow['payment_state'], string>> = {
  none: '',
  unpaid: 'unpaid',
  paid: '',
  paid_late: ', late',
  overpaid: ', overpaid',
}

/** `2,100 sats`, with any irregularity of the payment. */
export function paidText(row: Pick<SubmissionRow, 'paid_sats' | 'payment_state'>): string {
  const word = PAYMENT_WORDS[row.payment_state]
  const isPaid = row.payment_state !== 'none' && row.payment_state !== 'unpaid'
  return isPaid ? `${satsText(row.paid_sats)}${word}` : word
}

/** `Jane Doe: $150,000 by 31/12/2027` */
export function titleOf(row: Pick<SubmissionRow, 'expert_name' | 'target_time'> & ClaimFields) {
  return `${row.expert_name}: ${fieldsText(row, showDate(row.target_time))}`
}

export const isOpen = (row: SubmissionRow): boolean => row.status === 'pending'

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
  prediction: {
    below: 'type',
    // `≥ $100`, so that the kind of claim is clear.
    cell: (row) => <b>{fieldsText(row).replace(/^Above /, '≥ ')}</b>,
  },
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
