import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { isCloseOnly, type AgreedBar } from '#domain/judging/bar.ts'
import { type Calendar } from '#domain/judging/calendar.ts'
import * as jumps from '#domain/judging/jump.ts'
import { sessionOf } from '#domain/judging/series.ts'
import { barState, settleDay, type RecordedBar, type SourceOnDay } from '#domain/judging/settle.ts'
import { judgeAll, judgeTouched } from '#server/judging/judging.service.ts'
import { acquireLock, type Db } from '#server/kit/db.ts'
import { type Kit } from '#server/kit/kit.ts'
import { today } from '#server/kit/time.ts'
import { recordChanged } from '#server/record/record-state.ts'
import * as barRows from './bars.rows.ts'
import { type DailyAnswer, type DailySource } from './ports.ts'
import * as sourceRows from './price-sources.rows.ts'

export type BarsKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly sources: readonly DailySource[]
}

/** Settling does not wait for sources that have failed this long, or for ones that never answered. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000
const NEVER_SEEN_AFTER_MS = 15 * 60_000
/** Closes of one day within this share confirm the same jump. */
const SAME_JUMP = 0.1
const CLOCK_TOLERANCE_MS = 60_000
/** Exchanges publish final prices within this time; closing auctions of stocks print late. */
const BOOKS_CLOSE_MS: Readonly<Record<Calendar, number>> = {
  'every-day': 30_000,
  'new-york': 15 * 60_000,
}

/**
 * Records the answer of an outside source, in one transaction with the resulting verdicts. Bars settle by
 * docs/decisions/0004-prices.md.
 * @param answer consecutive days, oldest first
 * @param askedThrough the last ended day requested
 * @returns an unexplained jump; bars from that day on were withheld
 */
export async function recordAnswer(
  kit: BarsKit,
  source: DailySource,
  answer: DailyAnswer,
  askedThrough: Day | null,
): Promise<jumps.Jump | null> {
  const { asset, name } = source
  return kit.db.transaction(async (tx) => {
    await acquireLock(tx)
    const { bars, jump, rescaled } = await believable(kit, tx, source, answer)
    const days = bars.map((bar) => bar.day)
    const before = await unsettledAnd(tx, asset, days)
    await barRows.saveBars(tx, asset, bars)
    const over = bars.filter(isOver).map((bar) => bar.day)
    await sourceRows.withdrawQuestions(tx, asset, name, over)
    // A day that is not over by the source's clock must be fetched again.
    const isOpen = bars.some(
      (bar) => !isOver(bar) && askedThrough !== null && bar.day <= askedThrough,
    )
    const reached = jump || isOpen ? (over.at(-1) ?? null) : askedThrough
    if (reached !== null) await sourceRows.saveSource(tx, asset, name, { askedThrough: reached })
    await settleAndJudge(kit, tx, asset, { before, days, rescaled })
    return jump
  })
}

/** Settles pending bars again, for example once a failing source is given up. */
export async function settleBars(kit: BarsKit, asset: AssetKey): Promise<void> {
  await kit.db.transaction(async (tx) => {
    await acquireLock(tx)
    const before = await unsettledAnd(tx, asset, [])
    await settleAndJudge(kit, tx, asset, { before, days: [], rescaled: false })
  })
}

/** The bars of these days and all that have not settled. */
async function unsettledAnd(tx: Db, asset: AssetKey, days: readonly Day[]): Promise<RecordedBar[]> {
  const open = await barRows.unsettledBars(tx, asset)
  const all = [...open.map((bar) => bar.day), ...days].toSorted((a, b) => a - b)
  const [from, to] = [all[0], all.at(-1)]
  return from === undefined || to === undefined ? [] : barRows.barsBetween(tx, asset, from, to)
}

/**
 * @param before the bars of `days` and all unsettled ones, before the change
 * @param rescaled whether stored prices were converted to other units
 */
async function settleAndJudge(
  kit: BarsKit,
  tx: Db,
  asset: AssetKey,
  change: { before: readonly RecordedBar[]; days: readonly Day[]; rescaled: boolean },
): Promise<void> {
  const { before, days, rescaled } = change
  const own = kit.sources.filter((source) => source.asset === asset)
  const states = await sourceRows.loadSources(tx, asset)
  const now = kit.clock.now()
  const recorded = await unsettledAnd(tx, asset, days)
  const changes: RecordedBar[] = []
  for (const [day, bars] of Map.groupBy(recorded, (bar) => bar.day)) {
    if (bars.every((bar) => bar.state === 'final')) continue
    // Includes bars of retired sources.
    const hasEnded = isEnded(asset, day, now)
    const former = bars.filter(
      (bar) => own.every((source) => source.name !== bar.source) && (isOver(bar) || !hasEnded),
    )
    const settled = settleDay([
      ...own.map((source) => reportOf(source, day, bars, states, now)),
      ...former.map(reportOfBar),
    ])
    for (const bar of bars) {
      const state = bar.state === 'final' ? 'final' : barState(settled, isOver(bar))
      if (state !== bar.state) changes.push({ ...bar, state })
    }
  }
  await barRows.setStates(tx, asset, changes)
  if (rescaled) {
    await judgeAll(tx, today(kit), [asset])
    await recordChanged(tx, { prices: true })
    return
  }
  const changed = new Map(changes.map((bar) => [`${String(bar.day)} ${bar.source}`, bar]))
  const after = recorded.map((bar) => changed.get(`${String(bar.day)} ${bar.source}`) ?? bar)
  const outside = new Set(states.map(({ source }) => source))
  const { first, last, shows, proves } = difference(
    barRows.agreedBars(asset, before, outside),
    barRows.agreedBars(asset, after, outside),
  )
  if (first === null || last === null) return
  // A single venue's price of the current day proves nothing.
  if (!proves && first >= today(kit)) return
  const written = await judgeTouched(tx, asset, today(kit), { from: first, to: last })
  if (written > 0 || shows) await recordChanged(tx, { prices: true })
}

/** By our own clock; never for a day without a session. */
function isEnded(asset: AssetKey, day: Day, nowMs: number): boolean {
  const { calendar } = ASSETS[asset]
  return nowMs >= (sessionOf(calendar, day)?.end ?? Infinity) + BOOKS_CLOSE_MS[calendar]
}

/** Whether the row was read after the end of its day. */
function isOver(bar: RecordedBar): boolean {
  return bar.state === 'final' || bar.state === 'waiting'
}

/**
 * The part of an answer that may be recorded, with whether each day was over when read. A day is over if our
 * clock and the source agree: by the source's clock, or as it has a later day.
 */
async function believable(
  { clock, log, sources }: BarsKit,
  tx: Db,
  source: DailySource,
  { bars, remoteMs }: DailyAnswer,
): Promise<{ bars: readonly RecordedBar[]; jump: jumps.Jump | null; rescaled: boolean }> {
  const { asset, name } = source
  const { calendar } = ASSETS[asset]
  const now = clock.now()
  const last = bars.at(-1)?.day ?? null
  let read: readonly RecordedBar[] = bars.map((bar) => {
    const end = sessionOf(calendar, bar.day)?.end ?? Infinity
    const byUs = isEnded(asset, bar.day, now)
    const byThem =
      (last !== null && bar.day < last) || remoteMs === null || remoteMs + CLOCK_TOLERANCE_MS >= end
    return { ...bar, state: byUs && byThem ? 'waiting' : 'moving' }
  })
  const [first] = read
  if (!first) return { bars: [], jump: null, rescaled: false }
  let before: jumps.Close | null =
    (await barRows.barBefore(tx, asset, first.day, name)) ??
    (await barRows.barBefore(tx, asset, first.day, null))
  const actions = await sourceRows.loadActions(tx)
  const real = new Set(await sourceRows.realJumps(tx, asset))
  let jump = jumps.findJump(before, read, real)
  const split = jump && jumps.splitOfJump(asset, jump, actions)
  let rescaled = false
  if (jump && split) {
    // Prices before the split are still unadjusted: on record, or from a source that lags behind.
    const isOnRecord = before?.day === jump.before.day
    if (isOnRecord && before) {
      await barRows.rescaleBars(tx, asset, split.day, split.ratio)
      before = { ...before, close: before.close / split.ratio }
      rescaled = true
    } else {
      read = read.map((bar) => (bar.day < split.day ? jumps.rescale(bar, split.ratio) : bar))
    }
    jump = jumps.findJump(before, read, real)
  }
  while (jump && (await isSeenTwice(tx, source, sources, read, jump))) {
    real.add(jump.after.day)
    jump = jumps.findJump(before, read, real)
  }
  const revision = rescaled ? null : await revisedAt(tx, source, read, real)
  const range = await farRange(tx, source, read, before, real)
  const doubts = [jump, range].filter((one) => one !== null)
  const [earliest = null] = doubts.toSorted((a, b) => a.after.day - b.after.day)
  const question = revision?.jump ?? earliest
  if (!question) return { bars: read, jump: null, rescaled }
  const badFrom = Math.min(
    ...[revision?.from, jump?.after.day, range?.after.day].map((from) => from ?? Infinity),
  )
  // A price that still changes may be a glitch; it is withheld without asking.
  const isSure = read.some((bar) => bar.day === question.after.day && isOver(bar))
  if (isSure && (await sourceRows.askAbout(tx, { ...question, asset, sources: name }))) {
    log.warn({ asset, source: name }, `${source.title}: a price jump waits for review.`)
  }
  return { bars: read.filter((bar) => bar.day < badFrom), jump: question, rescaled }
}

/**
 * Whether another source with highs and lows reported the same jump, for an asset without corporate actions:
 * independent sources do not have the same glitch. Answers the question raised by the first source.
 */
async function isSeenTwice(
  tx: Db,
  source: DailySource,
  sources: readonly DailySource[],
  read: readonly RecordedBar[],
  { after: { day, close } }: jumps.Jump,
): Promise<boolean> {
  const { asset, name } = source
  const isSure = read.some((bar) => bar.day === day && isOver(bar))
  if (ASSETS[asset].calendar !== 'every-day' || !source.isFull || !isSure) return false
  const others = sources
    .filter((one) => one.asset === asset && one.isFull && one.name !== name)
    .map((one) => one.name)
  const isAlike = (usd: number): boolean => Math.abs(usd / close - 1) <= SAME_JUMP
  const isOpen = (await sourceRows.openQuestions(tx)).some(
    (one) =>
      one.asset === asset &&
      one.day === day &&
      others.includes(one.sources) &&
      isAlike(one.afterUsd),
  )
  if (isOpen) return sourceRows.answerQuestions(tx, asset, { from: day, to: day }, 'real')
  return (await barRows.barsBetween(tx, asset, day, day)).some(
    (bar) => others.includes(bar.source) && isOver(bar) && isAlike(bar.close),
  )
}

/**
 * The first recorded day that the source now reports quite differently: from itself, as after adjusting its history
 * for a split (the jump then lies after the last recorded day), or from the others.
 */
async function revisedAt(
  tx: Db,
  source: DailySource,
  read: readonly RecordedBar[],
  real: ReadonlySet<Day>,
): Promise<{ from: Day; jump: jumps.Jump } | null> {
  const [first, last] = [read[0], read.at(-1)]
  if (!first || !last) return null
  const over = (await barRows.barsBetween(tx, source.asset, first.day, last.day)).filter(isOver)
  const stored = over.filter((bar) => bar.source === source.name)
  const own = new Map(stored.map((bar) => [bar.day, bar]))
  const record = new Map(
    barRows
      .agreedBars(source.asset, over, await barRows.outsideNames(tx, source.asset))
      .map((bar) => [bar.day, bar]),
  )
  const contradicts = (bar: jumps.Close, known: jumps.Close | undefined): known is jumps.Close =>
    known !== undefined && !real.has(bar.day) && jumps.isJump(known.close, bar.close)
  const changed = read.find((bar) => contradicts(bar, own.get(bar.day)))
  const newest = stored.at(-1)
  if (changed && newest) {
    const after = read.find((bar) => bar.day > newest.day) ?? last
    return { from: changed.day, jump: { before: newest, after } }
  }
  const denied = read.find((bar) => contradicts(bar, record.get(bar.day)))
  const before = denied && record.get(denied.day)
  if (!before) return null
  // Days from this source alone are in doubt back to the last one on which it agrees with the record.
  const agreed = read.findLast((bar) => bar.day < denied.day && record.has(bar.day))
  const from = read.find((bar) => bar.day > (agreed?.day ?? -Infinity)) ?? denied
  return { from: from.day, jump: { before, after: denied } }
}

/**
 * The first day that would get a high or low as far from its closes as a jump, with that price; unconfirmed
 * extremes are never recorded.
 */
async function farRange(
  tx: Db,
  { asset, name }: DailySource,
  read: readonly RecordedBar[],
  before: jumps.Close | null,
  real: ReadonlySet<Day>,
): Promise<jumps.Jump | null> {
  for (const [i, bar] of read.entries()) {
    const last = read[i - 1] ?? before
    const previous = last?.close ?? null
    if (real.has(bar.day) || jumps.farPrice(bar, previous) === null) continue
    const others = (await barRows.barsBetween(tx, asset, bar.day, bar.day)).filter(
      (one) => one.source !== name,
    )
    const [agreed] = barRows.agreedBars(
      asset,
      [...others, { ...bar, state: 'final' }],
      // A new source is not on record yet.
      new Set([...(await barRows.outsideNames(tx, asset)), name]),
    )
    const usd = agreed ? jumps.farPrice(agreed, previous) : null
    if (usd !== null) return { before: last ?? bar, after: { day: bar.day, close: usd } }
  }
  return null
}

function reportOfBar(bar: RecordedBar): SourceOnDay {
  return { isFull: !isCloseOnly(bar), report: isOver(bar) ? 'over' : 'open' }
}

function reportOf(
  source: DailySource,
  day: Day,
  bars: readonly RecordedBar[],
  states: readonly sourceRows.SourceState[],
  nowMs: number,
): SourceOnDay {
  const bar = bars.find((one) => one.source === source.name)
  if (bar && isOver(bar)) return reportOfBar(bar)
  const state = states.find((one) => one.source === source.name)
  const oldest = source.reachDays === null ? -Infinity : dayOfTime(nowMs) - source.reachDays
  const isOutOfReach = day < source.firstDay || day < oldest
  const wasRequested = state?.askedThrough != null && day <= state.askedThrough
  // Waiting costs nothing during the day, and a touch reported by one venue could be wrong.
  const isAway = isAbandoned(state, nowMs, !isEnded(source.asset, day, nowMs))
  // A bar read before the end of its day does not count as reported: its source may have died since.
  if ((isOutOfReach && !bar) || wasRequested || isAway) {
    return { isFull: source.isFull, report: 'absent' }
  }
  return bar ? reportOfBar(bar) : { isFull: source.isFull, report: 'expected' }
}

/**
 * Whether a source has failed for so long that settling ignores it.
 * @param patient allows a source that never answered as much time as the others
 */
export function isAbandoned(
  state: Pick<sourceRows.SourceState, 'lastSuccessAt' | 'failingSince'> | null | undefined,
  nowMs: number,
  patient = false,
): boolean {
  const patience =
    state?.lastSuccessAt == null && !patient ? NEVER_SEEN_AFTER_MS : GIVEN_UP_AFTER_MS
  return state?.failingSince != null && nowMs - state.failingSince >= patience
}

/** The days on which deciding prices differ, and whether final or confirmed bars are among them. */
function difference(before: readonly AgreedBar[], after: readonly AgreedBar[]) {
  const old = new Map(before.map((bar) => [bar.day, bar]))
  const changed = after.filter((bar) => matter(bar) !== matter(old.get(bar.day)))
  return {
    first: changed[0]?.day ?? null,
    last: changed.at(-1)?.day ?? null,
    shows: changed.some((bar) => !bar.moving),
    proves: changed.some((bar) => !bar.unconfirmed && proven(bar) !== proven(old.get(bar.day))),
  }
}

function matter(bar: AgreedBar | undefined): string {
  return bar ? JSON.stringify([proven(bar), bar.loneHigh, bar.loneLow]) : ''
}

/** Prices that may decide a verdict; excludes the last price of a moving bar. */
function proven(bar: AgreedBar | undefined): string {
  if (!bar) return ''
  const { high, low, moving, unconfirmed } = bar
  const rest = moving ? [] : [bar.open, bar.close, bar.source]
  return JSON.stringify([high, low, moving, unconfirmed, ...rest])
}
