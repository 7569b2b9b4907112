import { type YearCallRow, type YearCardReply, type YearsReply } from '#contracts/year.ts'

/** Two calls of 2025, one of which came true, and two that are open. */
const TALLY = { year: 2025, due: 4, n: 2, hits: 1, expected: 0.6, open: 2 }

const AHEAD = { year: 2030, due: 1, n: 0, hits: 0, expected: 0, open: 1, replayed: null }

export const YEARS: YearsReply = {
  as_of: '2025-11-20',
  assets: [
    {
      asset: 'btc',
      years: [AHEAD, { ...TALLY, replayed: 0.34 }],
    },
    { asset: 'mstr', years: [AHEAD] },
  ],
}

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
