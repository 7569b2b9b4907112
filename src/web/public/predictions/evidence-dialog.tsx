import { type Drawn, expertName, headline, madeText } from '#domain/claim/prediction.ts'
import { type JudgeMode, MODE_PRICES } from '#domain/judging/verdict.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { type FoundPrediction } from '#web/api/part.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/notice.tsx'
import { Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import { SourceLink } from '#web/ui/source-link.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { Evidence } from './evidence.tsx'

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
  readonly whole: FoundPrediction | null
  readonly mode: JudgeMode
  readonly isPast: boolean
  readonly active: boolean
  readonly onToggle: (id: string) => void
  readonly onClose: () => void
}) {
  return (
    <Dialog title={headline(prediction)} onClose={onClose}>
      <Stack gap={4}>
        <Row gap={4}>
          <VerdictBadge outcome={prediction.verdicts[mode].outcome} />
          <Note as="span">
            {madeText(prediction)} · judged by {MODE_PRICES[mode]}
          </Note>
        </Row>
        {whole ? (
          <Evidence prediction={whole.prediction} />
        ) : (
          <Skeleton shape="card" count={3} label="Loading the evidence..." />
        )}
        {whole?.prediction.summary && <p>{whole.prediction.summary}</p>}
        {whole && !isPast && <SourceLink prediction={whole.prediction} />}
        {whole && !isPast && whole.replies > 0 && (
          <Text role="status">
            <bdi>{prediction.expert.name}</bdi> has replied.{' '}
            <a href={`${predictionPath(prediction)}#replies`}>
              {whole.replies === 1 ? 'Read the reply' : `Read the ${String(whole.replies)} replies`}
            </a>
          </Text>
        )}
        <Row gap={3}>
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
