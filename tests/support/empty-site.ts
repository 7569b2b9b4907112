import { beforeEach } from 'vitest'
import { emptied, onceForFile, standingFor } from './once-for-file.ts'
import { NOON, movingClock } from './review.ts'
import { signedIn, type SignedInBrowser } from './sign-in.ts'
import { testApp, type TestApp } from './test-app.ts'

/**
 * One site for all tests of a file or a `describe`, emptied before each of them, with its clock at noon of the
 * tests' day.
 */
export function emptySite(overrides: Parameters<typeof testApp>[0] = {}): {
  readonly site: () => TestApp
  readonly clock: ReturnType<typeof movingClock>
} {
  const clock = movingClock()
  const site = onceForFile(
    () => testApp({ clock, ...overrides }),
    async (opened) => {
      clock.set(NOON)
      await emptied(opened)
    },
  )
  return { site, clock }
}

/** With an administrator: `world` and `admin` are the site and session of the current test. */
export function adminSite(overrides: Parameters<typeof testApp>[0] = {}): {
  readonly world: TestApp
  readonly admin: SignedInBrowser
  readonly clock: ReturnType<typeof movingClock>
} {
  const { site, clock } = emptySite(overrides)
  let signedInNow: SignedInBrowser
  beforeEach(async () => {
    signedInNow = await signedIn(site())
  })
  return { world: standingFor(site), admin: standingFor(() => signedInNow), clock }
}
