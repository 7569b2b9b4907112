import {
  type LeftOutReason,
  type LuckExample,
  type LuckMethod,
  type LuckTestRow,
} from '#contracts/luck-method.ts'
import { type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { addDays, isoDay } from '#domain/day.ts'
import { tradingDaysBetween } from '#domain/judging/calendar.ts'
import { together } from '#domain/scoring/luck-test.ts'
import { DAYS_A_YEAR } from '#domain/scoring/price-history.ts'
import { workedLuck } from '#domain/scoring/worked-luck.ts'
import { readyScores } from './newest-scores.ts'
import { type ScoresService } from './scores.service.ts'
import { dayOfRow } from './scores-wire.ts'

/** Calls named for one reason; more would make a page of a large record too long. */
const MOST_NAMED = 50

const REASONS: readonly LeftOutReason[] = [
  'void',
  'no-reference',
  'little-history',
  'no-day',
  'no-prices',
]

/** A call with the name of its person. */
type Call = ScoredCallRow & { readonly name: string }

/** What the methodology page shows of the newest scores; null while they are computed for the first time. */
export function pageLuckMethod(scores: ScoresService): LuckMethod | null {
  const found = readyScores(scores, 'touch')
  return found && luckMethodOf(found)
}

export function luckMethodOf(scores: ScoresReply): LuckMethod {
  const calls = scores.people.flatMap(({ name, calls: own }) =>
    own.map((call): Call => ({ ...call, name })),
  )
  return {
    as_of: scores.as_of,
    luckiest: scores.luckiest,
    histories: scores.inputs.histories,
    example: exampleOf(calls),
    test: { calls: scores.luck_test.calls, rows: testRows(scores.luck_test) },
    left_out: leftOut(calls, scores.prices_through),
  }
}

/** The latest target whose time is up: of Bitcoin, or else of the next asset that has one. */
function exampleOf(calls: readonly Call[]): LuckExample | null {
  for (const asset of ASSET_KEYS) {
    const [latest] = calls
      .filter(({ asset_type: key, label }) => key === asset && label === 'Target')
      .flatMap((call) => worked(call) ?? [])
      .toSorted((a, b) => b.deadline.localeCompare(a.deadline) || a.id.localeCompare(b.id))
    if (latest) return latest
  }
  return null
}

/** null unless it is one whose luck takes no more than one formula. */
function worked(call: Call): LuckExample | null {
  const { outcome, reference, sigma, drift, luck, made, deadline, seen_once, level_min } = call
  const [from, by] = [dayOfRow(made), dayOfRow(deadline)]
  const isPlain =
    call.window_from === isoDay(addDays(from, 1)) && /^(?:up|down)$/.test(call.direction)
  if (!call.time_is_up || !isPlain || !luck) return null
  if (reference === null || sigma === null || drift === null) return null
  if (outcome !== 'hit' && outcome !== 'miss') return null
  const { calendar } = ASSETS[call.asset_type]
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
    label: call.label,
    level_min,
    deadline,
    direction: call.direction,
    decided: call.decided,
    seen_once,
    outcome,
    reference,
    sigma,
    drift,
    days,
    steps,
  }
}

function testRows({ rows, horizons }: ScoresReply['luck_test']): LuckTestRow[] {
  return horizons.flatMap(({ horizon, calls, expected, happened, holds }) => [
    ...(['up', 'down'] as const).map((direction) => {
      const these = rows.filter((row) => row.horizon === horizon && row.direction === direction)
      return { horizon, direction, ...together(these), holds: null }
    }),
    { horizon, direction: null, calls, expected, happened, holds },
  ])
}

function leftOut(
  calls: readonly Call[],
  through: ScoresReply['prices_through'],
): LuckMethod['left_out'] {
  const byReason = Map.groupBy(calls, (call) => reasonOf(call, through[call.asset_type] ?? ''))
  return REASONS.flatMap((reason) => {
    const these = byReason.get(reason) ?? []
    if (these.length === 0) return []
    const latest = these.toSorted(
      (a, b) => b.made.localeCompare(a.made) || a.id.localeCompare(b.id),
    )
    return [{ reason, count: these.length, calls: latest.slice(0, MOST_NAMED).map(namedOf) }]
  })
}

/** null for a call that is compared, or will be at its deadline. */
function reasonOf(call: ScoredCallRow, through: string): LeftOutReason | null {
  if (call.no_luck) return call.no_luck
  return call.observed === null && call.deadline <= through ? 'no-prices' : null
}

function namedOf({ id, text, asset_type, made, name }: Call) {
  return { id, text, asset_type, made, name }
}
