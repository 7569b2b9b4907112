import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent } from 'react'
import { isGraveWarning, LONGEST_COMMENT } from '#contracts/review.ts'
import { LONGEST_PUBLIC_TEXT, PUBLIC_TEXT_HEADINGS } from '#domain/claim/prediction.ts'
import { dayOfTime, isoDay } from '#domain/day.ts'
import { FormInputs } from '#web/admin/kit/admin-form.tsx'
import { Words } from '#web/admin/kit/screen.tsx'
import { FIELDS, PRECISIONS } from '#web/admin/kit/prediction-fields.tsx'
import { sendByKeys, useKeys } from '#web/admin/kit/use-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { Tick } from '#web/ui/field.tsx'
import { Row, Stack, Tiles, Note } from '#web/ui/primitives.tsx'
import { PublicPreview } from './outcome.tsx'
import { type DetailState } from './use-detail.tsx'
import css from './review.module.css'
import { NEW_INFLUENCER, influencerOf, remembers, InfluencerChoice } from './approval.tsx'

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
  const begin = useEffectEvent(() => {
    ;(isGrave ? cancel : send).current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    // After the dialog has set its initial focus.
    const frame = requestAnimationFrame(() => begin())
    return () => cancelAnimationFrame(frame)
  }, [])
  useEffect(() => {
    // With a grave warning, Enter must not publish; do not take the focus from a field, though.
    const { activeElement } = document
    if ([send.current, cancel.current, document.body].some((one) => one === activeElement)) begin()
  }, [isGrave])
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
  return (
    <Stack as="form" gap={6} onSubmit={submit} onKeyDown={sendByKeys} noValidate>
      <Whose state={state} />
      <PublicPreview state={state} />
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

function Whose({ state: { detail, approval, run, decisions, changeApproval } }: StateProps) {
  const { expert_name: name } = detail.submission
  const remember = remembers(approval, detail)
  return (
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
          made_precision: { label: FIELDS.made_precision.label, options: PRECISIONS },
          target_precision: { label: FIELDS.target_precision.label, options: PRECISIONS },
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
