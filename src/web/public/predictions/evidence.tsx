import { showDay } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { showUsd } from '#domain/price-text.ts'
import { luckText, wayToGoSentence } from '#domain/scoring/odds-text.ts'
import { sentenceCase } from '#domain/sentence-case.ts'
import { showClaim } from '#domain/claim/text.ts'
import {
  missedBy,
  MODE_NAMES,
  nearestName,
  ruleSentence,
  saysTheSame,
  showBar,
  showReference,
  splitNote,
  verdictSentence,
} from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import css from './evidence.module.css'
import { Columns, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'

const MODE_NOTES = {
  touch: 'Daily highs and lows decide.',
  close: 'Only daily closes decide.',
} as const

/** Why a prediction was judged as it was: once where both ways of judging say the same, else side by side. */
export function Evidence({ prediction }: { readonly prediction: Prediction }) {
  const isSame = saysTheSame(prediction)
  return (
    <Columns gap={8}>
      {(isSame ? (['touch'] as const) : JUDGE_MODES).map((mode) => (
        <Stack gap={4} ruled key={mode}>
          <Row as="header" gap={4} justify="between" whole>
            <div>
              <Text as="h3" size="lead">
                {isSame ? 'Intraday and by daily close' : MODE_NAMES[mode]}
              </Text>
              <Text tone="quiet" size="small">
                {isSame ? 'Both ways of judging say the same.' : MODE_NOTES[mode]}
              </Text>
            </div>
            <VerdictBadge outcome={prediction.verdicts[mode].outcome} />
          </Row>
          <EvidenceBy prediction={prediction} mode={mode} />
        </Stack>
      ))}
    </Columns>
  )
}

/** The sentence, the rule, the level compared and the bar that decided. */
function EvidenceBy({
  prediction,
  mode,
}: {
  readonly prediction: Prediction
  readonly mode: JudgeMode
}) {
  const verdict = prediction.verdicts[mode]
  const split = splitNote(prediction)
  const luck = luckText(prediction, mode)
  const wayToGo = wayToGoSentence(prediction, mode)
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
                ' (only the close of this day is known, so it counts as high and low)'}
            </span>
          </Fact>
        )}
        {!verdict.bar && verdict.nearest && (
          <Fact name={sentenceCase(nearestName(verdict))}>
            {nearestText(verdict)}
            {verdict.someClosesOnly && (
              <span className={css.note}>
                For some of the days that count, only the close is known.
              </span>
            )}
          </Fact>
        )}
        <Fact name="Price when made">
          {verdict.reference
            ? showReference(verdict.reference)
            : 'No reference price: no price that old is known'}
        </Fact>
        {luck && <Fact name="Against luck">{luck}</Fact>}
        {wayToGo && <Fact name="Still to go">{wayToGo}</Fact>}
        {verdict.unconfirmed && (
          <Fact name="Unconfirmed price">
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
