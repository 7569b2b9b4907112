import { type PageMetrics } from '#contracts/page.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import css from './sections.module.css'
import { Stack } from '#web/ui/stack.tsx'

/** The three figures of the landing page; averages are over pending Bitcoin predictions. */
export function Figures({ metrics }: { readonly metrics: PageMetrics }) {
  return (
    <dl className={css.figures}>
      <Stack gap={1} className={css.figure}>
        <dt>Predictions on record</dt>
        <dd>{showCount(metrics.totalPredictions)}</dd>
      </Stack>
      <Stack gap={1} className={css.figure}>
        <dt>Average pending Bitcoin target</dt>
        <dd>{wholeUsd(metrics.averagePrediction)}</dd>
      </Stack>
      <Stack gap={1} className={css.figure}>
        <dt>Price range spread of pending targets</dt>
        <dd>{wholeUsd(metrics.predictionSpread)}</dd>
      </Stack>
    </dl>
  )
}

function wholeUsd(usd: number): string {
  return showUsd(Math.round(usd))
}
