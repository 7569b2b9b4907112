import { useId, useState, type Ref } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './composer.module.css'
import { momentMeant, planObstacle, type Aim, type Readiness } from './composition.ts'
import { distanceText, longMoment, ownZone, zoneText } from './moments.ts'
import { type Composer } from './use-composer.ts'

/** When the post goes out, by the clock of this browser. */
export function ScheduleForm({
  aim,
  composer,
  readiness,
  nowMs,
  field,
}: {
  readonly aim: Aim
  readonly composer: Composer
  readonly readiness: Readiness
  readonly nowMs: number
  /** Takes the focus when a time is to be chosen. */
  readonly field: Ref<HTMLInputElement>
}) {
  const [zone] = useState(ownZone)
  const [isTried, setTried] = useState(false)
  const titleId = useId()
  const { composition, work, faults } = composer
  const { when, editing } = composition
  const [day = '', time = ''] = when.split('T')
  const ms = momentMeant(composition)
  const isOver = ms !== null && ms <= nowMs
  const fault = isOver
    ? 'That time has passed. Please choose a later one.'
    : ms === null
      ? 'Please choose a date and a time.'
      : planObstacle(aim, composition, readiness)
  return (
    <form
      className={css.schedule}
      noValidate
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(fault !== null)
        if (fault === null) void composer.schedule(aim)
      }}
    >
      <Text as="h2" size="base" className={css.title} id={titleId}>
        Schedule
      </Text>
      <DateField
        label="Date"
        value={day}
        onlyDays
        fault={faults.schedule ?? (isTried || isOver ? (fault ?? undefined) : undefined)}
        hint={
          ms === null
            ? `Your time zone: ${zoneText(zone, nowMs)}`
            : `${longMoment(ms)} (${zoneText(zone, ms)}), ${distanceText(ms, nowMs)}`
        }
        onChange={(next) => composer.change({ when: fieldOf(next, time) })}
        inputRef={field}
      />
      <Field label="Time">
        {(control) => (
          <input
            {...control}
            type="time"
            value={time}
            onChange={(event) => composer.change({ when: fieldOf(day, event.target.value) })}
          />
        )}
      </Field>
      <Button type="submit" disabled={work !== null}>
        {work === null
          ? editing?.state === 'scheduled'
            ? 'Save with this time'
            : 'Schedule'
          : 'Scheduling…'}
      </Button>
    </form>
  )
}

/** A day and a time as one moment of the clock here, `2026-11-27T09:30`; empty while neither is chosen. */
function fieldOf(day: string, time: string): string {
  return day === '' && time === '' ? '' : `${day}T${time}`
}
