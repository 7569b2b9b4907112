import { memo } from 'react'
import { type Drawn, dateLine, expertName, madeText, splitNote } from '#domain/claim/prediction.ts'
import { claimText } from '#domain/claim/text.ts'
import { showDay } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Listed } from '#domain/listing/part.ts'
import { handleText, predictionPath } from '#web/address/addresses.ts'
import { classNames, Row, Text } from '#web/ui/primitives.tsx'
import { VerdictBadge, ClaimSign } from '#web/ui/verdict-badge.tsx'
import css from './prediction-card.module.css'

export const PredictionCard = memo(function PredictionCard({
  prediction,
  mode,
  isPast,
  active,
  onToggle,
}: {
  readonly prediction: Listed
  readonly mode: JudgeMode
  readonly isPast: boolean
  readonly active: boolean
  readonly onToggle: (prediction: Listed) => void
}) {
  const { outcome } = prediction.verdicts[mode]
  const split = splitNote(prediction)
  return (
    <li className={`${css.card} card`}>
      <button
        type="button"
        className={classNames(
          `${css.toggle} column full inner-ring at-start`,
          outcome === 'void' && 'muted',
        )}
        aria-pressed={active}
        data-prediction-card={prediction.id}
        onClick={() => onToggle(prediction)}
      >
        <Row as="span" whole>
          <Text as="span" clip={1} className="grow semibold">
            <bdi>{expertName(prediction)}</bdi>
            {prediction.expert.handle && (
              <span className={css.quiet}> {handleText(prediction.expert.handle)}</span>
            )}
          </Text>
          <VerdictBadge outcome={outcome} />
        </Row>
        <Row as="span" whole className={css.claim}>
          <ClaimSign type={prediction.statedClaim.type} />
          <Text as="span" clip={1}>
            {claimText(prediction.statedClaim)}
            {split && <span className={css.quiet}> {split}</span>}
          </Text>
        </Row>
        <Text as="span" clip={1} className={css.line}>
          {prediction.texts[mode].line}
        </Text>
        <Text as="span" clip={1} className={`${css.line} ${css.quiet}`}>
          {dateLine(prediction).label}: {targetDate(prediction)}
          {'\u00a0· '}
          {madeText(prediction)}
        </Text>
      </button>
      <a className={`${css.details} muted`} href={predictionPath(prediction)}>
        {isPast ? 'Now' : 'Details'}
        <span className="aside-voice"> of the prediction by {expertName(prediction)}</span>
      </a>
    </li>
  )
})

/** The target date in lists, with its known precision (public-site.md §2 and §8). */
export function targetDate({ by, byPrecision }: Drawn): string {
  return Number.isFinite(by) ? showDay(by, byPrecision) : 'Date not specified'
}
