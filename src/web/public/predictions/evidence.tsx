import { type Prediction, splitNote } from '#domain/claim/prediction.ts'
import { showClaim } from '#domain/claim/text.ts'
import { showDay } from '#domain/day.ts'
import {
  missedBy,
  nearestName,
  ruleSentence,
  saysTheSame,
  showBar,
  showReference,
  verdictSentence,
} from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, type JudgeMode, type Verdict, MODE_NAMES } from '#domain/judging/verdict.ts'
import { showUsd, sentenceCase } from '#domain/price-text.ts'
import { luckText, wayToGoSentence } from '#domain/scoring/odds-text.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Row, Stack, Tiles, Text, Note } from '#web/ui/primitives.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'

const MODE_NOTES = {
  touch: 'Daily highs and lows decide.',
  close: 'Only daily closes decide.',
} as const

type EvidenceProps = {
  readonly prediction: Prediction
  /** The sentence above the evidence, which is not repeated. */
  readonly above?: string
}

export function Evidence(props: EvidenceProps) {
  if (saysTheSame(props.prediction)) {
    return (
      <Judged
        {...props}
        mode="touch"
        name="Intraday and by daily close"
        note="Both ways of judging say the same."
      />
    )
  }
  return (
    <Tiles gap={6} least="20rem">
      {JUDGE_MODES.map((mode) => (
        <Judged {...props} key={mode} mode={mode} name={MODE_NAMES[mode]} note={MODE_NOTES[mode]} />
      ))}
    </Tiles>
  )
}

function Judged({
  prediction,
  mode,
  name,
  note,
  above,
}: EvidenceProps & {
  readonly mode: JudgeMode
  readonly name: string
  readonly note: string
}) {
  const sentence = verdictSentence(prediction, mode)
  const verdict = prediction.verdicts[mode]
  const split = splitNote(prediction)
  const luck = luckText(prediction, mode)
  const wayToGo = wayToGoSentence(prediction, mode)
  return (
    <Stack gap={3} ruled className="measure">
      <Row gap={4} justify="between" whole>
        <div>
          <Text as="h3" size="lead">
            {name}
          </Text>
          <Note>{note}</Note>
        </div>
        <VerdictBadge outcome={verdict.outcome} />
      </Row>
      {sentence !== above && <Text size="lead">{sentence}</Text>}
      <Facts>
        <Fact name="Rule">
          {ruleSentence(prediction, mode, verdict.direction, verdict.window)}
          <span className="block muted small">Rule set {verdict.rule}</span>
        </Fact>
        <Fact name="Level compared">
          {showClaim(prediction.claim)}
          {split && <span className="block muted small">{split}</span>}
        </Fact>
        {verdict.bar && (
          <Fact name="Deciding bar">
            {`${showDay(verdict.bar.day)}: ${showBar(verdict.bar)}`}
            <span className="block muted small">
              Source: {verdict.bar.source.replace(/\bstarter\b/, 'bundled prices')}
              {verdict.closeOnly && ' (only this day’s close is known; it is used as high and low)'}
            </span>
          </Fact>
        )}
        {!verdict.bar && verdict.nearest && (
          <Fact name={sentenceCase(nearestName(verdict))}>
            {nearestText(verdict)}
            {verdict.someClosesOnly && (
              <span className="block muted small">
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
  return away === null || away === 0 ? where : `${where}, ${away.toFixed(1)}% away`
}
