import { type ReactNode } from 'react'
import { shortUsd } from '#chart/scale.ts'
import { type BoardTop } from '#contracts/board.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { expertName, statementText } from '#domain/claim/prediction.ts'
import { readDay, showDay } from '#domain/day.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { againstLuckText } from '#domain/scoring/score-text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { type ContentOf } from '#web/head/site.ts'
import { Calibration } from '#web/public/experts/calibration.tsx'
import { marksText, Strip, StripLegend } from '#web/public/experts/strip.tsx'
import { LandingSection } from '#web/public/landing/live-now.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Panel, Row, Stack, Text, Note, Tiles } from '#web/ui/primitives.tsx'
import css from '#web/public/landing/landing.module.css'

type Landing = ContentOf<'landing'>

export function HeroWords({ board }: Pick<Landing, 'board'>) {
  return (
    <Stack className={css.words}>
      <h1 className={css.tagline}>The Truth About Bitcoin Predictions</h1>
      {board && (
        <Stack gap={2}>
          <Text size="title" className={css.finding}>
            <Finding text={board.finding} people={board.ranked} />
          </Text>
          <Note>
            <a href="/experts">
              {board.people > 1
                ? `All ${showCount(board.people)} people compared with luck`
                : 'Everyone’s calls'}
            </a>
            {board.selection && ` · ${board.selection}`}
          </Note>
        </Stack>
      )}
      <Text tone="quiet" size="lead" className="measure">
        Who said what about the price, when, and what came of it: every call on record, drawn over
        the real price and judged by a published rule.
      </Text>
      <Row as="p" gap={6} fill>
        <a className={buttonClass('primary', 'large')} href="/btc">
          Explore Bitcoin Predictions
        </a>
      </Row>
    </Stack>
  )
}

function Finding({
  text,
  people,
}: {
  readonly text: string
  readonly people: readonly { readonly slug: string; readonly name: string }[]
}) {
  const first = people
    .map((person) => ({ person, at: text.indexOf(person.name) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at || b.person.name.length - a.person.name.length)
    .at(0)
  if (!first) return text
  const { person, at } = first
  return (
    <>
      {text.slice(0, at)}
      <a href={expertPath(person)}>
        <bdi>{person.name}</bdi>
      </a>
      <Finding text={text.slice(at + person.name.length)} people={people} />
    </>
  )
}

export function Figures({ metrics }: Pick<Landing, 'metrics'>) {
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

export function LandingParts({ exhibits, board }: Pick<Landing, 'exhibits' | 'board'>) {
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
          <BoardGlance board={board} />
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

function BoardGlance({ board }: { readonly board: BoardTop }) {
  const { totals, ranked, people, as_of, notes, selection } = board
  const day = readDay(as_of)
  const known = [
    day !== null && `As of ${showDay(day)}.`,
    ...notes,
    !board.has_recorded_before && selection,
  ]
  return (
    <Stack gap={8}>
      <Stack gap={4}>
        {ranked.length > 0 && (
          <>
            <Text tone="quiet">
              {marksText(ranked)} Statements that say the same again are left out.
            </Text>
            <ul className="ruled drawn-rows plain-links taps">
              {ranked.map((row) => (
                <li key={row.slug}>
                  <a className="semibold" href={expertPath(row)}>
                    <bdi>{row.name}</bdi>
                  </a>
                  <Strip row={row} />
                  <span className="muted small at-end">{againstLuckText(row.decided)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        <Row gap={4} justify="between">
          <a href="/experts">
            {people > ranked.length
              ? `Compare all ${showCount(people)} people with luck`
              : 'See everyone’s calls'}
          </a>
          <a href="/years">Year by year</a>
          <Note as="span">
            <StripLegend />
          </Note>
        </Row>
      </Stack>
      <Stack gap={3}>
        <Text as="h3" size="title">
          {totals.sentence}
        </Text>
        <Text tone="quiet">
          Calls grouped by their chance when made. Bar: share that came true. Line: share chance
          predicts. <a href="/methodology#luck">How luck is computed</a>
        </Text>
        <Calibration totals={totals} />
        <Note>{known.filter(Boolean).join(' ')}</Note>
      </Stack>
    </Stack>
  )
}
