import {
  approveMstr,
  approveNaka,
  approveSubmission,
  type ReviewFlag,
  type SubmissionRow,
} from '#contracts/review.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type ClaimFields } from '#domain/claim/fields.ts'
import { fieldsText } from '#domain/claim/written.ts'
import { showCount } from '#domain/price-text.ts'
import { type SubmissionStatus } from '#domain/submission.ts'
import { type CallError } from '#web/api/call.ts'
import { showDate } from '#web/ui/show.ts'

export type Mode = 'view' | 'approve' | 'reject' | 'edit'
export const STATUS_TABS = ['pending', 'approved', 'rejected', 'all'] as const
export type StatusTab = (typeof STATUS_TABS)[number]
export type ColumnKey =
  | 'expert'
  | 'handle'
  | 'prediction'
  | 'type'
  | 'target'
  | 'submitted'
  | 'status'
  | 'source'
  | 'paid'

/** Everything in which the dashboards differ; no other code depends on the asset. */
export type Dashboard = {
  readonly name: string
  readonly columns: Readonly<Partial<Record<ColumnKey, string>>>
  readonly filters: 'tabs' | 'buttons'
  readonly instructions: readonly string[]
  readonly loadFailed: string
  readonly approveRoute: typeof approveSubmission
  /** Message of a failed decision (administrator-tools.md §8). */
  readonly failed: (verb: 'approve' | 'reject', error: CallError) => string
}

const LAST = { status: 'Status', source: 'Source', paid: 'Paid' } as const

export const DASHBOARDS: Readonly<Record<AssetKey, Dashboard>> = {
  btc: {
    name: ASSETS.btc.name,
    columns: {
      expert: 'Expert',
      handle: 'Twitter',
      prediction: 'Prediction',
      type: 'Type',
      target: 'Target Date',
      submitted: 'Submitted',
      ...LAST,
    },
    filters: 'tabs',
    instructions: [],
    loadFailed: 'Failed to load submissions. Please make sure the backend server is running.',
    approveRoute: approveSubmission,
    failed: (verb, error) =>
      `Error ${verb === 'approve' ? 'approving' : 'rejecting'} submission: ${messageOf(error)}`,
  },
  mstr: dashboardOf('MSTR', approveMstr, [
    'Only regular sessions in New York count. A level said before the split of 08/08/2024 is compared at a tenth.',
  ]),
  naka: dashboardOf('NAKA', approveNaka, [
    'This is the token of Nakamoto Games, quoted in dollars around the clock: most levels are cents.',
  ]),
}

function dashboardOf(
  symbol: string,
  approveRoute: typeof approveSubmission,
  [about = '']: readonly string[],
): Dashboard {
  return {
    name: symbol,
    columns: {
      expert: 'Expert Name',
      prediction: `${symbol} Price Prediction`,
      target: 'Target Date',
      status: 'Status',
      submitted: 'Submitted',
      source: 'Source',
      paid: 'Paid',
    },
    filters: 'buttons',
    instructions: [
      'View shows what approving would publish: the price it is compared with, and the outcome it would have now.',
      about,
      'Approve publishes it as a prediction. Reject asks for a reason, which the submitter sees. Both can be undone for 10 seconds.',
    ],
    loadFailed: `Failed to fetch ${symbol} submissions`,
    approveRoute,
    failed: (verb, error) =>
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
export const FLAGS: Readonly<Record<ReviewFlag, readonly [name: string, meaning: string]>> = {
  'other-day': ['Date ≠ post', 'The source has another date than the day it counts as made.'],
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
  return isPaid ? `${showCount(row.paid_sats)} sats${word}` : word
}

/** `Jane Doe: $150,000 by 31/12/2027` */
export function titleOf(
  row: Pick<SubmissionRow, 'expert_name' | 'target_time'> & ClaimFields,
): string {
  return `${row.expert_name}: ${fieldsText(row, showDate(row.target_time))}`
}

export const isOpen = (row: SubmissionRow): boolean => row.status === 'pending'
