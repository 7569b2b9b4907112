import { type Asset } from '#domain/asset.ts'
import { type Bar } from '#domain/bar.ts'
import { type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/prediction.ts'
import { type ThemeName } from '#chart/theme.ts'
import { type ViewState } from '#chart/view-state.ts'

/**
 * What the chart shows and whom it tells. Keep `points`, `bars` and `predictions` referentially stable: a new array
 * means new data.
 */
export type PriceChartProps = {
  readonly asset: Asset
  /** Daily closes in USD, adjusted for splits; the two arrays run side by side, oldest first. */
  readonly points: { readonly days: ArrayLike<number>; readonly closes: ArrayLike<number> }
  /** Open, high and low for the readout under the crosshair, where known. */
  readonly bars?: readonly Bar[]
  /** The active predictions, most important first. */
  readonly predictions: readonly Prediction[]
  /** Controlled: `readView` of `#chart/view-state.ts` makes it from the address, `viewParams` writes it back. */
  readonly view: ViewState
  /** A new view, 150 ms after the last movement or at once for a switch. */
  readonly onView: (view: ViewState) => void
  readonly theme: ThemeName
  readonly today: Day
  /** The price of this moment; null draws no live point. */
  readonly live: { readonly usd: number; readonly direction: 'up' | 'down' | null } | null
  /** The verdict and why in a sentence, in the mode that is shown. */
  readonly describe: (prediction: Prediction) => string
  /** A mark was clicked, or Enter pressed on it: show the prediction. */
  readonly onOpen: (id: string) => void
  /** A mark was asked to leave the chart: take the prediction out of the active ones. */
  readonly onToggle: (id: string) => void
  /** Written above a saved picture; the asset's name by default. */
  readonly title?: string
  /** The address to copy; the page's own by default. */
  readonly shareUrl?: () => string
}

/** The price of an asset with the active predictions drawn over it. */
export function PriceChart({ asset }: PriceChartProps) {
  return <section data-testid="price-chart" aria-label={`${asset.name} price chart`} />
}
