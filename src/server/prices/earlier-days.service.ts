import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { WaitingDays, type RangeEffect } from '#contracts/operations.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { plural, dayFromNumber, dayOfTime, readDay, type Day } from '#domain/day.ts'
import { isCloseOnly, splitFactor, type Bar, type CorporateAction } from '#domain/judging/bar.ts'
import { farPrice, rescale } from '#domain/judging/jump.ts'
import { disagreement, rangeFault } from '#domain/judging/settle.ts'
import { judgeRanges } from '#server/judging/judging.service.ts'
import { addVerdicts } from '#server/judging/verdicts.rows.ts'
import { acquireLock, type Db, readRows } from '#server/kit/db.ts'
import { forgetFact, readFact, recordFact } from '#server/kit/facts.ts'
import { failure, SourceError } from '#server/kit/failure.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { today } from '#server/kit/time.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { agreedBars, barBefore, barsBetween, outsideNames, saveBars } from './bars.rows.ts'
import { type DailySource } from './ports.ts'
import { isAbandoned } from './price-bars.service.ts'
import { noteFailure, type PriceHistory } from './price-history.service.ts'
import { loadActions, loadSources, saveSource } from './price-sources.rows.ts'

/** The current day has priority: after a failed fetch of it, earlier days are postponed. */
const AFTER_TODAY_MS = 30_000
/** Multiple of the source's own pause between two calls. */
const CALM = 5
/** Missing ranges may be imported later. */
const LOOK_AGAIN_MS = 24 * 3_600_000

const NO_EFFECT: RangeEffect = { changes: [], changed: 0, completed: 0 }

type Needed = ReadonlyMap<DailySource, readonly Day[]>
/** Bars by source, and the days whose numbers contradict each other. */
type Answers = { readonly bars: readonly Bar[]; readonly senseless: readonly Day[] }

/**
 * Fetches highs and lows of days for which files have only closes, from all sources of an asset, newest first. Records
 * them in one transaction with the resulting verdicts, once all sources have answered, so that no single venue decides
 * a day. If a verdict would change its outcome or day, only a summary is stored until an administrator agrees.
 * @returns when to run again, Unix time in ms
 */
export async function readEarlierDays(history: PriceHistory, asset: AssetKey, signal: AbortSignal) {
  const { db, clock } = history
  const now = clock.now()
  const states = await loadSources(db, asset)
  const stateOf = (name: string) => states.find((one) => one.source === name)
  const earlierOf = ({ name }: DailySource) => stateOf(earlierName(name))
  const sources = history.sources
    .filter((one) => one.asset === asset && one.isFull)
    .filter(({ name }) => !isAbandoned(stateOf(name), now))
    .filter((one) => !isAbandoned({ lastSuccessAt: 0, failingSince: null, ...earlierOf(one) }, now))
    // The source that failed last time goes first: if it fails again, the others need not be called.
    .toSorted((a, b) => (earlierOf(b)?.failures ?? 0) - (earlierOf(a)?.failures ?? 0))
  const away = sources
    .map(({ name }) => stateOf(name))
    .filter((state) => state?.lastSuccessAt == null || state.failures > 0)
  if (away.length > 0) {
    return Math.max(now + AFTER_TODAY_MS, ...away.map((state) => state?.nextRunAt ?? 0))
  }
  const needed = await neededOf(db, asset, sources)
  const isFetched = (await readFact(db, factOf(asset))) === digestOf(needed)
  const isAgreed = (await waitingDays(db, asset))?.agreed_by != null
  if (isFetched && !isAgreed) return now + LOOK_AGAIN_MS
  const answers: Answers[] = []
  for (const source of sources) {
    const { name } = source
    try {
      answers.push(await readSource(history, source, needed.get(source) ?? [], signal))
      if (!earlierOf(source)?.failures) continue
      await saveSource(db, asset, earlierName(name), { failures: 0, failingSince: null })
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const next = await noteFailure(history, asset, earlierName(name), earlierOf(source), error)
      history.log.warn({ asset, source: name }, `Earlier days: ${error.message}`)
      // A requested pause also applies to the current day.
      if (error.waitMs !== null) await saveSource(db, asset, name, { notBefore: next })
      return next
    }
  }
  await record(history, asset, needed, answers)
  return clock.now() + LOOK_AGAIN_MS
}

/** Name under which failures with earlier days are stored, separate from the current day's. */
const earlierName = (source: string): string => `${source} earlier days`
/** Name of the stored list of days still missing after all sources answered; they are called again only if it changes. */
const factOf = (asset: AssetKey): string => `earlier days of ${asset}`

/** Name of the stored summary that awaits an administrator. */
const waitingName = (asset: AssetKey): string => `${factOf(asset)} to publish`

export async function waitingDays(db: Db, asset: AssetKey): Promise<WaitingDays | null> {
  const text = await readFact(db, waitingName(asset))
  return WaitingDays.safeParse(jsonOrNull(text ?? '')).data ?? null
}

/** @throws AppError `conflict` if the pending days differ from the preview */
export async function agreeToDays(tx: Db, asset: AssetKey, seen: string, by: string) {
  const waiting = await waitingDays(tx, asset)
  if (!waiting || waiting.agreed_by !== null) {
    throw failure('conflict', `There are no highs and lows of ${ASSETS[asset].symbol} to publish.`)
  }
  if (waiting.digest !== seen) {
    throw failure(
      'conflict',
      'Prices or predictions have changed since this summary was made. Please review the new one first.',
    )
  }
  const agreed = { ...waiting, agreed_by: by }
  await recordFact(tx, waitingName(asset), JSON.stringify(agreed))
  return agreed
}

function digestOf(needed: Iterable<readonly [DailySource, readonly Day[]]>): string {
  return hashOf([...needed].map(([{ name }, days]) => [name, ...days].join(' ')).toSorted())
}

const hashOf = (content: object): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url')

/** By source: days, oldest first, with only closes from files and a range from fewer than two other sources. */
async function neededOf(db: Db, asset: AssetKey, sources: readonly DailySource[]) {
  const needed = new Map<DailySource, Day[]>(sources.map((source) => [source, []]))
  const outside = [...(await outsideNames(db, asset)), ...sources.map(({ name }) => name)]
  const isOutside = sql`source = any(${sql.param(outside)}::text[])`
  const rows = await readRows(db, z.object({ day: z.string(), sources: z.array(z.string()) }))`
    select day::text, array_agg(source) as sources
    from bars where asset = ${asset}
    group by day
    having bool_and(state = 'final')
      and count(*) filter (where not ${isOutside}) > 0
      and count(*) filter (where not ${isOutside} and high is not null) = 0
      and count(*) filter (where ${isOutside} and high is not null) < 2
    order by day`
  for (const { day: text, sources: known } of rows) {
    const day = readDay(text)
    if (day === null) continue
    for (const [{ name }, days] of needed) if (!known.includes(name)) days.push(day)
  }
  return needed
}

/** Fetches days from one source, page by page, until there are no older ones. */
async function readSource(
  { db, clock, running }: PriceHistory,
  source: DailySource,
  needed: readonly Day[],
  signal: AbortSignal,
): Promise<Answers> {
  const { asset, name, title, pageDays, pauseMs } = source
  const now = dayOfTime(clock.now())
  const actions = await loadActions(db)
  const reach = source.reachDays === null ? -Infinity : now - source.reachDays
  let left = needed.filter((day) => day >= Math.max(source.firstDay, reach))
  const answers: { bars: Bar[]; senseless: Day[] } = { bars: [], senseless: [] }
  for (let calls = 0; ; calls += 1) {
    const [first, to] = [left[0], left.at(-1)]
    if (first === undefined || to === undefined) return answers
    if (calls > 0) await pause(pauseMs * CALM, undefined, { signal })
    await running.get(`${asset} ${name}`)?.catch(() => {})
    const from = dayFromNumber(Math.max(to - pageDays + 1, first))
    const { bars, senseless = [] } = await source.daily({ from, to, today: now, actions, signal })
    signal.throwIfAborted()
    if (bars.length + senseless.length === 0) {
      if (await barBefore(db, asset, from, name)) {
        throw new SourceError('nonsense', `${title} answered without any price.`)
      }
      return answers
    }
    answers.bars.push(...bars)
    answers.senseless.push(...senseless)
    left = left.filter((day) => day < from)
  }
}

async function record(
  { db, clock, log }: PriceHistory,
  asset: AssetKey,
  needed: Needed,
  answers: readonly Answers[],
): Promise<void> {
  const { known, message } = await db.transaction(async (tx) => {
    await acquireLock(tx)
    await tx.execute(sql`savepoint unpublished`)
    const { used, refused } = await usable(tx, asset, answers)
    await saveBars(tx, asset, used)
    const days = new Set(used.map((bar) => bar.day))
    const judged = days.size > 0 ? await judgeRanges(tx, asset, today({ clock }), days) : null
    const found = { days: days.size, ...(judged?.effect ?? NO_EFFECT) }
    const digest = hashOf([found.days, found.changed, found.completed, found.changes])
    const waiting = await waitingDays(tx, asset)
    const isAgreed = waiting?.agreed_by != null && waiting.digest === digest
    const waits = found.changed > 0 && !isAgreed
    if (waits) {
      await tx.execute(sql`rollback to savepoint unpublished`)
      const next = { ...found, digest, agreed_by: null }
      await recordFact(tx, waitingName(asset), JSON.stringify(next satisfies WaitingDays))
    } else {
      await forgetFact(tx, waitingName(asset))
    }
    if (!waits && judged) {
      await addVerdicts(tx, judged.verdicts)
      await recordChanged(tx, { prices: true })
    }
    const still = [...(await neededOf(tx, asset, [...needed.keys()]))].map(([source, days]) => {
      const requested = new Set(needed.get(source))
      return [source, days.filter((day) => requested.has(day))] as const
    })
    await recordFact(tx, factOf(asset), digestOf(still))
    return {
      known: { ...found, refused: refused.slice(0, 20) },
      message: waits
        ? `the highs and lows of ${plural(found.days, 'earlier day')} would change ${plural(found.changed, 'verdict')}, and wait for an administrator under Operations.`
        : 'highs and lows of earlier days were read.',
    }
  })
  log.info({ asset, ...known }, `${ASSETS[asset].symbol}: ${message}`)
}

/** Bars that may be recorded, and why others may not: a day on which venues disagree is left unchanged. */
async function usable(tx: Db, asset: AssetKey, answers: readonly Answers[]) {
  const allBars = answers.flatMap(({ bars }) => bars)
  const days = allBars.map((bar) => bar.day).toSorted((a, b) => a - b)
  const [first, last] = [days[0], days.at(-1)]
  const used: Bar[] = []
  const refused: string[] = []
  if (first === undefined || last === undefined) return { used, refused }
  const outside = await outsideNames(tx, asset)
  const actions = await loadActions(tx)
  const senseless = Map.groupBy(
    answers.flatMap((one) => one.senseless),
    (day) => day,
  )
  const answered = Map.groupBy(allBars, (bar) => bar.day)
  const recorded = await barsBetween(tx, asset, first, last)
  let before: number | null = null
  for (const [day, bars] of Map.groupBy(recorded, (bar) => bar.day)) {
    const previous: number | null = before
    before = agreedBars(asset, bars, outside)[0]?.close ?? null
    const closes = bars.filter(({ source }) => !outside.has(source))
    const own = bars.filter((bar) => !isCloseOnly(bar))
    const isClosed = closes.length > 0 && bars.every(({ state }) => state === 'final')
    // A file imported meanwhile is trusted.
    if (!isClosed || closes.some((bar) => !isCloseOnly(bar)) || own.length > 1) continue
    const close = Math.min(...closes.map((bar) => bar.close))
    const fresh = (answered.get(day) ?? [])
      .filter(({ source }) => own.every((bar) => bar.source !== source))
      .map((bar) => inUnitsOf(close, bar, asset, actions))
    const good = fresh.filter((bar) => rangeFault(bar, close) === null)
    const bad = fresh.length - good.length + (senseless.get(day)?.length ?? 0)
    const reason =
      disagreement([...own, ...good], bad) ?? rangeDoubt(asset, [...own, ...good], previous)
    if (reason === null) used.push(...good)
    for (const bar of fresh) {
      const fault = rangeFault(bar, close) ?? reason
      if (fault !== null) refused.push(`${String(day)} ${bar.source}: ${fault}`)
    }
  }
  return { used, refused }
}

/** Converts prices if the source has not adjusted them for a split yet. */
function inUnitsOf(close: number, bar: Bar, asset: AssetKey, actions: readonly CorporateAction[]) {
  const factor = splitFactor(asset, bar.day, actions)
  if (factor === 1 || rangeFault(bar, close) === null) return bar
  const now = rescale(bar, factor)
  return rangeFault(now, close) === null ? now : bar
}

/** Why only a person may record this range; null if it is plausible. */
function rangeDoubt(asset: AssetKey, full: readonly Bar[], before: number | null): string | null {
  const bars = full.map((bar) => ({ ...bar, state: 'final' as const }))
  const [agreed] = agreedBars(asset, bars, new Set(full.map(({ source }) => source)))
  const usd = agreed ? farPrice(agreed, before) : null
  if (usd === null) return null
  return `Its price of ${String(usd)} is more than 40% from the adjacent closes; import the day from a file if it is right.`
}
