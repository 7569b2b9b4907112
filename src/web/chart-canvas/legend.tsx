import { OUTCOMES } from './outcomes.ts'
import { OUTCOME_WORDS } from '#chart/mark-text.ts'
import { type AverageTarget } from '#chart/average-target.ts'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'

/** What the signs mean, how many predictions are drawn, and their average target if there is one. */
export function Legend({
  count,
  drawn,
  average,
}: {
  readonly count: number
  /** Before the first picture the legend is empty, but keeps its space. */
  readonly drawn: boolean
  readonly average: AverageTarget | null
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
      <p data-drawn={drawn}>
        {drawnText(count)}
        {average && ` · ${average.label} (${String(average.count)} pending)`}
      </p>
    </div>
  )
}

export function drawnText(count: number): string {
  if (count === 0) return 'No predictions drawn'
  return `${String(count)} ${count === 1 ? 'prediction' : 'predictions'} drawn`
}
