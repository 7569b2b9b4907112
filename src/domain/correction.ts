import { claimText, typeLabel } from './claim/text.ts'
import {
  readGivenClaim,
  editedLevels,
  namesLevel,
  type GivenLevel,
  LEVEL_MESSAGES,
  TIMING_NAMES,
  dateFault,
} from './claim/given.ts'
import { type Claim, levelsOf, makeClaim, timingOf } from './claim/claim.ts'
import { readGivenSources, type GivenSources } from './claim/given-sources.ts'
import { sourcesText } from './claim/source.ts'
import { fieldsOfClaim, type PredictionType, type Levels, type TermFields } from './claim/fields.ts'
import { showDay, type DatePrecision, type Day, readGivenDay } from './day.ts'
import { type Recorded } from './claim/prediction.ts'
import { showUsd } from './price-text.ts'
import { cleanText } from './clean-text.ts'
import { MESSAGES } from './submission.ts'

export type Published = Recorded & {
  readonly remarks: string | null
  readonly chartValue: number | null
  readonly excludeFromChart: boolean
}

export type Edit = Partial<Levels<GivenLevel>> &
  TermFields &
  GivenSources & {
    readonly prediction_type?: PredictionType | undefined
    readonly prediction_made?: string | undefined
    readonly made_precision?: DatePrecision | undefined
    readonly start_date?: string | null | undefined
    readonly target_time?: string | undefined
    readonly target_precision?: DatePrecision | undefined
    readonly deadline_assumed?: boolean | undefined
    readonly quote?: string | undefined
    readonly remarks?: string | null | undefined
    readonly chart_value?: GivenLevel
    readonly exclude_from_chart?: boolean | undefined
  }

export type FieldChange = {
  readonly field: string
  readonly label: string
  readonly before: string
  readonly after: string
}

export type ReadEdit =
  | {
      readonly ok: true
      readonly edited: Published
      readonly changes: readonly FieldChange[]
      readonly isStatement: boolean
    }
  | { readonly ok: false; readonly faults: Readonly<Record<string, string>> }

/**
 * Reads an edit and compares it with the published values. Numbers are parsed leniently (decisions.md §4).
 *
 * @param on the day of the edit, and the handle of the predictor
 */
export function readEdit(
  now: Published,
  given: Edit,
  on: { readonly today: Day; readonly handle: string | null },
): ReadEdit {
  const { today } = on
  const faults: Record<string, string> = {}
  const said = saidOf(now, given, faults)
  const made = dateOf(now.made, given.prediction_made, 'prediction_made', faults)
  const by = dateOf(now.by, given.target_time, 'target_time', faults)
  const isOpen = given.start_date === null || given.start_date === ''
  const from = isOpen ? null : dateOf(now.from, given.start_date, 'start_date', faults)
  if (made !== null && made > today) faults['prediction_made'] = MESSAGES.madeLater
  const late = made !== null && by !== null ? dateFault(now.asset, made, from, by) : null
  if (late) faults[late.field] ??= late.message
  const chartValue = chartValueOf(now, given, faults)
  const read = readGivenSources(given, { ...on, stored: now.sources })
  Object.assign(faults, read.faults)
  if (Object.keys(faults).length > 0 || !said || made === null || by === null) {
    return { ok: false, faults }
  }
  const edited: Published = {
    asset: now.asset,
    said,
    made,
    madePrecision: given.made_precision ?? now.madePrecision,
    from,
    by,
    byPrecision: given.target_precision ?? now.byPrecision,
    deadlineAssumed: given.deadline_assumed ?? now.deadlineAssumed,
    summary: given.quote === undefined ? now.summary : cleanText(given.quote),
    sources: read.sources,
    remarks: given.remarks === undefined ? now.remarks : cleanText(given.remarks ?? '') || null,
    chartValue,
    excludeFromChart: given.exclude_from_chart ?? now.excludeFromChart,
  }
  const changes = changesOf(now, edited)
  const isStatement = changes.some(({ field }) => STATEMENT.has(field))
  return { ok: true, edited, changes, isStatement }
}

const STATEMENT: ReadonlySet<string> = new Set([
  'level',
  'timing',
  'direction',
  'prediction_made',
  // On another day of the month or year the outcome may differ.
  'made_precision',
  'start_date',
  'target_time',
])

export const PRIVATE_FIELDS: ReadonlySet<string> = new Set(['remarks'])
/** Long texts: the public history only says that they changed; the page shows them. */
const LONG_FIELDS: ReadonlySet<string> = new Set(['quote', 'sources', 'remarks'])

/** An edit for the history: `Corrected: the target date from 31/12/2024 to 31/12/2025. Reason: …` */
export function editSentence(changes: readonly FieldChange[], reason: string): string {
  const parts = changes
    .filter(({ field }) => !PRIVATE_FIELDS.has(field))
    .map(({ field, label, before, after }) =>
      LONG_FIELDS.has(field) ? label : `${label} from ${before} to ${after}`,
    )
  return `Corrected: ${parts.join('; ')}.${reasonText(reason)}`
}

/** ` Reason: …` with a final full stop; empty without a reason. */
export function reasonText(reason: string): string {
  return reason === '' ? '' : `${REASON}${reason}${/[.!?…]$/.test(reason) ? '' : '.'}`
}

const REASON = ' Reason: '

/** Splits off the reason added by `reasonText`. */
export function readReasoned(text: string): { readonly what: string; readonly why: string | null } {
  const at = text.indexOf(REASON)
  return at < 0
    ? { what: text, why: null }
    : { what: text.slice(0, at), why: text.slice(at + REASON.length) }
}

function saidOf(now: Published, given: Edit, faults: Record<string, string>): Claim | null {
  const isTerms = given.timing !== undefined || given.direction !== undefined
  if (given.prediction_type === undefined && !namesLevel(given) && !isTerms) return now.said
  const { prediction_type: stored, timing, direction, ...levels } = fieldsOfClaim(now.said)
  const type = given.prediction_type ?? stored
  const edited = editedLevels(type, type === stored ? levels : null, given)
  const read = readGivenClaim({
    prediction_type: type,
    ...edited,
    timing: given.timing === undefined && type === stored ? timing : given.timing,
    direction: given.direction === undefined ? direction : given.direction,
  })
  if (read.ok) return read.claim
  Object.assign(faults, read.faults)
  return null
}

function dateOf(
  published: Day | null,
  written: string | null | undefined,
  field: string,
  faults: Record<string, string>,
): Day | null {
  if (written === undefined || written === null) return published
  const day = readGivenDay(written.trim())
  const kept = faults
  if (day === null) kept[field] = MESSAGES.date
  return day
}

function chartValueOf(now: Published, given: Edit, faults: Record<string, string>): number | null {
  if (given.chart_value === undefined) return now.chartValue
  if (given.chart_value === null || given.chart_value === '') return null
  const read = readGivenClaim({ price_target: given.chart_value })
  const kept = faults
  if (!read.ok) kept['chart_value'] = LEVEL_MESSAGES.number
  return read.ok ? levelsOf(read.claim).min : null
}

function changesOf(now: Published, then: Published): FieldChange[] {
  const rows: readonly [field: string, label: string, show: (one: Published) => string][] = [
    ['level', 'the level', (one) => `${typeLabel(one.said.type)} ${claimText(withoutTerms(one))}`],
    ['timing', 'when it must be true', ({ said }) => `“${TIMING_NAMES[timingOf(said)]}”`],
    ['direction', 'the direction said', ({ said }) => said.direction ?? 'none'],
    ['prediction_made', 'the day it was made', (one) => showDay(one.made)],
    ['made_precision', 'how exactly that day is known', (one) => one.madePrecision],
    ['start_date', 'the start date', (one) => (one.from === null ? 'none' : showDay(one.from))],
    ['target_time', 'the target date', (one) => showDay(one.by)],
    ['target_precision', 'how exactly the target date is known', (one) => one.byPrecision],
    ['deadline_assumed', 'a deadline assumed', (one) => (one.deadlineAssumed ? 'yes' : 'no')],
    ['quote', 'the summary', (one) => one.summary || 'none'],
    ['sources', 'the sources', (one) => sourcesText(one.sources) || 'none'],
    ['remarks', 'the private remarks', (one) => one.remarks ?? 'none'],
    [
      'chart_value',
      'the level drawn',
      (one) => (one.chartValue === null ? 'the one said' : showUsd(one.chartValue)),
    ],
    [
      'exclude_from_chart',
      'its place on the chart',
      (one) => (one.excludeFromChart ? 'not drawn' : 'drawn'),
    ],
  ]
  return rows.flatMap(([field, label, show]) => {
    const [before, after] = [show(now), show(then)]
    const isSame = field === 'timing' ? now.said.timing === then.said.timing : before === after
    return isSame && isEqual(field, now, then) ? [] : [{ field, label, before, after }]
  })
}

function withoutTerms({ said }: Published): Claim {
  return makeClaim(said.type, levelsOf(said))
}

function isEqual(field: string, now: Published, then: Published): boolean {
  if (field === 'level') {
    return JSON.stringify(withoutTerms(now)) === JSON.stringify(withoutTerms(then))
  }
  return field !== 'chart_value' || now.chartValue === then.chartValue
}
