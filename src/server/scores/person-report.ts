import { type PersonReport } from '#contracts/person.ts'
import { type PersonScoreRow, type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { highOf, lowOf } from '#domain/judging/bar.ts'
import { type Series } from '#domain/judging/series.ts'
import { movedDeadlines } from '#domain/scoring/moved-deadlines.ts'
import { bestAndWorst, recordByYear } from '#domain/scoring/record-by-year.ts'
import { callOfRow } from './board.ts'
import { newestScores, type NewestOf } from './newest-scores.ts'
import { dayOfRow } from './scores-wire.ts'

/** The bars of an asset; null while none are known. */
type SeriesOf = (asset: AssetKey) => Series | null

/**
 * What a person's page says of all their calls together.
 *
 * @returns null while scores are computed for the first time, and for people whose calls are too new to be in them
 */
export async function personReport(
  scores: NewestOf,
  slug: string,
  seriesOf: SeriesOf,
): Promise<PersonReport | null> {
  const reply = await newestScores(scores, 'touch')
  const person = reply?.people.find((one) => one.slug === slug)
  return reply && person ? reportOf(reply, person, seriesOf) : null
}

function reportOf(
  { as_of, notes }: ScoresReply,
  person: PersonScoreRow,
  seriesOf: SeriesOf,
): PersonReport {
  const { calls: rows, ...figures } = person
  const calls = rows.map(callOfRow)
  const { best, worst } = bestAndWorst(calls)
  return {
    as_of,
    notes,
    figures,
    years: recordByYear(calls),
    best: best?.row.id ?? null,
    worst: worst?.row.id ?? null,
    moved: movedDeadlines(rows.map(statedCall), (call, through) =>
      wasReached(seriesOf(call.asset), call, through),
    ).map(({ calls: said, days }) => ({
      text: said[0].row.text,
      calls: said.map(({ row: { id, deadline } }) => ({ id, deadline })),
      days,
    })),
  }
}

/** Whether the price was at the level of a call after its deadline, up to and with a day. */
function wasReached(series: Series | null, call: StatedCall, through: Day): boolean {
  const first = series?.atOrAfter((call.deadline + 1) as Day) ?? 0
  const last = series?.atOrAfter((through + 1) as Day) ?? 0
  const bars = series?.bars.slice(first, last) ?? []
  return bars.some((bar) =>
    call.direction === 'up' ? highOf(bar) >= call.level.min : lowOf(bar) <= call.level.max,
  )
}

type StatedCall = ReturnType<typeof statedCall>

function statedCall(row: ScoredCallRow) {
  return {
    row,
    asset: row.asset_type,
    direction: row.direction,
    level: { min: row.level_min, max: row.level_max },
    made: dayOfRow(row.made),
    deadline: dayOfRow(row.deadline),
    outcome: row.outcome,
    decided: row.decided === null ? null : dayOfRow(row.decided),
  }
}
