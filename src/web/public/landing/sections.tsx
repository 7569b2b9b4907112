import { type Prediction } from '#domain/claim/prediction.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { type PageMetrics, type Exhibit } from '#contracts/page.ts'
import { type ReactNode } from 'react'
import { Figures } from './figures.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { headline, statementText } from '#domain/claim/prediction-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import css from './sections.module.css'
import { Columns, Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Everything below the head of the landing page. */
export function Sections({
  metrics,
  exhibits,
  board,
}: {
  readonly metrics: PageMetrics
  readonly exhibits: readonly Exhibit[]
  /** People compared with luck; null while there is nothing to compare: real calls then take its place. */
  readonly board: ReactNode
}) {
  const predictions = predictionsOfRows(exhibits.map(({ prediction }) => prediction))
  const first = (outcome: 'hit' | 'miss') =>
    predictions.find(({ verdicts }) => verdicts.touch.outcome === outcome) ?? null
  return (
    <>
      <Figures metrics={metrics} />
      {(board || predictions.length > 0) && (
        <MarketIntelligence>{board ?? <Verdicts predictions={predictions} />}</MarketIntelligence>
      )}
      <WhyProofOfPrice hit={first('hit')} miss={first('miss')} />
      <CallToAction />
    </>
  )
}

function MarketIntelligence({ children }: { readonly children: ReactNode }) {
  return (
    <section className={css.section}>
      <Stack as="header">
        <Text as="h2" size="head">
          Live Market Intelligence
        </Text>
        <Text tone="quiet" className={css.lead}>
          Targets, ranges, ceilings and floors by named people and firms for Bitcoin, MSTR and NAKA.
          Each verdict shows the day and price that settled it.
        </Text>
      </Stack>
      {children}
    </section>
  )
}

/** Real calls with their verdicts, as the site keeps them. */
function Verdicts({ predictions }: { readonly predictions: readonly Prediction[] }) {
  return (
    <Stack as="ul" gap={0} className={css.rows}>
      {predictions.map((prediction) => (
        <li key={prediction.id}>
          <Row
            as="a"
            gap={4}
            justify="between"
            whole
            className={css.row}
            href={predictionPath(prediction)}
          >
            <span>{headline(prediction)}</span>
            <VerdictBadge outcome={prediction.verdicts.touch.outcome} />
          </Row>
        </li>
      ))}
    </Stack>
  )
}

/** The four reasons, each with something real instead of a drawing. */
function WhyProofOfPrice({
  hit,
  miss,
}: {
  readonly hit: Prediction | null
  readonly miss: Prediction | null
}) {
  return (
    <section className={css.section}>
      <Stack as="header">
        <Text as="h2" size="head">
          Why Proof of Price
        </Text>
        <Text tone="quiet" className={css.lead}>
          Forecasts are loud when they are made and quiet when they fail. Here you see both.
        </Text>
      </Stack>
      <Columns gap={8}>
        <Reason
          title="Track performance"
          text="Each expert has a page with every call and its verdict, and is compared with what luck would have done."
        >
          {hit && (
            <Panel as="p" gap={1} size="small" className={css.sample}>
              <strong>
                <bdi>{hit.expert.name}</bdi>
              </strong>
              {verdictSentence(hit, 'touch')}
            </Panel>
          )}
        </Reason>
        <Reason
          title="Signal vs noise"
          text="A call counts as it was said, with its source and its date. A miss stays on record, however loud the next call is."
        >
          {miss && (
            <Panel as="p" gap={1} size="small" className={css.sample}>
              <strong>{statementText(miss)}</strong>
              {verdictSentence(miss, 'touch')}
            </Panel>
          )}
        </Reason>
        <Reason
          title="Lightning payments"
          text="Submitting a prediction costs a few sats, so that noise stays out. Leave an e-mail address or an LNURL and we will notify you when it is reviewed and judged. No subscription: value for value."
        >
          <Panel as="p" gap={1} size="small" className={css.sample}>
            <strong>From 1 sat</strong>
            No account needed.
          </Panel>
        </Reason>
        <Reason
          title="Live visualization"
          text="Every call over the price it was about: zoom, compare experts, filter by outcome, switch between judging intraday and by daily close."
        >
          <Panel as="p" gap={1} size="small" className={css.sample}>
            <strong>One address for each view</strong>
            What you see is in the link: copy it, and others see the same.
          </Panel>
        </Reason>
      </Columns>
    </section>
  )
}

function Reason({
  title,
  text,
  children,
}: {
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}) {
  return (
    <Stack as="article" ruled>
      <Text as="h3" size="lead">
        {title}
      </Text>
      <Text tone="quiet">{text}</Text>
      {children}
    </Stack>
  )
}

function CallToAction() {
  return (
    <section className={css.call}>
      <Row gap={6} justify="between" className={css.callBox}>
        <Text as="h2" size="head">
          See who was right.
        </Text>
        <a className={buttonClass('primary', 'large')} href="/btc">
          Explore Bitcoin Predictions
        </a>
      </Row>
    </section>
  )
}
