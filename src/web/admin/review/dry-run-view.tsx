import { MODE_NAMES } from '#domain/judging/verdict-text.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import { predictionOfRow, verdictOfRow } from '#contracts/prediction-wire.ts'
import { type VerdictRow } from '#contracts/predictions.ts'
import { isGraveWarning } from '#contracts/review.ts'
import { dayOfTime, readDay, showDay } from '#domain/day.ts'
import { showBar } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { Button } from '#web/ui/button.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { type DryRun } from './calls.ts'
import css from './dry-run-view.module.css'
import { FIELD_NAMES } from './edit-fields.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'

const Picture = lazy(async () => ({
  default: (await import('#web/ui/prediction-picture.tsx')).PredictionPicture,
}))
const SIZE = { width: 420, height: 250 } as const

/** What approving would publish now: both verdicts, what decides them, and the prediction over the price. */
export function DryRunView({
  run,
  isFailed,
  onRetry,
  onUseDay,
}: {
  readonly run: DryRun | undefined
  /** The answer cannot be had. */
  readonly isFailed: boolean
  readonly onRetry: () => void
  /** Saves the day of a source as the one it was made. @param day ISO */
  readonly onUseDay: (day: string) => void
}) {
  return (
    <Panel as="section" size="small" aria-label="If approved now">
      <Text as="h3" size="base">
        If approved now
      </Text>
      {isFailed && (
        <Row as="p" justify="between" role="alert">
          What approving it would do is not known right now.{' '}
          <Button onClick={onRetry}>Retry</Button>
        </Row>
      )}
      {!run && !isFailed && <Text tone="quiet">Judging it by today’s prices…</Text>}
      {run && <Outcome run={run} onUseDay={onUseDay} />}
    </Panel>
  )
}

function Outcome({
  run,
  onUseDay,
}: {
  readonly run: DryRun
  readonly onUseDay: (day: string) => void
}) {
  const faults = Object.entries(run.fields)
  return (
    <>
      <Stack gap={2} role="status">
        {faults.length > 0 && (
          <Callout as="div" tone="bad" strong>
            <p>It cannot be approved like this:</p>
            <ul>
              {faults.map(([field, message]) => (
                <li key={field}>
                  {nameOf(field)}: {message}
                </li>
              ))}
            </ul>
          </Callout>
        )}
        {run.warnings.map((one) => (
          <Callout
            as="div"
            key={one.message}
            tone={isGraveWarning(one) || one.use_day ? 'wait' : 'quiet'}
            strong={isGraveWarning(one)}
          >
            <Stack gap={2}>
              {one.message}
              {one.use_day && <UseDay day={one.use_day} onUse={onUseDay} />}
            </Stack>
          </Callout>
        ))}
      </Stack>
      {run.verdicts && (
        <Stack as="ul">
          {JUDGE_MODES.map((mode) => (
            <li key={mode}>
              <Row as="p" justify="between" whole>
                <b>{MODE_NAMES[mode]}</b>
                {run.verdicts && <VerdictBadge outcome={run.verdicts[mode].outcome} />}
              </Row>
              <p>{run.sentences?.[mode]}</p>
              {run.verdicts?.[mode].bar && (
                <Text tone="quiet">Deciding bar: {barText(run.verdicts[mode])}</Text>
              )}
            </li>
          ))}
        </Stack>
      )}
      <Drawing run={run} />
      {run.rule && <Text tone="quiet">{run.rule}</Text>}
    </>
  )
}

function UseDay({ day, onUse }: { readonly day: string; readonly onUse: (day: string) => void }) {
  const read = readDay(day)
  return (
    <Row as="p">
      <Button onClick={() => onUse(day)}>
        Use {read === null ? day : showDay(read)}{' '}
        <kbd className="by-keyboard" aria-hidden="true">
          d
        </kbd>
      </Button>
    </Row>
  )
}

function nameOf(field: string): string {
  const names: Readonly<Record<string, string>> = {
    ...FIELD_NAMES,
    quote: 'Public text',
    start_date: 'Start date',
    end_date: 'End date',
    influencer_id: 'Influencer',
    price_prediction: 'Price',
  }
  return names[field] ?? field
}

function barText(row: VerdictRow): string {
  const { bar } = verdictOfRow(row)
  if (!bar) return ''
  return `${showDay(bar.day)}, ${showBar(bar)} (${bar.source})`
}

function Drawing({ run: { prediction: row, prices } }: { readonly run: DryRun }) {
  const [today] = useState(() => dayOfTime(Date.now()))
  const prediction = useMemo(() => row && predictionOfRow(row), [row])
  if (!prediction || !prices || prices.closes.length === 0) return null
  return (
    <div className={css.picture}>
      <Suspense fallback={null}>
        <Picture prediction={prediction} prices={prices} mode="touch" today={today} wide={SIZE} />
      </Suspense>
    </div>
  )
}
