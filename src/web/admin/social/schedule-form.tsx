import { useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { type Aim } from './composition.ts'
import css from './desk-actions.module.css'
import { distanceText, fieldOfMoment, longMoment, ownZone, zoneText } from './moments.ts'
import { Text } from '#web/ui/text.tsx'

/** A time for the post at hand, by the clock of whoever sits here. */
export function ScheduleForm({
  when,
  ms,
  aim,
  nowMs,
  label,
  obstacleOf,
  fault,
  isBusy,
  onWhen,
  onAim,
  onSchedule,
}: {
  /** What the field holds, and the moment it means; null when it holds none. */
  readonly when: string
  readonly ms: number | null
  readonly aim: Aim
  readonly nowMs: number
  readonly label: string
  /** Why it cannot be planned for these networks; null when it can. */
  readonly obstacleOf: (aim: Aim) => string | null
  readonly fault: string | undefined
  readonly isBusy: boolean
  readonly onWhen: (when: string) => void
  readonly onAim: (aim: Aim) => void
  readonly onSchedule: () => void
}) {
  const [zone] = useState(ownZone)
  const [isTried, setTried] = useState(false)
  const titleId = useId()
  const timeFault =
    ms === null
      ? 'Please choose a date and a time.'
      : ms <= nowMs
        ? 'This time is over. Please choose a later one.'
        : null
  const told = isTried || (ms !== null && ms <= nowMs) ? timeFault : null
  const shownFault = fault ?? told ?? (isTried ? obstacleOf(aim) : null)
  return (
    <form
      className={css.schedule}
      noValidate
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault()
        const isReady = timeFault === null && obstacleOf(aim) === null
        setTried(!isReady)
        if (isReady) onSchedule()
      }}
    >
      <Text as="h2" size="base" className={css.title} id={titleId}>
        Schedule
      </Text>
      <Field
        label="Date and time"
        fault={shownFault ?? undefined}
        hint={
          ms === null
            ? `Your time zone: ${zoneText(zone, nowMs)}`
            : `${longMoment(ms)} (${zoneText(zone, ms)}), ${distanceText(ms, nowMs)}`
        }
      >
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            min={fieldOfMoment(nowMs)}
            value={when}
            onChange={(event) => onWhen(event.target.value)}
          />
        )}
      </Field>
      <Field label="Where">
        {(control) => (
          <select
            {...control}
            value={aim}
            onChange={(event) => {
              const next = AIMS.find(({ key }) => key === event.target.value)
              if (next) onAim(next.key)
            }}
          >
            {AIMS.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button type="submit" disabled={isBusy}>
        {isBusy ? 'Scheduling…' : label}
      </Button>
    </form>
  )
}

const AIMS = [
  { key: 'both', name: 'X and Nostr' },
  { key: 'x', name: 'X only' },
  { key: 'nostr', name: 'Nostr only' },
] as const
