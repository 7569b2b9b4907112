import { expect, it } from 'vitest'
import { SourceError } from '#server/kit/failure.ts'
import { pauseAfter } from './price-history.service.ts'

it.each([
  ['requests no pause', 0, 1, 22_500, 37_500],
  ['repeatedly requests no pause', 0, 9, 900_000, 900_000],
  ['requests two hours', 7_200_000, 1, 7_200_000, 7_200_000],
  ['requests nothing', null, 1, 22_500, 37_500],
] as const)(
  'the pause after a failure suits a source that %s',
  (_, waitMs, failures, least, most) => {
    const pause = pauseAfter(new SourceError('busy', 'Busy.', waitMs), failures)
    expect(pause).toBeGreaterThanOrEqual(least)
    expect(pause).toBeLessThanOrEqual(most)
  },
)
