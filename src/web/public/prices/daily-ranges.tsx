import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { rangeLayer, type RangedDay, type RangeLayer } from '#chart/ranges.ts'
import { type Span } from '#chart/scale.ts'
import { type AssetKey } from '#domain/asset.ts'
import { dayFromNumber, dayOf, partsOf, type Day } from '#domain/day.ts'
import { fetchRanges } from '#web/api/ranges.ts'

/**
 * Loads the highs and lows of the calendar years in view, and shows nothing itself. Without them, and when they cannot be
 * loaded, the chart has its line.
 *
 * @param until no later day is asked for
 * @param onLoaded gets them when all years in view are there
 */
export function DailyRanges({
  asset,
  days,
  until,
  onLoaded,
}: {
  readonly asset: AssetKey
  readonly days: Span
  readonly until: Day
  readonly onLoaded: (ranges: RangeLayer) => void
}) {
  const spans = yearsIn(days, until)
  const loaded = useQueries({
    queries: spans.map((span) => ({
      queryKey: ['ranges', asset, ...span],
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchRanges(asset, span, signal),
    })),
    combine: allOf,
  })
  const [from, to] = [spans[0]?.[0], spans.at(-1)?.[1]]
  const layer = useMemo(
    () =>
      loaded && from !== undefined && to !== undefined ? rangeLayer(loaded, [from, to]) : null,
    [loaded, from, to],
  )
  useEffect(() => {
    if (layer) onLoaded(layer)
  }, [layer, onLoaded])
  return null
}

/** The days of all years; null while one of them is missing. */
function allOf(years: UseQueryResult<readonly RangedDay[]>[]): readonly RangedDay[] | null {
  return years.every(({ data }) => data) ? years.flatMap(({ data }) => data ?? []) : null
}

/** The years of a view, each from its first to its last day. All visitors ask for the same ones. */
function yearsIn([from, to]: Span, until: Day): [Day, Day][] {
  const first = partsOf(dayFromNumber(Math.floor(from))).year
  const last = partsOf(dayFromNumber(Math.ceil(to))).year
  return Array.from({ length: last - first + 1 }, (_, i): [Day, Day] => {
    const end = dayOf(first + i, 12, 31)
    return [dayOf(first + i, 1, 1), end < until ? end : until]
  }).filter(([start, end]) => start <= end)
}
