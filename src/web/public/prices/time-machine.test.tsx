import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { day, isoDay, type Day } from '#domain/day.ts'
import { sees } from '#tests/support/on-screen.ts'
import { pastSentence, TimeMachine } from './time-machine.tsx'

const TODAY = day('2026-11-20')
const COUNTS = { touch: counts(2, 0), close: counts(0, 2) }

function counts(success: number, pending: number) {
  return { all: 2, success, pending, miss: 0 }
}

/** Requested days, oldest first; `now` is today. */
const requests: string[] = []
const arrive = () => fireEvent.click(screen.getByText('arrive'))
const pass = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

/** A page whose records arrive when the test says so. */
function Page({ from, failed = false }: { readonly from: Day | null; readonly failed?: boolean }) {
  const [chosen, setDay] = useState(from)
  const [past, setPast] = useState(from)
  return (
    <>
      <button type="button" onClick={() => setPast(chosen)}>
        arrive
      </button>
      <TimeMachine
        record={{
          asset: ASSETS.btc,
          requestedDay: chosen,
          past,
          first: day('2012-01-01'),
          isWaiting: chosen !== past && !failed,
          isFailed: failed,
          part: { first: day('2020-01-31'), totals: COUNTS },
          close: { day: past ?? TODAY, usd: 42_000 },
        }}
        today={TODAY}
        mode="touch"
        onDay={(next) => {
          requests.push(next === null ? 'now' : isoDay(next))
          setDay(next)
        }}
      />
    </>
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  requests.length = 0
})

const slider = () => screen.getByRole('slider', { name: 'Day shown' })
const press = (key: string, shiftKey = false) => fireEvent.keyDown(slider(), { key, shiftKey })

it('moves by a week with arrow keys and by a quarter with Shift, within the record', () => {
  render(<Page from={day('2021-03-12')} />)
  for (const [key, shift, date] of [
    ['ArrowLeft', false, '2021-03-05'],
    ['ArrowRight', false, '2021-03-12'],
    ['ArrowLeft', true, '2020-12-11'],
    ['ArrowUp', true, '2021-03-12'],
    ['PageDown', false, '2020-03-12'],
    ['Home', false, '2012-01-01'],
    ['ArrowLeft', false, '2012-01-01'],
    ['End', false, 'now'],
  ] as const) {
    press(key, shift)
    arrive()
    expect([key, requests.at(-1)]).toEqual([key, date])
  }
  expect(slider().getAttribute('aria-valuetext')).toBe('Today')
})

it('skips days passed by the thumb while a request is pending', () => {
  render(<Page from={day('2021-03-12')} />)
  const drag = (date: string) =>
    fireEvent.change(slider(), { target: { value: String(Number(day(date))) } })
  for (const date of ['2020-01-01', '2019-01-01', '2018-01-01']) drag(date)
  expect(requests).toEqual(['2020-01-01'])
  sees('1 Jan 2018')
  arrive()
  expect(requests).toEqual(['2020-01-01', '2018-01-01'])
  arrive()
  expect(requests).toHaveLength(2)
  sees(/^As of 1 Jan 2018: Bitcoin closed at \$42,000\./)
})

it('Space starts playback, one day after another up to today, and pauses it', () => {
  render(<Page from={day('2026-10-30')} />)
  press(' ')
  pass(10_000)
  // The next day has not arrived yet.
  expect(requests).toEqual(['2026-11-06'])
  for (let i = 0; i < 5; i += 1) {
    arrive()
    pass(1_000)
  }
  expect(requests).toEqual(['2026-11-06', '2026-11-13', 'now'])
  expect(screen.getByRole('button', { name: 'Play' })).toBeDefined()
})

it('starts playback from today a month before the first call, with the chosen step', () => {
  render(<Page from={null} />)
  fireEvent.change(screen.getByRole('combobox', { name: 'Speed' }), { target: { value: 'month' } })
  fireEvent.click(screen.getByRole('button', { name: 'Play' }))
  arrive()
  pass(1_000)
  arrive()
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }))
  pass(5_000)
  expect(requests).toEqual(['2020-01-01', '2020-01-31'])
  fireEvent.click(screen.getByRole('button', { name: 'Back a month' }))
  arrive()
  fireEvent.click(screen.getByRole('button', { name: 'Back to today' }))
  expect(requests.slice(2)).toEqual(['2020-01-01', 'now'])
})

it('stops playback at a day that cannot be loaded', () => {
  const { rerender } = render(<Page from={day('2021-03-12')} />)
  press(' ')
  pass(1_000)
  rerender(<Page from={day('2021-03-12')} failed />)
  pass(10_000)
  expect(requests).toEqual(['2021-03-19'])
  expect(screen.getByRole('button', { name: 'Play' })).toBeDefined()
})

it('keeps the focus on the slider when returning to today', () => {
  render(<Page from={day('2021-03-12')} />)
  const button = screen.getByRole('button', { name: 'Back to today' })
  button.focus()
  fireEvent.click(button)
  expect(document.activeElement).toBe(slider())
})

it('plays more slowly with reduced motion', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  render(<Page from={day('2021-03-12')} />)
  press(' ')
  pass(500)
  expect(requests).toEqual([])
  pass(500)
  expect(requests).toEqual(['2021-03-19'])
})

it('shows the last close of a past day and the outcomes so far', () => {
  const on = (date: string, close: number | null) =>
    pastSentence(
      ASSETS.mstr,
      day(date),
      close === null ? null : { day: day('2021-03-12') as number, usd: close },
      COUNTS.touch,
    )
  expect(on('2021-03-12', 782.4)).toBe(
    'As of 12 Mar 2021: Strategy closed at $782.40. 2 calls had been made: 2 had come true, 0 had missed, 0 were open.',
  )
  expect(on('2021-03-14', 782.4)).toContain('closed at $782.40 on 12 Mar 2021.')
  expect(on('2018-03-14', null)).toContain('As of 14 Mar 2018: no price of Strategy is on record.')
  expect(pastSentence(ASSETS.btc, TODAY, null, { ...COUNTS.touch, all: 0 })).toMatch(
    /No calls had been made yet\.$/,
  )
})
