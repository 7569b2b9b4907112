import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { ASSETS, type Asset } from '#domain/asset.ts'
import { isoDay, readDay, showDay } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { showCount } from '#domain/price-text.ts'
import { luckText, wayToGoSentence } from '#domain/scoring/odds-text.ts'
import { claimText } from '#domain/claim/text.ts'
import { type BoardCall } from '#contracts/board.ts'
import { type PersonReport } from '#contracts/person.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { PersonFigures } from '#web/public/experts/person-figures.tsx'
import { PersonYears } from '#web/public/experts/person-years.tsx'
import { LargeStrip, StripLegend } from '#web/public/experts/strip.tsx'
import { FollowButton } from '#web/public/follow/follow-button.tsx'
import { Replies } from '#web/public/replies/replies.tsx'
import { Segment, Segments } from '#web/ui/segments.tsx'
import { Goalposts } from '#web/public/predictions/goalposts.tsx'
import { ReportDeposit } from '#web/public/submit/report-deposit.ts'
import { ReportButton } from '#web/public/reports/report-button.tsx'
import { newestFirst } from '#domain/listing/selection.ts'
import { type PageProps } from '#web/head/site.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { madeText, statementText } from '#domain/claim/prediction-text.ts'
import { handleText, predictionPath } from '#web/address/addresses.ts'
import css from './expert-page.module.css'
import { useFresh } from './use-fresh.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const NO_REPEATS: PersonReport['repeats'] = {}

/** One person or firm: what their calls are worth compared with luck, and every call on record. */
export function ExpertPage({ content: given }: PageProps<'expert'>) {
  const content = useFresh(given, (next) => next.page === 'expert')
  const { expert, report } = content
  const repeats = report?.repeats ?? NO_REPEATS
  const predictions = useMemo(
    () => predictionsOfRows(content.predictions).toSorted(newestFirst),
    [content.predictions],
  )
  const open = predictions.filter(({ verdicts }) => verdicts.touch.outcome === 'pending')
  return (
    <Stack as="article" gap={8} className={css.page}>
      <Stack as="header" gap={2} className={css.head}>
        <h1>
          <bdi>{expert.name}</bdi>
        </h1>
        <Text tone="quiet">{subtitle(expert, predictions)}</Text>
      </Stack>
      <CallsByLuck
        name={expert.name}
        predictions={predictions.filter(({ id }) => !(id in repeats))}
      />
      {report && <PersonFigures figures={report.figures} />}
      {!report && predictions.length > 0 && (
        <Text tone="quiet" role="status">
          These calls are being compared with luck. This takes a few seconds.
        </Text>
      )}
      <Row gap={3}>
        {assetsOf(predictions).map((asset) => (
          <a
            key={asset.key}
            className={buttonClass('primary')}
            href={`${asset.route}?experts=${encodeURIComponent(expert.slug)}`}
          >
            Show on the {asset.symbol} chart
          </a>
        ))}
        <a className={buttonClass('plain')} href="/experts">
          Compare with others
        </a>
        <FollowButton kind="person" subject={expert.slug} />
        {predictions.length > 0 && (
          <ReportButton
            deposit={ReportDeposit}
            name={expert.name}
            calls={predictions.map((one) => ({ id: one.id, statement: statementText(one) }))}
          />
        )}
      </Row>
      {open.length > 0 && <OpenCalls predictions={open} />}
      {content.goalposts.length > 0 && (
        <Stack as="section" gap={4}>
          <Text as="h2" size="title">
            Deadlines that were moved
          </Text>
          {content.goalposts.map((chain) => (
            <Goalposts key={chain.calls[0]?.id} chain={chain} />
          ))}
        </Stack>
      )}
      {report && <Record report={report} predictions={predictions} />}
      {predictions.length > 0 ? (
        <AllCalls predictions={predictions} repeats={repeats} />
      ) : (
        <Text tone="quiet">No prediction is on record right now.</Text>
      )}
      <Replies
        subject={{ kind: 'person', slug: expert.slug }}
        name={expert.name}
        replies={content.replies}
      />
      {report && (
        <Text size="small" tone="quiet">
          {`Scores as of ${showIsoDay(report.as_of)}, by intraday prices. ${report.notes.join(' ')} `}
          <a href="/methodology#luck">How luck is measured</a>
        </Text>
      )}
    </Stack>
  )
}

/** Each call at its chance by luck. */
function CallsByLuck({
  name,
  predictions,
}: {
  readonly name: string
  readonly predictions: readonly Prediction[]
}) {
  const calls = predictions.map(boardCallOf)
  if (calls.every(({ luck }) => luck === null)) return null
  return (
    <Stack as="section" gap={2} aria-label="Calls by luck">
      <LargeStrip name={name} calls={calls} />
      <Text size="small" tone="quiet">
        Each mark is one call, placed by how likely luck alone was to make it right: bold calls on
        the left. <StripLegend />
      </Text>
    </Stack>
  )
}

function boardCallOf({ id, asset, claim, by, verdicts, odds }: Prediction): BoardCall {
  const { outcome } = verdicts.touch
  const luck = odds?.touch.luck ?? null
  return { id, asset, text: claimText(claim), deadline: isoDay(by), outcome, luck }
}

/** Open calls, the next deadline first, with what is left of each. */
function OpenCalls({ predictions }: { readonly predictions: readonly Prediction[] }) {
  return (
    <Stack as="section" gap={4}>
      <Text as="h2" size="title">
        Open calls
      </Text>
      <ul className={css.list}>
        {predictions
          .toSorted((a, b) => a.by - b.by)
          .map((prediction) => (
            <Call key={prediction.id} prediction={prediction}>
              {wayToGoSentence(prediction, 'touch') ?? verdictSentence(prediction, 'touch')}
            </Call>
          ))}
      </ul>
    </Stack>
  )
}

/** The record by year, and the best and the worst call. */
function Record({
  report,
  predictions,
}: {
  readonly report: PersonReport
  readonly predictions: readonly Prediction[]
}) {
  const found = (wanted: string | null) => predictions.find(({ id }) => id === wanted)
  const [best, worst] = [found(report.best), found(report.worst)]
  return (
    <>
      {(best ?? worst) && (
        <Stack as="section" gap={4}>
          <Text as="h2" size="title">
            Best and worst call
          </Text>
          <ul className={css.list}>
            {best && (
              <Call prediction={best}>{`The hit that luck expected least. ${lucky(best)}`}</Call>
            )}
            {worst && (
              <Call prediction={worst}>{`The miss that luck expected most. ${lucky(worst)}`}</Call>
            )}
          </ul>
        </Stack>
      )}
      <Stack as="section" gap={4}>
        <Text as="h2" size="title">
          Year by year
        </Text>
        <PersonYears years={report.years} />
      </Stack>
    </>
  )
}

function lucky(prediction: Prediction): string {
  return `${luckText(prediction, 'touch') ?? ''}.`
}

type Order = 'date' | 'boldness'

function AllCalls({
  predictions,
  repeats,
}: {
  readonly predictions: readonly Prediction[]
  readonly repeats: PersonReport['repeats']
}) {
  const [order, setOrder] = useState<Order>('date')
  const shown = order === 'date' ? predictions : predictions.toSorted(boldestFirst)
  return (
    <Stack as="section" gap={4} aria-label="Predictions">
      <Row justify="between">
        <Text as="h2" size="title">
          Predictions
        </Text>
        <Segments label="Order">
          <Segment pressed={order === 'date'} onPress={() => setOrder('date')}>
            Newest first
          </Segment>
          <Segment pressed={order === 'boldness'} onPress={() => setOrder('boldness')}>
            Boldest first
          </Segment>
        </Segments>
      </Row>
      <ul className={css.list}>
        {shown.map((prediction) => (
          <Call key={prediction.id} prediction={prediction}>
            {[
              madeText(prediction),
              prediction.id in repeats ? 'repeats an earlier call and does not count' : null,
              verdictSentence(prediction, 'touch'),
              luckText(prediction, 'touch'),
            ]
              .filter((text) => text !== null)
              .join(' · ')}
          </Call>
        ))}
      </ul>
    </Stack>
  )
}

/** By luck; calls without luck last. */
function boldestFirst(a: Prediction, b: Prediction): number {
  return (a.odds?.touch.luck ?? 2) - (b.odds?.touch.luck ?? 2)
}

function Call({
  prediction,
  children,
}: {
  readonly prediction: Prediction
  readonly children: ReactNode
}) {
  return (
    <li>
      <a className={css.row} href={predictionPath(prediction)}>
        <span className={css.what}>{statementText(prediction)}</span>
        <VerdictBadge outcome={prediction.verdicts.touch.outcome} />
        <Text as="span" tone="quiet" size="small" className={css.why}>
          {children}
        </Text>
      </a>
    </li>
  )
}

function showIsoDay(text: string): string {
  const day = readDay(text)
  return day === null ? text : showDay(day)
}

function subtitle(
  expert: { readonly x_handle: string | null; readonly is_firm: boolean },
  predictions: readonly Prediction[],
): string {
  const [last, first] = [predictions.at(0), predictions.at(-1)]
  return [
    expert.x_handle && handleText(expert.x_handle),
    expert.is_firm ? 'Firm' : null,
    `${showCount(predictions.length)} ${predictions.length === 1 ? 'prediction' : 'predictions'}`,
    first && `first call ${showDay(first.made, first.madePrecision)}`,
    last && last !== first && `last call ${showDay(last.made, last.madePrecision)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function assetsOf(predictions: readonly Prediction[]): readonly Asset[] {
  const keys = new Set(predictions.map(({ asset }) => asset))
  return Object.values(ASSETS).filter(({ key }) => keys.has(key))
}
