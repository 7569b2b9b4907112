import { verdictOfRow, verdictRow } from '#contracts/prediction-wire.ts'
import { type VerdictRow } from '#contracts/predictions.ts'
import { type SnapshotRowOf } from '#contracts/snapshots.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import { isFault, readClaim } from '#domain/claim/fields.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { addDays, isoDay, readDay, type Day } from '#domain/day.ts'
import { isCloseOnly } from '#domain/judging/bar.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { judge } from '#domain/judging/judge.ts'
import { type Series } from '#domain/judging/series.ts'
import {
  decidesAtEnd,
  JUDGE_MODES,
  RULE_VERSION,
  type JudgeMode,
  type Verdict,
} from '#domain/judging/verdict.ts'
import { checkEvidence } from './check-evidence.ts'
import { differingFields, type Difference, type Found } from './difference.ts'
import { type ReadTables } from './read-tables.ts'

/** The given prices of an asset, up to the last complete day that the site knew. */
type GivenPrices = { readonly series: Series; readonly through: Day }
export type AllGiven = Readonly<Partial<Record<AssetKey, GivenPrices>>>

type Said = SnapshotRowOf<'predictions'>
/** What decides; all else is evidence. */
const DECISION = new Set([
  'outcome',
  'reason',
  'date',
  'level_min',
  'level_max',
  'window_from',
  'window_to',
  'direction',
])

/** What a prediction of a snapshot is judged by; null where it cannot be read. */
export function statementOfRow(row: Said): Statement | null {
  const said = readClaim(row)
  const [made, by] = [readDay(row.prediction_made), readDay(row.target_time)]
  if (isFault(said) || made === null || by === null) return null
  return {
    asset: row.asset_type,
    claim: scaleClaim(said, 1 / row.split_factor),
    made,
    madePrecision: row.made_precision,
    from: row.start_date === null ? null : readDay(row.start_date),
    by,
  }
}

/** Judges every prediction of a snapshot by the given prices, and compares. */
export function checkVerdicts({ about, tables }: ReadTables, given: AllGiven): Found {
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
        found.differences.push(
          difference(row.id, mode, { field, snapshot: '–', ours: 'is needed' }, 'verdict'),
        )
        continue
      }
      checkOne({ row, statement, mode, verdict, today }, given[row.asset_type] ?? null, found)
    }
  }
  for (const { prediction_id: id, mode } of byKey.values()) {
    found.differences.push(
      difference(
        id,
        mode,
        { field: 'verdict', snapshot: 'of no prediction', ours: '–' },
        'verdict',
      ),
    )
  }
  return found
}

type Case = {
  readonly row: Said
  readonly statement: Statement
  readonly mode: JudgeMode
  readonly verdict: SnapshotRowOf<'verdicts'>
  readonly today: Day
}

function checkOne(one: Case, given: GivenPrices | null, { differences, unchecked }: Found): void {
  const { row, statement, mode, verdict: wire, today } = one
  const leave = (why: string): void => void unchecked.push({ id: row.id, mode, why })
  if (wire.rule !== RULE_VERSION) return leave(`it was judged by rule set ${String(wire.rule)}`)
  if (row.withdrawn) return leave('it is withdrawn, and keeps its verdicts')
  if (row.frozen) return leave('it is frozen, and keeps its verdicts')
  if (wire.reason === 'overridden')
    return leave('an administrator set its verdict; see corrections')
  const theirs = verdictOfRow(wire)
  const faults = checkEvidence(statement, theirs)
  if (faults.length > 0) {
    differences.push(...faults.map((fault) => difference(row.id, mode, fault, 'verdict')))
    return
  }
  if (!given) return leave(`no prices of ${row.asset_type} were given`)
  const ours = judge(given.series, statement, mode, today)
  const fields = differingFields(comparable(wire), comparable(verdictRow(ours)))
  if (fields.length === 0) return
  const why = whyNotComparable(statement, theirs, given)
  if (why !== null) return leave(why)
  const isOther = fields.some(({ field }) => DECISION.has(field))
  for (const field of fields) {
    differences.push(difference(row.id, mode, field, isOther ? 'verdict' : 'evidence'))
  }
}

/** What does not depend on how a source is called, nor on prices of single venues, which a file of one source has not. */
function comparable(row: VerdictRow & { prediction_id?: string }): unknown {
  const { prediction_id: _, unconfirmed: __, bar, ...rest } = row
  return { ...rest, bar: bar && { ...bar, source: null } }
}

/** Why a verdict may differ from ours without being wrong; null where it may not. */
function whyNotComparable(
  statement: Statement,
  theirs: Verdict,
  { series, through }: GivenPrices,
): string | null {
  const { bar, nearest, reference } = theirs
  if (bar?.moving || nearest?.moving || reference?.moving) {
    return 'its evidence is of a day that was not over when the snapshot was made'
  }
  const { calendar } = ASSETS[statement.asset]
  const known = new Map(series.bars.map((one) => [one.day, one]))
  // What came after the snapshot decided nothing in it.
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

function difference(
  id: string,
  mode: JudgeMode,
  field: Pick<Difference, 'field' | 'snapshot' | 'ours'>,
  kind: Difference['kind'],
): Difference {
  return { kind, table: 'verdicts', id, mode, ...field }
}
