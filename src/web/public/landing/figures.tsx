import { type PageMetrics } from '#contracts/page.ts'
import { shortUsd } from '#chart/usd.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import css from './sections.module.css'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** The three figures of the landing page; levels are those of pending Bitcoin predictions. */
export function Figures({ metrics }: { readonly metrics: PageMetrics }) {
  return (
    <dl className={css.figures}>
      <Figure name="Predictions on record" value={showCount(metrics.totalPredictions)} />
      <Figure
        name="Half of the open Bitcoin calls are above this"
        value={wholeUsd(metrics.medianPrediction)}
      />
      <Figure
        name="Open Bitcoin calls range from lowest to highest"
        value={`${shortUsd(metrics.lowestPrediction)}–${shortUsd(metrics.highestPrediction)}`}
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
