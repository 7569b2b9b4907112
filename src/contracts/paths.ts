import { ASSET_KEYS, findAsset, type AssetKey } from '#domain/asset.ts'
import { type Day, readDayInput } from '#domain/day.ts'

/** The price socket; the asset is in the query, by default Bitcoin: `/ws/price?asset=mstr`. */
export const PRICE_SOCKET_PATH = '/ws/price'

export const LIVE_EVENTS_PATH = '/api/v1/live'

/** How often an unchanged price is sent again, milliseconds. */
export const LIVE_REPEAT_MS = 15_000

/** A price older than this is shown with its time, milliseconds. */
export const LIVE_OLD_MS = 60_000

export const PAST_PARAM = 'day'

/** @returns null if no real day is named */
export function readPastDay(text: string | null): Day | null {
  return readDayInput(text ?? '')
}

/** The page of a list that an address names, from 1. */
export function readPageNumber(text: string | null): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1
}

export function receiptPath(token: string): string {
  return `/receipt/${token}`
}

/** The page linked from a mail; only its button confirms, because mail scanners open links. */
export function confirmPath(token: string): string {
  return `/confirm/${token}`
}

export function followingPath(token: string): string {
  return `/following/${token}`
}

const [FIRST] = ASSET_KEYS

/** `/history` for Bitcoin, `/history/mstr` for another asset. */
export function hedgehogPath(asset: AssetKey): string {
  return asset === FIRST ? '/history' : `/history/${asset}`
}

/** The asset of such an address, or of `/history/btc`, which is moved to `/history`; null for any other. */
export function readHedgehogPath(path: string): AssetKey | null {
  const [, place, name = FIRST, ...rest] = path.split('/')
  return place === 'history' && rest.length === 0 ? (findAsset(name)?.key ?? null) : null
}
