import {
  isNarrowed,
  type Board,
  type BoardCall,
  type BoardRow,
  type BoardTop,
  type BoardView,
} from '#contracts/board.ts'
import { type PersonScoreRow, type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { narrow, type FilteredCall } from '#domain/scoring/narrow.ts'
import { findingSentence, totalsSentence } from '#domain/scoring/score-text.ts'
import { newestScores, readyScores } from './newest-scores.ts'
import { type ScoresService } from './scores.service.ts'
import { dayOfRow, figuresOf, totalsRow } from './scores-wire.ts'

/** People shown of the board at a glance. */
const AT_THE_TOP = 5

/**
 * The board of people for a page.
 *
 * @returns null while scores are computed for the first time, or cannot be now
 */
export async function pageBoard(scores: ScoresService, view: BoardView): Promise<Board | null> {
  const found = await newestScores(scores, view.mode)
  return found && boardOf(found, view)
}

/** The board at a glance; null while no call is decided, or scores are computed for the first time. */
export function pageBoardTop(scores: ScoresService): BoardTop | null {
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
function boardOf(scores: ScoresReply, view: BoardView): Board {
  const { as_of, notes, can_rank_recorded_before } = scores
  const common = { as_of, notes, can_rank_recorded_before, years: yearsOf(scores) }
  if (!isNarrowed(view)) {
    const rows = scores.people.map((person) => rowOf(person, person.calls))
    const [totals] = scores.totals
    if (!totals) throw new Error('scores without totals')
    return {
      ...common,
      ...split(rows),
      totals,
      finding: scores.finding,
      yardsticks: scores.yardsticks,
      luckiest: scores.luckiest,
      beyond_doubt: scores.beyond_doubt,
    }
  }
  const { people, totals } = narrow(scores.people.map(callerOfRow), view)
  return {
    ...common,
    ...split(
      people.map((person) =>
        rowOf(
          figuresOf(person),
          person.calls.map(({ row }) => row),
        ),
      ),
    ),
    totals: totalsRow(totals),
    finding:
      people.length === 0 ? totalsSentence(totals) : findingSentence({ people, beyondDoubt: null }),
    // Histories are replayed, and those who know nothing are made, for all calls together only.
    yardsticks: [],
    luckiest: null,
    beyond_doubt: null,
  }
}

function split(rows: readonly BoardRow[]): Pick<Board, 'ranked' | 'others'> {
  return {
    ranked: rows.filter(({ ranked }) => ranked),
    others: rows
      .filter(({ ranked }) => !ranked)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
  }
}

function rowOf(figures: Omit<BoardRow, 'calls'>, calls: readonly ScoredCallRow[]): BoardRow {
  return { ...figures, calls: calls.map(boardCall) }
}

function boardCall({ id, asset_type, text, deadline, outcome, luck }: ScoredCallRow): BoardCall {
  return { id, asset: asset_type, text, deadline, outcome, luck: luck?.market ?? null }
}

function yearsOf({ people }: ScoresReply): Board['years'] {
  const made = people.flatMap(({ calls }) => calls.map((call) => Number(call.made.slice(0, 4))))
  return made.length === 0 ? null : { first: Math.min(...made), last: Math.max(...made) }
}

type RowCall = FilteredCall & { readonly row: ScoredCallRow }

function callerOfRow({ slug, name, calls }: PersonScoreRow) {
  return { slug, name, calls: calls.map(callOfRow) }
}

export function callOfRow(row: ScoredCallRow): RowCall {
  return {
    row,
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
