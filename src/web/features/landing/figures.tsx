import { type PageMetrics } from '#contracts/page.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import css from './sections.module.css'

/** The three figures of the landing page; averages are over pending Bitcoin predictions. */
export function Figures({ metrics }: { readonly metrics: PageMetrics }) {
  return (
    <dl className={css.figures}>
      <div className={css.figure}>
        <dt>Predictions on record</dt>
        <dd>{showCount(metrics.totalPredictions)}</dd>
      </div>
      <div className={css.figure}>
        <dt>Average pending Bitcoin target</dt>
        <dd>{wholeUsd(metrics.averagePrediction)}</dd>
      </div>
      <div className={css.figure}>
        <dt>Price range spread of pending targets</dt>
        <dd>{wholeUsd(metrics.predictionSpread)}</dd>
      </div>
    </dl>
  )
}

function wholeUsd(usd: number): string {
  return showUsd(Math.round(usd))
}
