import { sortedBy } from '#contracts/board-sort.ts'
import {
  isNarrowed,
  MOST_SHOWN,
  plainName,
  type Board,
  type BoardCall,
  type BoardRow,
  type BoardTop,
  type BoardView,
} from '#contracts/board.ts'
import { type PersonScoreRow, type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { narrow, type FilteredCall } from '#domain/scoring/narrow.ts'
import { findingSentence, totalsSentence } from '#domain/scoring/score-text.ts'
import { newestScores, readyScores, type NewestOf } from './newest-scores.ts'
import { dayOfRow, figuresOf, totalsRow } from './scores-wire.ts'

/** People shown of the board at a glance. */
const AT_THE_TOP = 5

/**
 * The board of people for a page.
 *
 * @param most of those with a place, and of the others, so many at the most
 * @returns null while scores are computed for the first time, or cannot be now
 */
export async function pageBoard(
  scores: NewestOf,
  view: BoardView,
  most = MOST_SHOWN,
): Promise<Board | null> {
  const found = await newestScores(scores, view.mode)
  return found && boardOf(found, view, most)
}

/** The board at a glance; null while no call is decided, or scores are computed for the first time. */
export function pageBoardTop(scores: NewestOf): BoardTop | null {
  const found = readyScores(scores, 'touch')
  const totals = found?.totals[0]
  if (!found || !totals || totals.calls === 0) return null
  const ranked = found.people.filter((person) => person.ranked)
  const { as_of, finding, notes, can_rank_recorded_before } = found
  return {
    as_of,
    finding,
    notes,
    can_rank_recorded_before,
    totals,
    people: ranked.length,
    ranked: ranked.slice(0, AT_THE_TOP).map(({ slug, name, against_luck, calls }) => ({
      slug,
      name,
      against_luck,
      calls: calls.map(boardCall),
    })),
  }
}

/** The board of people for what a visitor wants to compare. */
function boardOf(scores: ScoresReply, view: BoardView, most: number): Board {
  const { as_of, notes, can_rank_recorded_before } = scores
  const { people, ...compared } = isNarrowed(view) ? narrowed(scores, view) : whole(scores)
  const common = { as_of, notes, can_rank_recorded_before, years: yearsOf(scores) }
  return { ...common, ...compared, ...shown(people, view, most) }
}

type Compared = Pick<Board, 'totals' | 'finding' | 'yardsticks' | 'luckiest' | 'beyond_doubt'> & {
  /** Their calls are read when they are shown. */
  readonly people: readonly PersonScoreRow[]
}

function whole(scores: ScoresReply): Compared {
  const { people, finding, yardsticks, luckiest, beyond_doubt, totals } = scores
  const [all] = totals
  if (!all) throw new Error('scores without totals')
  return { people, finding, yardsticks, luckiest, beyond_doubt, totals: all }
}

/** The last kinds of calls that were asked for: each is compared once, however it is sorted. */
const kept = new WeakMap<ScoresReply, Map<string, Compared>>()
const MOST_KEPT = 20

function narrowed(scores: ScoresReply, view: BoardView): Compared {
  const key = JSON.stringify({ ...view, sort: null, find: null })
  const of = kept.get(scores) ?? new Map<string, Compared>()
  kept.set(scores, of)
  const had = of.get(key)
  if (had) return had
  if (of.size >= MOST_KEPT) of.clear()
  const { people, totals } = narrow(scores.people.map(callerOfRow), view)
  const bySlug = new Map(scores.people.map((person) => [person.slug, person]))
  const compared: Compared = {
    people: people.map((person) => {
      const places = person.calls.map(({ place }) => place)
      return {
        ...figuresOf(person),
        get calls() {
          const all = bySlug.get(person.slug)?.calls ?? []
          return places.flatMap((place) => all[place] ?? [])
        },
      }
    }),
    totals: totalsRow(totals),
    finding:
      people.length === 0 ? totalsSentence(totals) : findingSentence({ people, beyondDoubt: null }),
    // Histories are replayed, and those who know nothing are made, for all calls together only.
    yardsticks: [],
    luckiest: null,
    beyond_doubt: null,
  }
  of.set(key, compared)
  return compared
}

function shown(
  people: readonly PersonScoreRow[],
  { sort, find }: BoardView,
  most: number,
): Pick<Board, 'ranked' | 'others' | 'counts'> {
  const ranked = people.filter((person) => person.ranked)
  const others = people.filter((person) => !person.ranked)
  const wanted = plainName(find)
  return {
    ranked: sortedBy(ranked, sort).slice(0, most).map(rowOf),
    others: others
      .filter(({ name }) => plainName(name).includes(wanted))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      .slice(0, most)
      .map(rowOf),
    counts: { ranked: ranked.length, others: others.length },
  }
}

function rowOf({ calls, ...figures }: PersonScoreRow): BoardRow {
  return { ...figures, calls: calls.map(boardCall) }
}

export function boardCall({
  id,
  asset_type,
  text,
  deadline,
  outcome,
  luck,
}: ScoredCallRow): BoardCall {
  return { id, asset: asset_type, text, deadline, outcome, luck: luck?.market ?? null }
}

const keptYears = new WeakMap<ScoresReply, Board['years']>()

function yearsOf(scores: ScoresReply): Board['years'] {
  const had = keptYears.get(scores)
  if (had !== undefined) return had
  const found = yearsAmong(scores)
  keptYears.set(scores, found)
  return found
}

function yearsAmong({ people }: ScoresReply): Board['years'] {
  let [first, last] = [Infinity, -Infinity]
  for (const { calls } of people) {
    for (const { made } of calls) {
      const year = Number(made.slice(0, 4))
      first = Math.min(first, year)
      last = Math.max(last, year)
    }
  }
  return first > last ? null : { first, last }
}

function callerOfRow({ slug, name, calls }: PersonScoreRow) {
  return { slug, name, calls: calls.map((row, place) => ({ ...callOfRow(row), place })) }
}

export function callOfRow(row: ScoredCallRow): FilteredCall {
  return {
    isMinimum: row.label === 'Price by',
    asset: row.asset_type,
    direction: row.direction,
    made: dayOfRow(row.made),
    outcome: row.outcome,
    decided: row.decided === null ? null : dayOfRow(row.decided),
    votes: row.votes,
    group: row.group,
    luck: row.luck,
    noLuck: row.no_luck,
    observed: row.observed,
    expected: row.expected,
    timeIsUp: row.time_is_up,
    recorded: row.recorded,
  }
}
