import { beforeEach } from 'vitest'
import { emptied, sharedByFile, standingFor } from './once-for-file.ts'
import { NOON, movingClock } from './review.ts'
import { signedIn, type SignedInBrowser } from './sign-in.ts'
import { testApp } from './test-app.ts'

/**
 * One site for all tests of a file or a `describe`, emptied before each of them, with its clock at noon of the
 * tests' day.
 */
export function emptySite(overrides: Parameters<typeof testApp>[0] = {}) {
  const clock = movingClock()
  const world = sharedByFile(
    () => testApp({ clock, ...overrides }),
    async (opened) => {
      clock.set(NOON)
      await emptied(opened)
    },
  )
  return { world, clock }
}

/** With an administrator, who is signed in again before each test. */
export function adminSite(overrides: Parameters<typeof testApp>[0] = {}) {
  const site = emptySite(overrides)
  let signedInNow: SignedInBrowser
  beforeEach(async () => {
    signedInNow = await signedIn(site.world)
  })
  return { ...site, admin: standingFor(() => signedInNow) }
}
