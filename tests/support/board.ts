import {
  type PersonReport,
  type Board,
  type BoardRow,
  type StripCall,
  type BoardTop,
} from '#contracts/board.ts'
import { type YearCallRow, type YearCardReply } from '#contracts/year.ts'

/** A call of Expert A that came true, though luck said 12%. */
function boardCall(overrides: Partial<StripCall> = {}): StripCall {
  return {
    id: 'a',
    text: '$150,000',
    deadline: '2024-12-31',
    outcome: 'hit',
    luck: 0.12,
    ...overrides,
  }
}

/** Expert A with five decided calls, of which two came true. */
export function boardRow(overrides: Partial<BoardRow> = {}): BoardRow {
  const tally = {
    time_is_up: { hits: 0, n: 0, low: null, high: null },
    calls: 0,
    observed: 0,
    expected: 0,
  }
  return {
    slug: 'expert-a',
    name: 'Expert A',
    band: 'unclear',
    time_is_up: { hits: 2, n: 5, low: 0.12, high: 0.77 },
    undated: { calls: 0, low: 0, high: 0 },
    decided: { calls: 5, hits: 2, expected: 1.3 },
    against_luck: {
      calls: 5,
      observed: 2,
      expected: 1.3,
      variance: 0.9,
      excess: 0.7,
      z: 0.74,
    },
    skill: { mean: 0.1, low: -0.4, high: 0.6, odds: 1.1, positive: 0.62 },
    shrunk: { mean: 0.36, low: 0.2, high: 0.5 },
    open: { calls: 0, hits: 0, expected: 0 },
    boldness: 0.7,
    median_days_to_hit: 90,
    sats: 110,
    replayed: 0.2,
    recorded: { before: tally, after: tally },
    last_call: '2024-06-01',
    call_count: 2,
    calls: [boardCall(), boardCall({ id: 'b', outcome: 'miss', luck: 0.13 })],
    ...overrides,
  }
}

/** A board of people with five decided calls, and of others. */
export function board(ranked: readonly BoardRow[], others: readonly BoardRow[] = []): Board {
  return {
    as_of: '2026-11-20',
    finding: 'None of 1 person with five or more comparable calls can be told from luck.',
    notes: [],
    has_recorded_before: false,
    selection: 'All calls before 20/11/2026 were collected afterwards.',
    totals: {
      asset_type: null,
      time_is_up: 5,
      calls: 5,
      hits: 2,
      expected: 1.3,
      margin: null,
      bins: [{ from: 0.1, calls: 5, hits: 2, expected: 1.3 }],
      sentence: '5 calls are decided. 2 came true. Luck expects 1.',
    },
    ranked,
    others,
    counts: { ranked: ranked.length, others: others.length },
    yardsticks: [],
    years: { first: 2014, last: 2026 },
  }
}

/** The head of such a board, with everybody listed. */
export function boardTop(ranked: readonly BoardRow[]): BoardTop {
  const { as_of, finding, notes, totals, has_recorded_before, selection } = board(ranked)
  const people = ranked.length
  return { as_of, finding, notes, totals, has_recorded_before, selection, ranked, people }
}

/** The report on Expert A's page, without a best call. */
export function personReport(overrides: Partial<PersonReport> = {}): PersonReport {
  const { calls: _calls, call_count: _count, ...figures } = boardRow()
  return {
    as_of: '2026-11-20',
    notes: [],
    figures,
    years: [{ year: 2023, calls: 2, decided: { calls: 2, hits: 1, expected: 0.25 } }],
    repeats: {},
    best: null,
    worst: null,
    ...overrides,
  }
}

/** Two calls of 2025, one of which came true, and two that are open. */
const TALLY = { year: 2025, due: 4, n: 2, hits: 1, expected: 0.6, open: 2 }

function call(name: string, overrides: Partial<YearCallRow> = {}): YearCallRow {
  return {
    id: 'a',
    asset: 'btc',
    text: '$150,000',
    made: '2024-01-31',
    deadline: '2025-06-30',
    outcome: 'hit',
    luck: 0.12,
    error: 0,
    slug: 'expert-a',
    name,
    ...overrides,
  }
}

/** A card of a current year, with a hit, a miss of 100%, a consensus and two open calls. */
export function yearCard(name = 'Expert A'): YearCardReply {
  const hit = call(name)
  const miss = { ...call(name, { id: 'b', outcome: 'miss', luck: 0.48 }), error: 1 }
  return {
    as_of: '2025-11-20',
    tally: TALLY,
    so_far: true,
    finding: '1 of 2 Bitcoin calls due so far in 2025 came true. Luck expects 0.6.',
    replayed: 0.34,
    price: { first: 94_420, last: 84_853, low: 76_272, high: 124_753, day: '2025-11-19' },
    levels: { median: 145_000, low: 140_000, high: 150_000 },
    boldest: hit,
    widest: { ...miss, close: 75_000 },
    consensus: {
      direction: 'up',
      low: 140_000,
      high: 150_000,
      people: 3,
      calls: 4,
      hits: 0,
      by: [{ slug: 'expert-a', name }],
    },
    calls: [hit, miss],
    open: openCalls(name),
  }
}

/** A card of a year without a decided call. */
export function openYear(name = 'Expert A'): YearCardReply {
  return {
    ...yearCard(name),
    tally: { ...TALLY, due: 2, n: 0, hits: 0, expected: 0 },
    finding: '2 Bitcoin calls are due in 2025. Their time is not up yet.',
    replayed: null,
    price: null,
    boldest: null,
    widest: null,
    consensus: null,
    calls: [],
  }
}

function openCalls(name: string): YearCallRow[] {
  const open = { deadline: '2025-12-31', error: null }
  return [call(name, { ...open, id: 'c' }), call(name, { ...open, id: 'd', outcome: 'pending' })]
}
