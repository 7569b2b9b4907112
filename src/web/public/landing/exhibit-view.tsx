import { type ReactNode } from 'react'
import { type Exhibit } from '#contracts/page.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { expertName, statementText } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { fetchPage } from '#web/api/page-data.ts'
import { PredictionPicture } from '#web/ui/prediction-picture.tsx'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import css from './landing.module.css'

export function ExhibitView({
  exhibit,
  today,
}: {
  readonly exhibit: Exhibit
  readonly today: Day
}) {
  const prediction = predictionOfRow(exhibit.prediction)
  if (!prediction) return null
  return (
    <>
      <div className={css.picture}>
        <PredictionPicture prediction={prediction} prices={exhibit.prices} today={today} />
      </div>
      <Stack gap={2} className="pad ruled-top">
        <Row gap={3} align="start" justify="between">
          <h2 className={`${css.title} lead semibold plain-links`} dir="auto">
            <a href={expertPath(prediction.expert)}>
              <bdi>{expertName(prediction)}</bdi>
            </a>
            {': '}
            <a href={predictionPath(prediction)}>{statementText(prediction)}</a>
          </h2>
          <VerdictBadge outcome={prediction.verdicts.touch.outcome} />
        </Row>
        <Text tone="quiet">{verdictSentence(prediction, 'touch')}</Text>
      </Stack>
    </>
  )
}

export async function fetchExhibit(exhibit: Exhibit, today: Day): Promise<ReactNode> {
  const address = predictionPath(exhibit.prediction)
  const { data } = await fetchPage(address, new AbortController().signal)
  if (data.page !== 'prediction') return null
  return <ExhibitView exhibit={{ ...exhibit, prices: data.prices }} today={today} />
}
