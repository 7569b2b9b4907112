/** When a claim must be true: at any time until the deadline, at the last close, or the whole time. */
export const TIMINGS = ['by', 'at_end', 'throughout'] as const
export type Timing = (typeof TIMINGS)[number]

/** The stated direction of the price move. */
export const DIRECTIONS = ['up', 'down'] as const
export type StatedDirection = (typeof DIRECTIONS)[number]

/** Timing and direction of a claim, in canonical form, so that equal claims have equal fields. */
export type Terms = {
  /** Omitted if it is the type's default; see `timingOf`. */
  readonly timing?: Timing
  /** Only if the source states it; otherwise inferred from the price on that day. */
  readonly direction?: StatedDirection
}

/**
 * A predicted price move, in USD.
 *
 * @see public-site.md §9, "Prediction types"
 */
export type Claim = Terms &
  (
    | { readonly type: 'target'; readonly usd: number }
    /** The price is between `min` and `max`, with `min < max`. */
    | { readonly type: 'range'; readonly min: number; readonly max: number }
    | { readonly type: 'by-date'; readonly usd: number }
    | { readonly type: 'top'; readonly usd: number }
    | { readonly type: 'bottom'; readonly usd: number }
  )
export type ClaimType = Claim['type']

/** The lowest and the highest level of a claim, USD; equal for one level. */
export type LevelRange = { readonly min: number; readonly max: number }

export function levelsOf(claim: Claim): LevelRange {
  return claim.type === 'range'
    ? { min: claim.min, max: claim.max }
    : { min: claim.usd, max: claim.usd }
}

const TIMINGS_OF: Readonly<Record<ClaimType, readonly [Timing, ...Timing[]]>> = {
  target: ['by', 'at_end'],
  range: ['by', 'at_end', 'throughout'],
  'by-date': ['by', 'at_end', 'throughout'],
  top: ['throughout', 'at_end'],
  bottom: ['throughout', 'at_end'],
}

export function timingsOf(type: ClaimType): readonly [Timing, ...Timing[]] {
  return TIMINGS_OF[type]
}

export function timingOf({ type, timing }: Pick<Claim, 'type' | 'timing'>): Timing {
  return timing ?? TIMINGS_OF[type][0]
}

/** Builds a claim; every type except `range` has one level and takes the lower one. */
export function makeClaim(
  type: ClaimType,
  { min, max }: LevelRange,
  { timing, direction }: Terms = {},
): Claim {
  const terms = {
    ...(timing !== undefined && timing !== TIMINGS_OF[type][0] && { timing }),
    ...(direction && { direction }),
  }
  return type === 'range' ? { type, min, max, ...terms } : { type, usd: min, ...terms }
}

export function scaleClaim(claim: Claim, factor: number): Claim {
  const { min, max } = levelsOf(claim)
  return makeClaim(claim.type, { min: scaled(min, factor), max: scaled(max, factor) }, claim)
}

/** Twelve significant digits: enough for any price, and 0.1 × 3 equals 0.3. */
function scaled(usd: number, factor: number): number {
  return factor === 1 ? usd : Number((usd * factor).toPrecision(12))
}

export function isSameClaim(a: Claim, b: Claim, within: number): boolean {
  const [one, other] = [levelsOf(a), levelsOf(b)]
  const isNear = (x: number, y: number): boolean => Math.abs(x - y) <= within * Math.max(x, y)
  return a.type === b.type && isNear(one.min, other.min) && isNear(one.max, other.max)
}
