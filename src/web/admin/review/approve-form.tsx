import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent } from 'react'
import { isGraveWarning, LONGEST_COMMENT } from '#contracts/review.ts'
import {
  LONGEST_PUBLIC_TEXT,
  PUBLIC_TEXT_HEADINGS,
  headline,
  type Prediction,
} from '#domain/claim/prediction.ts'
import { dayOfTime, isoDay, readDay, showDay } from '#domain/day.ts'
import { datesText, sentencesOf, showBar } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, MODE_NAMES } from '#domain/judging/verdict.ts'
import { FormInputs } from '#web/admin/kit/admin-form.tsx'
import { FIELDS, fieldLabel } from '#web/admin/kit/prediction-fields.tsx'
import { Words, ButtonKey } from '#web/admin/kit/screen.tsx'
import { sendByKeys, useInitialFocus, useKeys } from '#web/admin/kit/use-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { Tick } from '#web/ui/field.tsx'
import { Row, Stack, Tiles, Note, Panel, Callout, Text } from '#web/ui/primitives.tsx'
import { PublicWords } from '#web/ui/source-link.tsx'
import { later } from '#web/ui/still.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { NEW_INFLUENCER, influencerOf, remembers, InfluencerChoice } from './approval.tsx'
import { type DryRun } from './calls.ts'
import { type DetailState } from './use-detail.tsx'
import css from './review.module.css'

type StateProps = { readonly state: DetailState }

/** The last step before publication. Approving requires the result of the dry run. */
export function ApproveForm({ state }: StateProps) {
  const { detail, approval, run, isJudging, decisions, changeApproval } = state
  const send = useRef<HTMLButtonElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const isBlocked = decisions.isBusy || isJudging
  // A different name is expected once the person was chosen manually.
  const isGrave =
    run.data?.warnings.some(
      (one) => isGraveWarning(one) && (approval.influencer === null || one.code !== 'other-name'),
    ) ?? false
  const begin = () => (isGrave ? cancel : send).current?.focus({ preventScroll: true })
  useInitialFocus(begin)
  const warned = useEffectEvent(() => {
    const { activeElement } = document
    if ([send.current, cancel.current, document.body].some((one) => one === activeElement)) begin()
  })
  // With a grave warning, Enter must not publish; do not take the focus from a field, though.
  useEffect(() => warned(), [isGrave])
  const choose = (id: string | undefined) =>
    id === undefined ? undefined : () => changeApproval({ influencer: id, remember: null })
  const [p, ...others] = detail.suggestions.map(({ id }) => String(id))
  useKeys(true, {
    p: choose(p),
    n: choose(NEW_INFLUENCER),
    ...Object.fromEntries([p, ...others].slice(0, 3).map((id, i) => [String(i + 1), choose(id)])),
  })

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const isByKeys = (event.nativeEvent as globalThis.SubmitEvent).submitter === null
    // With a grave warning, Ctrl+Enter only focuses the button.
    if (isGrave && isByKeys && document.activeElement !== send.current) send.current?.focus()
    else if (!isBlocked) state.approve()
  }

  const ready = isGrave ? 'Approve anyway' : 'Approve'
  const { expert_name: name } = detail.submission
  const remember = remembers(approval, detail)
  return (
    <Stack as="form" gap={6} onSubmit={submit} onKeyDown={sendByKeys} noValidate>
      <Stack gap={2}>
        <InfluencerChoice
          value={influencerOf(approval, detail)}
          name={name}
          suggestions={detail.suggestions}
          sentence={run.data?.influencer?.sentence ?? null}
          fault={decisions.failed?.fields['influencer_id'] ?? run.data?.fields['influencer_id']}
          hasKeys
          onChoose={(influencer) => changeApproval({ influencer, remember: null })}
        />
        {remember !== null && (
          <Tick
            label={`Remember “${name}” as another spelling`}
            checked={remember}
            onChange={(is) => changeApproval({ remember: is })}
          />
        )}
      </Stack>
      <PublicPreview run={run} isJudging={isJudging} />
      <Additions state={state} />
      <Row fill gap={3} justify="end" className={`${css.buttons} ruled-top`}>
        <Button ref={cancel} data-first={isGrave || undefined} onClick={() => state.go('view')}>
          Cancel
        </Button>
        <Button
          ref={send}
          data-first={!isGrave || undefined}
          look="primary"
          type="submit"
          aria-disabled={isBlocked}
        >
          {decisions.isBusy ? 'Approving...' : isJudging ? 'Judging...' : ready}
        </Button>
      </Row>
    </Stack>
  )
}

function Additions({ state: { now: row, approval, run, decisions, changeApproval } }: StateProps) {
  const [today] = useState(() => isoDay(dayOfTime(Date.now())))
  const { quote } = approval
  const faults = decisions.failed?.fields ?? {}
  const props = {
    values: {
      quote,
      start_date: approval.start_date ?? today,
      end_date: approval.end_date ?? row.target_time,
      made_precision: approval.made_precision ?? row.made_precision,
      target_precision: approval.target_precision,
      admin_comment: approval.admin_comment ?? row.admin_comment ?? '',
    },
    faults: {
      ...faults,
      quote: faults['quote'] ?? run.data?.fields['quote'],
      end_date: faults['end_date'] ?? faults['target_time'],
    },
    onChange: (name: string, value: string | boolean) => changeApproval({ [name]: value }),
  }
  return (
    <Tiles>
      <Stack gap={2} className="whole">
        <FormInputs
          {...props}
          fields={{
            quote: {
              label: FIELDS.quote.label,
              optional: true,
              rows: 2,
              maxLength: LONGEST_PUBLIC_TEXT.summary,
            },
          }}
        />
        <Row>
          <Segments
            label="Headed"
            options={(['summary', 'said'] as const).map((kind) => [
              kind,
              PUBLIC_TEXT_HEADINGS[kind],
            ])}
            value={approval.quote_kind}
            onChoose={(kind) => changeApproval({ quote_kind: kind })}
          />
          {row.notes !== '' && quote !== row.notes && (
            <Button onClick={() => changeApproval({ quote: row.notes })}>
              Use the submitter’s words
            </Button>
          )}
        </Row>
        {row.notes !== '' && (
          <div>
            <Note>Notes of the submitter, not published</Note>
            <Words>{row.notes}</Words>
          </div>
        )}
      </Stack>
      <FormInputs
        {...props}
        fields={{
          start_date: {
            label: FIELDS.start_date.label,
            is: 'day',
            hint: 'Today means: count from the day after it was made. Pick a later day to start later.',
          },
          end_date: {
            label: FIELDS.end_date.label,
            is: 'day',
            hint: 'The target date, unless you choose another.',
          },
          made_precision: {
            label: FIELDS.made_precision.label,
            options: FIELDS.made_precision.options,
          },
          target_precision: {
            label: FIELDS.target_precision.label,
            options: FIELDS.made_precision.options,
          },
        }}
      />
      <div className="whole">
        <FormInputs
          {...props}
          fields={{
            admin_comment: {
              label: 'Comment',
              optional: true,
              rows: 2,
              maxLength: LONGEST_COMMENT,
            },
          }}
        />
      </div>
    </Tiles>
  )
}

const Picture = later(
  async () => (await import('#web/ui/prediction-picture.tsx')).PredictionPicture,
)

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
          {run.prediction && <Judged prediction={run.prediction} prices={run.prices} />}
        </>
      )}
    </Panel>
  )
}

function Warnings({ run, onUseDay }: Pick<Judging, 'onUseDay'> & { readonly run: DryRun }) {
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

function Judged({
  prediction,
  prices,
}: {
  readonly prediction: Prediction
  readonly prices: DryRun['prices']
}) {
  const [today] = useState(() => dayOfTime(Date.now()))
  const { rule, sentences } = sentencesOf(prediction)
  return (
    <>
      <Stack as="ul">
        {JUDGE_MODES.map((mode) => {
          const { bar, outcome } = prediction.verdicts[mode]
          return (
            <li key={mode}>
              <Row as="p" justify="between" whole>
                <b>{MODE_NAMES[mode]}</b>
                <VerdictBadge outcome={outcome} />
              </Row>
              <p>{sentences[mode]}</p>
              {bar && (
                <Text tone="quiet">
                  Deciding bar: {showDay(bar.day)}, {showBar(bar)} ({bar.source})
                </Text>
              )}
            </li>
          )
        })}
      </Stack>
      {prices && prices.closes.length > 0 && (
        <div className={css.picture}>
          <Picture prediction={prediction} prices={prices} today={today} />
        </div>
      )}
      <Text tone="quiet">{rule}</Text>
    </>
  )
}

function PublicPreview({ run: { data: run }, isJudging }: Pick<DetailState, 'run' | 'isJudging'>) {
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
