import { useEffect, useMemo } from 'react'
import { type Day } from '#domain/day.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { medianTarget, type MedianTarget } from '#chart/median-target.ts'
import { makeMarks, type Mark } from '#chart/marks.ts'
import { makeSeries, type Points, type Series } from '#chart/series.ts'
import { makeThreads, type Thread } from '#chart/threads.ts'
import { type ViewState } from '#chart/view-state.ts'

/** The data of the chart prepared for drawing; what cannot be drawn is reported in the console, once for each cause. */
export function useDrawable(given: {
  readonly points: Points
  readonly predictions: readonly Drawn[]
  readonly view: ViewState
  readonly today: Day
}): {
  series: Series
  marks: readonly Mark[]
  threads: readonly Thread[]
  median: MedianTarget | null
} {
  const { points, predictions, today } = given
  const { mode, frame } = given.view
  const { series, skipped: pointsSkipped } = useMemo(
    () => makeSeries(points, today),
    [points, today],
  )
  const { marks, skipped } = useMemo(
    () => makeMarks(predictions, mode, today),
    [predictions, mode, today],
  )
  const threads = useMemo(() => makeThreads(marks, series), [marks, series])
  const median = useMemo(
    () => medianTarget(predictions, mode, frame, today),
    [predictions, mode, frame, today],
  )
  const faults = skipped.map(({ id, reason }) => `${id}: ${reason}`).join('; ')
  useEffect(() => {
    warn(faults === '' ? null : `chart: predictions left out: ${faults}`)
    warn(pointsSkipped === 0 ? null : `chart: ${String(pointsSkipped)} price points left out`)
  }, [faults, pointsSkipped])
  return { series, marks, threads, median }
}

const reported = new Set<string>()

function warn(fault: string | null): void {
  if (fault === null || reported.has(fault)) return
  reported.add(fault)
  // oxlint-disable-next-line no-console -- public-site.md §5: invalid data is skipped with a console warning
  console.warn(fault)
}
