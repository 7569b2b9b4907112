import * as contract from '#contracts/board.ts'
import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { partsOf } from '#domain/day.ts'
import { byName } from '#domain/people/name.ts'
import { findingSentence, totalsSentence } from '#domain/scoring/score-text.ts'
import { narrow } from '#domain/scoring/scores.ts'
import { bestAndWorst, recordByYear } from '#domain/scoring/year-card.ts'
import { type Db } from '#server/kit/db.ts'
import {
  boardCall,
  callOfRow,
  figuresOf,
  stripOf,
  totalsRow,
  type BoardStrip,
} from './scores-wire.ts'
import {
  countRanked,
  everybody,
  figuresOfPeople,
  type PersonFigures,
  type StoredScores,
  personOf,
  stripsOf,
} from './scores.rows.ts'
import { type NewestOf } from './scores.service.ts'

const AT_THE_TOP = 5
const NO_CALLS: BoardStrip = { call_count: 0, calls: [] }

/** @param most limit of ranked people, and of the others @returns null while scores are computed for the first time */
export function pageBoard(scores: NewestOf, view: contract.BoardView, most = contract.BOARD_ROWS) {
  return scores.waitAndRead(view.mode, async (tx, found) => {
    const { as_of, notes, has_recorded_before, selection } = found.about
    const { people: all, days } = await scores.everyone(tx, found)
    const compared = contract.isNarrowed(view)
      ? await narrowed(tx, found, view)
      : whole(tx, found, all)
    const { people, strips: read, ...rest } = compared
    const { ranked, others, counts } = firstOf(people, view, most)
    const strips = await read([...ranked, ...others].map(({ slug }) => slug))
    const rowOf = (figures: PersonFigures): contract.BoardRow => ({
      ...figures,
      ...(strips.get(figures.slug) ?? NO_CALLS),
    })
    return {
      as_of,
      notes,
      has_recorded_before,
      selection,
      years: days && { first: partsOf(days.first).year, last: partsOf(days.last).year },
      ...rest,
      ranked: ranked.map(rowOf),
      others: others.map(rowOf),
      counts,
    }
  })
}

/** The top of the ranking; null without decided calls, or while scores are computed for the first time. */
export function pageBoardTop(scores: NewestOf): Promise<contract.BoardTop | null> {
  return scores.read('touch', async (tx, found) => {
    const { as_of, finding, notes, has_recorded_before, selection } = found.about
    const [totals] = found.about.totals
    if (!totals || totals.calls === 0) return null
    const first = await figuresOfPeople(tx, found, { most: AT_THE_TOP })
    const strips = await stripsOf(
      tx,
      found,
      first.map(({ slug }) => slug),
    )
    return {
      as_of,
      finding,
      notes,
      has_recorded_before,
      selection,
      totals,
      people: await countRanked(tx, found),
      ranked: first.map(({ slug, name, band, decided }) => ({
        slug,
        name,
        band,
        decided,
        ...(strips.get(slug) ?? NO_CALLS),
      })),
    }
  })
}

type Compared = Pick<contract.Board, 'totals' | 'finding' | 'yardsticks'> & {
  readonly people: readonly PersonFigures[]
  /** Compared calls of the people shown. */
  readonly strips: (slugs: readonly string[]) => Promise<ReadonlyMap<string, BoardStrip>>
}

function whole(tx: Db, found: StoredScores, people: readonly PersonFigures[]): Compared {
  const { finding, yardsticks, totals } = found.about
  const [all] = totals
  if (!all) throw new Error('scores without totals')
  return {
    finding,
    yardsticks,
    totals: all,
    people,
    strips: (slugs) => stripsOf(tx, found, slugs),
  }
}

async function narrowed(tx: Db, found: StoredScores, view: contract.BoardView): Promise<Compared> {
  const callers = []
  for await (const { slug, name, calls } of everybody(tx, found)) {
    callers.push({
      slug,
      name,
      calls: calls.map((row) => ({ ...callOfRow(row), stripCall: boardCall(row) })),
    })
  }
  const { people, totals } = narrow(callers, view)
  return {
    people: people.map(figuresOf),
    strips: (slugs) => {
      const selected = people.filter(({ slug }) => slugs.includes(slug))
      return Promise.resolve(
        new Map(
          selected.map(({ slug, calls }) => [
            slug,
            stripOf(calls.flatMap((call) => (call.repeats === null ? call.stripCall : []))),
          ]),
        ),
      )
    },
    totals: totalsRow(totals),
    finding: people.length === 0 ? totalsSentence(totals) : findingSentence(people),
    // Yardsticks exist only for all calls together.
    yardsticks: [],
  }
}

/** The first people of a long board, with the total. */
export function firstOf(
  people: readonly PersonFigures[],
  { sort, find }: Pick<contract.BoardView, 'sort' | 'find'>,
  most: typeof contract.BOARD_ROWS,
) {
  const ranked = people.filter(({ band }) => band !== null)
  const others = people.filter(({ band }) => band === null)
  const search = contract.plainName(find)
  return {
    ranked: contract.sortedBy(ranked, sort).slice(0, most.ranked),
    others: others
      .filter(({ name }) => contract.plainName(name).includes(search))
      .toSorted((a, b) => byName(a.name, b.name))
      .slice(0, most.others),
    counts: { ranked: ranked.length, others: others.length },
  }
}

/** All calls of a person; null before the first scores, and for people whose calls are too new. */
export function personReport(scores: NewestOf, slug: string) {
  return scores.waitAndRead('touch', async (tx, found) => {
    const person = await personOf(tx, found, slug)
    return person && reportOf(found.about, person)
  })
}

function reportOf({ as_of, notes }: ScoresReply, person: PersonScoreRow): contract.PersonReport {
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
