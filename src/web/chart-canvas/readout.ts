import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, showDay } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { type Scene } from '#chart/scene.ts'
import { closeAt, type Series } from '#chart/series.ts'

/** The text in the plot's corner: the price of the day under the pointer, or the last one; empty without prices. */
export function readoutAt(scene: Scene, series: Series, asset: Asset, x: number | null): string {
  const day = x === null ? Infinity : Math.round(scene.time.toValue(x))
  const last = series.days.at(-1) ?? -Infinity
  const close = closeAt(series, Math.min(day, last))
  if (!close || (x !== null && day > last)) return ''
  return `${asset.symbol} ${showDay(dayFromNumber(close.day))}  ${showUsd(close.usd)}`
}
