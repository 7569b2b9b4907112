import { expect } from 'vitest'
import { type SiteOptions } from '#server/site.ts'
import { closesFile, entry } from './builders.ts'
import { signedIn } from './sign-in.ts'
import { testApp, type TestApp } from './test-app.ts'

/** The call corrected by `correct`. */
export const WRONG = 'wrong'

/** A site with three decided calls of two people, whose scores take no time. */
export async function scoredSite(options: SiteOptions = {}): Promise<TestApp> {
  const world = await testApp({ options })
  const closes = Array.from({ length: 200 }, (_, i) => 100 + 2 * (i % 2))
  const message = { prediction_made: '2025-05-01', target_time: '2025-06-30' }
  await world.imports.prices('btc', closesFile('2025-01-01', closes), 'test')
  await world.publish(
    entry(WRONG, message),
    entry('b', { ...message, price_target: 101 }),
    entry('c', { ...message, price_target: 90, expert_name: 'Expert B' }),
  )
  return world
}

/** Corrects the level of a call from $150, which was missed, to $101, which was reached. */
export async function correct(world: TestApp): Promise<void> {
  const admin = await signedIn(world)
  const body = { version: 0, price_min: '101', reason: 'The source says otherwise' }
  const { status } = await admin.call('PUT', `/api/v1/admin/predictions/${WRONG}`, body)
  expect(status).toBe(200)
}
