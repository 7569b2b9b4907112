import { emptySite } from '#tests/support/empty-site.ts'
import { expect, it, beforeEach, vi } from 'vitest'
import { reviewHere } from '#contracts/review.ts'
import { openSite } from '#server/site.ts'
import { handIn } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'

/** A call that may be made so often a minute. */
const POLLED = { timeout: 60_000, interval: 300 }
const ONE = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'

async function here(admin: SignedInBrowser, id: string | null, tab = 'tab') {
  const { body } = await admin.call('POST', '/api/v1/admin/review/here', {
    tab,
    submission_id: id,
  })
  return reviewHere.reply.parse(body)
}

const { site, clock } = emptySite()
let world: TestApp
beforeEach(() => {
  world = site()
})

it('administrators see who else looks at a submission, for less than 30 s after they left', async () => {
  const [a, b] = [await signedIn(world), await signedIn(world, 'Admin B')]
  await here(b, ONE)
  await here(b, OTHER, 'another tab')
  const seen = async () => (await here(a, ONE)).others
  expect(await seen()).toEqual([
    { submission_id: ONE, username: 'Admin B' },
    { submission_id: OTHER, username: 'Admin B' },
  ])
  // One is closed, the other page goes without a word.
  await here(b, null)
  expect(await seen()).toEqual([{ submission_id: OTHER, username: 'Admin B' }])
  clock.pass(24_000)
  expect(await seen()).toHaveLength(1)
  clock.pass(2_000)
  expect(await seen()).toEqual([])
})

it('the answer counts what waits', async () => {
  const admin = await signedIn(world)
  await handIn(admin)
  await handIn(admin, { price_target: 600 }, '/api/mstr/submissions')
  expect((await here(admin, null)).waiting).toEqual([
    { asset_type: 'btc', pending: 1 },
    { asset_type: 'mstr', pending: 1 },
    { asset_type: 'naka', pending: 0 },
  ])
})

it('who looks at a submission is seen from another process, too', async () => {
  const settings = { role: 'web' } as const
  await using world = await testApp({ settings })
  await using kit = testKit(world.database.url, { settings })
  const site = await openSite(kit, testPorts(kit))
  for (const one of [world, site]) one.start()
  const a = await signedIn(world)
  const other = { id: 99, username: 'Admin of another process' }
  await vi.waitFor(async () => {
    site.review.presence.here(other, 'tab', ONE)
    expect((await here(a, null)).others).toEqual([{ submission_id: ONE, username: other.username }])
  }, POLLED)
  await site.stop({ kept: () => Promise.resolve() })
})
