import { ASSET_KEYS, findAsset, type AssetKey } from '#domain/asset.ts'
import { type AgainstLuck, type SaidCall } from '#domain/scoring/said-calls.ts'
import { type PackedPrices } from './packed-prices.ts'

/** What a visitor chose on the page of all calls. */
export type HedgehogView = {
  /** Calls made in this year stand out; null shows all alike. */
  readonly year: number | null
  /** The slug of a person whose calls stand out. */
  readonly person: string | null
}

const [FIRST] = ASSET_KEYS

/** `/history` for Bitcoin, `/history/mstr` for another asset. */
export function hedgehogPath(asset: AssetKey): string {
  return asset === FIRST ? '/history' : `/history/${asset}`
}

/** The asset of such an address; null for any other. */
export function readHedgehogPath(path: string): AssetKey | null {
  if (path === '/history') return FIRST
  const [, place, name, ...rest] = path.split('/')
  const asset = place === 'history' && rest.length === 0 ? findAsset(name ?? '') : null
  return asset && hedgehogPath(asset.key) === path ? asset.key : null
}

export function readHedgehogView(param: (name: string) => string | null): HedgehogView {
  const year = param('year') ?? ''
  return {
    year: /^[12]\d{3}$/.test(year) ? Number(year) : null,
    person: param('person')?.slice(0, 100) || null,
  }
}

export function hedgehogParams({ year, person }: HedgehogView): Record<string, string | undefined> {
  return { year: year === null ? undefined : String(year), person: person ?? undefined }
}

/** All that the page of all calls is drawn from. */
export type HedgehogData = {
  readonly asset: AssetKey
  /** Assets that have calls. */
  readonly assets: readonly AssetKey[]
  readonly view: HedgehogView
  /** Oldest first; the newest `MOST_SAID` of them. */
  readonly calls: readonly SaidCall[]
  readonly prices: PackedPrices
  /** All calls whose time is up and that have luck; null while scores are computed. */
  readonly againstLuck: AgainstLuck | null
}

/** No more calls are sent and drawn at once. */
export const MOST_SAID = 1_000
