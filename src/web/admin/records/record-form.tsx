import { TYPE_OPTIONS, levelInputs } from '#domain/claim/form-text.ts'
import { type LevelField } from '#domain/claim/fields.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { dryRunEdit, editPublished, type AdminPrediction } from '#contracts/corrections.ts'
import { listInfluencers } from '#contracts/review.ts'
import { outcomeWord } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import { Choice } from '#web/ui/choice.tsx'
import css from '#web/ui/desk.module.css'
import { Field } from '#web/ui/field.tsx'
import { PersonSearch, type KnownPerson } from '#web/ui/person-search.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { useRested } from '#web/ui/use-rested.ts'
import {
  changedIn,
  editOf,
  fieldsOf,
  levelHint,
  PRECISIONS,
  type RecordDraft,
  type RecordFields,
} from './record-fields.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const REST_MS = 300

/** All fields of a published prediction. Before anything is saved it says what would become of the verdicts. */
export function RecordForm({
  shown,
  draft,
  onDraft,
  onSaved,
  onReload,
}: {
  readonly shown: AdminPrediction
  readonly draft: RecordDraft
  readonly onDraft: (draft: RecordDraft) => void
  readonly onSaved: (now: AdminPrediction, message: string) => void
  /** Reads the present state. @returns its version */
  readonly onReload: () => Promise<AdminPrediction | null>
}) {
  const [reason, setReason] = useState('')
  const change = useChange()
  const { id } = shown.prediction
  const stored = fieldsOf(shown)
  const fields = { ...stored, ...draft }
  const { data: people = NOBODY } = useQuery({
    queryKey: ['influencers'],
    queryFn: ({ signal }) => adminCall(listInfluencers, { signal }),
    staleTime: 60_000,
  })
  const isChanged = Object.keys(changedIn(shown, draft)).length > 0
  // Judging costs the server work: it is asked once the typing rests.
  const edit = useRested(editOf(shown, draft), REST_MS)
  const run = useQuery({
    queryKey: ['published-dry-run', id, shown.version, edit],
    queryFn: ({ signal }) => adminCall(dryRunEdit, { params: { id }, body: edit, signal }),
    enabled: isChanged && Object.keys(edit).length > 0,
    placeholderData: keepPreviousData,
  })
  const found = isChanged ? (run.data ?? null) : null
  const faults: Faults = { ...found?.fields, ...change.faults }

  async function save(upon: AdminPrediction): Promise<void> {
    await change.run(async () => {
      const body = { ...editOf(upon, draft), version: upon.version, reason }
      const { prediction, message } = await adminCall(editPublished, { params: { id }, body })
      setReason('')
      onDraft({})
      onSaved(prediction, message)
    })
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    void save(shown)
  }

  const nameOf = (wanted: number): string =>
    wanted === stored.influencer_id
      ? shown.prediction.influencer.name
      : (people.find((one) => one.id === wanted)?.name ?? '')
  const set = (changed: RecordDraft): void => onDraft({ ...draft, ...changed })
  const text = (
    name: keyof RecordFields & keyof typeof TEXTS,
    more: { readonly rows?: number; readonly optional?: boolean } = {},
  ) => (
    <TextField
      label={TEXTS[name][0]}
      name={name}
      type={TEXTS[name][1]}
      value={fields[name]}
      fault={faults[name]}
      onChange={(value) => set({ [name]: value })}
      {...more}
    />
  )
  const level = (name: LevelField | 'chart_value', label: string) => (
    <TextField
      key={name}
      label={label}
      name={name}
      value={fields[name]}
      decimal
      optional={name === 'chart_value'}
      hint={levelHint(fields[name])}
      fault={faults[name]}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <Panel as="form" onSubmit={submit} noValidate aria-label="Correct this prediction">
      <Text as="h2" size="lead">
        Correct it
      </Text>
      <div className={css.form}>
        <div className={css.whole}>
          <Field label="Who said it" fault={faults.influencer_id}>
            {(control) => (
              <PersonSearch
                control={control}
                name="influencer"
                known={people}
                chosenName={nameOf(fields.influencer_id)}
                placeholder={shown.prediction.influencer.name}
                onChoose={(chosen) => set({ influencer_id: chosen ?? stored.influencer_id })}
              />
            )}
          </Field>
        </div>
        <Choice
          label="Kind"
          name="prediction_type"
          value={fields.prediction_type}
          options={TYPE_OPTIONS}
          onChange={(value) => set({ prediction_type: value })}
        />
        {levelInputs(fields.prediction_type).map(({ name, label }) =>
          level(name, name === 'price_target' ? 'Price as said' : label),
        )}
        {text('prediction_made')}
        <Choice
          label="Made, known"
          name="made_precision"
          value={fields.made_precision}
          options={PRECISIONS}
          onChange={(value) => set({ made_precision: value })}
        />
        {text('start_date', { optional: true })}
        {text('target_time')}
        <Choice
          label="Target date, known"
          name="target_precision"
          value={fields.target_precision}
          options={PRECISIONS}
          onChange={(value) => set({ target_precision: value })}
        />
        <Tick
          label="The deadline is assumed"
          className={css.beside}
          checked={fields.deadline_assumed}
          onChange={(deadline_assumed) => set({ deadline_assumed })}
        />
        {level('chart_value', 'Level drawn on the chart')}
        <Tick
          label="Not on the chart"
          className={css.beside}
          checked={fields.exclude_from_chart}
          onChange={(exclude_from_chart) => set({ exclude_from_chart })}
        />
        <div className={css.whole}>{text('quote', { rows: 3, optional: true })}</div>
        <div className={css.whole}>{text('source_url', { optional: true })}</div>
        <div className={css.whole}>{text('remarks', { rows: 2, optional: true })}</div>
      </div>
      {found && found.changes.length > 0 && (
        <Panel tone="wait" gap={2} size="small" role="status">
          <Stack as="ul" gap={2} size="small">
            {found.changes.map((one) => (
              <li key={one.field}>
                <b>{one.label}</b>: <bdi>{one.before}</bdi> → <bdi>{one.after}</bdi>
              </li>
            ))}
          </Stack>
          {found.rejudged &&
            JUDGE_MODES.map((mode) => {
              const [was, is] = [found.before?.[mode].outcome, found.after?.[mode].outcome]
              if (!was || !is) return null
              return (
                <p key={mode}>
                  By {mode}: {outcomeWord(was)} →{' '}
                  <b>{was === is ? `stays ${outcomeWord(is)}` : outcomeWord(is)}</b>.{' '}
                  {found.sentences?.[mode]}
                </p>
              )
            })}
          {found.warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Panel>
      )}
      <TextField
        label="Reason"
        name="reason"
        value={reason}
        hint="Public: it stands in the history beside what changed."
        fault={faults.reason}
        onChange={setReason}
      />
      <ChangeFailure
        change={change}
        onTakeTheirs={() => {
          onDraft({})
          void onReload()
        }}
        onKeepMine={() => {
          void onReload().then((now) => now && save(now))
        }}
      />
      <Row>
        <Button
          look="primary"
          type="submit"
          disabled={!isChanged || change.isBusy}
          aria-busy={change.isBusy}
        >
          {change.isBusy ? 'Saving...' : 'Save'}
        </Button>
        {isChanged && <Button onClick={() => onDraft({})}>Discard changes</Button>}
      </Row>
    </Panel>
  )
}

type Faults = Partial<Record<keyof RecordFields | 'reason', string>>

const NOBODY: readonly KnownPerson[] = []

const TEXTS = {
  prediction_made: ['Made on', 'date'],
  start_date: ['Counts from', 'date'],
  target_time: ['Target date', 'date'],
  quote: ['Summary, in our words', 'text'],
  source_url: ['Source', 'url'],
  remarks: ['Private remarks', 'text'],
} as const
