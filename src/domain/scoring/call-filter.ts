import { type AssetKey } from '#domain/asset.ts'

export const SIDES = ['bull', 'bear'] as const
export type Side = (typeof SIDES)[number]

/** Which calls are compared; null takes all. */
export type CallFilter = {
  readonly asset: AssetKey | null
  /** Years in which a call was made, both included. */
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
 * Better or worse than luck; `unclear` where luck alone may have done it; `untested` where only some of the calls are looked
 * at. In this order on the board.
 */
export const BANDS = ['above', 'unclear', 'untested', 'below'] as const
export type Band = (typeof BANDS)[number]

/** People and years with fewer comparable calls are not compared with luck: they say too little. */
export const LEAST_CALLS = 5
