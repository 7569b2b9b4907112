import { useQuery } from '@tanstack/react-query'
import { type UseFormReturn } from 'react-hook-form'
import { type AdminPrediction } from '#contracts/corrections.ts'
import { listInfluencers } from '#contracts/review.ts'
import {
  DIRECTION_OPTIONS,
  levelInputs,
  TIMING_QUESTION,
  TYPE_OPTIONS,
} from '#domain/claim/form-text.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { SelectInput, TextInput } from '#web/claim-form/inputs.tsx'
import { TimingInput } from '#web/claim-form/timing-input.tsx'
import { DayInput } from '#web/claim-form/day-input.tsx'
import { SourceInputs } from '#web/claim-form/source-inputs.tsx'
import { levelHint } from '#web/claim-form/values.ts'
import css from '#web/ui/admin-page.module.css'
import { Field } from '#web/ui/field.tsx'
import { PersonSearch, type KnownPerson } from '#web/ui/person-search.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { PRECISIONS, type RecordValues } from './record-fields.ts'

/** All fields of a published prediction. */
export function RecordInputs({
  form,
  values,
  influencer,
  faults,
}: {
  readonly form: UseFormReturn<RecordValues>
  readonly values: RecordValues
  /** Whose prediction it is now. */
  readonly influencer: AdminPrediction['prediction']['influencer']
  /** What is found to be wrong while it is typed. */
  readonly faults: Readonly<Record<string, string>>
}) {
  const { data: people = NO_PEOPLE } = useQuery({
    queryKey: ['influencers'],
    queryFn: ({ signal }) => adminCall(listInfluencers, { signal }),
    staleTime: 60_000,
  })
  const chosen = people.find(({ id }) => id === values.influencer_id)
  const field = <Name extends keyof RecordValues>(name: Name, label: string) => ({
    form,
    name,
    label,
    fault: faults[name],
  })
  const level = (name: 'price_target' | 'price_min' | 'price_max' | 'chart_value') => ({
    inputMode: 'decimal' as const,
    hint: levelHint(values[name]),
  })
  return (
    <div className={css.form}>
      <div className={css.whole}>
        <Field label="Who said it" fault={faults['influencer_id']}>
          {(control) => (
            <PersonSearch
              control={control}
              name="influencer"
              known={people}
              chosenName={
                values.influencer_id === influencer.id ? influencer.name : (chosen?.name ?? '')
              }
              placeholder={influencer.name}
              onChoose={(id) => form.setValue('influencer_id', id ?? influencer.id)}
            />
          )}
        </Field>
      </div>
      <SelectInput {...field('prediction_type', 'Kind')} options={TYPE_OPTIONS} />
      {levelInputs(values.prediction_type).map(({ name, label }) => (
        <TextInput
          key={name}
          {...field(name, name === 'price_target' ? 'Price as said' : label)}
          {...level(name)}
        />
      ))}
      <TimingInput {...field('timing', TIMING_QUESTION)} type={values.prediction_type} />
      <SelectInput {...field('direction', 'Direction')} options={DIRECTION_OPTIONS} />
      <DayInput {...field('prediction_made', 'Made on')} />
      <SelectInput {...field('made_precision', 'Made, known')} options={PRECISIONS} />
      <DayInput {...field('start_date', 'Runs from')} optional />
      <DayInput {...field('target_time', 'Target date')} />
      <SelectInput {...field('target_precision', 'Target date, known')} options={PRECISIONS} />
      <Tick
        label="Deadline is our assumption"
        className={css.beside}
        checked={values.deadline_assumed}
        onChange={(isAssumed) => form.setValue('deadline_assumed', isAssumed)}
      />
      <TextInput
        {...field('chart_value', 'Level shown on chart (display only)')}
        {...level('chart_value')}
        optional
      />
      <Tick
        label="Not on the chart"
        className={css.beside}
        checked={values.exclude_from_chart}
        onChange={(isExcluded) => form.setValue('exclude_from_chart', isExcluded)}
      />
      <div className={css.whole}>
        <TextInput {...field('quote', 'Public text')} rows={3} optional />
      </div>
      <SourceInputs form={form} values={values} faults={faults} />
      <div className={css.whole}>
        <TextInput {...field('remarks', 'Private remarks')} rows={2} optional />
      </div>
    </div>
  )
}

const NO_PEOPLE: readonly KnownPerson[] = []
