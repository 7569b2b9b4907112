// First, before any schema is made.
import './without-eval.ts'
import { status } from '#contracts/status.ts'
import { type AssetKey } from '#domain/asset.ts'
import { call } from './call.ts'

/** How the prices of an asset are doing that has none yet. */
export type PriceState = {
  /** Prices are read from outside at all. */
  readonly isRead: boolean
  readonly hasPrices: boolean
  /** When a source is asked next, milliseconds since 1970, and how long that is from now by the server's clock. */
  readonly next: { readonly at: number; readonly inMs: number } | null
}

export async function fetchPriceState(asset: AssetKey, signal: AbortSignal): Promise<PriceState> {
  const { now, prices, assets, sources } = await call(status, { signal })
  const times = sources
    .filter((one) => one.asset === asset && one.kind === 'daily')
    .flatMap(({ next_run: next }) => (next === null ? [] : [Date.parse(next)]))
  const at = times.length === 0 ? null : Math.min(...times)
  return {
    isRead: prices && sources.some((one) => one.asset === asset),
    hasPrices: assets.some((one) => one.asset === asset && one.last_bar !== null),
    next: at === null ? null : { at, inMs: at - Date.parse(now) },
  }
}
