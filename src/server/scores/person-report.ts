import { type PersonReport } from '#contracts/person.ts'
import { type PersonScoreRow, type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { movedDeadlines } from '#domain/scoring/moved-deadlines.ts'
import { bestAndWorst, recordByYear } from '#domain/scoring/record-by-year.ts'
import { callOfRow } from './board.ts'
import { newestScores } from './newest-scores.ts'
import { dayOfRow } from './scores-wire.ts'
import { type ScoresService } from './scores.service.ts'

/**
 * What a person's page says of all their calls together.
 *
 * @returns null while scores are computed for the first time, and for people whose calls are too new to be in them
 */
export async function personReport(
  scores: ScoresService,
  slug: string,
): Promise<PersonReport | null> {
  const reply = await newestScores(scores, 'touch')
  const person = reply?.people.find((one) => one.slug === slug)
  return reply && person ? reportOf(reply, person) : null
}

function reportOf({ as_of, notes }: ScoresReply, person: PersonScoreRow): PersonReport {
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
    moved: movedDeadlines(rows.map(statedCall)).map(({ calls: said, days }) => ({
      text: said[0].row.text,
      calls: said.map(({ row: { id, deadline } }) => ({ id, deadline })),
      days,
    })),
  }
}

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
