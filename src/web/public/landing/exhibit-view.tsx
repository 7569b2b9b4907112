import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type Exhibit } from '#contracts/page.ts'
import { type Day } from '#domain/day.ts'
import { expertName, statementText } from '#domain/claim/prediction-text.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { PredictionPicture } from '#web/ui/prediction-picture.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import css from './exhibit-view.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const PICTURE = { width: 640, height: 360 } as const

/** One real call: what was said, the price after it, and what came of it. */
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
        <PredictionPicture
          prediction={prediction}
          prices={exhibit.prices}
          mode="touch"
          today={today}
          wide={PICTURE}
        />
      </div>
      <Stack gap={2} className={css.caption}>
        <Row gap={3} align="start" justify="between">
          <h2 className={css.title} dir="auto">
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
