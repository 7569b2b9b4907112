import { type PageMetrics } from '#contracts/page.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import css from './sections.module.css'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** The three figures of the landing page; averages are over pending Bitcoin predictions. */
export function Figures({ metrics }: { readonly metrics: PageMetrics }) {
  return (
    <dl className={css.figures}>
      <Figure name="Predictions on record" value={showCount(metrics.totalPredictions)} />
      <Figure name="Average pending Bitcoin target" value={wholeUsd(metrics.averagePrediction)} />
      <Figure
        name="Price range spread of pending targets"
        value={wholeUsd(metrics.predictionSpread)}
      />
    </dl>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Stack gap={1} className={css.figure}>
      <Text as="dt" tone="quiet" size="small">
        {name}
      </Text>
      <Text as="dd" size="head" figure>
        {value}
      </Text>
    </Stack>
  )
}

function wholeUsd(usd: number): string {
  return showUsd(Math.round(usd))
}
