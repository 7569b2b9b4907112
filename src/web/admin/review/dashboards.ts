import {
  approveMstr,
  approveNaka,
  approveSubmission,
  type REVIEW_SORTS,
} from '#contracts/review.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { CallError } from '#web/api/call.ts'

export type ReviewSort = (typeof REVIEW_SORTS)[number]

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

export type Column = {
  readonly key: ColumnKey
  readonly title: string
  /** The list can be ordered by it. */
  readonly sort?: ReviewSort
}

/** All that differs between the dashboards; no screen asks which asset it shows. */
export type Dashboard = {
  /** What it is called (administrator-tools.md §2). */
  readonly name: string
  readonly columns: readonly Column[]
  /** How a status is chosen (administrator-tools.md §2). */
  readonly filters: 'tabs' | 'buttons'
  /** Shown in a box above the list; none where empty. */
  readonly instructions: readonly string[]
  readonly loadFailed: { readonly title: string; readonly text: string }
  readonly approveRoute: typeof approveSubmission
  /** What is said when a decision fails (administrator-tools.md §8). */
  readonly approveFailed: (error: unknown) => string
  readonly rejectFailed: (error: unknown) => string
}

const TARGET: Column = { key: 'target', title: 'Target Date', sort: 'target' }
const SUBMITTED: Column = { key: 'submitted', title: 'Submitted', sort: 'submitted' }
const STATUS: Column = { key: 'status', title: 'Status' }
const PAID: Column = { key: 'paid', title: 'Paid', sort: 'paid' }

export const DASHBOARDS: Readonly<Record<AssetKey, Dashboard>> = {
  btc: {
    name: ASSETS.btc.name,
    columns: [
      { key: 'expert', title: 'Expert', sort: 'expert' },
      { key: 'handle', title: 'Twitter' },
      { key: 'prediction', title: 'Prediction' },
      { key: 'type', title: 'Type' },
      TARGET,
      SUBMITTED,
      STATUS,
      { key: 'source', title: 'Source' },
      PAID,
    ],
    filters: 'tabs',
    instructions: [],
    loadFailed: {
      title: 'Failed to load submissions. Please make sure the backend server is running.',
      text: '',
    },
    approveRoute: approveSubmission,
    approveFailed: (error) => `Error approving submission: ${messageOf(error)}`,
    rejectFailed: (error) => `Error rejecting submission: ${messageOf(error)}`,
  },
  mstr: {
    ...columnsOfSymbol('MSTR'),
    instructions: [
      'View shows what approving would publish: the price it is compared with, and the outcome it would have now.',
      'Only regular sessions in New York count. A level said before the split of 08/08/2024 is compared at a tenth.',
      'Approve publishes it as a prediction. Reject asks for a reason, which the submitter sees. Both can be undone for 10 seconds.',
    ],
    approveRoute: approveMstr,
  },
  naka: {
    ...columnsOfSymbol('NAKA'),
    instructions: [
      'View shows what approving would publish: the price it is compared with, and the outcome it would have now.',
      'This is the token of Nakamoto Games, quoted in dollars around the clock: most levels are cents.',
      'Approve publishes it as a prediction. Reject asks for a reason, which the submitter sees. Both can be undone for 10 seconds.',
    ],
    approveRoute: approveNaka,
  },
}

/** The dashboard of an asset that is named by its symbol throughout. */
function columnsOfSymbol(symbol: string): Omit<Dashboard, 'instructions' | 'approveRoute'> {
  return {
    name: symbol,
    columns: [
      { key: 'expert', title: 'Expert Name', sort: 'expert' },
      { key: 'prediction', title: `${symbol} Price Prediction` },
      TARGET,
      STATUS,
      SUBMITTED,
      PAID,
    ],
    filters: 'buttons',
    loadFailed: {
      title: `Failed to fetch ${symbol} submissions`,
      text: 'Please make sure the backend server is running.',
    },
    approveFailed: (error) =>
      hasAnswer(error)
        ? `Failed to approve ${symbol} submission: ${messageOf(error)}`
        : `Error approving ${symbol} submission: ${messageOf(error)}`,
    rejectFailed: (error) =>
      hasAnswer(error)
        ? `Failed to reject ${symbol} submission: ${messageOf(error)}`
        : `Error rejecting ${symbol} submission: ${messageOf(error)}`,
  }
}

function hasAnswer(error: unknown): boolean {
  return error instanceof CallError && error.status > 0
}

/** The sentence of the server, else the status of its answer. */
function messageOf(error: unknown): string {
  if (!(error instanceof CallError)) return 'something went wrong. Please try again.'
  return error.code === null && error.status > 0 ? `HTTP ${String(error.status)}` : error.message
}
