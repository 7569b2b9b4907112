/** Daily closes packed for a page: the first day since 1970, the steps to each next day, and a close in USD for each. */
export type PackedPrices = {
  readonly first: number
  /** One fewer than `closes`; 1 for the next day. */
  readonly steps: readonly number[]
  readonly closes: readonly number[]
}
