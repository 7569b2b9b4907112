import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, showDay } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { type RangeLayer } from '#chart/ranges.ts'
import { type Scene } from '#chart/scene.ts'
import { closeAt, type Series } from '#chart/series.ts'

/**
 * The text in the plot's corner: the price of the day under the pointer, its high and low if they are drawn, and how much it
 * has changed since; or the last price; empty without prices.
 *
 * @param now the price of this moment, USD; null is the last close
 */
export function readoutAt(
  scene: Scene,
  { series, ranges }: { readonly series: Series; readonly ranges: RangeLayer | null },
  asset: Asset,
  x: number | null,
  now: number | null,
): string {
  const day = x === null ? scene.days[1] : Math.round(scene.time.toValue(x))
  const last = series.days.at(-1) ?? -Infinity
  const close = closeAt(series, Math.min(day, last))
  if (!close || (x !== null && day > last)) return ''
  const range = x === null || !scene.ranges ? null : (ranges?.at(close.day) ?? null)
  const span = range ? `  high ${showUsd(range.high)}, low ${showUsd(range.low)}` : ''
  const read = `${asset.symbol} ${showDay(dayFromNumber(close.day))}  ${showUsd(close.usd)}${span}`
  const today = now ?? series.closes.at(-1)
  // A phone has room for one of the two.
  const isFull = scene.phone && range !== null
  if (x === null || today === undefined || day >= last || isFull) return read
  return `${read}  ${changeText(today / close.usd)} since`
}

/** `+34 %`, `−12 %`, and from a thousand per cent on `× 42`. */
function changeText(ratio: number): string {
  if (ratio >= 11) return `× ${String(Math.round(ratio))}`
  const percent = Math.round((ratio - 1) * 100)
  return `${percent < 0 ? '−' : '+'}${String(Math.abs(percent))} %`
}
