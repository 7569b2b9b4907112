import { ASSET_KEYS, findAsset, type AssetKey } from '#domain/asset.ts'
import { type AgainstLuck } from '#domain/scoring/stated-calls.ts'
import { type Consensus, type SharedCall, type YearTally } from '#domain/scoring/year-card.ts'
import { type BoardCall } from './board.ts'
import { type ScoresReply } from './scores.ts'

/** Maximum calls of a year per reply. */
export const MOST_CALLS = 200

const [FIRST] = ASSET_KEYS

/** The address of a card: `/years/2025` for Bitcoin, `/years/2025/mstr` for another asset. */
export function yearPath(asset: AssetKey, year: number): string {
  return asset === FIRST ? `/years/${String(year)}` : `/years/${String(year)}/${asset}`
}

/** Reads the parts of such an address after `/years/`; null for any other. */
export function readYearParts(year: string, asset: string | undefined) {
  const key = asset === undefined ? FIRST : findAsset(asset)?.key
  return key !== undefined && /^[1-9]\d{3}$/.test(year) ? { asset: key, year: Number(year) } : null
}

export type YearCallRow = BoardCall & {
  readonly slug: string
  readonly name: string
  readonly made: string
  /** Distance of its level from the last close of its window, as a share of that close; positive if too high. */
  readonly error: number | null
}

/** The level most people named, and its result. */
export type ConsensusRow = Pick<Consensus<SharedCall>, 'direction' | 'low' | 'high' | 'people'> & {
  readonly calls: number
  readonly hits: number
  /** Everybody who named it, by name; the first `MOST_CALLS` of them. */
  readonly by: readonly { readonly slug: string; readonly name: string }[]
}

/** The calls of one asset that were due in one year, by intraday prices, as of the newest scores. */
export type YearCardReply = Pick<ScoresReply, 'as_of'> & {
  readonly tally: YearTally
  /** The year, with its prices, has not ended. */
  readonly so_far: boolean
  /** `18 of 41 Bitcoin calls due in 2025 came true. Luck expects 15.3.` */
  readonly finding: string
  /**
   * The chance that luck does as well in the replayed histories, in which calls of one price come true or fail
   * together; null below five calls.
   */
  readonly replayed: number | null
  /** The first and last close of the year, and the lowest and highest one, USD; null without prices. */
  readonly price: {
    readonly first: number
    readonly last: number
    readonly low: number
    readonly high: number
    readonly day: string
  } | null
  /** Median, lowest and highest of the levels named for the year, including open calls, USD. */
  readonly levels: {
    readonly median: number
    readonly low: number
    readonly high: number
  } | null
  readonly boldest: YearCallRow | null
  readonly widest: (YearCallRow & { readonly error: number; readonly close: number }) | null
  readonly consensus: ConsensusRow | null
  /** Least expected by luck first; the first `MOST_CALLS` of `tally.n`. */
  readonly calls: readonly YearCallRow[]
  /** Calls whose last day has not ended, the next deadline first; the first `MOST_CALLS` of `tally.open`. */
  readonly open: readonly YearCallRow[]
}

export type YearPlace = {
  /** The nearest years with calls that were or are due; null at the ends. */
  readonly before: number | null
  readonly after: number | null
  /** Assets with calls due in this year, including this one. */
  readonly assets: readonly AssetKey[]
}

/** All years of the assets that have calls, newest first, as of the newest scores. */
export type YearsReply = Pick<ScoresReply, 'as_of'> & {
  readonly assets: readonly {
    readonly asset: AssetKey
    readonly years: readonly (YearTally & Pick<YearCardReply, 'replayed'>)[]
  }[]
}

/** All calls of an asset that can be compared with luck; null without scores or without such a call. */
export function againstLuck(reply: YearsReply | null, asset: AssetKey): AgainstLuck | null {
  const years = reply?.assets.find((one) => one.asset === asset)?.years ?? []
  const sum = (of: 'n' | 'hits' | 'expected') => years.reduce((total, year) => total + year[of], 0)
  return sum('n') === 0 ? null : { n: sum('n'), hits: sum('hits'), expected: sum('expected') }
}
