import { verdictOfRow } from '#contracts/prediction-wire.ts'
import { byAsset } from '#domain/asset.ts'
import { readDay } from '#domain/day.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { callerOf } from '#domain/scoring/person-score.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { computeReply } from '#server/scores/compute-scores.ts'
import { requestOf, type ScoreInputs } from '#server/scores/score-request.ts'
import { callOfRow } from '#server/scores/scores-wire.ts'
import { statementOfRow, type PricesByAsset, differencesOf, type Found } from './check-verdicts.ts'
import { type ReadTables } from './read-snapshot.ts'

const SCORES = { kind: 'scores', table: 'scores' } as const

/** Adds up each person's calls; recomputes all figures if the given prices are exactly those of the site. */
export async function checkScores(read: ReadTables, prices: PricesByAsset): Promise<Found> {
  const found: Found = { differences: [], unchecked: [] }
  for (const mode of JUDGE_MODES) {
    addUp(read, mode, found)
    await computeAgain(read, prices, mode, found)
  }
  return found
}

/** Hits, calls and their Wilson interval, which follow from the calls alone. */
function addUp({ tables }: ReadTables, mode: JudgeMode, { differences }: Found): void {
  const calls = Map.groupBy(
    // In the site's order.
    tables['scored-calls']
      .filter((row) => row.mode === mode)
      .toSorted((a, b) => (`${a.made} ${a.id}` < `${b.made} ${b.id}` ? -1 : 1)),
    ({ slug }) => slug,
  )
  for (const { slug, name, time_is_up: theirs } of tables.scores.filter(
    (row) => row.mode === mode,
  )) {
    const { timeIsUp } = callerOf({ slug, name }, (calls.get(slug) ?? []).map(callOfRow))
    calls.delete(slug)
    const of = { ...SCORES, id: slug, mode }
    differences.push(...differencesOf({ time_is_up: theirs }, { time_is_up: timeIsUp }, of))
  }
  for (const slug of calls.keys()) {
    const extra = { field: 'person', snapshot: '–', ours: 'has calls' }
    differences.push({ ...SCORES, id: slug, mode, ...extra })
  }
}

async function computeAgain(
  read: ReadTables,
  prices: PricesByAsset,
  mode: JudgeMode,
  { differences, unchecked }: Found,
): Promise<void> {
  const asOf = readDay(read.about.as_of)
  if (asOf === null) return
  const request = await requestOf(inputsOf(read, prices), { asOf, mode }, asOf)
  if (request.digest !== read.about.scores[mode].digest) {
    const why =
      'comparing with luck needs exactly the prices and statements of the site, and the given ones differ'
    unchecked.push({ id: 'scores', mode, why })
    return
  }
  const { people } = computeReply(request)
  const ours = new Map(people.map((person) => [person.slug, person]))
  const calls = new Map(people.flatMap((one) => one.calls.map((call) => [call.id, call])))
  for (const { mode: of, ...theirs } of read.tables.scores) {
    if (of !== mode) continue
    const { calls: _, ...figures } = ours.get(theirs.slug) ?? { calls: [] }
    differences.push(...differencesOf(theirs, figures, { ...SCORES, id: theirs.slug, mode }))
  }
  for (const { mode: of, slug: _, ...theirs } of read.tables['scored-calls']) {
    if (of !== mode) continue
    const about = { ...SCORES, table: 'scored-calls', id: theirs.id, mode } as const
    differences.push(...differencesOf(theirs, calls.get(theirs.id) ?? {}, about))
  }
}

function inputsOf({ tables }: ReadTables, prices: PricesByAsset): ScoreInputs {
  const verdicts = Map.groupBy(tables.verdicts, (row) => row.prediction_id)
  const scored = tables.predictions.flatMap((row): ScoredPrediction[] => {
    const statement = statementOfRow(row)
    const own = verdicts.get(row.id)?.map(verdictOfRow) ?? []
    const [touch, close] = JUDGE_MODES.map((mode) => own.find((one) => one.mode === mode))
    if (!statement || row.withdrawn || !touch || !close) return []
    const { slug, name } = row.influencer
    const { id, created_at: createdAt } = row
    return [{ id, ...statement, expert: { slug, name }, createdAt, verdicts: { touch, close } }]
  })
  return {
    predictions: [scored.toSorted((a, b) => (a.id < b.id ? -1 : 1))],
    bars: byAsset((key) => prices[key]?.series.bars ?? []),
  }
}
