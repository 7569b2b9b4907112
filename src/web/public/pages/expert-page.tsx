import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { ASSETS, type Asset } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { showCount } from '#domain/price-text.ts'
import { trackRecord } from '#domain/scoring/track-record.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { useMemo } from 'react'
import { TrackRecordView } from '#web/public/experts/track-record-view.tsx'
import { newestFirst } from '#web/public/predictions/selection.ts'
import { type PageProps } from '#web/head/site.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { madeText, statementText } from '#domain/claim/prediction-text.ts'
import { handleText, predictionPath } from '#web/address/addresses.ts'
import css from './expert-page.module.css'
import { useFresh } from './use-fresh.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** One person or firm with every call of theirs on record. */
export function ExpertPage({ content: given }: PageProps<'expert'>) {
  const content = useFresh(given, (next) => next.page === 'expert')
  const { expert } = content
  const predictions = useMemo(
    () => predictionsOfRows(content.predictions).toSorted(newestFirst),
    [content.predictions],
  )
  const record = trackRecord(predictions.map(({ verdicts }) => verdicts.touch.outcome))
  return (
    <Stack as="article" gap={8} className={css.page}>
      <Stack as="header" gap={2} className={css.head}>
        <h1>
          <bdi>{expert.name}</bdi>
        </h1>
        <Text tone="quiet">{subtitle(expert, predictions)}</Text>
      </Stack>
      <TrackRecordView record={record} />
      <Row as="p" gap={3}>
        {assetsOf(predictions).map((asset) => (
          <a
            key={asset.key}
            className={buttonClass('primary')}
            href={`${asset.route}?experts=${encodeURIComponent(expert.slug)}`}
          >
            Show on the {asset.symbol} chart
          </a>
        ))}
      </Row>
      <Stack as="section" gap={4}>
        <Text as="h2" size="title">
          Predictions
        </Text>
        <ul className={css.list}>
          {predictions.map((prediction) => (
            <li key={prediction.id}>
              <a className={css.row} href={predictionPath(prediction)}>
                <span className={css.what}>{statementText(prediction)}</span>
                <VerdictBadge outcome={prediction.verdicts.touch.outcome} />
                <Text as="span" tone="quiet" size="small" className={css.why}>
                  {madeText(prediction)} · {verdictSentence(prediction, 'touch')}
                </Text>
              </a>
            </li>
          ))}
        </ul>
      </Stack>
    </Stack>
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
