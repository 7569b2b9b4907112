import {
  readClaimInput,
  editedLevels,
  namesLevel,
  type LevelInput,
  LEVEL_MESSAGES,
  TIMING_NAMES,
  dateFault,
} from './claim/claim-input.ts'
import { type Claim, levelsOf, makeClaim, timingOf } from './claim/claim.ts'
import { fieldsOfClaim, type PredictionType, type Levels, type TermFields } from './claim/fields.ts'
import { type Recorded } from './claim/prediction.ts'
import { readSources, type SourcesInput } from './claim/source-input.ts'
import { sourcesText } from './claim/source.ts'
import { claimText, typeLabel } from './claim/text.ts'
import { cleanText } from './clean-text.ts'
import { showDay, type DatePrecision, type Day, readDayInput } from './day.ts'
import { showUsd } from './price-text.ts'
import { MESSAGES } from './submission.ts'

export type Published = Recorded & {
  readonly remarks: string | null
  readonly chartValue: number | null
  readonly excludeFromChart: boolean
}

export type Edit = Partial<Levels<LevelInput>> &
  TermFields &
  SourcesInput & {
    readonly prediction_type?: PredictionType | undefined
    readonly prediction_made?: string | undefined
    readonly made_precision?: DatePrecision | undefined
    readonly start_date?: string | null | undefined
    readonly target_time?: string | undefined
    readonly target_precision?: DatePrecision | undefined
    readonly deadline_assumed?: boolean | undefined
    readonly quote?: string | undefined
    readonly remarks?: string | null | undefined
    readonly chart_value?: LevelInput
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
  edit: Edit,
  on: { readonly today: Day; readonly handle: string | null },
): ReadEdit {
  const { today } = on
  const faults: Record<string, string> = {}
  const dateOf = (
    published: Day | null,
    field: 'prediction_made' | 'start_date' | 'target_time',
  ) => {
    const written = edit[field]
    if (written === undefined || written === null) return published
    const day = readDayInput(written.trim())
    if (day === null) faults[field] = MESSAGES.date
    return day
  }
  const claim = statedClaimOf(now, edit)
  if (!claim.ok) Object.assign(faults, claim.faults)
  const made = dateOf(now.made, 'prediction_made')
  const by = dateOf(now.by, 'target_time')
  const isOpen = edit.start_date === null || edit.start_date === ''
  const from = isOpen ? null : dateOf(now.from, 'start_date')
  if (made !== null && made > today) faults['prediction_made'] = MESSAGES.madeLater
  const late = made !== null && by !== null ? dateFault(now.asset, made, from, by) : null
  if (late) faults[late.field] ??= late.message
  const chartValue = chartValueOf(now, edit)
  if (chartValue === undefined) faults['chart_value'] = LEVEL_MESSAGES.number
  const read = readSources(edit, { ...on, stored: now.sources })
  Object.assign(faults, read.faults)
  const isFaulty = Object.keys(faults).length > 0
  if (isFaulty || !claim.ok || made === null || by === null || chartValue === undefined) {
    return { ok: false, faults }
  }
  const edited: Published = {
    asset: now.asset,
    statedClaim: claim.claim,
    made,
    madePrecision: edit.made_precision ?? now.madePrecision,
    from,
    by,
    byPrecision: edit.target_precision ?? now.byPrecision,
    deadlineAssumed: edit.deadline_assumed ?? now.deadlineAssumed,
    summary: edit.quote === undefined ? now.summary : cleanText(edit.quote),
    sources: read.sources,
    remarks: edit.remarks === undefined ? now.remarks : cleanText(edit.remarks ?? '') || null,
    chartValue,
    excludeFromChart: edit.exclude_from_chart ?? now.excludeFromChart,
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

function statedClaimOf(now: Published, edit: Edit): ReturnType<typeof readClaimInput> {
  const isTerms = edit.timing !== undefined || edit.direction !== undefined
  if (edit.prediction_type === undefined && !namesLevel(edit) && !isTerms) {
    return { ok: true, claim: now.statedClaim }
  }
  const { prediction_type: stored, timing, direction, ...levels } = fieldsOfClaim(now.statedClaim)
  const type = edit.prediction_type ?? stored
  const edited = editedLevels(type, type === stored ? levels : null, edit)
  return readClaimInput({
    prediction_type: type,
    ...edited,
    timing: edit.timing === undefined && type === stored ? timing : edit.timing,
    direction: edit.direction === undefined ? direction : edit.direction,
  })
}

/** @returns undefined if it is not a price */
function chartValueOf(now: Published, edit: Edit): number | null | undefined {
  if (edit.chart_value === undefined) return now.chartValue
  if (edit.chart_value === null || edit.chart_value === '') return null
  const read = readClaimInput({ price_target: edit.chart_value })
  return read.ok ? levelsOf(read.claim).min : undefined
}

type FieldRow = readonly [
  field: string,
  label: string,
  show: (one: Published) => string,
  /** Compared instead of the text. */
  valueOf?: (one: Published) => unknown,
]

function changesOf(now: Published, then: Published): FieldChange[] {
  const rows: readonly FieldRow[] = [
    [
      'level',
      'the level',
      (one) => `${typeLabel(one.statedClaim.type)} ${claimText(withoutTerms(one))}`,
      withoutTerms,
    ],
    [
      'timing',
      'when it must be true',
      ({ statedClaim }) => `“${TIMING_NAMES[timingOf(statedClaim)]}”`,
      ({ statedClaim }) => statedClaim.timing,
    ],
    ['direction', 'the direction said', ({ statedClaim }) => statedClaim.direction ?? 'none'],
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
      ({ chartValue }) => chartValue,
    ],
    [
      'exclude_from_chart',
      'its place on the chart',
      (one) => (one.excludeFromChart ? 'not drawn' : 'drawn'),
    ],
  ]
  return rows.flatMap(([field, label, show, valueOf = show]) => {
    const isSame = JSON.stringify(valueOf(now)) === JSON.stringify(valueOf(then))
    return isSame ? [] : [{ field, label, before: show(now), after: show(then) }]
  })
}

function withoutTerms({ statedClaim }: Published): Claim {
  return makeClaim(statedClaim.type, levelsOf(statedClaim))
}
