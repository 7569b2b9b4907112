import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, showDayInWords, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Part } from '#domain/listing/part.ts'
import { type StatusFilter } from '#domain/listing/selection.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { stillMotion } from '#web/chart-canvas/chart-view.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Select } from '#web/ui/field.tsx'
import { after } from '#web/ui/hooks.ts'
import { Icon } from '#web/ui/icon.tsx'
import { classNames, Row } from '#web/ui/primitives.tsx'
import field from '#web/ui/field.module.css'
import css from './prices.module.css'

const WEEK = 7
const QUARTER = 91
const YEAR = 365

const STEPS = [
  { days: 1, name: 'day' },
  { days: WEEK, name: 'week' },
  { days: 30, name: 'month' },
] as const
type Step = (typeof STEPS)[number]

/** Interval of playback, ms: below the limit of 240 requests per minute and address; longer with reduced motion. */
const PLAY_MS = 260
const STILL_MS = 700
const BEFORE_FIRST = 30

type TimedRecord = {
  readonly asset: Asset
  readonly requestedDay: Day | null
  /** The day shown, which follows the chosen one; null for today. */
  readonly past: Day | null
  /** The first day with a recorded price; null until known. */
  readonly first: Day | null
  readonly isWaiting: boolean
  readonly isFailed: boolean
  /** Date of the first call and totals by kind; null until loaded. */
  readonly part: Pick<Part, 'first' | 'totals'> | null
  /** The last close shown, USD, and its day since 1970. */
  readonly close: { readonly day: number; readonly usd: number } | null
}

export function TimeMachine({
  record,
  today,
  mode,
  onDay,
}: {
  readonly record: TimedRecord
  readonly today: Day
  readonly mode: JudgeMode
  /** @param day null for today */
  readonly onDay: (day: Day | null) => void
}) {
  const { asset, requestedDay, past, isWaiting, isFailed, part, close } = record
  const slider = useRef<HTMLInputElement>(null)
  // Records of days before the first price do not include it, so remember it.
  const [known, setKnown] = useState(record.first)
  if (record.first !== null && record.first !== known) setKnown(record.first)
  const [step, setStep] = useState<Step>(STEPS[1])
  const [isPlaying, setPlaying] = useState(false)
  // Latest thumb position while another day is loading.
  const [thumb, setThumb] = useState<{ readonly of: Day | null; readonly day: Day } | null>(null)
  const next = isWaiting || thumb?.of !== requestedDay ? null : thumb.day
  const first = known ?? requestedDay ?? today
  const visibleDay = isWaiting && thumb?.of === requestedDay ? thumb.day : (requestedDay ?? today)

  const ask = (day: Day): void => onDay(day < today ? day : null)
  const goTo = (days: number): void => {
    const day = dayFromNumber(Math.min(Math.max(days, first), today))
    // One request at a time; days passed meanwhile are skipped.
    if (isWaiting) setThumb({ of: requestedDay, day })
    else ask(day)
  }
  const askNext = useEffectEvent(ask)
  useEffect(() => {
    if (next !== null) askNext(next)
  }, [next])

  const play = (): void => {
    // A month before the first call.
    if (!isPlaying && requestedDay === null) goTo((part?.first ?? first) - BEFORE_FIRST)
    setPlaying(!isPlaying)
  }
  const goOn = useEffectEvent(() => {
    if (visibleDay < today && !isFailed) goTo(visibleDay + step.days)
    else setPlaying(false)
  })
  useEffect(() => {
    if (!isPlaying || isWaiting) return undefined
    return after(stillMotion() ? STILL_MS : PLAY_MS, goOn)
  }, [isPlaying, isWaiting, requestedDay])

  const onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const arrow = event.shiftKey ? QUARTER : WEEK
    const days: Readonly<Record<string, number>> = {
      ArrowLeft: visibleDay - arrow,
      ArrowDown: visibleDay - arrow,
      ArrowRight: visibleDay + arrow,
      ArrowUp: visibleDay + arrow,
      PageDown: visibleDay - YEAR,
      PageUp: visibleDay + YEAR,
      Home: first,
      End: today,
    }
    const to = days[event.key]
    if (event.key === ' ') play()
    else if (to === undefined) return
    else {
      setPlaying(false)
      goTo(to)
    }
    event.preventDefault()
  }
  const stepBy = (days: number) => (): void => {
    setPlaying(false)
    goTo(visibleDay + days)
  }

  return (
    <Row as="section" gap={2} aria-label="Time machine" data-testid="time-machine">
      <IconButton label={isPlaying ? 'Pause' : 'Play'} look="plain" onClick={play}>
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </IconButton>
      <IconButton
        label={`Back a ${step.name}`}
        disabled={visibleDay <= first}
        onClick={stepBy(-step.days)}
      >
        <Icon name="step-back" />
      </IconButton>
      <IconButton
        label={`Forward a ${step.name}`}
        disabled={visibleDay >= today}
        onClick={stepBy(step.days)}
      >
        <Icon name="step-on" />
      </IconButton>
      <input
        ref={slider}
        className={css.slider}
        type="range"
        aria-label="Day shown"
        aria-valuetext={dayText(visibleDay, today)}
        min={first}
        max={today}
        value={visibleDay}
        onChange={(event) => {
          setPlaying(false)
          goTo(Number(event.target.value))
        }}
        onKeyDown={onKey}
      />
      <output className={`${css.day} semibold nowrap at-center`}>
        {dayText(visibleDay, today)}
      </output>
      <Select
        className={classNames(field.control, 'fit small')}
        aria-label="Speed"
        value={step.name}
        options={STEPS.map(({ name }) => [name, `by ${name}`])}
        onChange={(next) => setStep(STEPS.find(({ name }) => name === next) ?? STEPS[1])}
      />
      {requestedDay !== null && (
        <Button
          aria-label="Back to today"
          onClick={() => {
            setPlaying(false)
            goTo(today)
            // The button disappears when today is shown.
            slider.current?.focus()
          }}
        >
          Today
        </Button>
      )}
      {past !== null && part && (
        <p
          className={`${css.sentence} muted small one-line`}
          role="status"
          aria-live={isPlaying ? 'off' : 'polite'}
        >
          {pastSentence(asset, past, close, part.totals[mode])}
        </p>
      )}
    </Row>
  )
}

function dayText(day: Day, today: Day): string {
  return day === today ? 'Today' : showDayInWords(day)
}

type Calls = Readonly<Record<StatusFilter, number>>

/** `As of 12 Mar 2020: Bitcoin closed at $4,970. 41 calls had been made: 9 had come true, 12 had missed, 20 were open.` */
export function pastSentence(
  { name }: Pick<Asset, 'name'>,
  past: Day,
  close: { readonly day: number; readonly usd: number } | null,
  calls: Calls,
): string {
  const on = close && close.day < past ? ` on ${showDayInWords(dayFromNumber(close.day))}` : ''
  const price = close
    ? `${name} closed at ${showUsd(close.usd)}${on}.`
    : `no price of ${name} is on record.`
  return `As of ${showDayInWords(past)}: ${price} ${callsText(calls)}`
}

function callsText({ all, success: hits, miss: misses, pending: open }: Calls): string {
  if (all === 0) return 'No calls had been made yet.'
  const made = all === 1 ? '1 call had been made' : `${showCount(all)} calls had been made`
  const parts = [
    `${showCount(hits)} had come true`,
    `${showCount(misses)} had missed`,
    `${showCount(open)} ${open === 1 ? 'was' : 'were'} open`,
  ]
  return `${made}: ${parts.join(', ')}.`
}
