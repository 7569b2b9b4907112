import { useMemo } from 'react'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { headline } from '#domain/claim/prediction-text.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { datesText } from '#domain/judging/verdict-text.ts'
import { PublicWords } from '#web/ui/public-words.tsx'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { type DryRun } from './calls.ts'
import css from './public-preview.module.css'

/** A prediction as it goes public: who, what, when, in which words, and from where. */
export function PublicBlock({ prediction }: { readonly prediction: Prediction }) {
  return (
    <Stack gap={2}>
      <Stack gap={1}>
        <Text size="lead" strong>
          {headline(prediction)}
        </Text>
        <Text tone="quiet">{datesText(prediction)}</Text>
      </Stack>
      <PublicWords prediction={prediction} isSmall />
    </Stack>
  )
}

/** Everything that would be public, as its page shows it. */
export function PublicPreview({
  run,
  isJudging,
}: {
  readonly run: DryRun | undefined
  /** It shows what was there before the last change, until the answer is here. */
  readonly isJudging: boolean
}) {
  const row = run?.prediction ?? null
  const prediction = useMemo(() => row && predictionOfRow(row), [row])
  return (
    <Panel as="section" size="small" gap={2} aria-label="This goes public" aria-busy={isJudging}>
      <Row justify="between" whole align="start">
        <Text as="h3" size="base">
          This goes public
        </Text>
        {prediction && <VerdictBadge outcome={prediction.verdicts.touch.outcome} />}
      </Row>
      {prediction ? (
        // A long text scrolls within its place; the keyboard reaches it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
        <div className={css.page} tabIndex={0} role="group" aria-label="As its page will show it">
          <PublicBlock prediction={prediction} />
        </div>
      ) : (
        <Text tone="quiet">
          {run ? 'Nothing can be published like this.' : 'Preparing the preview…'}
        </Text>
      )}
    </Panel>
  )
}
