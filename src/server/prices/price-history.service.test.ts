import { SourceError } from '#server/kit/ports.ts'
import { describe, expect, it } from 'vitest'
import { pauseAfter } from './price-history.service.ts'

describe('the pause after a failure', () => {
  it.each([
    ['asks for no pause', 0, 1, 22_500, 37_500],
    ['asks for no pause again and again', 0, 9, 900_000, 900_000],
    ['asks for two hours', 7_200_000, 1, 7_200_000, 7_200_000],
    ['does not say', null, 1, 22_500, 37_500],
  ] as const)(
    'the pause after a failure of a source that %s',
    (_, waitMs, failures, least, most) => {
      const pause = pauseAfter(new SourceError('busy', 'Busy.', waitMs), failures)
      expect(pause).toBeGreaterThanOrEqual(least)
      expect(pause).toBeLessThanOrEqual(most)
    },
  )
})
