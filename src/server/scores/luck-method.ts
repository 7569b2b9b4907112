import type * as contract from '#contracts/page.ts'
import { type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { addDays, isoDay } from '#domain/day.ts'
import { tradingDaysBetween } from '#domain/judging/calendar.ts'
import { together, workedLuck } from '#domain/scoring/luck.ts'
import { DAYS_A_YEAR } from '#domain/scoring/price-history.ts'
import { dayOfRow } from './scores-wire.ts'

/** Limit per reason, to keep the page of a large record short. */
const MOST_NAMED = 50

const REASONS: readonly contract.LeftOutReason[] = [
  'void',
  'no-reference',
  'little-history',
  'no-day',
  'too-long',
  'no-prices',
]

type Call = { readonly name: string; readonly row: ScoredCallRow }

export function luckMethodOf(scores: ScoresReply): contract.LuckMethod {
  const calls = scores.people.flatMap(({ name, calls: own }) =>
    own.map((row): Call => ({ name, row })),
  )
  return {
    as_of: scores.as_of,
    histories: scores.inputs.histories,
    example: exampleOf(calls),
    test: { calls: scores.luck_test.calls, rows: testRows(scores.luck_test) },
    left_out: leftOut(calls, scores.prices_through),
  }
}

/** The latest expired target, for Bitcoin or else the next asset that has one. */
function exampleOf(calls: readonly Call[]): contract.LuckExample | null {
  for (const asset of ASSET_KEYS) {
    const targets = calls.filter(
      ({ row }) => row.asset_type === asset && row.label === 'Target' && row.time_is_up,
    )
    for (const call of latestFirst(targets, ({ deadline }) => deadline)) {
      const example = worked(call)
      if (example) return example
    }
  }
  return null
}

/** Null unless a single formula gives its luck. */
function worked(call: Call): contract.LuckExample | null {
  const { row } = call
  const { outcome, reference, sigma, drift, luck, made, deadline, seen_once, level_min } = row
  const [from, by] = [dayOfRow(made), dayOfRow(deadline)]
  const isPlain =
    row.window_from === isoDay(addDays(from, 1)) && /^(?:up|down)$/.test(row.direction)
  if (!isPlain || !luck) return null
  if (reference === null || sigma === null || drift === null) return null
  if (outcome !== 'hit' && outcome !== 'miss') return null
  const { calendar } = ASSETS[row.asset_type]
  const [days, daysAYear] = [tradingDaysBetween(calendar, from, by), DAYS_A_YEAR[calendar]]
  const steps = workedLuck({
    from: reference,
    to: level_min,
    motion: { sigma, drift },
    days,
    daysAYear,
    seenOnce: seen_once,
  })
  return {
    ...namedOf(call),
    label: row.label,
    level_min,
    deadline,
    direction: row.direction,
    decided: row.decided,
    seen_once,
    outcome,
    reference,
    sigma,
    drift,
    days,
    steps,
  }
}

function testRows({ rows, horizons }: ScoresReply['luck_test']): contract.LuckTestRow[] {
  return horizons.flatMap(({ horizon, calls, expected, happened, holds }) => [
    ...([null, 'btc'] as const).flatMap((asset_type) =>
      (['up', 'down'] as const).map((direction) => {
        const these = rows.filter(
          (row) =>
            row.horizon === horizon &&
            row.direction === direction &&
            (asset_type === null || row.asset_type === asset_type),
        )
        return { asset_type, horizon, direction, ...together(these), holds: null }
      }),
    ),
    { asset_type: null, horizon, direction: null, calls, expected, happened, holds },
  ])
}

function leftOut(calls: readonly Call[], through: ScoresReply['prices_through']) {
  const byReason = Map.groupBy(calls, ({ row }) => reasonOf(row, through[row.asset_type] ?? ''))
  return REASONS.flatMap((reason) => {
    const these = byReason.get(reason) ?? []
    if (these.length === 0) return []
    const latest = latestFirst(these, ({ made }) => made)
    return [{ reason, count: these.length, calls: latest.slice(0, MOST_NAMED).map(namedOf) }]
  })
}

/** Null for a call that is compared, or will be at its deadline. */
function reasonOf(call: ScoredCallRow, through: string): contract.LeftOutReason | null {
  if (call.no_luck) return call.no_luck
  return call.observed === null && call.deadline <= through ? 'no-prices' : null
}

/** Sorted by the day that `dayOf` reads, then by id. */
function latestFirst(calls: readonly Call[], dayOf: (row: ScoredCallRow) => string): Call[] {
  return calls.toSorted(({ row: a }, { row: b }) => {
    const [first, second] = [dayOf(b), dayOf(a)]
    if (first === second) return a.id < b.id ? -1 : 1
    return first < second ? -1 : 1
  })
}

function namedOf({ name, row: { id, text, asset_type, made } }: Call) {
  return { id, text, asset_type, made, name }
}
