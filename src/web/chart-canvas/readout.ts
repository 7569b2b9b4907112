import { type Asset } from '#domain/asset.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { dayFromNumber, showDay } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { type Scene } from '#chart/scene.ts'
import { closeAt, type Series } from '#chart/series.ts'

/** The line in the plot's corner: the price of the day under the pointer, or the last one; empty without prices. */
export function readoutAt(
  scene: Scene,
  series: Series,
  bars: readonly Bar[] | undefined,
  asset: Asset,
  x: number | null,
): string {
  const day = x === null ? Infinity : Math.round(scene.time.toValue(x))
  const last = series.days.at(-1) ?? -Infinity
  const close = closeAt(series, Math.min(day, last))
  if (!close || (x !== null && day > last)) return ''
  const bar = bars && barOf(bars, close.day)
  const parts = [`${asset.symbol} ${showDay(dayFromNumber(close.day))}`]
  if (bar?.open != null) parts.push(`O ${showUsd(bar.open)}`)
  if (bar?.high != null) parts.push(`H ${showUsd(bar.high)}`)
  if (bar?.low != null) parts.push(`L ${showUsd(bar.low)}`)
  return [...parts, `${bar ? 'C ' : ''}${showUsd(close.usd)}`].join('  ')
}

function barOf(bars: readonly Bar[], day: number): Bar | null {
  let [low, high] = [0, bars.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bars[middle]?.day ?? Infinity) < day) low = middle + 1
    else high = middle
  }
  const found = bars[low]
  return found?.day === day ? found : null
}
