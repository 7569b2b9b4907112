import { type AssetKey } from '#domain/asset.ts'

/** For a rising price, or for a falling one; that it stays inside a range is neither. */
export const SIDES = ['bull', 'bear'] as const
export type Side = (typeof SIDES)[number]

/** Which calls are compared; null takes all. */
export type CallFilter = {
  readonly asset: AssetKey | null
  /** Years in which a call was made, both included. */
  readonly fromYear: number | null
  readonly toYear: number | null
  readonly side: Side | null
  /** Open when it was recorded here, and counted from that day; or looked up afterwards. */
  readonly recorded: 'before' | 'after' | null
}

export const ALL_CALLS: CallFilter = {
  asset: null,
  fromYear: null,
  toYear: null,
  side: null,
  recorded: null,
}
