import { useMemo, useState } from 'react'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { ASSETS } from '#domain/asset.ts'
import { expertName, headline, statementText } from '#domain/claim/prediction.ts'
import { datesText, verdictSentence } from '#domain/judging/verdict-text.ts'
import { onParam } from '#domain/listing/selection.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { useSite, type PageProps } from '#web/head/site.ts'
import { FollowButton } from '#web/public/follow/follow-button.tsx'
import { JudgeHere } from '#web/public/judge/judge-here.tsx'
import { Evidence } from '#web/public/predictions/evidence.tsx'
import { Goalposts } from '#web/public/predictions/goalposts.tsx'
import { ShareButtons } from '#web/public/predictions/share-buttons.tsx'
import { Replies } from '#web/public/replies/replies.tsx'
import { ReportButton } from '#web/public/reports/report-button.tsx'
import { buttonClass, Button } from '#web/ui/button.tsx'
import { Tick } from '#web/ui/field.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Skeleton } from '#web/ui/notice.tsx'
import {
  classNames,
  Panel,
  Row,
  Stack,
  Callout,
  Section,
  Text,
  Note,
  Tiles,
} from '#web/ui/primitives.tsx'
import { showDate, satsText } from '#web/ui/show.ts'
import { PublicWords } from '#web/ui/source-link.tsx'
import { later, still } from '#web/ui/still.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { MissingPage } from './missing-page.tsx'
import { useFresh } from './use-fresh.ts'
import css from './pages.module.css'

const StillPicture = still(
  async () => (await import('#web/ui/prediction-picture.tsx')).PredictionPicture,
)

const StillRecord = still(
  async () => (await import('#web/public/predictions/signed-record.tsx')).SignedRecord,
)

const PICTURES = ['narrow', 'middle', 'wide'] as const

export function PredictionPage({ content: initial }: PageProps<'prediction'>) {
  const [boosts, setBoosts] = useState(0)
  const content = useFresh(initial, boosts)
  const { today, origin } = useSite()
  const [showsFan, setShowsFan] = useState(true)
  const prediction = useMemo(() => predictionOfRow(content.prediction), [content.prediction])
  if (!prediction) return <MissingPage content={{ page: 'missing', what: 'prediction' }} />
  const asset = ASSETS[prediction.asset]
  const sentence = verdictSentence(prediction, 'touch')
  return (
    <Stack as="article" gap={6}>
      {content.withdrawn && (
        <Callout tone="wait" className={css.withdrawn} role="note">
          <strong>Withdrawn on {showDate(content.withdrawn.at)}.</strong> It counts in no list,
          chart or track record. {content.withdrawn.reason}
        </Callout>
      )}
      <Stack as="header">
        <h1>{headline(prediction)}</h1>
        <Row gap={4} className={css.verdict}>
          <VerdictBadge outcome={prediction.verdicts.touch.outcome} stamp />
          <p>{sentence}</p>
        </Row>
        <Text tone="quiet">{datesText(prediction)}</Text>
        {prediction.repeats && (
          <Text tone="quiet">
            Repeats <a href={predictionPath({ id: prediction.repeats })}>an earlier call</a>, which
            counts. This one counts nowhere.
          </Text>
        )}
      </Stack>
      <Panel gap={0} className={classNames(css.picture, !showsFan && css.withoutFan)}>
        <StillPicture
          // Render a new picture for a new outcome.
          key={prediction.verdicts.touch.outcome}
          prediction={prediction}
          prices={content.prices}
          today={today}
          sizes={PICTURES}
          withFan
        />
        {prediction.odds?.touch.luck != null && prediction.verdicts.touch.reference !== null && (
          <Row as="p" gap={3}>
            <Tick label="Show what luck expected" checked={showsFan} onChange={setShowsFan} />
            <Note as="span">
              Where chance alone would take the price: half of all paths end in the inner band, nine
              in ten in the outer one. <a href="/methodology#luck">How luck is measured</a>
            </Note>
          </Row>
        )}
      </Panel>
      <Row gap={4} links>
        {!content.withdrawn && (
          <a
            className={buttonClass('primary')}
            href={`${asset.route}?on=${encodeURIComponent(onParam(prediction.id))}`}
          >
            See it on the {asset.symbol} chart
          </a>
        )}
        <a className={buttonClass('quiet')} href={expertPath(prediction.expert)}>
          All predictions by {expertName(prediction)}
        </a>
        <FollowButton look="quiet" kind="prediction" subject={prediction.id} />
        {!content.withdrawn && (
          <ReportButton
            name={prediction.expert.name}
            calls={[{ id: prediction.id, statement: statementText(prediction) }]}
          />
        )}
      </Row>
      <Tiles gap={8} least="half">
        <Stack gap={8}>
          <Section gap={4} title="Why">
            <Evidence prediction={prediction} above={sentence} />
          </Section>
          <JudgeHere prediction={prediction} today={today} />
        </Stack>
        <Stack gap={8}>
          <Stack as="section">
            <PublicWords prediction={prediction} />
          </Stack>
          <Section title="History">
            <ul>
              {content.history.map(({ at, text }) => (
                <li className="dated" key={`${at} ${text}`}>
                  <Note as="time" dateTime={at}>
                    {showDate(at)}
                  </Note>
                  <span>{text}</span>
                </li>
              ))}
            </ul>
            <Note>
              <a href={`/reports?prediction=${encodeURIComponent(prediction.id)}`}>
                Errors reported here
              </a>{' '}
              · <a href="/corrections">All corrections of the record</a>
            </Note>
          </Section>
          <Replies
            subject={{ kind: 'prediction', id: prediction.id }}
            name={prediction.expert.name}
            replies={content.replies}
          />
          {!content.withdrawn && (
            <Section id="support" title="Support">
              <p>
                {prediction.voteScore === 0
                  ? 'No sats have been paid in support of this prediction yet.'
                  : `${satsText(prediction.voteScore)} have been paid in support of this prediction. They order lists, and change no verdict.`}
              </p>
              <Boost id={prediction.id} onPaid={() => setBoosts((before) => before + 1)} />
            </Section>
          )}
          <Section className="by-screen" title="Share">
            <ShareButtons url={origin + predictionPath(prediction)} text={headline(prediction)} />
          </Section>
        </Stack>
      </Tiles>
      {content.goalposts && (
        <Section gap={4} className="measure" title="How the deadline was moved">
          <Goalposts chain={content.goalposts} current={prediction.id} />
        </Section>
      )}
      {content.record && (
        <StillRecord
          // Each verdict is published as its own event.
          key={Object.values(content.record.verdict_ids).join()}
          id={prediction.id}
          record={content.record}
        />
      )}
      {content.record && <ProofFold id={prediction.id} />}
    </Stack>
  )
}

const Proofs = later(
  async () => (await import('#web/public/predictions/proofs.tsx')).Proofs,
  <Skeleton shape="card" label="Loading the proofs" />,
)

function ProofFold({ id }: { readonly id: string }) {
  const [isOpened, setOpened] = useState(false)
  return (
    <Stack as="section" className="measure">
      <Fold title="Proof in Bitcoin" onOpen={() => setOpened(true)}>
        {isOpened ? (
          <Proofs id={id} />
        ) : (
          <p>
            State of the proofs, with their files:{' '}
            <a href={`/api/v1/record/${encodeURIComponent(id)}/proofs`}>as JSON</a>.
          </p>
        )}
      </Fold>
    </Stack>
  )
}

const BoostPanel = later(
  async () => (await import('#web/public/submit/boost-panel.tsx')).BoostPanel,
  <Text tone="quiet">Loading…</Text>,
)

function Boost({ id, onPaid }: { readonly id: string; readonly onPaid: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return isOpen ? (
    <BoostPanel id={id} onPaid={onPaid} onClose={() => setOpen(false)} />
  ) : (
    <div>
      <Button onClick={() => setOpen(true)}>Boost it</Button>
    </div>
  )
}
