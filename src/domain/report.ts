import { addressKey } from './claim/source-input.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import { holdsSecretKey } from './publishing/nostr.ts'
import { readSourceAddress } from './web-address.ts'

export const REPORT_KINDS = ['words', 'date', 'person', 'price', 'rule', 'double', 'other'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

export const REPORT_KIND_NAMES: Readonly<Record<ReportKind, string>> = {
  words: 'Wrong words',
  date: 'Wrong date',
  person: 'Wrong person',
  price: 'Wrong price',
  rule: 'Wrong rule',
  double: 'On record twice',
  other: 'Something else',
}

export const REPORT_STATES = ['open', 'accepted', 'declined'] as const
export type ReportState = (typeof REPORT_STATES)[number]

export const REPORT_STATE_NAMES: Readonly<Record<ReportState, string>> = {
  open: 'Open',
  accepted: 'Accepted',
  declined: 'Declined',
}

export const DECLINE_REASONS = [
  'The record is right',
  'The source does not show it',
  'It cannot be checked',
  'Already corrected',
  'Not about this entry',
  'Spam or abuse',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

export const LONGEST_REPORT = {
  explanation: 2_000,
  source: 2_000,
  answer: 500,
} as const

const REPORT_MESSAGES = {
  explanation: 'Please say what is wrong, and what would be right.',
  long: `Please use at most ${String(LONGEST_REPORT.explanation)} characters.`,
  source: 'Please enter the address of a public page that shows it, starting with https://.',
  other: 'Please enter the address of the other prediction on this site.',
  secretKey:
    'This is a secret key (nsec). Never share it: anyone who has it can post as you. It was not stored.',
  same: 'This is the prediction itself. Please enter the address of the other one.',
} as const

export type ReportInput = {
  readonly prediction: string
  readonly kind: ReportKind
  readonly explanation: string
  readonly source?: string | null | undefined
  /** For a duplicate, the address or id of the other prediction. */
  readonly other?: string | null | undefined
}

export type Report = {
  readonly prediction: string
  readonly kind: ReportKind
  readonly explanation: string
  readonly source: string | null
  readonly other: string | null
}

export type ReportField = 'explanation' | 'source' | 'other'

export function readReport(
  input: ReportInput,
):
  | { readonly ok: true; readonly report: Report }
  | { readonly ok: false; readonly faults: Readonly<Partial<Record<ReportField, string>>> } {
  const faults: Partial<Record<ReportField, string>> = {}
  const { prediction, kind } = input
  const explanation = cleanText(input.explanation)
  // Invisible characters explain nothing.
  if (!/[\p{L}\p{N}]/u.test(explanation)) faults.explanation = REPORT_MESSAGES.explanation
  if (explanation.length > LONGEST_REPORT.explanation) faults.explanation = REPORT_MESSAGES.long
  if (holdsSecretKey(explanation)) faults.explanation = REPORT_MESSAGES.secretKey
  const source = cleanLine(input.source)
  const isTwice = kind === 'double'
  if (source !== '' || !isTwice) {
    if (!isPublicPage(source)) faults.source = REPORT_MESSAGES.source
    else if (holdsSecretKey(source)) faults.source = REPORT_MESSAGES.secretKey
  }
  const other = isTwice ? predictionNamed(cleanLine(input.other)) : null
  if (isTwice && other === null) faults.other = REPORT_MESSAGES.other
  if (other === prediction) faults.other = REPORT_MESSAGES.same
  if (Object.keys(faults).length > 0) return { ok: false, faults }
  return { ok: true, report: { prediction, kind, explanation, source: source || null, other } }
}

function isPublicPage(address: string): boolean {
  return (
    /^https:\/\//i.test(address) &&
    address.length <= LONGEST_REPORT.source &&
    readSourceAddress(address) !== null
  )
}

/** `https://this.site/predictions/a?x#y`, `/predictions/a` and `a` all name the same prediction. */
function predictionNamed(text: string): string | null {
  const [, coded] = /\/predictions\/([^/?#]+)/.exec(text) ?? []
  if (coded === undefined) return /^[^\s/?#]{1,200}$/.test(text) ? text : null
  try {
    return decodeURIComponent(coded)
  } catch {
    return null
  }
}

type ReportKey = Omit<Report, 'explanation'>

export function isSameReport(a: ReportKey, b: ReportKey): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'double') return pairOf(a) === pairOf(b)
  return a.prediction === b.prediction && pageOf(a) === pageOf(b)
}

function pairOf({ prediction, other }: ReportKey): string {
  return JSON.stringify([prediction, other ?? ''].toSorted())
}

function pageOf({ source }: ReportKey): string | null {
  return source && addressKey(source)
}
