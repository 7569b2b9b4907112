import { type SnapshotRowOf } from '#contracts/open-data.ts'
import { verdictOfRow, verdictRow } from '#contracts/prediction-wire.ts'
import { type VerdictRow } from '#contracts/predictions.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { scaleClaim, levelsOf } from '#domain/claim/claim.ts'
import { isFault, readClaim } from '#domain/claim/fields.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { addDays, isoDay, readDay, type Day } from '#domain/day.ts'
import { isCloseOnly, highOf, lowOf } from '#domain/judging/bar.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { judge, windowOf } from '#domain/judging/judge.ts'
import { type Series } from '#domain/judging/series.ts'
import {
  decidesAtEnd,
  JUDGE_MODES,
  RULE_VERSION,
  type JudgeMode,
  type Verdict,
  goalOf,
  type Outcome,
  type VerdictReason,
} from '#domain/judging/verdict.ts'
import { type Difference, type ReadTables } from './read-snapshot.ts'

/** Given prices of an asset, up to the last complete day known to the site. */
type AssetPrices = { readonly series: Series; readonly through: Day }
export type PricesByAsset = Readonly<Partial<Record<AssetKey, AssetPrices>>>

type PredictionRow = SnapshotRowOf<'predictions'>
/** Deciding fields; all others are evidence. */
const DECISION = new Set(
  'outcome reason date level_min level_max window_from window_to direction'.split(' '),
)

/** The statement of a prediction in a snapshot; null if it cannot be parsed. */
export function statementOfRow(row: PredictionRow): Statement | null {
  const claim = readClaim(row)
  const [made, by] = [readDay(row.prediction_made), readDay(row.target_time)]
  if (isFault(claim) || made === null || by === null) return null
  return {
    asset: row.asset_type,
    claim: scaleClaim(claim, 1 / row.split_factor),
    made,
    madePrecision: row.made_precision,
    from: row.start_date === null ? null : readDay(row.start_date),
    by,
  }
}

/** Judges every prediction of a snapshot by the given prices and compares the verdicts. */
export function checkVerdicts({ about, tables }: ReadTables, prices: PricesByAsset): Found {
  const found: Found = { differences: [], unchecked: [] }
  const byKey = new Map(tables.verdicts.map((row) => [`${row.prediction_id} ${row.mode}`, row]))
  const today = readDay(about.as_of)
  for (const row of tables.predictions) {
    for (const mode of JUDGE_MODES) {
      const verdict = byKey.get(`${row.id} ${mode}`)
      byKey.delete(`${row.id} ${mode}`)
      const statement = statementOfRow(row)
      if (!verdict || !statement || today === null) {
        const field = verdict ? 'prediction' : 'verdict'
        const needed = { field, snapshot: '–', ours: 'is needed' }
        found.differences.push({ ...differs(row.id, mode), ...needed })
        continue
      }
      checkOne({ row, statement, mode, verdict, today }, prices[row.asset_type] ?? null, found)
    }
  }
  for (const { prediction_id: id, mode } of byKey.values()) {
    const fields = { field: 'verdict', snapshot: 'of no prediction', ours: '–' }
    found.differences.push({ ...differs(id, mode), ...fields })
  }
  return found
}

type Case = {
  readonly row: PredictionRow
  readonly statement: Statement
  readonly mode: JudgeMode
  readonly verdict: SnapshotRowOf<'verdicts'>
  readonly today: Day
}

function checkOne(one: Case, prices: AssetPrices | null, { differences, unchecked }: Found): void {
  const { row, statement, mode, verdict: wire, today } = one
  const leave = (why: string): void => void unchecked.push({ id: row.id, mode, why })
  if (wire.rule !== RULE_VERSION) return leave(`it was judged by rule set ${String(wire.rule)}`)
  if (row.withdrawn) return leave('it is withdrawn and keeps its verdicts')
  if (row.frozen) return leave('it is frozen and keeps its verdicts')
  if (wire.reason === 'overridden')
    return leave('an administrator set its verdict; see corrections')
  const theirs = verdictOfRow(wire)
  const differ = (fields: readonly Field[], kind: Difference['kind']): void => {
    differences.push(...fields.map((field) => ({ ...differs(row.id, mode), kind, ...field })))
  }
  const faults = checkEvidence(statement, theirs)
  if (faults.length > 0) return differ(faults, 'verdict')
  if (!prices) return leave(`no prices of ${row.asset_type} were given`)
  const ours = judge(prices.series, statement, mode, today)
  const fields = differingFields(comparable(wire), comparable(verdictRow(ours)))
  if (fields.length === 0) return
  const why = whyNotComparable(statement, theirs, prices)
  if (why !== null) return leave(why)
  differ(fields, fields.some(({ field }) => DECISION.has(field)) ? 'verdict' : 'evidence')
}

/** Omits names of sources and prices of single venues, which a file of one source lacks. */
function comparable(row: VerdictRow & { prediction_id?: string }): unknown {
  const { prediction_id: _, unconfirmed: __, bar, ...rest } = row
  return { ...rest, bar: bar && { ...bar, source: null } }
}

/** Why a verdict may legitimately differ from ours; null if it may not. */
function whyNotComparable(statement: Statement, theirs: Verdict, { series, through }: AssetPrices) {
  const { bar, nearest, reference } = theirs
  if (bar?.moving || nearest?.moving || reference?.moving) {
    return 'its evidence includes a day that was not over when the snapshot was made'
  }
  const { calendar } = ASSETS[statement.asset]
  const known = new Map(series.bars.map((one) => [one.day, one]))
  // Later bars did not affect the snapshot.
  const last = Math.min(lastDayOf(theirs), through)
  const [missing, closes]: [Day[], Day[]] = [[], []]
  for (let at = reference?.day ?? statement.made; at <= last; at = addDays(at, 1)) {
    if (!isTradingDay(calendar, at)) continue
    const found = known.get(at)
    if (!found) missing.push(at)
    else if (isCloseOnly(found)) closes.push(at)
  }
  const [first] = missing
  if (first !== undefined) {
    return `the given prices lack ${String(missing.length)} of the days that count, the first of them ${isoDay(first)}`
  }
  const restsOnRanges = theirs.mode === 'touch' && !theirs.closeOnly && !theirs.someClosesOnly
  if (restsOnRanges && closes.length > 0 && !decidesAtEnd(theirs.direction)) {
    return `the given prices have closes alone on ${String(closes.length)} of the days that count`
  }
  return null
}

function lastDayOf({ outcome, reason, day, window }: Verdict): Day {
  const isEarly = outcome === 'void' || reason === 'reached' || reason === 'broken'
  return isEarly && day !== null ? day : window.to
}

function differs(id: string, mode: JudgeMode) {
  return { kind: 'verdict', table: 'verdicts', id, mode } as const
}

type Field = Pick<Difference, 'field' | 'snapshot' | 'ours'>

export type Unchecked = {
  readonly id: string
  readonly mode: JudgeMode | null
  readonly why: string
}

export type Found = { readonly differences: Difference[]; readonly unchecked: Unchecked[] }

/** Sums in another order differ in their last digits. */
const ROUNDING = 1e-9

export function differencesOf(
  theirs: unknown,
  ours: unknown,
  of: Omit<Difference, keyof Field>,
): Difference[] {
  return differingFields(theirs, ours).map((field) => ({ ...of, ...field }))
}

function differingFields(theirs: unknown, ours: unknown, path = ''): Field[] {
  if (isObject(theirs) && isObject(ours)) {
    const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
    return [...names].flatMap((name) =>
      differingFields(theirs[name], ours[name], path === '' ? name : `${path}.${name}`),
    )
  }
  const isNear =
    typeof theirs === 'number' &&
    typeof ours === 'number' &&
    Math.abs(theirs - ours) <= ROUNDING * Math.max(1, Math.abs(ours))
  if (isNear || (theirs ?? null) === (ours ?? null)) return []
  return [{ field: path, snapshot: valueText(theirs), ours: valueText(ours) }]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const OUTCOMES: Readonly<Record<VerdictReason, Outcome | null>> = {
  reached: 'hit',
  'closed-inside': 'hit',
  held: 'hit',
  'not-reached': 'miss',
  'closed-outside': 'miss',
  broken: 'miss',
  'not-started': 'pending',
  open: 'pending',
  'awaiting-prices': 'pending',
  'needs-range': 'pending',
  'already-true': 'void',
  'already-broken': 'void',
  'depends-on-day': 'void',
  overridden: null,
}

/** Checks a verdict against its statement and its own evidence, without prices. */
function checkEvidence(statement: Statement, verdict: Verdict): Field[] {
  const faults: Field[] = []
  const expect = (field: string, snapshot: unknown, ours: unknown): void => {
    if (snapshot !== ours) faults.push({ field, snapshot: String(snapshot), ours: String(ours) })
  }
  const [window, level] = [windowOf(statement), levelsOf(statement.claim)]
  expect('window_from', isoDay(verdict.window.from), isoDay(window.from))
  expect('window_to', isoDay(verdict.window.to), isoDay(window.to))
  expect('level_min', verdict.level.min, level.min)
  expect('level_max', verdict.level.max, level.max)
  const outcome = OUTCOMES[verdict.reason]
  if (outcome !== null) expect('outcome', verdict.outcome, outcome)
  for (const [field, point] of [
    ['bar.date', verdict.bar],
    ['nearest.date', verdict.nearest],
  ] as const) {
    if (point && (point.day < window.from || point.day > window.to)) {
      expect(field, isoDay(point.day), `a day from ${isoDay(window.from)} to ${isoDay(window.to)}`)
    }
  }
  const { reference } = verdict
  if (reference && reference.day > statement.made) {
    expect('reference.date', isoDay(reference.day), `a day up to ${isoDay(statement.made)}`)
  }
  const wrong = decidesOtherwise(statement, verdict)
  if (wrong !== null) expect('reason', verdict.reason, wrong)
  return faults
}

/** Checks the price of a verdict. @returns what was expected; null if it fits */
function decidesOtherwise({ claim }: Statement, verdict: Verdict): string | null {
  const { reason, bar, day, nearest, reference, mode, direction } = verdict
  const { min, max } = levelsOf(claim)
  const goal = goalOf(direction, { min, max })
  const isBeyond = (low: number, high = low): boolean => high > goal.max || low < goal.min
  switch (reason) {
    case 'reached':
    case 'broken':
    case 'closed-inside':
    case 'closed-outside': {
      if (!bar || day !== bar.day) return 'a day whose prices decided'
      const [high, low] = mode === 'touch' ? [highOf(bar), lowOf(bar)] : [bar.close, bar.close]
      if (reason === 'reached') {
        const [fromBelow, fromAbove] = [high >= min, low <= max]
        const isReached = direction === 'down' ? fromAbove : fromBelow
        return (claim.type === 'range' ? fromBelow && fromAbove : isReached)
          ? null
          : 'a day that reaches the level'
      }
      if (reason === 'broken') {
        return isBeyond(low, high) ? null : 'a day that goes beyond the level'
      }
      return isBeyond(bar.close) === (reason === 'closed-outside')
        ? null
        : 'a close on the other side'
    }
    case 'not-reached':
      // A stock may gap over a whole range without trading in it.
      if (!nearest || claim.type === 'range') return null
      return (direction === 'down' ? nearest.usd <= max : nearest.usd >= min) ? 'reached' : null
    case 'held':
      return nearest && isBeyond(nearest.usd) ? 'broken' : null
    case 'already-true':
      return reference && !isBeyond(reference.usd) ? null : 'a price at the level when it was made'
    case 'already-broken':
      return reference && isBeyond(reference.usd)
        ? null
        : 'a price beyond the level when it was made'
    case 'not-started':
    case 'open':
    case 'awaiting-prices':
    case 'overridden':
    case 'needs-range':
    case 'depends-on-day':
      return null
  }
}
