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
  if (saysTheSame(prediction)) {
    return (
      <Judged
        prediction={prediction}
        mode="touch"
        name="Intraday and by daily close"
        note="Both ways of judging say the same."
        className={css.alone}
      />
    )
  }
  return (
    <Columns gap={8}>
      {JUDGE_MODES.map((mode) => (
        <Judged
          key={mode}
          prediction={prediction}
          mode={mode}
          name={MODE_NAMES[mode]}
          note={MODE_NOTES[mode]}
        />
      ))}
    </Columns>
  )
}

function Judged({
  prediction,
  mode,
  name,
  note,
  className,
}: {
  readonly prediction: Prediction
  readonly mode: JudgeMode
  readonly name: string
  readonly note: string
  readonly className?: string | undefined
}) {
  return (
    <Stack gap={4} ruled className={className}>
      <Row gap={4} justify="between" whole>
        <div>
          <Text as="h3" size="lead">
            {name}
          </Text>
          <Text tone="quiet" size="small">
            {note}
          </Text>
        </div>
        <VerdictBadge outcome={prediction.verdicts[mode].outcome} />
      </Row>
      <EvidenceBy prediction={prediction} mode={mode} />
    </Stack>
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
      <p className={css.sentence}>{unbroken(verdictSentence(prediction, mode))}</p>
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
            {unbroken(nearestText(verdict))}
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
        {luck && <Fact name="Against luck">{unbroken(luck)}</Fact>}
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

/** A number stays on one line with its per cent sign. */
function unbroken(text: string): string {
  return text.replaceAll(' %', '\u00a0%')
}

function nearestText(verdict: Verdict): string {
  if (!verdict.nearest) return ''
  const away = missedBy(verdict)
  const where = `${showUsd(verdict.nearest.usd)} on ${showDay(verdict.nearest.day)}`
  return away === null || away === 0 ? where : `${where}, ${away.toFixed(1)} % away`
}
