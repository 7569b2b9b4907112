import { expect, it } from 'vitest'
import { type TakenResult } from './posts.store.ts'
import { failed } from './send-outcome.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const limitedFor = (untilMs: number | null, patience: number | null) =>
  failed(
    { clock: { now: () => NOW } },
    { state: 'limited', until: untilMs, message: 'The limit is reached.' },
    { attempts: 1 } as TakenResult,
    patience,
  )

it.each<[string, number | null, number | null, string | null]>([
  ['until then, where the network says until when', NOW + HOUR, NOW + 2 * HOUR, '13:00'],
  ['for a minute, where it does not', null, NOW + HOUR, '12:01'],
  ['and given up, where that is too late', NOW + 2 * HOUR, NOW + HOUR, null],
  ['and given up, where no other try is wanted', null, null, null],
])('a post that met a limit is left alone %s', (_, until, patience, again) => {
  expect(limitedFor(until, patience)).toMatchObject({
    state: again === null ? 'failed' : 'waiting',
    nextTryAt: again === null ? null : `2026-11-20T${again}:00.000Z`,
  })
})

it.each([
  [{ state: 'unsent' }, 1, 'waiting', NOW + HOUR, 30_000],
  [{ state: 'unsent' }, 3, 'waiting', NOW + HOUR, 90_000],
  [{ state: 'unsent' }, 3, 'failed', NOW + 89_999, null],
  [{ state: 'unknown' }, 1, 'unknown', NOW + HOUR, null],
] as const)('a post that was %j at try %i is %s', (fault, attempts, state, until, pauseMs) => {
  const given = { ...fault, message: 'No.' } as Parameters<typeof failed>[1]
  const taken = { attempts } as TakenResult
  expect(failed({ clock: { now: () => NOW } }, given, taken, until)).toMatchObject({
    state,
    nextTryAt: pauseMs === null ? null : new Date(NOW + pauseMs).toISOString(),
  })
})
