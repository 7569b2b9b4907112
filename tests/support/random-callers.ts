import { makeClaim, type Claim } from '#domain/claim/claim.ts'
import { addDays, dayFromNumber, isoDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'

type ClaimOf = (above: number, below: number, wide: number) => Claim

const upward: ClaimOf = (above) => makeClaim('target', { min: above, max: above })

/** Equally likely claims, made from a price above and one below the present price, and the width of a range. */
const KINDS: readonly ClaimOf[] = [
  upward,
  (_, below) => makeClaim('target', { min: below, max: below }),
  (above, _, wide) => makeClaim('range', { min: above, max: above * wide }),
  (_, below, wide) => makeClaim('range', { min: below / wide, max: below }),
  (above, below) => makeClaim('range', { min: below, max: above }),
  (above) => makeClaim('by-date', { min: above, max: above }),
  (_, below) => makeClaim('by-date', { min: below, max: below }),
  (above) => makeClaim('top', { min: above, max: above }),
  (_, below) => makeClaim('bottom', { min: below, max: below }),
  (above, below) => makeClaim('range', { min: below, max: above }, { timing: 'throughout' }),
  (above) => makeClaim('target', { min: above, max: above }, { timing: 'at_end' }),
  (_, below) => makeClaim('target', { min: below, max: below }, { timing: 'at_end' }),
  (above, _, wide) => makeClaim('range', { min: above, max: above * wide }, { timing: 'at_end' }),
]
/** The upward and the downward range, whose windows begin at once. */
const RANGES: readonly ClaimOf[] = KINDS.slice(2, 4)

const RANDOM_SIGMA = 0.6

/**
 * Daily bars of a price that follows luck exactly: no drift of its logarithm, with highs and lows of a continuous
 * motion.
 */
export function randomBars(random: () => number, days: number): AgreedBar[] {
  const variance = RANDOM_SIGMA ** 2 / 365
  let log = Math.log(100)
  return Array.from({ length: days }, (_, n) => {
    const before = log
    log += Math.sqrt(variance) * normal(random)
    const [open, close] = [Math.exp(before), Math.exp(log)]
    // The farthest point of a Brownian bridge.
    const reach = (): number =>
      Math.sqrt((log - before) ** 2 - 2 * variance * Math.log(1 - random()))
    return {
      day: dayFromNumber(n),
      open,
      high: Math.exp((before + log + reach()) / 2),
      low: Math.exp((before + log - reach()) / 2),
      close,
      source: 'random',
      loneHigh: null,
      loneLow: null,
    }
  })
}

/** Calls of all kinds by people without knowledge; about half of them are open on that day. */
export function randomCalls(
  random: () => number,
  bars: readonly AgreedBar[],
  { asOf, callers, each, since }: { asOf: Day; callers: number; each: number; since: Day },
): ScoredPrediction[] {
  return Array.from({ length: callers * each }, (_, i) => {
    const made = addDays(since, Math.floor(random() * (asOf - since - 2)))
    const passed = asOf - made
    const length = 1 + Math.floor(2 * random() * passed)
    const usd = bars[made]?.close ?? 100
    const away = Math.exp((0.05 + 2 * random()) * RANDOM_SIGMA * Math.sqrt(length / 365))
    const wait = random() < 0.15 ? Math.floor((length * random()) / 2) : 0
    const claimOf = KINDS[Math.floor(random() * KINDS.length)] ?? upward
    const slug = `caller-${String(Math.floor(i / each))}`
    return {
      id: String(i),
      expert: { slug, name: slug },
      createdAt: `${isoDay(addDays(made, (i * 7_919) % (length + 10)))}T12:00:00Z`,
      asset: 'btc',
      claim: claimOf(usd * away, usd / away, 1.02 + random() / 2),
      made,
      from: wait > 0 && !RANGES.includes(claimOf) ? addDays(made, 1 + wait) : null,
      by: addDays(made, length),
    }
  })
}

/** Box–Muller transform. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
