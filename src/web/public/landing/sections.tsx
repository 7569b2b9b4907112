import { type ReactNode } from 'react'
import { shortUsd } from '#chart/scale.ts'
import { type Exhibit, type PageMetrics } from '#contracts/page.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { expertName, statementText } from '#domain/claim/prediction.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Panel, Row, Stack, Text, Note, Tiles } from '#web/ui/primitives.tsx'
import { LandingSection } from './live-now.tsx'
import css from './landing.module.css'

export function Sections({
  exhibits,
  board,
}: {
  readonly exhibits: readonly Exhibit[]
  /** People compared with luck; null without anyone to compare. */
  readonly board: ReactNode
}) {
  const predictions = predictionsOfRows(exhibits.map(({ prediction }) => prediction))
  const first = (outcome: 'hit' | 'miss') =>
    predictions.find(({ verdicts }) => verdicts.touch.outcome === outcome)
  const [hit, miss] = [first('hit'), first('miss')]
  return (
    <>
      {board && (
        <LandingSection
          title="Skill or luck?"
          lead="People compared with what luck alone would have done, and how often luck was right."
        >
          {board}
        </LandingSection>
      )}
      <LandingSection
        title="Why Proof of Price"
        lead="Forecasts are loud when they are made and quiet when they fail. Here you see both."
      >
        <Tiles gap={8} least="half">
          <Reason
            title="Track performance"
            text="Each expert has a page with every call and its verdict, and is compared with what luck would have done."
          >
            {hit && (
              <>
                <strong>
                  <a href={expertPath(hit.expert)}>
                    <bdi>{expertName(hit)}</bdi>
                  </a>
                </strong>
                {verdictSentence(hit, 'touch')}
              </>
            )}
          </Reason>
          <Reason
            title="Signal vs noise"
            text="A call counts as it was said, with its source and its date. A miss stays on record, however loud the next call is."
          >
            {miss && (
              <>
                <strong>
                  <a href={predictionPath(miss)}>{statementText(miss)}</a>
                </strong>
                {verdictSentence(miss, 'touch')}
              </>
            )}
          </Reason>
          <Reason
            title="Lightning payments"
            text="Submitting a prediction costs a few sats, so that noise stays out. Leave an e-mail address or an LNURL and we will notify you when it is reviewed and judged. No subscription: value for value."
          >
            <strong>From 1 sat</strong>
            No account needed.
          </Reason>
          <Reason
            title="Live visualization"
            text="Every call over the price it was about: zoom, compare experts, filter by outcome, switch between judging intraday and by daily close."
          >
            <strong>One address for each view</strong>
            What you see is in the link: copy it, and others see the same.
          </Reason>
        </Tiles>
      </LandingSection>
      <section className="apart">
        <Row gap={6} justify="between" className={css.callBox}>
          <Text as="h2" size="head">
            See who was right.
          </Text>
          <a className={buttonClass('primary', 'large')} href="/btc">
            Explore Bitcoin Predictions
          </a>
        </Row>
      </section>
    </>
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
      {children && (
        <Panel as="p" gap={1} size="small" className="pad muted">
          {children}
        </Panel>
      )}
    </Stack>
  )
}

export function Figures({ metrics }: { readonly metrics: PageMetrics }) {
  return (
    <Tiles as="dl" gap={0} least="third" className="ruled-bottom">
      <Figure name="Predictions on record" value={showCount(metrics.totalPredictions)} />
      <Figure
        name="Half of the open Bitcoin calls are above this"
        value={showUsd(Math.round(metrics.medianPrediction))}
      />
      <Figure
        name="Open Bitcoin targets from lowest to highest"
        value={`${shortUsd(metrics.lowestPrediction)}–${shortUsd(metrics.highestPrediction)}`}
      />
    </Tiles>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Stack gap={1} className={`${css.figure} ruled-top`}>
      <Note as="dt">{name}</Note>
      <Text as="dd" size="head" figure>
        {value}
      </Text>
    </Stack>
  )
}
