import { lazy, Suspense, useState } from 'react'
import { verdictOfRow } from '#contracts/prediction-wire.ts'
import { isGraveWarning } from '#contracts/review.ts'
import { headline } from '#domain/claim/prediction.ts'
import { dayOfTime, readDay, showDay } from '#domain/day.ts'
import { datesText, showBar } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, MODE_NAMES } from '#domain/judging/verdict.ts'
import { fieldLabel } from '#web/admin/kit/prediction-fields.tsx'
import { ButtonKey } from '#web/admin/kit/screen.tsx'
import { Button } from '#web/ui/button.tsx'
import { PublicWords } from '#web/ui/source-link.tsx'
import { Panel, Row, Stack, Callout, Text } from '#web/ui/primitives.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { type DryRun } from './calls.ts'
import { type DetailState } from './use-detail.tsx'
import css from './review.module.css'

const Picture = lazy(async () => ({
  default: (await import('#web/ui/prediction-picture.tsx')).PredictionPicture,
}))

type RunProps = { readonly run: DryRun }
type Judging = Pick<DetailState, 'run'> & {
  /** Saves the date of a source, ISO, as the day the prediction was made. */
  readonly onUseDay: (day: string) => void
}

export function Outcome({ run: { data: run, isError: isFailed, refetch }, onUseDay }: Judging) {
  return (
    <Panel as="section" size="small" aria-label="If approved now">
      <Text as="h3" size="base">
        If approved now
      </Text>
      {isFailed && (
        <Row as="p" justify="between" role="alert">
          We can’t tell right now what approving it would do.{' '}
          <Button onClick={() => void refetch()}>Retry</Button>
        </Row>
      )}
      {!run && !isFailed && <Text tone="quiet">Judging it by today’s prices…</Text>}
      {run && (
        <>
          <Warnings run={run} onUseDay={onUseDay} />
          <Verdicts run={run} />
          <Drawing run={run} />
          {run.rule && <Text tone="quiet">{run.rule}</Text>}
        </>
      )}
    </Panel>
  )
}

function Warnings({ run, onUseDay }: RunProps & Pick<Judging, 'onUseDay'>) {
  const faults = Object.entries(run.fields)
  return (
    <Stack gap={2} role="status">
      {faults.length > 0 && (
        <Callout as="div" tone="bad" strong>
          <p>It cannot be approved yet:</p>
          <ul>
            {faults.map(([field, message]) => (
              <li key={field}>
                {fieldLabel(field)}: {message}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {run.warnings.map((one) => {
        const day = one.use_day === undefined ? null : readDay(one.use_day)
        return (
          <Callout
            as="div"
            key={one.message}
            tone={isGraveWarning(one) || one.use_day ? 'wait' : 'quiet'}
            strong={isGraveWarning(one)}
            gap={2}
          >
            <p>{one.message}</p>
            {one.use_day !== undefined && (
              <p>
                <Button onClick={() => onUseDay(one.use_day ?? '')}>
                  Use {day === null ? one.use_day : showDay(day)} <ButtonKey>d</ButtonKey>
                </Button>
              </p>
            )}
          </Callout>
        )
      })}
    </Stack>
  )
}

function Verdicts({ run: { verdicts, sentences } }: RunProps) {
  if (!verdicts) return null
  return (
    <Stack as="ul">
      {JUDGE_MODES.map((mode) => {
        const { bar } = verdictOfRow(verdicts[mode])
        return (
          <li key={mode}>
            <Row as="p" justify="between" whole>
              <b>{MODE_NAMES[mode]}</b>
              <VerdictBadge outcome={verdicts[mode].outcome} />
            </Row>
            <p>{sentences?.[mode]}</p>
            {bar && (
              <Text tone="quiet">
                Deciding bar: {showDay(bar.day)}, {showBar(bar)} ({bar.source})
              </Text>
            )}
          </li>
        )
      })}
    </Stack>
  )
}

function Drawing({ run: { prediction, prices } }: RunProps) {
  const [today] = useState(() => dayOfTime(Date.now()))
  if (!prediction || !prices || prices.closes.length === 0) return null
  return (
    <div className={css.picture}>
      <Suspense fallback={null}>
        <Picture prediction={prediction} prices={prices} mode="touch" today={today} />
      </Suspense>
    </div>
  )
}

export function PublicPreview({
  state: {
    run: { data: run },
    isJudging,
  },
}: {
  readonly state: DetailState
}) {
  const prediction = run?.prediction
  return (
    <Panel as="section" size="small" gap={2} aria-label="This goes public" aria-busy={isJudging}>
      <Row justify="between" whole align="start">
        <Text as="h3" size="base">
          This goes public
        </Text>
        {prediction && <VerdictBadge outcome={prediction.verdicts.touch.outcome} />}
      </Row>
      {prediction ? (
        <Stack gap={1} role="group" aria-label="As its page will show it">
          <Text size="lead" strong>
            {headline(prediction)}
          </Text>
          <Text tone="quiet">{datesText(prediction)}</Text>
          <PublicWords prediction={prediction} isSmall />
        </Stack>
      ) : (
        <Text tone="quiet">
          {run ? 'Nothing can be published like this.' : 'Preparing the preview…'}
        </Text>
      )}
    </Panel>
  )
}
