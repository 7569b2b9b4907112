import { emptied, onceForFile } from './once-for-file.ts'
import { NOON, movingClock } from './review.ts'
import { testApp, type TestApp } from './test-app.ts'

/** One site for all tests of a file or a `describe`, empty before each of them, with its clock at noon of the day of the tests. */
export function emptySite(given: Parameters<typeof testApp>[0] = {}): {
  readonly site: () => TestApp
  readonly clock: ReturnType<typeof movingClock>
} {
  const clock = movingClock()
  const site = onceForFile(
    () => testApp({ clock, ...given }),
    async (opened) => {
      clock.set(NOON)
      await emptied(opened)
    },
  )
  return { site, clock }
}
