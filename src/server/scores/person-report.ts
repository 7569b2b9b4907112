import { type PersonReport } from '#contracts/person.ts'
import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { bestAndWorst, recordByYear } from '#domain/scoring/record-by-year.ts'
import { callOfRow } from './scores-wire.ts'
import { type NewestOf } from './scores.service.ts'
import { personOf } from './scores.rows.ts'

/**
 * What a person's page says of all their calls together.
 *
 * @returns null while scores are computed for the first time, and for people whose calls are too new to be in them
 */
export function personReport(scores: NewestOf, slug: string): Promise<PersonReport | null> {
  return scores.waitAndRead('touch', async (tx, found) => {
    const person = await personOf(tx, found, slug)
    return person && reportOf(found.about, person)
  })
}

function reportOf({ as_of, notes }: ScoresReply, person: PersonScoreRow): PersonReport {
  const { calls: rows, ...figures } = person
  const calls = rows.map((row) => ({ ...callOfRow(row), id: row.id }))
  const { best, worst } = bestAndWorst(calls)
  return {
    as_of,
    notes,
    figures,
    years: recordByYear(calls),
    repeats: Object.fromEntries(
      calls.flatMap(({ id, repeats }) => (repeats === null ? [] : [[id, repeats]])),
    ),
    best: best?.id ?? null,
    worst: worst?.id ?? null,
  }
}
