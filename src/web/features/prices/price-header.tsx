import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, showDay } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import css from './price-header.module.css'

export type LivePrice = { readonly usd: number; readonly direction: 'up' | 'down' | null }

/** The price of this moment; the last close with its day until a live price has arrived. */
export function PriceHeader({
  asset,
  live,
  close,
  loading,
}: {
  readonly asset: Asset
  readonly live: LivePrice | null
  /** The last close, USD, and its day since 1970; null where none is known. */
  readonly close: { readonly day: number; readonly usd: number } | null
  readonly loading: boolean
}) {
  const usd = live?.usd ?? close?.usd ?? null
  return (
    <header className={css.header}>
      <h1 className={css.title}>
        {asset.name} Live Price
        {live && <span className={css.live}>LIVE</span>}
      </h1>
      <p className={css.figures}>
        <span className={css.price}>
          {usd === null ? (loading ? 'Loading...' : '--') : showUsd(usd)}
        </span>
        {!live && close && (
          <span className={css.when}>close of {showDay(dayFromNumber(close.day))}</span>
        )}
      </p>
    </header>
  )
}
