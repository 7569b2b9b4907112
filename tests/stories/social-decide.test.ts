import { type SocialPost } from '#contracts/publishing.ts'
import { reviewHere } from '#contracts/review.ts'
import { X_PROBLEMS } from '#tests/support/stand-ins/x-server.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { MINUTE, NOON, postOf, socialWorld, type SocialWorld } from '#tests/support/social-world.ts'
import { expect, it } from 'vitest'

const POSTS = '/api/v1/admin/social/posts'
const ON_X = { networks: ['x'], action: 'send' }

async function toDecide({ admin }: SocialWorld): Promise<string[]> {
  const { body } = await admin.call('GET', '/api/v1/admin/social/to-decide')
  const { count, posts } = body as { count: number; posts: SocialPost[] }
  expect(posts).toHaveLength(count)
  return posts.map((one) => one.x_text)
}

async function inMenu(admin: SocialWorld['admin']): Promise<number | null> {
  const page = { tab: 'tab', submission_id: null }
  const { body } = await admin.call('POST', '/api/v1/admin/review/here', page)
  return reviewHere.reply.parse(body).posts_to_decide
}

it('missed, failed and unknown posts wait in one counted list until a person has decided each', async () => {
  await using site = await socialWorld()
  const { admin, clock, x, nostr } = site
  const call = async (path: string, body: object = {}) =>
    postOf((await admin.call('POST', POSTS + path, body)).body)
  await call('', { ...ON_X, x_text: 'Fine' })
  expect(await inMenu(admin)).toBe(0)
  x.mood.post = X_PROBLEMS.unauthorized
  const failed = await call('', { ...ON_X, x_text: 'Failed' })
  x.mood.post = 'store-and-close'
  for (const relay of nostr.relays) nostr.answers.set(relay, 'refused')
  const both = { ...ON_X, networks: ['x', 'nostr'], nostr_text: 'Unknown' }
  const unknown = await call('', { ...both, x_text: 'Unknown' })
  expect(unknown.results).toMatchObject([{ state: 'unknown' }, { state: 'failed' }])
  x.mood.post = 'well'
  const plan = { ...ON_X, action: 'schedule', x_text: 'Missed' }
  const missed = await call('', { ...plan, scheduled_at: new Date(NOON + MINUTE).toISOString() })
  await call('', { ...plan, x_text: 'To come', scheduled_at: '2026-12-01T12:00:00Z' })
  clock.ms = NOON + 20 * MINUTE
  await site.work()
  expect(await toDecide(site)).toEqual(
    expect.arrayContaining(['Failed', 'Unknown', 'Missed']) as unknown,
  )
  expect(await inMenu(admin)).toBe(3)

  // Who may not see posts has no count of them.
  const reviewer = await signedIn(site, 'Reviewer', 'reviewer')
  expect(await inMenu(reviewer)).toBeNull()

  // What may be out is not left: it is looked for first.
  expect((await admin.call('POST', `${POSTS}/${unknown.id}/leave`)).status).toBe(409)
  expect((await admin.call('POST', `${POSTS}/${missed.id}/leave`)).status).toBe(409)
  await call(`/${unknown.id}/mark`, { posted: false })
  expect(await inMenu(admin)).toBe(3)
  expect((await call(`/${unknown.id}/leave`)).left_at).not.toBeNull()
  await call(`/${missed.id}/cancel`)
  expect(await toDecide(site)).toEqual(['Failed'])
  await call(`/${failed.id}/leave`)
  expect(await inMenu(admin)).toBe(0)

  // Sent once more and failed again, it waits again.
  x.mood.post = X_PROBLEMS.unauthorized
  expect((await call(`/${failed.id}/send`)).left_at).toBeNull()
  expect(await toDecide(site)).toEqual(['Failed'])
})
