import { Fragment, useMemo, useState } from 'react'
import { type PersonReport } from '#contracts/board.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { ASSETS } from '#domain/asset.ts'
import { type Prediction, statementText } from '#domain/claim/prediction.ts'
import { claimText } from '#domain/claim/text.ts'
import { isoDay, showDay } from '#domain/day.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { newestFirst } from '#domain/listing/selection.ts'
import { counted } from '#domain/price-text.ts'
import { luckText, resultText, showChance, wayToGoText } from '#domain/scoring/odds-text.ts'
import { comparedText, personFinding, cameTrueText } from '#domain/scoring/score-text.ts'
import { handleText, predictionPath } from '#web/address/addresses.ts'
import { useSite, type PageProps } from '#web/head/site.ts'
import { PersonFigures } from '#web/public/experts/person-figures.tsx'
import { CallsByLuck } from '#web/public/experts/strip.tsx'
import { FollowButton } from '#web/public/follow/follow-button.tsx'
import { PersonThreads } from '#web/public/hedgehog/person-threads.tsx'
import { Goalposts } from '#web/public/predictions/goalposts.tsx'
import { Replies } from '#web/public/replies/replies.tsx'
import { ReportButton } from '#web/public/reports/report-button.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack, Section, Text, TableHead, Note } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { useFresh } from './use-fresh.ts'
import css from './pages.module.css'

const NO_REPEATS: PersonReport['repeats'] = {}

export function ExpertPage({ content: initial }: PageProps<'expert'>) {
  const content = useFresh(initial)
  const { today } = useSite()
  const { expert, report } = content
  const repeats = report?.repeats ?? NO_REPEATS
  const predictions = useMemo(
    () => predictionsOfRows(content.predictions).toSorted(newestFirst),
    [content.predictions],
  )
  const open = predictions.filter(({ verdicts }) => verdicts.touch.outcome === 'pending')
  return (
    <Stack as="article" gap={8}>
      <Stack as="header" gap={2}>
        <h1>
          <bdi>{report ? personFinding(expert.name, report.figures) : expert.name}</bdi>
        </h1>
        {report && <Text size="lead">{comparedText(report.figures)}</Text>}
        <Text tone="quiet">{subtitle(expert, predictions)}</Text>
        <Firm expert={expert} />
        {!report && predictions.length > 0 && (
          <Text tone="quiet" role="status">
            These calls are being compared with luck. This takes a few seconds.
          </Text>
        )}
      </Stack>
      <PersonThreads expert={expert} threads={content.threads} />
      <Row gap={4} links>
        {Object.values(ASSETS)
          .filter(({ key }) => predictions.some(({ asset }) => asset === key))
          .map(({ key, route, symbol }, i) => (
            <a
              key={key}
              className={buttonClass(i === 0 ? 'primary' : 'quiet')}
              href={`${route}?experts=${encodeURIComponent(expert.slug)}`}
            >
              Show on the {symbol} chart
            </a>
          ))}
        <a className={buttonClass('quiet')} href="/experts">
          Compare with others
        </a>
        <FollowButton look="quiet" kind="person" subject={expert.slug} />
        {predictions.length > 0 && (
          <ReportButton
            name={expert.name}
            calls={predictions.map((one) => ({ id: one.id, statement: statementText(one) }))}
          />
        )}
      </Row>
      {open.length > 0 && (
        <Section title="Open calls">
          <ul className="ruled-top">
            {open
              .toSorted((a, b) => a.by - b.by)
              .map((one) => (
                <Call key={one.id} prediction={one} isRepeat={one.id in repeats}>
                  {wayToGoText(one, 'touch', today) ?? verdictSentence(one, 'touch')}
                </Call>
              ))}
          </ul>
        </Section>
      )}
      {predictions.length > 0 ? (
        <AllCalls predictions={predictions} repeats={repeats} />
      ) : (
        <Text tone="quiet">No predictions are on record right now.</Text>
      )}
      {content.goalposts.length > 0 && (
        <Section gap={4} title="Deadlines that were moved">
          {content.goalposts.map((chain) => (
            <Goalposts key={chain.calls[0]?.id} chain={chain} />
          ))}
        </Section>
      )}
      {report && (
        <Fold title="How this compares with luck">
          <Stack gap={8}>
            <CallsByLuck
              name={expert.name}
              calls={predictions.filter(({ id }) => !(id in repeats)).map(boardCallOf)}
            />
            <PersonFigures figures={report.figures} />
            <Record report={report} predictions={predictions} />
            <Note>
              {`Scores as of ${showDate(report.as_of)}, by intraday prices. ${report.notes.join(' ')} `}
              <a href="/methodology#luck">How luck is measured</a>
            </Note>
          </Stack>
        </Fold>
      )}
      <Replies
        subject={{ kind: 'person', slug: expert.slug }}
        name={expert.name}
        replies={content.replies}
      />
    </Stack>
  )
}

function boardCallOf({ id, asset, claim, by, verdicts, odds }: Prediction) {
  const { outcome } = verdicts.touch
  const luck = odds?.touch.luck ?? null
  return { id, asset, text: claimText(claim), deadline: isoDay(by), outcome, luck }
}

type Calls = { readonly predictions: readonly Prediction[] }

function Record({ report, predictions }: Calls & { readonly report: PersonReport }) {
  // Verdicts may be newer than the scores.
  const found = (search: string | null, outcome: Outcome) =>
    predictions.find(({ id, verdicts }) => id === search && verdicts.touch.outcome === outcome)
  const [best, worst] = [found(report.best, 'hit'), found(report.worst, 'miss')]
  return (
    <>
      {(best ?? worst) && (
        <Section gap={4} title="Best and worst call">
          <ul className="ruled-top">
            {best && <Call prediction={best}>{`Most surprising hit. ${lucky(best)}`}</Call>}
            {worst && <Call prediction={worst}>{`Most surprising miss. ${lucky(worst)}`}</Call>}
          </ul>
        </Section>
      )}
      <Section gap={4} title="Year by year">
        <table className="flush lined">
          <caption className="aside-voice">Calls by the year they were made</caption>
          <TableHead names={['Year', 'Calls made', 'Deadline passed', 'Luck expects']} />
          <tbody>
            {report.years.map(({ year, calls, decided }) => (
              <tr key={year}>
                <th scope="row" className="semibold">
                  {year}
                </th>
                <td>{calls}</td>
                <td>{cameTrueText({ hits: decided.hits, n: decided.calls })}</td>
                <td>{decided.calls === 0 ? '–' : decided.expected.toFixed(1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </>
  )
}

function lucky(prediction: Prediction): string {
  return `${luckText(prediction, 'touch') ?? ''}.`
}

function AllCalls({ predictions, repeats }: Calls & Pick<PersonReport, 'repeats'>) {
  const { today } = useSite()
  const [order, setOrder] = useState<'date' | 'boldness'>('date')
  const luckOf = ({ odds }: Prediction) => odds?.touch.luck ?? null
  const sorted =
    order === 'date'
      ? predictions
      : predictions.toSorted((a, b) => (luckOf(a) ?? 2) - (luckOf(b) ?? 2))
  return (
    <Stack as="section" gap={4} aria-label="Predictions">
      <Row justify="between">
        <Text as="h2" size="title">
          Predictions
        </Text>
        <Segments
          label="Order"
          options={[
            ['date', 'Newest first'],
            ['boldness', 'Boldest first'],
          ]}
          value={order}
          onChoose={setOrder}
        />
      </Row>
      <ul className="ruled-top">
        {sorted.map((one) => {
          const luck = luckOf(one)
          const parts = [
            resultText(one, 'touch', today),
            luck !== null && `luck ${showChance(luck)}`,
          ]
          return (
            <Call key={one.id} prediction={one} isRepeat={one.id in repeats}>
              {parts.filter(Boolean).join(' · ')}
            </Call>
          )
        })}
      </ul>
    </Stack>
  )
}

function Call({
  prediction,
  isRepeat = false,
  children,
}: {
  readonly prediction: Prediction
  readonly isRepeat?: boolean
  readonly children: string
}) {
  return (
    <li>
      <a className={`${css.row} beside unlined ruled-bottom`} href={predictionPath(prediction)}>
        <strong className="semibold">{statementText(prediction)}</strong>
        <VerdictBadge outcome={prediction.verdicts.touch.outcome} />
        <Note as="span">{isRepeat ? `${children} · repeat, not counted` : children}</Note>
        <Note as="span" className="at-end">
          {showDay(prediction.made, prediction.madePrecision)}
        </Note>
      </a>
    </li>
  )
}

function Firm({ expert }: Pick<PageProps<'expert'>['content'], 'expert'>) {
  const { firm, people } = expert
  if (firm) {
    return (
      <Text tone="quiet">
        {firm.slug === null ? firm.name : <a href={`/experts/${firm.slug}`}>{firm.name}</a>}
      </Text>
    )
  }
  if (people.length === 0) return null
  return (
    <Text tone="quiet">
      {'Calls by named people of this firm: '}
      {people.map(({ name, slug }, i) => (
        <Fragment key={slug}>
          {i > 0 && ', '}
          <a href={`/experts/${slug}`}>{name}</a>
        </Fragment>
      ))}
    </Text>
  )
}

function subtitle(
  expert: { readonly x_handle: string | null; readonly is_firm: boolean },
  predictions: readonly Prediction[],
): string {
  const [last, first] = [predictions.at(0), predictions.at(-1)]
  return [
    expert.x_handle && handleText(expert.x_handle),
    expert.is_firm ? 'Firm' : null,
    counted(predictions.length, 'prediction'),
    first && `first call ${showDay(first.made, first.madePrecision)}`,
    last && last !== first && `last call ${showDay(last.made, last.madePrecision)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
