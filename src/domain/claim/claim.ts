/**
 * What a person said the price will do, in USD.
 *
 * @see public-site.md §9, "Prediction types"
 */
export type Claim =
  /** The price reaches this level. */
  | { readonly type: 'target'; readonly usd: number }
  /** The price enters `min` to `max`, with `min < max`. */
  | { readonly type: 'range'; readonly min: number; readonly max: number }
  /** The price is at this level or above by the deadline. */
  | { readonly type: 'by-date'; readonly usd: number }
  /** The price never goes above this level. */
  | { readonly type: 'top'; readonly usd: number }
  /** The price never goes below this level. */
  | { readonly type: 'bottom'; readonly usd: number }
export type ClaimType = Claim['type']

/** The lowest and the highest level of a claim, USD; equal for one level. */
export type LevelRange = { readonly min: number; readonly max: number }

export function levelsOf(claim: Claim): LevelRange {
  return claim.type === 'range'
    ? { min: claim.min, max: claim.max }
    : { min: claim.usd, max: claim.usd }
}

/** A claim of this type; every type but a range has one level and takes the lower one. */
export function makeClaim(type: ClaimType, { min, max }: LevelRange): Claim {
  return type === 'range' ? { type, min, max } : { type, usd: min }
}

/** The same claim with every level multiplied. */
export function scaleClaim(claim: Claim, factor: number): Claim {
  const { min, max } = levelsOf(claim)
  return makeClaim(claim.type, { min: scaled(min, factor), max: scaled(max, factor) })
}

/** Twelve significant digits: enough for any price, and 0.1 × 3 equals 0.3. */
function scaled(usd: number, factor: number): number {
  return factor === 1 ? usd : Number((usd * factor).toPrecision(12))
}

/** Whether two claims are of the same type and their levels differ by no more than this share of the larger one. */
export function isSameClaim(a: Claim, b: Claim, within: number): boolean {
  const [one, other] = [levelsOf(a), levelsOf(b)]
  const isNear = (x: number, y: number): boolean => Math.abs(x - y) <= within * Math.max(x, y)
  return a.type === b.type && isNear(one.min, other.min) && isNear(one.max, other.max)
}
