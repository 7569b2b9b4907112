import { type ReactNode } from 'react'
import { REPORTS_PATH, type PublicReport, type Correction } from '#contracts/public-logs.ts'
import { REPORT_KIND_NAMES, REPORT_STATE_NAMES } from '#domain/report.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { type PageProps } from '#web/head/site.ts'
import { REPORT_TONES, Tag } from '#web/ui/chip.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Row, Stack, Section, Text, Note } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { Away } from '#web/ui/source-link.tsx'

export function ReportPage({ content: { report } }: PageProps<'report'>) {
  const { number, at, kind, state, prediction, other, withdrawn, explanation, withheld } = report
  return (
    <Stack as="article" gap={6} className="reading">
      <Row as="header" gap={4} align="start" justify="between" whole>
        <h1>Report {number}</h1>
        <Tag tone={REPORT_TONES[state]}>{REPORT_STATE_NAMES[state]}</Tag>
      </Row>
      <Facts>
        <Fact name="About">
          <Entry prediction={prediction} />
          {withdrawn && ', withdrawn since'}
        </Fact>
        <Fact name="What is wrong">{REPORT_KIND_NAMES[kind]}</Fact>
        <Fact name="On record again as">{other && <Entry prediction={other} />}</Fact>
        <Fact name="Reported on">{showDate(at)}</Fact>
        <Fact name="Source">{sourceOf(report)}</Fact>
      </Facts>
      <Section gap={2} title="In the words of the report">
        {explanation === null ? (
          <Text tone="quiet">
            {withheld || state !== 'open'
              ? 'Text withheld.'
              : 'The words are shown once an administrator has read and decided the report.'}
          </Text>
        ) : (
          <blockquote className="measure as-written quoted" dir="auto">
            {explanation}
          </blockquote>
        )}
      </Section>
      <Outcome report={report} />
      <Note>
        <a href={REPORTS_PATH}>All reported errors</a> ·{' '}
        <a href="/corrections">All corrections of the record</a>
      </Note>
    </Stack>
  )
}

function Entry({ prediction }: { readonly prediction: Correction['prediction'] }) {
  return (
    <a href={predictionPath(prediction)}>
      <bdi>{prediction.person.name}</bdi>: {prediction.statement}
    </a>
  )
}

function sourceOf({ source, sourceHost, state }: PublicReport): ReactNode {
  if (source !== null && sourceHost !== null) return <Away to={source}>{sourceHost}</Away>
  if (sourceHost === null) return null
  return state === 'open' ? `${sourceHost}; its address is shown once it is decided` : sourceHost
}

function Outcome({ report }: { readonly report: PublicReport }) {
  const { state, decided, corrections, prediction } = report
  return (
    <Section gap={2} title="What came of it">
      {!decided && <p>It is open: an administrator has not decided it yet.</p>}
      {decided && state === 'declined' && (
        <>
          <p>
            Declined on {showDate(decided.at)}: <strong>{decided.reason}</strong>.
          </p>
          <p className="measure as-written">{decided.answer}</p>
        </>
      )}
      {decided && state === 'accepted' && (
        <>
          <p>Accepted on {showDate(decided.at)}. The record was corrected:</p>
          <Stack as="ul" gap={2}>
            {corrections.map(({ number, at, text }) => (
              <li key={number}>
                <Note as="time" dateTime={at}>
                  {showDate(at)}
                </Note>{' '}
                {text}
              </li>
            ))}
          </Stack>
          <p>
            <a
              href={`/corrections?person=${encodeURIComponent(prediction.person.slug)}#c${String(corrections.at(-1)?.number ?? '')}`}
            >
              See it among all corrections of calls by <bdi>{prediction.person.name}</bdi>
            </a>
          </p>
        </>
      )}
    </Section>
  )
}
