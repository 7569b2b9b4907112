import { type DataCell } from '#contracts/data-columns.ts'
import { type SnapshotTable } from '#contracts/data-files.ts'
import { SNAPSHOT_ROWS, type SnapshotRowOf } from '#contracts/open-data.ts'
import { verdictRow, sourceRow } from '#contracts/prediction-wire.ts'
import { type ScoresReply } from '#contracts/scores.ts'
import { SNAPSHOT_COLUMNS } from '#contracts/snapshot-columns.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { predictionPath } from '#domain/site.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { iso } from '#server/kit/time.ts'
import { csvLine } from '#server/open-data/tables.ts'
import { predictionRow } from '#server/predictions/wire.ts'
import { type Prices } from '#server/record/prices.ts'
import { type PersonFigures } from '#server/scores/scores.rows.ts'
import { type Pieces } from './archive.ts'

export type WholeRecord = {
  readonly prices: Prices
  /** By the year of the deadline; includes withdrawn predictions. */
  readonly years: readonly RecordYear[]
  readonly corrections: readonly SnapshotRowOf<'corrections'>[]
  readonly scores: Readonly<Record<JudgeMode, SnapshotScores>>
  readonly calls: readonly Year<SnapshotRowOf<'scored-calls'>>[]
}

/** Predictions ordered by deadline and id, and the number of their rows and sources. */
export type RecordYear = AsyncIterable<SnapshotPrediction> & {
  readonly predictions: number
  readonly sources: number
}

export type SnapshotPrediction = {
  readonly prediction: JudgedPrediction
  /** Its verdicts no longer follow prices. */
  readonly isFrozen: boolean
}

type SnapshotScores = Pick<ScoresReply, 'rule' | 'inputs'> & {
  readonly people: readonly PersonFigures[]
}

type Row = Readonly<Record<string, unknown>>

/** Rows are created while they are written, as all of them together would take most of the memory. */
export type Year<One extends Row> = Rows<One> & { readonly count: number }
type Rows<One extends Row = Row> = Iterable<One> | AsyncIterable<One>

const BATCH = 200

/** Rows by year, in an order that depends on their content only, so that past years rarely change. */
export function snapshotRows({ years, corrections, scores, calls }: WholeRecord, origin: string) {
  const people = JUDGE_MODES.flatMap((mode) =>
    scores[mode].people
      .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
      .map((figures) => ({ mode, ...figures })),
  )
  const tables: {
    readonly [Table in SnapshotTable]: readonly Year<SnapshotRowOf<Table>>[]
  } = {
    predictions: years.map((year) =>
      yearOf(year, year.predictions, (one) => [statementRow(one, origin)]),
    ),
    sources: years.map((year) => yearOf(year, year.sources, sourceRows)),
    verdicts: years.map((year) => yearOf(year, JUDGE_MODES.length * year.predictions, verdictRows)),
    scores: [Object.assign(people, { count: people.length })],
    'scored-calls': calls,
    corrections: [...Map.groupBy(corrections, ({ at }) => at.slice(0, 4)).values()].map((year) =>
      Object.assign(year, { count: year.length }),
    ),
  }
  return tables
}

function yearOf<Made extends Row>(
  year: RecordYear,
  count: number,
  rowsOf: (one: SnapshotPrediction) => readonly Made[],
): Year<Made> {
  return {
    count,
    async *[Symbol.asyncIterator]() {
      for await (const one of year) yield* rowsOf(one)
    },
  }
}

function sourceRows({ prediction }: SnapshotPrediction): SnapshotRowOf<'sources'>[] {
  return prediction.sources.map((source, i) => ({
    prediction_id: prediction.id,
    place: i + 1,
    ...sourceRow(source),
  }))
}

function verdictRows({ prediction: { id, verdicts } }: SnapshotPrediction) {
  return JUDGE_MODES.map((mode) => ({ prediction_id: id, ...verdictRow(verdicts[mode]) }))
}

function statementRow({ prediction, isFrozen }: SnapshotPrediction, origin: string) {
  const { id, withdrawn } = prediction
  return SNAPSHOT_ROWS.predictions.parse({
    ...predictionRow(prediction),
    url: origin + predictionPath(id),
    frozen: isFrozen,
    withdrawn: withdrawn && { at: iso(withdrawn.at), reason: withdrawn.reason },
  })
}

/** A JSON array with a row per line, in pieces; one part per year. */
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

/** The rows as CSV. */
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
