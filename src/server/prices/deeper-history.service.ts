import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { splitFactor } from '#domain/judging/corporate-action.ts'
import { dayFromNumber, dayOfTime, showDay, type Day } from '#domain/day.ts'
import { rescale } from '#domain/judging/jump.ts'
import { rangeFault } from '#domain/judging/known-range.ts'
import { counted } from '#server/kit/counted.ts'
import { takeTurn, type Db } from '#server/kit/db.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type DailyAnswer, type DailySource } from './ports.ts'
import { outsideNames } from './bars.rows.ts'
import { loadActions } from './corporate-actions.rows.ts'
import {
  barsApart,
  daysWithoutRange,
  keepApart,
  loadDeeper,
  NOT_FAILING,
  saveDeeper,
  type DeeperSource,
  type RefusedBar,
} from './deeper-history.rows.ts'
import { isGivenUp } from './price-bars.service.ts'
import { pauseAfter, type PriceHistory } from './price-history.service.ts'
import { loadSources, saveSource, type SourceState } from './price-sources.rows.ts'
import { publishDeeper } from './publish-deeper.service.ts'

/** The current day comes first: while its reading fails, earlier days wait. */
const AFTER_TODAY_MS = 30_000
/** Between two calls passes this many times the pause that the source asks for. */
const CALM = 5
/** Days whose range is lacking may come later, by an import. */
const LOOK_AGAIN_MS = 24 * 3_600_000

/** Where one source is in its earlier days. */
type Turn = {
  readonly source: DailySource
  readonly own: DeeperSource
  /** The days whose range is lacking, with the close on record. */
  readonly needed: ReadonlyMap<Day, number>
}

/**
 * Asks one source for the highs and lows of earlier days, newest first, one call at a time. What comes is kept apart from the
 * record until all sources of the asset have answered; then it is published, or waits for an administrator.
 *
 * @returns when to go on, milliseconds since 1970; null when there is nothing to ask this source for
 */
export async function deepen(
  history: PriceHistory,
  asset: AssetKey,
  name: string,
  signal: AbortSignal,
): Promise<number | null> {
  const { db, clock, sources, running } = history
  const full = sources.filter((one) => one.asset === asset && one.isFull)
  const source = full.find((one) => one.name === name)
  if (!source) return null
  const state = (await loadSources(db, asset)).find((one) => one.source === name) ?? null
  const now = clock.now()
  if (state === null || state.lastSuccessAt === null || state.failures > 0) {
    await publishWhenDone(history, asset)
    return Math.max(now + AFTER_TODAY_MS, Math.min(state?.nextRunAt ?? 0, now + LOOK_AGAIN_MS))
  }
  const needed = await neededOf(history, source)
  const known = begin(await loadDeeper(db, asset), asset, name)
  if (known.nextRunAt !== null && known.failures > 0 && known.nextRunAt > now) {
    await publishWhenDone(history, asset)
    return Math.min(known.nextRunAt, now + LOOK_AGAIN_MS)
  }
  // Closes that are imported later bring further days.
  const own = { ...known, doneAt: null }
  const turn: Turn = { source, own, needed }
  const span = nextSpan(turn, dayOfTime(now))
  if (!span) {
    if (known.doneAt === null) await saveDeeper(db, own, { doneAt: now, nextRunAt: null })
    await publishWhenDone(history, asset)
    return now + LOOK_AGAIN_MS
  }
  // Nothing is published before it has answered.
  if (known.doneAt !== null) await saveDeeper(db, own, { doneAt: null })
  await running.get(`${asset} ${name}`)?.catch(() => {})
  try {
    const actions = await loadActions(db)
    const answer = await source.daily({ ...span, today: dayOfTime(now), actions, signal })
    signal.throwIfAborted()
    const isNewer = own.askedTo !== null && span.from > own.askedTo
    if (isNewer && answer.bars.length === 0 && (answer.senseless ?? []).length === 0) {
      const text = `${source.title} answered without any price of ${spanText(span)}.`
      throw new SourceError('nonsense', text)
    }
    const isDone = await keep(history, own, source, span, answer)
    if (isDone) await publishWhenDone(history, asset)
    return clock.now() + source.pauseMs * CALM
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return noteFailure(history, turn, error)
  }
}

async function neededOf(
  { db, sources }: Pick<PriceHistory, 'db' | 'sources'>,
  { asset, name }: DailySource,
): Promise<Map<Day, number>> {
  const outside = sources.filter((one) => one.asset === asset).map((one) => one.name)
  return daysWithoutRange(db, asset, name, [...outside, ...(await outsideNames(db, asset))])
}

/** Goes on where it stopped. */
function begin(known: readonly DeeperSource[], asset: AssetKey, source: string): DeeperSource {
  const own = known.find((one) => one.source === source)
  if (own) return own
  return {
    asset,
    source,
    askedFrom: null,
    askedTo: null,
    reaches: null,
    daysRead: 0,
    daysRefused: 0,
    doneAt: null,
    note: null,
    ...NOT_FAILING,
  }
}

/**
 * The days to ask for next, as many as one call may have, so that those asked for stay one stretch: first what is newer than
 * it, then the newest before it. Null when all were asked for.
 */
function nextSpan(
  { source, own, needed }: Turn,
  now: Day,
): { readonly from: Day; readonly to: Day } | null {
  const oldest = Math.max(
    source.firstDay,
    source.reachDays === null ? -Infinity : now - source.reachDays,
  )
  const { askedFrom, askedTo, note } = own
  const within = [...needed.keys()].filter((day) => day >= oldest)
  const isAsked = askedFrom !== null && askedTo !== null
  const newer = isAsked ? within.filter((day) => day > askedTo) : []
  const [next, newest] = [newer[0], newer.at(-1)]
  if (next !== undefined && newest !== undefined) {
    return { from: next, to: dayFromNumber(Math.min(next + source.pageDays - 1, newest)) }
  }
  // One that ran out is not asked for older days.
  const older = note === null ? within.filter((day) => !isAsked || day < askedFrom) : []
  const [first, to] = [older[0], older.at(-1)]
  if (first === undefined || to === undefined) return null
  return { from: dayFromNumber(Math.max(to - source.pageDays + 1, first)), to }
}

/** Keeps what an answer brought, and how far the source was asked, in one transaction. @returns whether it was the last */
async function keep(
  history: PriceHistory,
  before: DeeperSource,
  source: DailySource,
  { from, to }: { readonly from: Day; readonly to: Day },
  answer: DailyAnswer,
): Promise<boolean> {
  const { db, clock, sources } = history
  const { asset, name } = source
  const isLast = await db.transaction(async (tx) => {
    await takeTurn(tx)
    // While it was asked, an import may have brought closes: of days within the answer, or of such as were asked for.
    const needed = await neededOf({ db: tx, sources }, source)
    const own = begin(await loadDeeper(tx, asset), asset, name)
    const { kept, refused } = sortAnswer(source, needed, answer, await loadActions(tx))
    await keepApart(tx, asset, kept, refused)
    const isMoved = own.askedFrom !== before.askedFrom || own.askedTo !== before.askedTo
    const isOlder = own.askedFrom === null || from < own.askedFrom
    const isEmpty = answer.bars.length === 0 && refused.length === 0
    const stretch = isMoved
      ? {}
      : {
          askedFrom: isOlder ? from : own.askedFrom,
          askedTo: own.askedFrom !== null && isOlder ? own.askedTo : to,
          reaches: (isOlder ? answer.bars[0]?.day : null) ?? own.reaches,
          note:
            isOlder && isEmpty ? endText(source, { from, to }, answer.otherDays ?? 0) : own.note,
        }
    const next: DeeperSource = {
      ...own,
      ...stretch,
      daysRead: own.daysRead + kept.length,
      daysRefused: own.daysRefused + refused.length,
      ...NOT_FAILING,
      nextRunAt: clock.now() + source.pauseMs * CALM,
    }
    const isDone = nextSpan({ source, own: next, needed }, dayOfTime(clock.now())) === null
    await saveDeeper(
      tx,
      own,
      isDone ? { ...next, doneAt: clock.now(), nextRunAt: null } : { ...next, doneAt: null },
    )
    return isDone
  })
  if (isLast) {
    const text = `${source.title} has been asked for the highs and lows of all earlier days.`
    history.log.info({ asset, source: name }, text)
  }
  return isLast
}

function spanText({ from, to }: { readonly from: Day; readonly to: Day }): string {
  return `${showDay(from)} to ${showDay(to)}`
}

/** A source that gives nothing for old days has none, and is not asked for still older ones. */
function endText(
  { title }: DailySource,
  { from, to }: { readonly from: Day; readonly to: Day },
  otherDays: number,
): string {
  const asked = spanText({ from, to })
  return otherDays > 0
    ? `Asked for ${asked}, ${title} answered other days; older ones are not asked for.`
    : `${title} has no prices from ${asked}; older ones are not asked for.`
}

function sortAnswer(
  source: DailySource,
  needed: ReadonlyMap<Day, number>,
  { bars, senseless = [] }: DailyAnswer,
  actions: Parameters<typeof splitFactor>[2],
): { kept: Bar[]; refused: (RefusedBar & { readonly bar: Bar | null })[] } {
  const { asset, name } = source
  const kept: Bar[] = []
  const refused: (RefusedBar & { readonly bar: Bar | null })[] = []
  for (const bar of bars) {
    const close = needed.get(bar.day)
    if (close === undefined) continue
    const reason = rangeFault(bar, close)
    // A source may still have the prices of before a split as they were then.
    const factor = splitFactor(asset, bar.day, actions)
    const now = factor === 1 ? bar : rescale(bar, factor)
    if (reason === null) kept.push(bar)
    else if (factor !== 1 && rangeFault(now, close) === null) kept.push(now)
    else refused.push({ day: bar.day, source: name, reason, bar })
  }
  for (const day of senseless) {
    if (!needed.has(day)) continue
    const reason = 'Its open, high, low and close contradict each other.'
    refused.push({ day, source: name, reason, bar: null })
  }
  return { kept, refused }
}

/** @returns when to try again */
async function noteFailure(
  { db, clock }: PriceHistory,
  { source, own }: Turn,
  error: SourceError,
): Promise<number> {
  const now = clock.now()
  const failures = own.failures + 1
  const next = now + pauseAfter(error, failures)
  const failingSince = own.failingSince ?? now
  await saveDeeper(db, own, {
    failures,
    failingSince,
    lastError: error.message,
    nextRunAt: next,
  })
  // The pause that it asks for holds for the reading of the current day as well.
  if (error.waitMs !== null) {
    await saveSource(db, source.asset, source.name, { notBefore: now + error.waitMs })
  }
  return next
}

/** Publishes what waits once every source has answered or has been failing for long, if it may go out by itself. */
async function publishWhenDone(history: PriceHistory, asset: AssetKey): Promise<void> {
  const { log, deeper } = history
  if (deeper !== 'publish') return
  const isReady = (tx: Db): Promise<boolean> => isComplete({ ...history, db: tx }, asset)
  // Asked first without holding up other writers.
  if (!(await isReady(history.db))) return
  const round = await publishDeeper(history, asset, { isComplete: isReady, by: null })
  if (!round) return
  log.info(
    { asset },
    `${ASSETS[asset].symbol}: the highs and lows of ${counted(round.days, 'earlier day')} are known now; ${counted(round.changed, 'verdict')} changed, ${String(round.completed)} have better evidence.`,
  )
}

/** Whether no source can still bring something to what waits beside the record. */
export async function isComplete(
  { db, clock, sources }: Pick<PriceHistory, 'db' | 'clock' | 'sources'>,
  asset: AssetKey,
): Promise<boolean> {
  const { bars } = await barsApart(db, asset)
  if (bars.length === 0) return false
  const [states, known] = [await loadSources(db, asset), await loadDeeper(db, asset)]
  const now = clock.now()
  for (const source of sources.filter((one) => one.asset === asset && one.isFull)) {
    const own = known.find((one) => one.source === source.name)
    const state: SourceState | null = states.find((one) => one.source === source.name) ?? null
    if (isGivenUp(state, now) || isGivenUp(own && { ...own, lastSuccessAt: 0 }, now)) continue
    if (own?.doneAt == null) return false
    // Closes that were imported since then bring it further days.
    const needed = await neededOf({ db, sources }, source)
    if (nextSpan({ source, own, needed }, dayOfTime(now)) !== null) return false
  }
  return true
}
