import { type Listed } from '#domain/listing/listing.ts'
import { splitNote } from '#domain/judging/verdict-text.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { memo } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { ClaimSign } from '#web/ui/claim-sign.tsx'
import { targetDate } from './date-texts.ts'
import css from './prediction-card.module.css'
import { dateLine, expertName, madeText } from '#domain/claim/prediction-text.ts'
import { claimText } from '#domain/claim/text.ts'
import { handleText, predictionPath } from '#web/address/addresses.ts'
import { Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** A prediction in a list. The card itself puts it on the chart and takes it off; its link leads to its own page. */
export const PredictionCard = memo(function PredictionCard({
  prediction,
  mode,
  isPast,
  active,
  onToggle,
}: {
  readonly prediction: Listed
  readonly mode: JudgeMode
  /** Shown as of a past day, while its page is of today. */
  readonly isPast: boolean
  readonly active: boolean
  readonly onToggle: (prediction: Listed) => void
}) {
  const { outcome } = prediction.verdicts[mode]
  const facts = [
    `${dateLine(prediction).label}: ${targetDate(prediction)}`,
    madeText(prediction),
    splitNote(prediction),
    prediction.source,
  ]
  const { sentence, odds } = prediction.texts[mode]
  return (
    <li className={css.card}>
      <button
        type="button"
        className={classNames(css.toggle, outcome === 'void' && css.void)}
        aria-pressed={active}
        data-prediction-card={prediction.id}
        onClick={() => onToggle(prediction)}
      >
        <Row as="span" align="baseline" justify="between">
          <span className={css.person}>
            <Text as="bdi" strong clip={2}>
              {expertName(prediction)}
            </Text>
            {prediction.expert.handle && (
              <Text as="span" tone="quiet" size="small">
                {handleText(prediction.expert.handle)}
              </Text>
            )}
          </span>
          <VerdictBadge outcome={outcome} />
        </Row>
        <Row as="span" whole className={css.claim}>
          <ClaimSign type={prediction.said.type} />
          {claimText(prediction.said)}
        </Row>
        {odds.map((line) => (
          <span key={line} className={css.odds}>
            {line}
          </span>
        ))}
        <span className={css.facts} data-past={isPast || undefined}>
          {outcome === 'void' ? sentence : facts.filter((fact) => fact !== null).join('\u00a0· ')}
        </span>
      </button>
      <a className={css.details} href={predictionPath(prediction)}>
        {isPast ? 'Today’s record' : 'Details'}
        <span className="aside-voice"> of the prediction by {expertName(prediction)}</span>
      </a>
    </li>
  )
})
