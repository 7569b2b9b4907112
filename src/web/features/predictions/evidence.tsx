import { showDay } from '#domain/day.ts'
import { type Prediction } from '#domain/prediction.ts'
import { showUsd } from '#domain/price-text.ts'
import { showClaim } from '#domain/claim/text.ts'
import {
  missedBy,
  ruleSentence,
  showBar,
  showReference,
  splitNote,
  verdictSentence,
} from '#domain/verdict-text.ts'
import { type JudgeMode, type Verdict } from '#domain/verdict.ts'
import css from './evidence.module.css'

/** Why a prediction stands as it stands: the sentence, the rule, the level compared and the bar that decided. */
export function Evidence({
  prediction,
  mode,
}: {
  readonly prediction: Prediction
  readonly mode: JudgeMode
}) {
  const verdict = prediction.verdicts[mode]
  const split = splitNote(prediction)
  return (
    <div className={css.evidence}>
      <p className={css.sentence}>{verdictSentence(prediction, mode)}</p>
      <dl className={css.facts}>
        <dt>Rule</dt>
        <dd>
          {ruleSentence(prediction, mode, verdict.direction, verdict.window)}
          <span className={css.note}>Rule set {verdict.rule}</span>
        </dd>
        <dt>Level compared</dt>
        <dd>
          {showClaim(prediction.claim)}
          {split && <span className={css.note}>{split}</span>}
        </dd>
        {verdict.bar && (
          <>
            <dt>Deciding bar</dt>
            <dd>
              {`${showDay(verdict.bar.day)}: ${showBar(verdict.bar)}`}
              <span className={css.note}>
                Source: {verdict.bar.source}
                {verdict.closeOnly && ' (close-only: the close stands for high and low)'}
              </span>
            </dd>
          </>
        )}
        {!verdict.bar && verdict.nearest && (
          <>
            <dt>Nearest approach</dt>
            <dd>{nearestText(verdict)}</dd>
          </>
        )}
        <dt>Price when made</dt>
        <dd>
          {verdict.reference
            ? showReference(verdict.reference)
            : 'No reference: no price that old is known'}
        </dd>
        {verdict.unconfirmed && (
          <>
            <dt>Unconfirmed touch</dt>
            <dd>
              {showUsd(verdict.unconfirmed.usd)} on {showDay(verdict.unconfirmed.day)}, seen by one
              venue only; it decides nothing
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}

function nearestText(verdict: Verdict): string {
  if (!verdict.nearest) return ''
  const away = missedBy(verdict)
  const where = `${showUsd(verdict.nearest.usd)} on ${showDay(verdict.nearest.day)}`
  return away === null || away === 0 ? where : `${where}, ${away.toFixed(1)} % away`
}
