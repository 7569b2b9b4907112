import { type Day } from '#domain/day.ts'

/** Shift of a level for prices seen once per period (Broadie, Glasserman, Kou 1997). */
const SEEN_ONCE = 0.5826

/**
 * The price as luck moves it: a geometric Brownian motion.
 *
 * - `sigma`: its volatility, a year.
 * - `drift`: the drift of its logarithm, a year, towards the level that is meant.
 */
export type Motion = { readonly sigma: number; readonly drift: number }

/**
 * The chance that a price that is watched all the time touches a level once.
 *
 * @param distance |ln(level / price)|; 0 or less is a level that is reached already
 * @param years how long it has time
 * @see Harrison, "Brownian Motion and Stochastic Flow Systems" (1985), §1.8
 */
export function touchChance(distance: number, { sigma, drift }: Motion, years: number): number {
  if (distance <= 0) return 1
  if (years <= 0 || sigma <= 0) return 0
  const spread = sigma * Math.sqrt(years)
  const straight = normalCdf((drift * years - distance) / spread)
  // Either factor may overflow or underflow; their product does not.
  const mirrored =
    (2 * drift * distance) / (sigma * sigma) + logNormalCdf((-distance - drift * years) / spread)
  return Math.min(1, straight + Math.exp(mirrored))
}

/** How much farther a level is if prices are seen once per `step` (years). */
export function seenOnceShift(sigma: number, step: number): number {
  return SEEN_ONCE * sigma * Math.sqrt(step)
}

/** The chance that a price is at or below a level at the end; `distance` is ln(level / price), with its sign. */
export function endsBelowChance(distance: number, { sigma, drift }: Motion, years: number): number {
  if (years <= 0 || sigma <= 0) return distance >= 0 ? 1 : 0
  return normalCdf((distance - drift * years) / (sigma * Math.sqrt(years)))
}

/** Points of the normal distribution from −4 to 4 with their weights. */
const POINTS = Array.from({ length: 41 }, (_, i) => -4 + i / 5)
const DENSITIES = POINTS.map((z) => Math.exp((-z * z) / 2))
const TOTAL = DENSITIES.reduce((sum, density) => sum + density, 0)

/** Terms beyond this exponent are negligible. */
const NO_TERM = 40

/**
 * The chance that a price that is watched all the time touches neither edge of a range.
 *
 * @param floor ln(price / lower edge); outside 0 to `width` it is 0
 * @param width ln(upper edge / lower edge)
 * @see Darling and Siegert, "The First Passage Problem for a Continuous Markov Process" (1953): the eigenfunction
 *   series
 */
export function staysChance(floor: number, width: number, { sigma, drift }: Motion, years: number) {
  if (floor <= 0 || floor >= width) return 0
  if (years <= 0 || sigma <= 0) return 1
  const tilt = drift / sigma ** 2
  let chance = 0
  for (let k = 1; ; k += 1) {
    const wave = (k * Math.PI) / width
    const decay = 0.5 * (wave ** 2 * sigma ** 2 + (drift / sigma) ** 2) * years
    if (decay > NO_TERM + Math.abs(tilt) * width) break
    const ends = 1 - (k % 2 === 0 ? 1 : -1) * Math.exp(tilt * width)
    const weight = ((2 / width) * wave * ends) / (tilt ** 2 + wave ** 2)
    chance += weight * Math.sin(wave * floor) * Math.exp(-tilt * floor - decay)
  }
  return Math.min(1, Math.max(0, chance))
}

/**
 * The mean of a chance over the positions that the price may have after `wait` years.
 *
 * @param chanceAt the chance after the logarithm of the price has moved this far
 */
export function laterChance(
  { sigma, drift }: Motion,
  wait: number,
  chanceAt: (moved: number) => number,
): number {
  if (wait <= 0) return chanceAt(0)
  const spread = sigma * Math.sqrt(wait)
  let chance = 0
  for (const [i, z] of POINTS.entries()) {
    chance += ((DENSITIES[i] ?? 0) / TOTAL) * chanceAt(drift * wait + spread * z)
  }
  return chance
}

/**
 * The distribution function of the standard normal, to 15 digits.
 *
 * @see G. West, "Better approximations to cumulative normal functions", Wilmott 2005 (Hart's algorithm 5666)
 */
export function normalCdf(x: number): number {
  const z = Math.abs(x)
  const upper = z > 37 ? 0 : Math.exp(-(z * z) / 2) * tailFactor(z)
  return x > 0 ? 1 - upper : upper
}

/** The upper tail beyond z ≥ 0, divided by exp(−z²/2). */
function tailFactor(z: number): number {
  if (z >= 7.071_067_811_865_47) {
    const fraction = z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 0.65))))
    return 1 / fraction / 2.506_628_274_631
  }
  const above =
    (((((3.526_249_659_989_11e-2 * z + 0.700_383_064_443_688) * z + 6.373_962_203_531_65) * z +
      33.912_866_078_383) *
      z +
      112.079_291_497_871) *
      z +
      221.213_596_169_931) *
      z +
    220.206_867_912_376
  const below =
    ((((((8.838_834_764_831_84e-2 * z + 1.755_667_163_182_64) * z + 16.064_177_579_207) * z +
      86.780_732_202_946_1) *
      z +
      296.564_248_779_674) *
      z +
      637.333_633_378_831) *
      z +
      793.826_512_519_948) *
      z +
    440.413_735_824_752
  return above / below
}

/** The logarithm of `normalCdf`, also where the latter underflows. */
export function logNormalCdf(x: number): number {
  return x < -8 ? -(x * x) / 2 + Math.log(tailFactor(-x)) : Math.log(normalCdf(x))
}

export const NO_LUCK = [
  /** the judge does not count it: it was true or broken already, or an administrator said so */
  'void',
  /** the price on the day it was made is not known, or not yet */
  'no-reference',
  'little-history',
  'no-day',
  'too-long',
] as const
export type NoLuck = (typeof NO_LUCK)[number]

export type Odds = {
  /** The chance of a hit when it was made; null with the reason in `noLuck`. */
  readonly luck: number | null
  readonly noLuck: NoLuck | null
  /** Annual volatility and drift, as known when it was made; null if unknown. */
  readonly motion: Motion | null
  /** The remaining distance; null unless it is open with known prices. */
  readonly left: WayToGo | null
}

/** How far an open call is from coming true, as of the last close. */
export type WayToGo = {
  /** The last close, and its price in USD. */
  readonly day: Day
  readonly usd: number
  /**
   * The price change needed to reach the level, as a share: 0.38 is up by 38%, 0 is already there. For a claim that a
   * price will stay below or above a level: by how much it may change.
   */
  readonly change: number
  /** Days until the deadline. */
  readonly days: number
  /** The chance that it comes true from there; null with more than two years to go. */
  readonly chance: number | null
}
