import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type PredictionRow } from '#contracts/predictions.ts'
import { ASSETS } from '#domain/asset.ts'
import { madeText, statementText } from '#domain/claim/prediction-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Button } from '#web/ui/button.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { Columns, Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Tag, type TagTone } from '#web/ui/tag.tsx'
import { Text } from '#web/ui/text.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import css from './pair-view.module.css'
import { type PairRow, type State } from './use-pairs.ts'

const TONES: Readonly<Record<State, TagTone>> = { suggested: 'wait', confirmed: 'good', cut: 'bad' }

/** Two calls side by side, with what can be decided about them. */
export function PairView({
  row,
  isCurrent,
  isBusy,
  onReach,
  onDecide,
}: {
  readonly row: PairRow
  /** Keys act on it. */
  readonly isCurrent: boolean
  readonly isBusy: boolean
  /** The focus has come to it. */
  readonly onReach: () => void
  readonly onDecide: (state: State) => void
}) {
  const { earlier, later, state, delay, decided } = row
  const { name } = later.influencer
  const title = `${name}, ${later.price_prediction}`
  const isGone = state === 'confirmed' && !row.is_shown
  return (
    <Panel
      as="li"
      className={css.pair}
      data-row={row.id}
      data-current={isCurrent || undefined}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={title}
      aria-current={isCurrent || undefined}
      onFocus={onReach}
    >
      <Row gap={3} align="baseline" justify="between">
        <Text as="h2" size="lead">
          <bdi>{name}</bdi>: {ASSETS[later.asset_type].symbol} {later.price_prediction}, moved by{' '}
          {delay}
        </Text>
        <Tag tone={TONES[state]}>{state}</Tag>
      </Row>
      <Columns gap={4}>
        <Call title="Earlier" row={earlier} />
        <Call title="Later" row={later} />
      </Columns>
      <Row justify="between">
        <Text as="span" tone="quiet" size="small">
          {decided && `${decided.who}, ${showMoment(decided.at)}. `}
          {isGone && 'Not shown: by the rule it is no longer a revision.'}
        </Text>
        <Row role="group" aria-label={`Decide about ${title}`}>
          {state !== 'confirmed' && (
            <Button look="primary" disabled={isBusy} onClick={() => onDecide('confirmed')}>
              Confirm
            </Button>
          )}
          {state !== 'cut' && (
            <Button disabled={isBusy} onClick={() => onDecide('cut')}>
              Cut
            </Button>
          )}
          {state !== 'suggested' && (
            <Button disabled={isBusy} onClick={() => onDecide('suggested')}>
              Take back
            </Button>
          )}
        </Row>
      </Row>
    </Panel>
  )
}

function Call({ title, row }: { readonly title: string; readonly row: PredictionRow }) {
  const prediction = predictionOfRow(row)
  return (
    <Stack gap={1}>
      <Row gap={3} justify="between">
        <Text as="h3" size="small" tone="quiet">
          {title}
        </Text>
        <VerdictBadge outcome={row.verdicts.touch.outcome} />
      </Row>
      <a href={predictionPath(row)} target="_blank">
        {prediction ? statementText(prediction) : row.price_prediction}
      </a>
      <Text tone="quiet" size="small">
        {prediction && madeText(prediction)}
      </Text>
      {row.quote !== '' && (
        <Text size="small" dir="auto">
          {row.quote}
        </Text>
      )}
    </Stack>
  )
}
