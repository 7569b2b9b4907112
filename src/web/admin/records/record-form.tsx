import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { type z } from 'zod'
import {
  type AdminPrediction,
  dryRunEdit,
  editPublished,
  type EditFields,
} from '#contracts/corrections.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { levelText } from '#domain/claim/claim-input.ts'
import { sentencesOf } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, MODE_PRICES, outcomeWord } from '#domain/judging/verdict.ts'
import { Stale } from '#web/admin/kit/admin-form.tsx'
import { useCall } from '#web/admin/kit/list.tsx'
import { PersonField } from '#web/admin/kit/person-field.tsx'
import {
  editIn,
  FieldInputs,
  formSchema,
  formValues,
  usePredictionEdit,
} from '#web/admin/kit/prediction-fields.tsx'
import { Refused, useDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { useRested } from '#web/ui/hooks.ts'
import { Panel, Row, Stack, Text, Tiles, sends } from '#web/ui/primitives.tsx'

const FIELDS = [
  'prediction_type',
  'price_target',
  'price_min',
  'price_max',
  'timing',
  'direction',
  'prediction_made',
  'made_precision',
  'start_date',
  'target_time',
  'target_precision',
  'deadline_assumed',
  'chart_value',
  'exclude_from_chart',
  'quote',
  'sources',
  'remarks',
] as const
const RecordValues = formSchema([...FIELDS, 'influencer_id'])
type RecordValues = z.infer<typeof RecordValues>
/** Fields that an edit clears with null. */
const NULLABLE = ['start_date', 'remarks', 'chart_value']

function valuesOf({ prediction, remarks }: AdminPrediction): RecordValues {
  const { chart_value: chartText } = prediction
  const chartValue = chartText === null ? '' : levelText(chartText)
  return formValues(RecordValues, prediction, { remarks: remarks ?? '', chart_value: chartValue })
}

function editOf(base: AdminPrediction, changes: Partial<RecordValues>): EditFields {
  const edit = editIn(valuesOf(base), changes)
  const taken = Object.entries(edit).filter(([field, value]) => NULLABLE.includes(field) && !value)
  return { ...edit, ...Object.fromEntries(taken.map(([field]) => [field, null])) }
}

const REST_MS = 300

export function RecordForm({
  detail,
  reports,
}: {
  readonly detail: AdminPrediction
  readonly reports: readonly number[]
}) {
  const { id, influencer } = detail.prediction
  const now = valuesOf(detail)
  const { element, ...edit } = usePredictionEdit(now, `prediction ${id}`, RecordValues)
  const { values, stale } = edit
  const [reason, setReason] = useState('')
  const decision = useDecision()
  const isAtField = Object.keys(edit.faults).some((path) => (path.split('.')[0] ?? path) in now)
  const reasonFault = decision.failed?.fields['reason']
  // Debounced: judging is expensive for the server.
  const question = useRested(editOf(detail, edit.changed), REST_MS)
  const run = useCall(
    dryRunEdit,
    { params: { id }, body: question },
    {
      enabled: edit.isChanged && Object.keys(question).length > 0,
      placeholderData: keepPreviousData,
    },
  )
  const found = edit.isChanged ? (run.data ?? null) : null
  const faults = { ...edit.faultsIn(found?.fields ?? {}), ...edit.faults }

  /** Others' changes are visible by now, so save on top of them. */
  async function save(): Promise<void> {
    edit.rebase(now)
    const body = {
      ...editOf(detail, edit.changed),
      version: detail.version,
      reason,
      ...(reports.length > 0 && { reports: [...reports] }),
    }
    await decision.run(
      () => edit.sending(() => adminCall(editPublished, { params: { id }, body })),
      {
        done: ({ prediction }) => {
          setReason((typed) => (typed === reason ? '' : typed))
          edit.rebase(valuesOf(prediction), {})
        },
      },
    )
  }

  return (
    <Panel
      as="form"
      ref={element}
      {...sends(() => void save())}
      aria-label="Correct this prediction"
    >
      <Text as="h2" size="lead">
        Correct it
      </Text>
      <Tiles>
        <div className="whole">
          <PersonField
            label="Who said it"
            name="influencer"
            value={values.influencer_id}
            fallback={values.influencer_id === influencer.id ? influencer.name : ''}
            fault={faults['influencer_id']}
            placeholder={influencer.name}
            onChoose={(one) => edit.change({ influencer_id: one ?? influencer.id })}
          />
        </div>
        <FieldInputs
          {...{ values, faults }}
          onChange={edit.change}
          fields={FIELDS}
          more={{ price_target: { label: 'Price as said' } }}
        />
      </Tiles>
      {found && found.changes.length > 0 && <EditOutcome run={found} before={detail.prediction} />}
      <TextField
        label="Reason"
        name="reason"
        value={reason}
        hint="Public: it is shown in the history, beside what changed."
        fault={reasonFault}
        onChange={setReason}
      />
      <Stale fields={stale} onTakeTheirs={edit.takeTheirs} />
      {!isAtField && reasonFault === undefined && <Refused decision={decision} />}
      <Row>
        <Button
          look="primary"
          type="submit"
          disabled={!edit.isChanged || decision.isBusy}
          aria-busy={decision.isBusy}
        >
          {decision.isBusy ? 'Saving...' : 'Save'}
        </Button>
        {edit.isChanged && <Button onClick={edit.drop}>Discard changes</Button>}
      </Row>
    </Panel>
  )
}

function EditOutcome({
  run,
  before,
}: {
  readonly run: z.infer<typeof dryRunEdit.reply>
  readonly before: AdminPrediction['prediction']
}) {
  const after = run.prediction && predictionOfRow(run.prediction)
  return (
    <Panel tone="wait" gap={2} size="small" role="status">
      <Stack as="ul" gap={2} size="small">
        {run.changes.map((one) => (
          <li key={one.field}>
            <b>{one.label}</b>: <bdi>{one.before}</bdi> → <bdi>{one.after}</bdi>
          </li>
        ))}
      </Stack>
      {after &&
        JUDGE_MODES.map((mode) => {
          const was = before.verdicts[mode].outcome
          const is = after.verdicts[mode].outcome
          return (
            <p key={mode}>
              By {MODE_PRICES[mode]}: {outcomeWord(was)} →{' '}
              <b>{was === is ? `stays ${outcomeWord(is)}` : outcomeWord(is)}</b>.{' '}
              {sentencesOf(after).sentences[mode]}
            </p>
          )
        })}
      {run.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </Panel>
  )
}
