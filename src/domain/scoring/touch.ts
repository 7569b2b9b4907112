import { logNormalCdf, normalCdf } from './normal.ts'

/** How far a level has to be moved away when prices are seen once a period only (Broadie, Glasserman, Kou 1997). */
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
  // Both factors may be too large or too small for a number; their product never is.
  const mirrored =
    (2 * drift * distance) / (sigma * sigma) + logNormalCdf((-distance - drift * years) / spread)
  return Math.min(1, straight + Math.exp(mirrored))
}

/** How much farther a level is away when prices are seen once a `step` (years). */
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

/** The same for a level that counts only after `wait` years: the price may be anywhere by then. */
export function laterTouchChance(
  distance: number,
  motion: Motion,
  wait: number,
  years: number,
): number {
  if (wait <= 0) return touchChance(distance, motion, years)
  const spread = motion.sigma * Math.sqrt(wait)
  let chance = 0
  for (const [i, z] of POINTS.entries()) {
    const moved = motion.drift * wait + spread * z
    chance += ((DENSITIES[i] ?? 0) / TOTAL) * touchChance(distance - moved, motion, years)
  }
  return chance
}
