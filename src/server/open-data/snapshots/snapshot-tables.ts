import { verdictRow, sourceRow } from '#contracts/prediction-wire.ts'
import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { type SnapshotRowOf } from '#contracts/snapshots.ts'
import { SNAPSHOT_COLUMNS } from '#contracts/snapshot-columns.ts'
import { type SnapshotTable } from '#contracts/snapshots.paths.ts'
import { type DataCell } from '#contracts/data-columns.ts'
import { isoDay } from '#domain/day.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { type Shown, type ShownAsset } from '#server/judging/shown.service.ts'
import { predictionRow } from '#server/predictions/wire.ts'
import { iso } from '#server/kit/iso.ts'
import { csvLine } from '#server/open-data/data-file.ts'
import { setImmediate as breathe } from 'node:timers/promises'
import { type Pieces } from './packed-file.ts'

/** The whole record, read at one moment. */
export type WholeRecord = {
  readonly judged: readonly ShownAsset[]
  readonly corrections: readonly SnapshotRowOf<'corrections'>[]
  readonly scores: Readonly<Record<JudgeMode, ScoresReply>>
}

type Row = Readonly<Record<string, unknown>>

/** The rows of a year, made as they are written: all of them at once would be most of what memory holds. */
export type Year<One extends Row> = Rows<One> & { readonly count: number }
type Rows<One extends Row = Row> = Iterable<One> | AsyncIterable<One>

/** Rows of a file are written in pieces of so many. */
const BATCH = 200

/**
 * The rows of each table by years, in an order that depends on nothing but what they say: those of predictions by the year of
 * their deadline, those of corrections by the year in which they happened. What belongs to years that are over hardly changes.
 */
export async function snapshotRows({ judged, corrections, scores }: WholeRecord, origin: string) {
  const all = judged
    .flatMap(({ shown }) => [...shown.values()])
    .toSorted((a, b) => a.prediction.by - b.prediction.by || (a.id < b.id ? -1 : 1))
  const years = byYear(all, ({ prediction }) => isoDay(prediction.by))
  const people = JUDGE_MODES.flatMap((mode) =>
    scores[mode].people
      .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
      .map((person) => ({ mode, person })),
  )
  const calls = await callsOf(people)
  const tables: {
    readonly [Table in SnapshotTable]: readonly Year<SnapshotRowOf<Table>>[]
  } = {
    predictions: years.map((year) => yearOf(year, (one) => [saidRow(one, origin)])),
    sources: years.map((year) => yearOf(year, sourceRows)),
    verdicts: years.map((year) => yearOf(year, verdictRows)),
    scores: [
      yearOf(people, ({ mode, person: { calls: _calls, ...figures } }) => [{ mode, ...figures }]),
    ],
    'scored-calls': byYear(calls, ({ deadline }) => deadline).map(callYear),
    corrections: byYear(corrections, ({ at }) => at).map((year) => yearOf(year, asItIs)),
  }
  return tables
}

function asItIs<One>(one: One): readonly One[] {
  return [one]
}

function yearOf<One, Made extends Row>(
  all: readonly One[],
  rowsOf: (one: One) => readonly Made[],
): Year<Made> {
  function* rows(): Generator<Made> {
    for (const one of all) yield* rowsOf(one)
  }
  let count: number | null = null
  return {
    get count() {
      return (count ??= all.reduce((sum, one) => sum + rowsOf(one).length, 0))
    },
    [Symbol.iterator]: rows,
  }
}

/** In the order of the rows; a year is the first four digits of a text. */
function byYear<One>(all: readonly One[], of: (one: One) => string): One[][] {
  return [...Map.groupBy(all, (one) => of(one).slice(0, 4)).values()]
}

type Person = { readonly mode: JudgeMode; readonly person: PersonScoreRow }
/** A call by its place among those of its person, which are read when they are written. */
type CallPlace = Pick<SnapshotRowOf<'scored-calls'>, 'mode' | 'deadline' | 'id'> & {
  readonly of: Person
  readonly place: number
}

/** The calls of so many people are read at a time, and others are answered in between. */
const PEOPLE_AT_ONCE = 50

async function callsOf(people: readonly Person[]): Promise<readonly CallPlace[]> {
  const all: CallPlace[] = []
  for (const [i, of] of people.entries()) {
    if (i % PEOPLE_AT_ONCE === 0) await breathe()
    const { mode, person } = of
    for (const [place, { deadline, id }] of person.calls.entries()) {
      all.push({ mode, deadline, id, of, place })
    }
  }
  return all.sort(byDeadline)
}

/** The rows of a year's calls: each person is read once for all of theirs. */
function callYear(year: readonly CallPlace[]): Year<SnapshotRowOf<'scored-calls'>> {
  async function* rows() {
    const found = new Map<CallPlace, SnapshotRowOf<'scored-calls'>>()
    const people = [...Map.groupBy(year, ({ of }) => of)]
    for (const [i, [{ mode, person }, own]] of people.entries()) {
      if (i % PEOPLE_AT_ONCE === 0) await breathe()
      const { slug, calls } = person
      for (const one of own) {
        const call = calls[one.place]
        if (call) found.set(one, { mode, slug, ...call })
      }
    }
    for (const one of year) {
      const row = found.get(one)
      if (row) yield row
    }
  }
  return { count: year.length, [Symbol.asyncIterator]: rows }
}

function byDeadline(a: CallPlace, b: CallPlace): number {
  if (a.deadline !== b.deadline) return a.deadline < b.deadline ? -1 : 1
  if (a.id !== b.id) return a.id < b.id ? -1 : 1
  return a.mode < b.mode ? -1 : 1
}

function sourceRows({ id, prediction }: Shown): SnapshotRowOf<'sources'>[] {
  return prediction.sources.map((source, i) => ({
    prediction_id: id,
    place: i + 1,
    ...sourceRow(source),
  }))
}

function verdictRows({ id, prediction }: Shown): SnapshotRowOf<'verdicts'>[] {
  const { verdicts } = prediction
  return JUDGE_MODES.map((mode) => ({ prediction_id: id, ...verdictRow(verdicts[mode]) }))
}

function saidRow({ prediction, isFrozen }: Shown, origin: string): SnapshotRowOf<'predictions'> {
  const { withdrawn } = prediction
  const row = predictionRow(prediction)
  const { slug, name, is_firm, x_handle } = row.influencer
  return {
    id: row.id,
    url: `${origin}/predictions/${encodeURIComponent(row.id)}`,
    asset_type: row.asset_type,
    influencer: { slug, name, is_firm, x_handle },
    price_prediction: row.price_prediction,
    prediction_type: row.prediction_type,
    price_target: row.price_target,
    price_min: row.price_min,
    price_max: row.price_max,
    split_factor: row.split_factor,
    prediction_made: row.prediction_made,
    made_precision: row.made_precision,
    start_date: row.start_date,
    target_time: row.target_time,
    target_precision: row.target_precision,
    deadline_assumed: row.deadline_assumed,
    quote: row.quote,
    created_at: row.created_at,
    frozen: isFrozen,
    withdrawn: withdrawn && { at: iso(withdrawn.at), reason: withdrawn.reason },
  }
}

/** Rows as JSON: an array with a row a line; a part for each year, in pieces. */
export function* jsonText(years: readonly Rows[]): Generator<Pieces> {
  yield ['[']
  let before = '\n'
  for (const rows of years) {
    yield pieces(rows, (row) => {
      const line = before + JSON.stringify(row)
      before = ',\n'
      return line
    })
  }
  yield ['\n]\n']
}

/** The same rows as CSV. */
export function* csvText(table: SnapshotTable, years: readonly Rows[]): Generator<Pieces> {
  const columns = SNAPSHOT_COLUMNS[table]
  const paths = columns.map(({ name }) => name.split('.'))
  yield [csvLine(columns.map(({ name }) => name))]
  for (const rows of years) {
    yield pieces(rows, (row) => csvLine(paths.map((path) => cellAt(row, path))))
  }
}

async function* pieces(rows: Rows, textOf: (row: Row) => string): AsyncGenerator<string> {
  let piece: string[] = []
  for await (const row of rows) {
    piece.push(textOf(row))
    if (piece.length < BATCH) continue
    yield piece.join('')
    piece = []
  }
  yield piece.join('')
}

function cellAt(row: Row, path: readonly string[]): DataCell {
  let at: unknown = row
  for (const name of path) at = isObject(at) ? at[name] : null
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? at : null
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}
