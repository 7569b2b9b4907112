import { type AssetKey } from '#domain/asset.ts'

export const SIDES = ['bull', 'bear'] as const
export type Side = (typeof SIDES)[number]

/** Filters the compared calls; null means any. */
export type CallFilter = {
  readonly asset: AssetKey | null
  /** Years in which a call was made, inclusive. */
  readonly fromYear: number | null
  readonly toYear: number | null
  readonly side: Side | null
  readonly recorded: 'before' | 'after' | null
}

export const ALL_CALLS: CallFilter = {
  asset: null,
  fromYear: null,
  toYear: null,
  side: null,
  recorded: null,
}

/**
 * Better or worse than luck; `unclear` if luck alone may explain it; `untested` if only some calls are compared. In the
 * order of the board.
 */
export const BANDS = ['above', 'unclear', 'untested', 'below'] as const
export type Band = (typeof BANDS)[number]

/** People and years with fewer comparable calls are not compared with luck. */
export const LEAST_CALLS = 5
