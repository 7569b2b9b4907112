import { setTimeout as pause } from 'node:timers/promises'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { addDays, dayFromNumber, dayOfTime, showDay, type Day } from '#domain/day.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { lastEndedDay } from '#domain/judging/series.ts'
import { nextRefresh } from '#domain/judging/tick.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Log } from '#server/kit/log.ts'
import { daysOf, lastDayOfOthers } from './bars.rows.ts'
import { type DailyAnswer, type DailyAsk, type DailySource } from './ports.ts'
import { recordAnswer, settleBars, type BarsKit } from './price-bars.service.ts'
import { loadActions, loadSources, saveSource, type SourceState } from './price-sources.rows.ts'

/** Days fetched again each time, for late corrections. */
const OVERLAP_DAYS = 3
/** Gaps within this many days are fetched again at the start and at the end of each day. */
const HOLE_DAYS = 30
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 15 * 60_000
/** Long, as a refusal rarely passes soon. */
const REFUSED_PAUSE_MS = 3_600_000
/** A page with a gap is fetched again in this many parts. */
const SMALLER = 4
/** Longer requested pauses are shortened to this. */
const LONGEST_WAIT_MS = 24 * 3_600_000
/** Repeated reconnections repair the day once. */
const REPAIR_EVERY_MS = 60_000

/**
 * Fetches daily bars, and holds this process's fetch state. Starts after the last imported bar, continues where
 * it stopped, and respects the limits of each source.
 */
export type PriceHistory = ReturnType<typeof priceHistory>

export function priceHistory(kit: BarsKit & { readonly health: SourceHealth }) {
  return {
    ...kit,
    /** By source: the last ended day when gaps were last checked. */
    thoroughOn: new Map<string, Day>(),
    /** By source: concurrent runs are shared. */
    running: new Map<string, Promise<number>>(),
    /** When the current day was or will be repaired, by `performance.now()`. */
    repairAt: new Map<AssetKey, number>(),
    /** Gaps that were fetched twice, by source and first day. */
    fetchedTwice: new Set<string>(),
  }
}

/** Brings one source up to date. @returns when to run again, Unix time in ms; null when there is no such source */
export async function bringUpToDate(
  history: PriceHistory,
  asset: AssetKey,
  name: string,
  signal: AbortSignal,
): Promise<number | null> {
  const source = history.sources.find((one) => one.asset === asset && one.name === name)
  return source ? runOnce(history, source, signal) : null
}

/** Fetches the current day again from every source, as after missed ticks; at most once a minute. */
export async function repairToday(history: PriceHistory, asset: AssetKey, signal: AbortSignal) {
  const { sources, repairAt } = history
  const now = performance.now()
  const last = repairAt.get(asset) ?? -Infinity
  if (last > now) return
  const at = Math.max(now, last + REPAIR_EVERY_MS)
  repairAt.set(asset, at)
  if (at > now) await pause(at - now, undefined, { signal, ref: false })
  const own = sources.filter((one) => one.asset === asset && one.refreshMs !== null)
  await Promise.all(own.map((source) => runOnce(history, source, signal)))
}

function runOnce(history: PriceHistory, source: DailySource, signal: AbortSignal): Promise<number> {
  const key = keyOf(source)
  const found = history.running.get(key)
  if (found) return found
  const started = run(history, source, signal).finally(() => history.running.delete(key))
  history.running.set(key, started)
  return started
}

async function run(history: PriceHistory, source: DailySource, signal: AbortSignal) {
  const { db, clock, health } = history
  const { asset, name } = source
  const state = (await loadSources(db, asset)).find((one) => one.source === name) ?? null
  if (state?.notBefore != null && state.notBefore > clock.now()) {
    // Ignores a timestamp from a clock that was ahead.
    const notBefore = Math.min(state.notBefore, clock.now() + LONGEST_WAIT_MS)
    if (notBefore < state.notBefore) await saveSource(db, asset, name, { notBefore })
    return notBefore
  }
  try {
    const fault = await read(history, source, state, signal)
    health.works(asset, name, 'daily')
    const next = nextRefresh(ASSETS[asset].calendar, source.refreshMs, clock.now())
    await saveSource(db, asset, name, {
      lastSuccessAt: clock.now(),
      failures: 0,
      failingSince: null,
      notBefore: null,
      nextRunAt: next,
      lastError: fault,
      lastErrorAt: fault === null ? null : clock.now(),
    })
    return next
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    health.fails(asset, name, 'daily', error.message)
    const next = await noteFailure(history, asset, name, state, error)
    await settleBars(history, asset)
    return next
  }
}

/** @returns when to retry */
export async function noteFailure(
  { db, clock }: PriceHistory,
  asset: AssetKey,
  name: string,
  state: SourceState | null | undefined,
  error: SourceError,
): Promise<number> {
  const now = clock.now()
  const failures = (state?.failures ?? 0) + 1
  const next = now + pauseAfter(error, failures)
  await saveSource(db, asset, name, {
    lastError: error.message,
    lastErrorAt: now,
    failures,
    failingSince: state?.failingSince ?? now,
    nextRunAt: next,
    notBefore: error.waitMs === null ? null : next,
  })
  return next
}

/** Fetches and records missing days, page by page. @returns a sentence if a part was withheld, else null */
async function read(
  history: PriceHistory,
  source: DailySource,
  state: SourceState | null,
  signal: AbortSignal,
): Promise<string | null> {
  const { db, clock } = history
  const { asset } = source
  const today = dayOfTime(clock.now())
  const ended = lastEndedDay(ASSETS[asset].calendar, clock.now())
  const to = source.refreshMs === null ? ended : today
  const actions = await loadActions(db)
  let from = await firstDayToAsk(history, source, state, { today, ended })
  let hasAny = false
  while (from <= to) {
    const until = dayFromNumber(Math.min(from + source.pageDays - 1, to))
    const ask = { from, to: until, today, actions, signal }
    const answer = await fillHoles(history, source, ask, await source.daily(ask))
    signal.throwIfAborted()
    const lastDay = answer.bars.at(-1)?.day ?? null
    hasAny ||= lastDay !== null
    if (until >= to && !hasAny && tradingDays(asset, from, ended).length > 0) {
      throw new SourceError('nonsense', `${source.title} answered without any price.`)
    }
    // Missing days at the end may still appear.
    const through = lastDay === null ? null : dayFromNumber(Math.min(lastDay, ended))
    const jump = await recordAnswer(history, source, answer, through)
    if (jump) {
      return `The price of ${showDay(jump.after.day)} jumps without an explanation and waits for an administrator.`
    }
    from = addDays(until, 1)
    if (from <= to) await pause(source.pauseMs, undefined, { signal })
  }
  return null
}

/** Fetches gaps in an answer again in smaller pages, as some sources truncate long answers. */
async function fillHoles(
  { fetchedTwice }: PriceHistory,
  source: DailySource,
  ask: DailyAsk,
  answer: DailyAnswer,
): Promise<DailyAnswer> {
  const last = answer.bars.at(-1)?.day ?? ask.from
  const byDay = new Map(answer.bars.map((bar) => [bar.day, bar]))
  const lacking = tradingDays(source.asset, ask.from, addDays(last, -1)).filter(
    (day) => !byDay.has(day),
  )
  const [first, end] = [lacking[0], lacking.at(-1)]
  const key = `${keyOf(source)} ${String(first)}`
  if (first === undefined || end === undefined || fetchedTwice.has(key)) return answer
  fetchedTwice.add(key)
  const size = Math.ceil(source.pageDays / SMALLER)
  for (let from = first; from <= end; from = addDays(from, size)) {
    await pause(source.pauseMs, undefined, { signal: ask.signal })
    const to = dayFromNumber(Math.min(from + size - 1, end))
    try {
      const { bars } = await source.daily({ ...ask, from, to })
      for (const bar of bars) if (!byDay.has(bar.day)) byDay.set(bar.day, bar)
    } catch (error) {
      // The next thorough run tries again.
      if (!(error instanceof SourceError)) throw error
      break
    }
  }
  return { ...answer, bars: [...byDay.values()].toSorted((a, b) => a.day - b.day) }
}

async function firstDayToAsk(
  { db, sources, thoroughOn }: PriceHistory,
  source: DailySource,
  state: SourceState | null,
  { today, ended }: { readonly today: Day; readonly ended: Day },
): Promise<Day> {
  const { asset, name } = source
  const names = sources.filter((one) => one.asset === asset).map((one) => one.name)
  const others = await lastDayOfOthers(db, asset, names)
  const oldest = source.reachDays === null ? -Infinity : today - source.reachDays
  const begin = Math.max(others === null ? -Infinity : others + 1, source.firstDay, oldest)
  let next: number = state?.askedThrough == null ? begin : state.askedThrough + 1
  const key = keyOf(source)
  if (thoroughOn.get(key) !== ended) {
    const from = dayFromNumber(Math.max(begin, ended - HOLE_DAYS))
    const own = new Set(await daysOf(db, asset, name, from))
    const hole = tradingDays(asset, from, dayFromNumber(next - 1)).find((day) => !own.has(day))
    next = hole ?? next
    thoroughOn.set(key, ended)
  }
  return dayFromNumber(Math.max(Math.min(next, ended + 1 - OVERLAP_DAYS), begin))
}

function keyOf(source: DailySource): string {
  return `${source.asset} ${source.name}`
}

/** Pause after a failure: longer each time, and never shorter than requested. */
export function pauseAfter(error: SourceError, failures: number): number {
  const usual = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10) * (0.75 + Math.random() / 2)
  const least = error.fault === 'refused' && failures > 2 ? REFUSED_PAUSE_MS : 0
  // A requested pause of zero must not cause endless calls.
  return Math.max(Math.min(usual, LONGEST_PAUSE_MS), least, error.waitMs ?? 0)
}

/** Both ends included. */
function tradingDays(asset: AssetKey, from: Day, to: Day): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (isTradingDay(ASSETS[asset].calendar, day)) days.push(day)
  }
  return days
}

export type SourceHealth = ReturnType<typeof sourceHealth>

/** Uses of a source; a failure usually affects both. */
type Use = 'daily' | 'live'

/** Logs one line when a source starts to fail, and one when all of its uses work again. */
export function sourceHealth(log: Log) {
  const failing = new Map<string, Set<Use>>()

  return {
    /** @param sentence without secrets */
    fails(asset: AssetKey, source: string, use: Use, sentence: string): void {
      const key = `${asset} ${source}`
      const uses = failing.get(key) ?? new Set()
      if (uses.size === 0) log.warn({ asset, source }, `${sentence} It will be retried.`)
      failing.set(key, uses.add(use))
    },
    works(asset: AssetKey, source: string, use: Use): void {
      const key = `${asset} ${source}`
      const uses = failing.get(key)
      if (!uses?.delete(use) || uses.size > 0) return
      failing.delete(key)
      log.info({ asset, source }, `${source} answers again.`)
    },
  }
}
