import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type HistoryRow } from '#contracts/predictions.ts'
import { ASSETS } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { datesText } from '#domain/judging/verdict-text.ts'
import { useMemo, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { PublicWords } from '#web/ui/public-words.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { showDate } from '#web/ui/show-date.ts'
import { Evidence } from '#web/public/predictions/evidence.tsx'
import { FollowButton } from '#web/public/follow/follow-button.tsx'
import { JudgeHere } from '#web/public/judge/judge-here.tsx'
import { Goalposts } from '#web/public/predictions/goalposts.tsx'
import { ProofFold } from '#web/public/predictions/proof-fold.tsx'
import { onParam } from '#domain/listing/selection-address.ts'
import { Replies } from '#web/public/replies/replies.tsx'
import { ShareButtons } from '#web/public/predictions/share-buttons.tsx'
import { ReportDeposit } from '#web/public/submit/report-deposit.ts'
import { ReportButton } from '#web/public/reports/report-button.tsx'
import { useSite, type PageProps } from '#web/head/site.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { still } from '#web/ui/still.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { expertName, headline, statementText } from '#domain/claim/prediction-text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { satsText } from '#web/ui/sats-text.ts'
import { Boost } from '#web/public/submit/boost.tsx'
import { MissingPage } from './missing-page.tsx'
import css from './prediction-page.module.css'
import { useFresh } from './use-fresh.ts'
import { Columns, Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'

const StillPicture = still(
  async () => (await import('#web/ui/prediction-picture.tsx')).PredictionPicture,
)

const StillRecord = still(
  async () => (await import('#web/public/predictions/signed-record.tsx')).SignedRecord,
)

const PICTURE = { width: 1080, height: 400 } as const

/** One prediction at its permanent address, with everything that speaks for its verdict. */
export function PredictionPage({ content: given }: PageProps<'prediction'>) {
  const [boosts, setBoosts] = useState(0)
  const content = useFresh(given, (next) => next.page === 'prediction', boosts)
  const { today, origin } = useSite()
  const [showsFan, setShowsFan] = useState(true)
  const prediction = useMemo(() => predictionOfRow(content.prediction), [content.prediction])
  if (!prediction) return <MissingPage content={{ page: 'missing', what: 'prediction' }} />
  const asset = ASSETS[prediction.asset]
  return (
    <Stack as="article" gap={8} className={css.page}>
      {content.withdrawn && (
        <Callout tone="wait" className={css.withdrawn} role="note">
          <strong>Withdrawn on {showDate(content.withdrawn.at)}.</strong> It counts in no list,
          chart or track record. {content.withdrawn.reason}
        </Callout>
      )}
      <Row as="header" gap={8} align="start" justify="between" whole className={css.head}>
        <Stack>
          <h1>{headline(prediction)}</h1>
          <Text tone="quiet">{datesText(prediction)}</Text>
        </Stack>
        <VerdictBadge outcome={prediction.verdicts.touch.outcome} stamp />
      </Row>
      <Panel gap={0} className={classNames(css.picture, !showsFan && css.withoutFan)}>
        <StillPicture
          // A new outcome is a new picture.
          key={prediction.verdicts.touch.outcome}
          prediction={prediction}
          prices={content.prices}
          mode="touch"
          today={today}
          wide={PICTURE}
          withFan
        />
        {hasFan(prediction) && (
          <Row as="p" gap={3} className={css.fan}>
            <Tick label="Show what luck expected" checked={showsFan} onChange={setShowsFan} />
            <Text as="span" tone="quiet" size="small">
              From the day of the call, half of luck’s paths end in the darker band and nine of ten
              in the lighter one. <a href="/methodology#luck">How luck is measured</a>
            </Text>
          </Row>
        )}
      </Panel>
      <Row gap={3}>
        {!content.withdrawn && (
          <a
            className={buttonClass('primary')}
            href={`${asset.route}?on=${encodeURIComponent(onParam(prediction.id))}`}
          >
            See it on the {asset.symbol} chart
          </a>
        )}
        <a className={buttonClass('plain')} href={expertPath(prediction.expert)}>
          All predictions by {expertName(prediction)}
        </a>
        <FollowButton kind="prediction" subject={prediction.id} />
        {!content.withdrawn && (
          <ReportButton
            deposit={ReportDeposit}
            name={prediction.expert.name}
            calls={[{ id: prediction.id, statement: statementText(prediction) }]}
          />
        )}
      </Row>
      <Stack as="section" gap={4}>
        <Text as="h2" size="title">
          Why
        </Text>
        <Evidence prediction={prediction} />
      </Stack>
      <Replies
        subject={{ kind: 'prediction', id: prediction.id }}
        name={prediction.expert.name}
        replies={content.replies}
      />
      <JudgeHere prediction={prediction} today={today} />
      {content.goalposts && (
        <Stack as="section" gap={4} className={css.text}>
          <Text as="h2" size="title">
            How the deadline was moved
          </Text>
          <Goalposts chain={content.goalposts} current={prediction.id} />
        </Stack>
      )}
      <Columns gap={8}>
        <Stack as="section" className={css.text}>
          <PublicWords prediction={prediction} />
        </Stack>
        <Stack as="section" className={css.text}>
          <Text as="h2" size="title">
            History
          </Text>
          <ul className={css.events}>
            {content.history.map((event) => (
              <Event key={`${event.at} ${event.text}`} event={event} />
            ))}
          </ul>
          <Text tone="quiet" size="small">
            <a href={`/reports?prediction=${encodeURIComponent(prediction.id)}`}>
              Errors reported here
            </a>{' '}
            · <a href="/corrections">All corrections of the record</a>
          </Text>
        </Stack>
      </Columns>
      {!content.withdrawn && (
        <Stack as="section" gap={4} className={css.text} id="support">
          <Text as="h2" size="title">
            Support
          </Text>
          <p>{supportText(prediction.voteScore)}</p>
          <Boost id={prediction.id} onPaid={() => setBoosts((before) => before + 1)} />
        </Stack>
      )}
      {content.record && (
        <StillRecord
          // Another verdict is another event.
          key={Object.values(content.record.verdict_ids).join()}
          id={prediction.id}
          record={content.record}
        />
      )}
      {content.record && <ProofFold id={prediction.id} />}
      <Stack as="section" className={classNames(css.text, css.share)}>
        <Text as="h2" size="title">
          Share
        </Text>
        <ShareButtons url={origin + predictionPath(prediction)} text={headline(prediction)} />
      </Stack>
    </Stack>
  )
}

function supportText(score: number): string {
  return score === 0
    ? 'No sats have been paid in support of this prediction yet.'
    : `${satsText(score)} have been paid in support of this prediction. They order lists, and change no verdict.`
}

function hasFan({ odds, verdicts }: Prediction): boolean {
  return odds?.touch.luck != null && verdicts.touch.reference !== null
}

function Event({ event }: { readonly event: HistoryRow }) {
  return (
    <li>
      <Text as="time" tone="quiet" size="small" dateTime={event.at}>
        {showDate(event.at)}
      </Text>
      <span>{event.text}</span>
    </li>
  )
}
