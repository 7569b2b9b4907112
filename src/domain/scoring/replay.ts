import { type AssetKey } from '#domain/asset.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type Day } from '#domain/day.ts'
import { decidesAtEnd, goalOf, isFromAbove } from '#domain/judging/verdict.ts'
import { motionAt, positionAt, type PriceHistories, type PriceHistory } from './price-history.ts'
import { type ScoredCall } from './scored-call.ts'
import { seenOnceShift } from './touch.ts'

/** Mean block length of consecutive days: volatility clusters. */
const BLOCK_DAYS = 30
/** With fewer days to draw from, histories would repeat themselves. */
const LEAST_DAYS = 365
/** Sizes of blocks of sessions for which the highest and lowest suffice, in two sizes. */
const CHUNK = 16
const LARGE = 256

/** How the calls of all people would have done in other histories. */
export type Replay = {
  readonly ps: readonly { readonly well: number; readonly badly: number }[]
  /** Margin of the hits per asset; under null, of all assets if every call could be replayed. */
  readonly hits: ReadonlyMap<AssetKey | null, Margin>
}

export type Margin = { readonly low: number; readonly high: number }

/**
 * Replays calls on histories assembled from stretches of the real one: daily returns less the drift, in units of
 * the volatility known the day before, with the same days for all assets. Every call meets them with the volatility
 * and drift of the day it was made, so that luck's own forecast holds on average: the returns are normalized to
 * mean 0 and deviation 1, as the growth of Bitcoin's first years would otherwise favour everybody who said up.
 *
 * @param people the decided calls with luck of each
 * @param seed repeats the same histories
 * @returns null with too little history to draw from, or without calls
 */
export function replay(
  histories: PriceHistories,
  people: readonly (readonly ScoredCall[])[],
  count: number,
  seed: string,
): Replay | null {
  const world = count > 0 ? worldOf(histories, people, count) : null
  if (!world) return null
  const random = randomOf(seed)
  const times = people.map(() => ({ well: 0, badly: 0 }))
  for (let i = 0; i < count; i += 1) {
    drawHistory(world, random)
    for (const [j, person] of world.people.entries()) {
      const excess = excessOf(person, i)
      const found = times[j]
      if (found && excess >= person.excess - 1e-9) found.well += 1
      if (found && excess <= person.excess + 1e-9) found.badly += 1
    }
  }
  const all = new Float64Array(count)
  const hits = new Map<AssetKey | null, Margin>()
  for (const walk of world.walks) {
    for (const [i, one] of walk.hits.entries()) all[i] = (all[i] ?? 0) + one
    hits.set(walk.history.asset, marginOf(walk.hits))
  }
  if (world.isWhole) hits.set(null, marginOf(all))
  const chance = (found: number): number => (1 + found) / (count + 1)
  return {
    ps: times.map(({ well, badly }) => ({ well: chance(well), badly: chance(badly) })),
    hits,
  }
}

function marginOf(hits: Float64Array): Margin {
  const rising = hits.toSorted()
  return {
    low: rising[Math.floor((hits.length - 1) * 0.05)] ?? 0,
    high: rising[Math.ceil((hits.length - 1) * 0.95)] ?? 0,
  }
}

type Walk = {
  readonly history: PriceHistory
  readonly shocks: Float64Array
  readonly first: number
  readonly days: Int32Array
  readonly sums: Float64Array
  readonly highest: Float64Array
  readonly lowest: Float64Array
  readonly peaks: Float64Array
  readonly troughs: Float64Array
  readonly hits: Float64Array
}

type World = {
  readonly walks: readonly Walk[]
  readonly pool: { readonly first: number; readonly length: number }
  readonly first: number
  readonly drawn: Int32Array
  readonly people: readonly Person[]
  readonly isWhole: boolean
}

type Person = {
  readonly tries: readonly Try[]
  readonly expected: number
  readonly excess: number
}

type Try = {
  readonly walk: Walk
  readonly made: number
  readonly from: number
  readonly to: number
  readonly scale: number
  readonly slope: number
  /** Reaches a level above or below, ends within two levels, or touches neither of them. */
  readonly kind: 'up' | 'down' | 'inside' | 'stays'
  readonly low: number
  readonly high: number
  /** It comes true when the level is not reached. */
  readonly holds: boolean
}

function worldOf(
  histories: PriceHistories,
  people: readonly (readonly ScoredCall[])[],
  count: number,
): World | null {
  const calls = people.flat()
  const assets = [...new Set(calls.map(({ asset }) => asset))].toSorted()
  const pools = assets.flatMap((asset) => {
    const history = histories[asset]
    const pool = history && shocksOf(histories, history)
    return pool ? [{ asset, history, ...pool }] : []
  })
  const [first, last] = [
    Math.max(...pools.map((pool) => pool.first)),
    Math.min(...pools.map(({ first: begin, shocks }) => begin + shocks.length - 1)),
  ]
  if (pools.length === 0 || last - first + 1 < LEAST_DAYS) return null
  const begin = calls.reduce((first, { made }) => Math.min(first, made), Infinity) + 1
  const end = Math.max(...pools.map(({ history }) => history.series.bars.at(-1)?.day ?? 0))
  if (end < begin) return null
  const walks = new Map<AssetKey, Walk>()
  for (const { asset, history, shocks, first: poolFirst } of pools) {
    const drawn = shocks.subarray(first - poolFirst, last - poolFirst + 1)
    walks.set(asset, walkOf(history, standardized(drawn), begin, count))
  }
  const found = people.map((person) => personOf(person, walks))
  return {
    walks: [...walks.values()],
    pool: { first, length: last - first + 1 },
    first: begin,
    drawn: new Int32Array(end - begin + 1),
    people: found,
    isWhole: found.flatMap(({ tries }) => tries).length === calls.length,
  }
}

/**
 * Daily returns less the drift, in units of the volatility, both as known the day before; null when they are too
 * few.
 */
function shocksOf(histories: PriceHistories, history: PriceHistory) {
  const { series, logs, daysAYear } = history
  const last = series.bars.at(-1)?.day
  let [first, filled, shock] = [NaN, 0, 0]
  let shocks = new Float64Array(0)
  for (const [at, { day }] of series.bars.entries()) {
    const motion = at > 0 ? motionAt(histories, history, at - 1) : null
    if (!motion || motion.sigma <= 0 || last === undefined) continue
    if (Number.isNaN(first)) {
      first = day
      shocks = new Float64Array(last - day + 1)
    }
    // Days without a session repeat the one before.
    shocks.fill(shock, filled, day - first)
    const moved = (logs[at] ?? 0) - (logs[at - 1] ?? 0)
    shock = (moved - motion.drift / daysAYear) / (motion.sigma / Math.sqrt(daysAYear))
    shocks[day - first] = shock
    filled = day - first + 1
  }
  return shocks.length < LEAST_DAYS ? null : { first, shocks }
}

function standardized(shocks: Float64Array): Float64Array {
  let [sum, squares] = [0, 0]
  for (const shock of shocks) {
    sum += shock
    squares += shock * shock
  }
  const mean = sum / shocks.length
  const deviation = Math.sqrt(squares / shocks.length - mean * mean)
  return shocks.map((shock) => (deviation > 0 ? (shock - mean) / deviation : 0))
}

function walkOf(history: PriceHistory, shocks: Float64Array, begin: number, count: number): Walk {
  const first = history.series.atOrAfter(begin as Day)
  const days = Int32Array.from(history.series.bars.slice(first), ({ day }) => day - begin)
  const { length } = history.series.bars
  const each = (size: number): Float64Array => new Float64Array(Math.ceil(length / size))
  return {
    history,
    shocks,
    first,
    days,
    sums: new Float64Array(length),
    highest: each(CHUNK),
    lowest: each(CHUNK),
    peaks: each(LARGE),
    troughs: each(LARGE),
    hits: new Float64Array(count),
  }
}

function personOf(calls: readonly ScoredCall[], walks: ReadonlyMap<AssetKey, Walk>): Person {
  const tries: Try[] = []
  let [expected, excess] = [0, 0]
  for (const call of calls) {
    const walk = walks.get(call.asset)
    const one = walk && tryOf(call, walk)
    if (!one) continue
    tries.push(one)
    expected += call.expectedAsDated ?? 0
    excess += (call.observed ?? 0) - (call.expected ?? 0)
  }
  return { tries, expected, excess }
}

function tryOf(call: ScoredCall, walk: Walk): Try | null {
  const { usd, motion, direction, claim, window } = call
  if (usd === null || !motion || call.expected === null) return null
  const { history } = walk
  const { min, max } = levelsOf(claim)
  const goal = goalOf(direction, { min, max })
  const isUp = !isFromAbove(direction)
  // A walk has one price a day; where the real one was watched all the time, its level is as much nearer.
  const nearer = call.seenOnce ? 0 : seenOnceShift(motion.sigma, 1 / history.daysAYear)
  const isBand = decidesAtEnd(direction) || direction === 'stays'
  const reached = direction === 'up' || direction === 'never-below' ? min : max
  const edge = Math.log(reached / usd)
  const narrower = direction === 'stays' ? nearer : 0
  return {
    walk,
    made: positionAt(history, call.made),
    from: history.series.atOrAfter(window.from),
    to: positionAt(history, window.to),
    scale: motion.sigma / Math.sqrt(history.daysAYear),
    slope: motion.drift / history.daysAYear,
    kind: direction === 'stays' ? 'stays' : isBand ? 'inside' : isUp ? 'up' : 'down',
    low: isBand ? Math.log(goal.min / usd) + narrower : edge + nearer,
    high: isBand ? Math.log(goal.max / usd) - narrower : edge - nearer,
    holds: direction === 'never-above' || direction === 'never-below',
  }
}

/** Draws days for all assets, in blocks of geometric length that begin on the same day of the week. */
function drawHistory({ pool, first, drawn, walks }: World, random: () => number): void {
  let at = -1
  for (let i = 0; i < drawn.length; i += 1) {
    at += 1
    if (i === 0 || at >= pool.length || random() * BLOCK_DAYS < 1) {
      const weekday = (((first + i - pool.first) % 7) + 7) % 7
      at = weekday + 7 * Math.floor(random() * Math.floor((pool.length - weekday + 6) / 7))
    }
    drawn[i] = at
  }
  for (const walk of walks) takeWalk(walk, drawn)
}

function takeWalk(walk: Walk, drawn: Int32Array): void {
  const { first, days, sums, shocks, highest, lowest, peaks, troughs } = walk
  for (const high of [highest, peaks]) high.fill(-Infinity)
  for (const low of [lowest, troughs]) low.fill(Infinity)
  let sum = 0
  for (let i = 0; i < days.length; i += 1) {
    sum += shocks[drawn[days[i] ?? 0] ?? 0] ?? 0
    const position = first + i
    sums[position] = sum
    const chunk = Math.floor(position / CHUNK)
    if (sum > (highest[chunk] ?? 0)) highest[chunk] = sum
    if (sum < (lowest[chunk] ?? 0)) lowest[chunk] = sum
  }
  const inLarge = LARGE / CHUNK
  for (let i = 0; i < highest.length; i += 1) {
    const large = Math.floor(i / inLarge)
    peaks[large] = Math.max(peaks[large] ?? 0, highest[i] ?? 0)
    troughs[large] = Math.min(troughs[large] ?? 0, lowest[i] ?? 0)
  }
}

function excessOf({ tries, expected }: Person, history: number): number {
  let observed = 0
  for (const one of tries) {
    if (isReached(one) === one.holds) continue
    observed += 1
    const { hits } = one.walk
    hits[history] = (hits[history] ?? 0) + 1
  }
  return observed - expected
}

function isReached({ walk, made, from, to, scale, slope, kind, low, high }: Try): boolean {
  const { sums, highest, lowest, peaks, troughs, first } = walk
  const start = made < first ? 0 : (sums[made] ?? 0)
  const begun = scale * start + slope * made
  if (kind === 'inside') {
    const end = scale * (sums[to] ?? 0) + slope * to - begun
    return end >= low && end <= high
  }
  if (kind === 'stays') {
    for (let at = from; at <= to; at += 1) {
      const moved = scale * (sums[at] ?? 0) + slope * at - begun
      if (moved <= low || moved >= high) return false
    }
    return true
  }
  const isUp = kind === 'up'
  const sign = isUp ? 1 : -1
  // Downward levels are reached by the walk turned upside down.
  const level = sign * (isUp ? high : low) + sign * begun
  const step = sign * scale
  const drift = sign * slope
  const farthest = isUp ? highest : lowest
  const farthestOfLarge = isUp ? peaks : troughs
  // With a drift upwards a stretch of sessions ends highest. Nothing here may allocate: it runs 200 million times.
  const last = drift > 0 ? 1 : 0
  for (let at = from; at <= to;) {
    if (at % CHUNK === 0) {
      if (
        at % LARGE === 0 &&
        at + LARGE - 1 <= to &&
        step * (farthestOfLarge[at / LARGE] ?? 0) + drift * (at + last * (LARGE - 1)) < level
      ) {
        at += LARGE
        continue
      }
      if (
        at + CHUNK - 1 <= to &&
        step * (farthest[at / CHUNK] ?? 0) + drift * (at + last * (CHUNK - 1)) < level
      ) {
        at += CHUNK
        continue
      }
    }
    if (step * (sums[at] ?? 0) + drift * at >= level) return true
    at += 1
  }
  return false
}

/**
 * Numbers from 0 to below 1 that a seed repeats.
 *
 * @see Mulberry32, https://github.com/bryc/code/blob/master/jshash/PRNGs.md
 */
export function randomOf(seed: string): () => number {
  let state = digest(seed)
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
function digest(text: string): number {
  let hash = 0x81_1c_9d_c5
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  }
  return hash
}
