import { type SubmissionRow } from '#contracts/review.ts'
import { type ClaimFields } from '#domain/claim/fields.ts'
import { fieldsText } from '#domain/claim/text.ts'
import { readDay, showDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { type OutcomeNote, type SubmissionStatus } from '#domain/submission.ts'

/** A date of a submission as dd/MM/yyyy; `N/A` where there is none, `Invalid Date` where it is not a date. */
export function dateText(date: string | null): string {
  if (date === null || date === '') return 'N/A'
  const day = readDay(date)
  return day === null ? 'Invalid Date' : showDay(day)
}

/** A web address that can be followed; null for anything else, such as `javascript:`. */
export function safeLink(text: string | null): { href: string; host: string } | null {
  if (text === null || !URL.canParse(text)) return null
  const { protocol, hostname, href } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  return { href, host: hostname.replace(/^www\./, '') }
}

/** The page of a person on X; null where the handle cannot be one. */
export function handleLink(handle: string): string | null {
  const name = handle.replace(/^@/, '')
  return /^\w{1,20}$/.test(name) ? `https://x.com/${name}` : null
}

export const STATUS_NAMES: Readonly<Record<SubmissionStatus, string>> = {
  unpaid: 'Unpaid',
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
}

/** The wordings of the status dropdown (administrator-tools.md §4). */
export const STATUS_OPTIONS = [
  ['pending', 'Pending - Awaiting Admin Review'],
  ['approved', 'Approved - Ready for Publication'],
  ['rejected', 'Rejected - Not Suitable'],
] as const

/** Administrator-tools.md §4, "Prediction outcome options". */
export const OUTCOME_OPTIONS: readonly (readonly [OutcomeNote, string])[] = [
  ['pending', 'Pending - Awaiting target date'],
  ['success', 'Success - Hit target'],
  ['miss', 'Miss - Failed'],
  ['partial', 'Partial - Close but not exact'],
  ['ongoing', 'Ongoing - Still in progress'],
]

const PAYMENT_WORDS: Readonly<Record<SubmissionRow['payment_state'], string>> = {
  none: 'not paid for',
  unpaid: 'unpaid',
  paid: '',
  paid_late: 'late',
  overpaid: 'overpaid',
}

/** `2,100 sats`, with what is unusual about the payment. */
export function paidText(row: Pick<SubmissionRow, 'paid_sats' | 'payment_state'>): string {
  if (row.payment_state === 'none') return '–'
  const word = PAYMENT_WORDS[row.payment_state]
  const sats = `${showCount(row.paid_sats)} sats`
  if (row.payment_state === 'unpaid') return word
  return word === '' ? sats : `${sats}, ${word}`
}

/** `Jane Doe: $150,000 by 31/12/2027` */
export function titleOf(
  row: Pick<SubmissionRow, 'expert_name' | 'target_time'> & ClaimFields,
): string {
  return `${row.expert_name}: ${fieldsText(row, dateText(row.target_time))}`
}
