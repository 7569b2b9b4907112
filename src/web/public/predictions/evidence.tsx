import { showDay } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { showUsd } from '#domain/price-text.ts'
import { showClaim } from '#domain/claim/text.ts'
import {
  missedBy,
  ruleSentence,
  showBar,
  showReference,
  splitNote,
  verdictSentence,
} from '#domain/judging/verdict-text.ts'
import { type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import css from './evidence.module.css'
import { Stack } from '#web/ui/stack.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'

/** Why a prediction was judged as it was: the sentence, the rule, the level compared and the bar that decided. */
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
    <Stack>
      <p className={css.sentence}>{verdictSentence(prediction, mode)}</p>
      <Facts>
        <Fact name="Rule">
          {ruleSentence(prediction, mode, verdict.direction, verdict.window)}
          <span className={css.note}>Rule set {verdict.rule}</span>
        </Fact>
        <Fact name="Level compared">
          {showClaim(prediction.claim)}
          {split && <span className={css.note}>{split}</span>}
        </Fact>
        {verdict.bar && (
          <Fact name="Deciding bar">
            {`${showDay(verdict.bar.day)}: ${showBar(verdict.bar)}`}
            <span className={css.note}>
              Source: {verdict.bar.source}
              {verdict.closeOnly &&
                ' (only the close of this day is known: it counts as high and low)'}
            </span>
          </Fact>
        )}
        {!verdict.bar && verdict.nearest && (
          <Fact name="Nearest approach">{nearestText(verdict)}</Fact>
        )}
        <Fact name="Price when made">
          {verdict.reference
            ? showReference(verdict.reference)
            : 'No reference: no price that old is known'}
        </Fact>
        {verdict.unconfirmed && (
          <Fact name="Unconfirmed touch">
            {showUsd(verdict.unconfirmed.usd)} on {showDay(verdict.unconfirmed.day)}, seen by one
            venue only; it decides nothing
          </Fact>
        )}
      </Facts>
    </Stack>
  )
}

function nearestText(verdict: Verdict): string {
  if (!verdict.nearest) return ''
  const away = missedBy(verdict)
  const where = `${showUsd(verdict.nearest.usd)} on ${showDay(verdict.nearest.day)}`
  return away === null || away === 0 ? where : `${where}, ${away.toFixed(1)} % away`
}
