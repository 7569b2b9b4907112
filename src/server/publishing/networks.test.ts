import { expect, it } from 'vitest'
import { failed } from './networks.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const until = (ms: number | null) => ({ state: 'limited', until: ms }) as const
const [UNSENT, UNKNOWN] = [{ state: 'unsent' }, { state: 'unknown' }] as const
type Fault = ReturnType<typeof until> | typeof UNSENT | typeof UNKNOWN

it.each<[string, Fault, number, number | null, [string, number?]]>([
  ['until the named time', until(NOW + HOUR), 1, NOW + 2 * HOUR, ['waiting', HOUR]],
  ['for a minute', until(null), 1, NOW + HOUR, ['waiting', 60_000]],
  ['forever if that is too late', until(NOW + 2 * HOUR), 1, NOW + HOUR, ['failed']],
  ['forever if no other attempt is wanted', until(null), 1, null, ['failed']],
  ['for half a minute', UNSENT, 1, NOW + HOUR, ['waiting', 30_000]],
  ['longer after each attempt', UNSENT, 3, NOW + HOUR, ['waiting', 90_000]],
  ['forever after its time', UNSENT, 3, NOW + 89_999, ['failed']],
  ['forever if it may be published', UNKNOWN, 1, NOW + HOUR, ['unknown']],
])('a rejected post waits %s', (_, fault, attempts, last, [state, dueMs]) => {
  const kit = { clock: { now: () => NOW } }
  const answer = failed(kit, { ...fault, message: 'No.' }, { attempts }, last)
  expect([answer.state, answer.dueMs]).toEqual([state, dueMs])
})
