import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { rangeLayer, type RangedDay, type RangeLayer } from '#chart/ranges.ts'
import { type Span } from '#chart/scale.ts'
import { ranges } from '#contracts/prices.ts'
import { type AssetKey } from '#domain/asset.ts'
import { day, dayFromNumber, dayOf, isoDay, partsOf, type Day } from '#domain/day.ts'
import { call } from '#web/api/call.ts'
import { cachedFor, PAST_MS } from '#web/api/queries.ts'
import { useRested } from '#web/ui/hooks.ts'

/**
 * Loads highs and lows of the calendar years in view; renders nothing.
 *
 * @param days shorter than a year
 * @param shown past day shown; null for now. During playback nothing is requested
 */
export function DailyRanges({
  asset,
  days,
  day,
  today,
  onLoaded,
}: {
  readonly asset: AssetKey
  readonly days: Span
  readonly day: Day | null
  readonly today: Day
  readonly onLoaded: (ranges: RangeLayer) => void
}) {
  const past = useRested(day, REST_MS)
  const spans = yearsIn(days, past ?? today)
  const [first = NO_YEAR, last = first] = spans
  // A view below a year spans at most two calendar years.
  const enabled = spans.length > 0
  const one = useQuery({ ...rangesQuery(asset, first, past), enabled }).data
  const other = useQuery({ ...rangesQuery(asset, last, past), enabled }).data
  const [from, to] = [first[0], last[1]]
  const isTwo = from !== last[0]
  const layer = useMemo(
    () => (one && other ? rangeLayer(isTwo ? [...one, ...other] : one, [from, to]) : null),
    [one, other, isTwo, from, to],
  )
  useEffect(() => {
    if (layer) onLoaded(layer)
  }, [layer, onLoaded])
  return null
}

const NO_YEAR: readonly [Day, Day] = [dayFromNumber(0), dayFromNumber(0)]
/** Delay before requesting ranges of a past day. */
const REST_MS = 400

function rangesQuery(asset: AssetKey, span: readonly [Day, Day], past: Day | null) {
  return queryOptions({
    queryKey: ['ranges', asset, ...span, past],
    queryFn: async ({ signal }): Promise<readonly RangedDay[]> => {
      const [from, to] = span
      const query = {
        from: isoDay(from),
        to: isoDay(to),
        ...(past !== null && { as_of: isoDay(past) }),
      }
      const rows = await call(ranges, { params: { asset }, query, signal })
      return rows.map(({ date, ...usd }) => ({ day: day(date), ...usd }))
    },
    ...(past !== null && cachedFor(PAST_MS)),
  })
}

/** The calendar years of a view, so that all visitors make the same requests. */
function yearsIn([from, to]: Span, until: Day): [Day, Day][] {
  const first = partsOf(dayFromNumber(Math.floor(from))).year
  const last = partsOf(dayFromNumber(Math.ceil(to))).year
  return Array.from({ length: last - first + 1 }, (_, i): [Day, Day] => {
    const end = dayOf(first + i, 12, 31)
    return [dayOf(first + i, 1, 1), end < until ? end : until]
  }).filter(([start, end]) => start <= end)
}
