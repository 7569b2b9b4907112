import { OUTCOMES } from './outcomes.ts'
import { OUTCOME_WORDS } from '#chart/mark-text.ts'
import { type RangePicture } from '#chart/ranges.ts'
import { type MedianTarget } from '#chart/median-target.ts'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'

/** What the signs mean, how many predictions are drawn, and their median target if there is one. */
export function Legend({
  count,
  seen,
  median,
  ranges,
}: {
  readonly count: number
  /** How many of them are in view. Before the first picture, at null, the legend is empty, but keeps its space. */
  readonly seen: number | null
  readonly median: MedianTarget | null
  readonly ranges: RangePicture | null
}) {
  return (
    <div className="price-chart-legend">
      <ul aria-label="Signs on the chart">
        {OUTCOMES.map((outcome) => (
          <li key={outcome} className="price-chart-outcome" data-outcome={outcome}>
            <VerdictSign outcome={outcome} /> {OUTCOME_WORDS[outcome]}
          </li>
        ))}
      </ul>
      <p data-drawn={seen !== null}>
        {drawnText(count, seen ?? count)}
        {median && ` · ${median.label} (${String(median.count)} pending)`}
        {ranges && rangesText(ranges)}
      </p>
    </div>
  )
}

/** What bars or the shaded area mean, and of how many days in view they are missing. */
function rangesText({ kind, known }: RangePicture): string {
  if (!known || known.days === 0) return ''
  const { ranged, days } = known
  if (ranged === 0) return ' · only closes are known for these days'
  const what = kind === 'areas' ? 'shaded from low to high' : 'bars from low to high'
  if (ranged === days) return ` · ${what} of each day`
  return ` · ${what} on ${String(ranged)} of ${String(days)} days, only closes are known for the others`
}

export function drawnText(count: number, seen: number): string {
  if (count === 0) return 'No predictions drawn'
  if (seen < count) return `${String(seen)} of ${String(count)} drawn predictions in view`
  return `${String(count)} ${count === 1 ? 'prediction' : 'predictions'} drawn`
}
