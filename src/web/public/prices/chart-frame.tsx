import { lazy, Suspense, useMemo, useState } from 'react'
import { type RangeLayer } from '#chart/ranges.ts'
import { type Span } from '#chart/scale.ts'
import { type DashboardLayout } from '#chart/view-picture.ts'
import { VIEW_PARAMS, viewParams, type ViewState } from '#chart/view-state.ts'
import { isBelowYear } from '#chart/viewport.ts'
import { PAST_PARAM } from '#contracts/paths.ts'
import { assetTexts, type Asset } from '#domain/asset.ts'
import { isoDay, showDayInWords, type Day } from '#domain/day.ts'
import { type LiveFeed, useLivePrice } from '#web/api/live.ts'
import { NO_PRICES, type Prices } from '#web/api/prices.ts'
import { type Loading } from '#web/api/queries.ts'
import { PriceChart, type PriceChartProps } from '#web/chart-canvas/price-chart.tsx'
import { Notice, Skeleton } from '#web/ui/notice.tsx'
import { classNames } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'
import { useTheme } from '#web/ui/theme-switch.tsx'
import css from './prices.module.css'

/** Daily highs and lows are an optional layer, loaded with the first view below a year. */
const NoPrices = import.meta.env.SSR
  ? (await import('./no-prices.tsx')).NoPrices
  : lazy(async () => ({ default: (await import('./no-prices.tsx')).NoPrices }))
const DailyRanges = later(() =>
  import('./daily-ranges.tsx').then(
    (code) => code.DailyRanges,
    () => () => null,
  ),
)

/** The chart, or a message while there are no prices (public-site.md §8). */
export function ChartFrame({
  feed,
  past,
  hasPrices,
  prices,
  filter,
  ...chart
}: Omit<
  PriceChartProps,
  'points' | 'isLoading' | 'ranges' | 'theme' | 'isPast' | 'live' | 'shareUrl'
> & {
  readonly feed: LiveFeed
  readonly past: Day | null
  readonly hasPrices: boolean
  readonly prices: Loading<Prices>
  readonly filter: string
}) {
  const { asset, view, all, today } = chart
  const { theme } = useTheme()
  const live = useLivePoint(feed)
  const [days, setDays] = useState<Span | null>(null)
  const [ranges, setRanges] = useState<RangeLayer | null>(null)
  const points = prices.data
  const known = useMemo(
    () => (ranges && points && isOfLine(ranges, points, past) ? ranges : null),
    [ranges, points, past],
  )
  const frame = { 'data-phone-height': asset.phoneChartHeight }
  const isLoading = !points && !prices.error
  if (isLoading && !hasPrices) {
    return (
      <div className={css.frame} {...frame}>
        <Skeleton shape="chart" label={assetTexts(asset).loadingChart} />
      </div>
    )
  }
  if (!points && prices.error) {
    return (
      <div className={classNames(css.frame, 'card centred')} {...frame}>
        <Notice
          alert
          title={`Failed to fetch ${asset.symbol} data`}
          text={prices.error.message}
          onRetry={() => void prices.refetch()}
        />
      </div>
    )
  }
  const series = points ?? NO_PRICES
  if (!isLoading && series.closes.length === 0) {
    return (
      <div className={classNames(css.frame, 'card centred')} {...frame}>
        {past !== null ? (
          <Notice
            title={`No ${asset.name} price on ${showDayInWords(past)}`}
            text="No price of that day or before is on record."
          />
        ) : series.skipped > 0 ? (
          <Notice
            title="No price data available"
            text={`No ${asset.symbol} chart data available after processing`}
          />
        ) : (
          <Suspense fallback={null}>
            <NoPrices asset={asset}>
              {view.targets && all?.targets.length === 0 && (
                <p>No open calls for {asset.symbol} yet.</p>
              )}
            </NoPrices>
          </Suspense>
        )}
      </div>
    )
  }
  return (
    <div className={css.frame} {...frame}>
      {/* Rendered by the server only. */}
      <noscript>{import.meta.env.SSR && <StillChart asset={asset} past={past} />}</noscript>
      {isLoading && (
        <span className={`${css.loading} by-script muted small at-center`} role="status">
          {assetTexts(asset).loadingChart}
        </span>
      )}
      <PriceChart
        {...chart}
        points={series}
        isLoading={isLoading}
        ranges={known}
        onDays={(next) => {
          setDays(next)
          chart.onDays(next)
        }}
        theme={theme}
        isPast={past !== null}
        live={live}
        filter={[past !== null && `as of ${showDayInWords(past)}`, filter]
          .filter(Boolean)
          .join(' · ')}
        shareUrl={addressOf}
      />
      {days && isBelowYear(days) && (
        <DailyRanges asset={asset.key} days={days} day={past} today={today} onLoaded={setRanges} />
      )}
    </div>
  )
}

function StillChart({ asset, past }: { readonly asset: Asset; readonly past: Day | null }) {
  const day = past === null ? '' : `&${PAST_PARAM}=${isoDay(past)}`
  const asOf = past === null ? '' : ` as of ${showDayInWords(past)}`
  const srcOf = (size: DashboardLayout): string => `${asset.route}/picture.svg?size=${size}${day}`
  return (
    <figure>
      <picture>
        <source media="(max-width: 767.98px)" srcSet={srcOf('phone')} />
        <img
          className="fluid block"
          src={srcOf('wide')}
          alt={`Chart of the ${asset.name} price${asOf} with its leading predictions`}
        />
      </picture>
      <figcaption className="inset muted small">
        JavaScript is off, so the chart is a picture. Moving it, choosing predictions and submitting
        one need JavaScript.
      </figcaption>
    </figure>
  )
}

/**
 * Whether highs and lows match the line: later days are hindsight, and different split adjustments have other units.
 * Those of an earlier day stay until replaced.
 */
function isOfLine(ranges: RangeLayer, { days, closes }: Prices, past: Day | null): boolean {
  if (past !== null && (ranges.last ?? -Infinity) > past) return false
  const i = days.findLastIndex((day) => ranges.at(day) !== null)
  const close = ranges.at(days[i] ?? NaN)?.close
  return close === undefined || Math.abs(close / (closes[i] ?? NaN) - 1) < SAME_UNITS
}

/** Smaller than any split. */
const SAME_UNITS = 0.1

function addressOf(view: ViewState): string {
  const { origin, pathname, search } = window.location
  const params = new URLSearchParams(search)
  for (const name of VIEW_PARAMS) params.delete(name)
  for (const [name, value] of Object.entries(viewParams(view))) params.set(name, value)
  const query = params.toString().replaceAll('%2C', ',')
  return `${origin}${pathname}${query === '' ? '' : `?${query}`}`
}

/** The live point: an old price pulses without direction, and a close is on the line already. */
function useLivePoint(feed: LiveFeed) {
  const price = useLivePrice(feed)
  const usd = price === null || price.at === null ? null : price.usd
  const direction = price?.isOld ? null : (price?.direction ?? null)
  return useMemo(() => (usd === null ? null : { usd, direction }), [usd, direction])
}
