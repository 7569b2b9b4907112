import { type PageMetrics, type Exhibit } from '#contracts/page.ts'
import { type Day } from '#domain/day.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Link } from 'wouter'
import { Exhibits } from './exhibits.tsx'
import css from './landing.module.css'

export function Hero({
  exhibits,
  today,
}: {
  readonly exhibits: readonly Exhibit[]
  readonly today: Day
}) {
  return (
    <div className={css.hero}>
      <div className={css.words}>
        <h1 className={css.tagline}>The Truth About Bitcoin Predictions</h1>
        <p className={css.sentence}>
          Who said what about the price, when, and what came of it: every call on record, drawn over
          the real price and judged by a published rule.
        </p>
        <p className={css.actions}>
          <Link className={buttonClass('primary', { large: true })} href="/btc">
            Explore Bitcoin Predictions
          </Link>
          <Link className={css.second} href="/methodology">
            How verdicts are decided
          </Link>
        </p>
      </div>
      <Exhibits exhibits={exhibits} today={today} />
    </div>
  )
}

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
