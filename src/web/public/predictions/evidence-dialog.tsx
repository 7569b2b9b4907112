import { MODE_PRICES } from '#domain/judging/verdict-text.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type FoundPrediction } from '#web/api/queries.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import css from './evidence-dialog.module.css'
import { Evidence } from './evidence.tsx'
import { ReplyNote } from './reply-note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SourceLink } from '#web/ui/source-link.tsx'
import { expertName, headline, madeText } from '#domain/claim/prediction-text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** The evidence of a prediction, over the dashboard it was opened from. */
export function EvidenceDialog({
  prediction,
  whole,
  mode,
  isPast,
  active,
  onToggle,
  onClose,
}: {
  readonly prediction: Drawn
  /** The same with its evidence; null until that is there. */
  readonly whole: FoundPrediction | null
  readonly mode: JudgeMode
  /** It is shown as of a past day, whose record has no sources. */
  readonly isPast: boolean
  /** It is drawn on the chart. */
  readonly active: boolean
  readonly onToggle: (id: string) => void
  readonly onClose: () => void
}) {
  return (
    <Dialog title={headline(prediction)} onClose={onClose}>
      <Stack gap={4}>
        <Row gap={4}>
          <VerdictBadge outcome={prediction.verdicts[mode].outcome} />
          <Text as="span" tone="quiet" size="small">
            {madeText(prediction)} · judged by {MODE_PRICES[mode]}
          </Text>
        </Row>
        {whole ? (
          <Evidence prediction={whole.prediction} />
        ) : (
          <Skeleton shape="card" count={3} label="Loading the evidence..." />
        )}
        {whole?.prediction.summary && <p>{whole.prediction.summary}</p>}
        {whole && !isPast && <SourceLink prediction={whole.prediction} />}
        {whole && !isPast && <ReplyNote {...whole} />}
        <Row gap={3} className={css.actions}>
          <a className={buttonClass('primary')} href={predictionPath(prediction)}>
            {isPast ? 'Today’s record' : 'Full record'}
          </a>
          <a className={buttonClass('plain')} href={expertPath(prediction.expert)}>
            More from {expertName(prediction)}
          </a>
          {!isPast && (
            <a className={buttonClass('plain')} href={`${predictionPath(prediction)}#support`}>
              Boost it
            </a>
          )}
          <Button onClick={() => onToggle(prediction.id)}>
            {active ? 'Remove from chart' : 'Show on chart'}
          </Button>
        </Row>
      </Stack>
    </Dialog>
  )
}
