import { type SocialPost } from '#contracts/publishing.ts'
import { MINUTE, NOON, postOf, socialWorld } from '#tests/support/social-world.ts'
import { expect, it } from 'vitest'

const SOCIAL = '/api/v1/admin/social'
const ISO = (ms: number): string => new Date(ms).toISOString()

it('the calendar has what is planned, missed and sent within a span, by time, and no drafts', async () => {
  await using site = await socialWorld()
  const { admin, clock } = site
  const make = async (text: string, given: object) =>
    postOf(
      (
        await admin.call('POST', `${SOCIAL}/posts`, {
          networks: ['x'],
          x_text: text,
          action: 'schedule',
          ...given,
        })
      ).body,
    )
  await make('Missed', { scheduled_at: ISO(NOON + MINUTE) })
  await make('Draft', { action: 'draft', scheduled_at: ISO(NOON + 40 * MINUTE) })
  const cancelled = await make('Cancelled', { scheduled_at: ISO(NOON + 41 * MINUTE) })
  await admin.call('POST', `${SOCIAL}/posts/${cancelled.id}/cancel`)
  clock.ms = NOON + 20 * MINUTE
  await site.work()
  await make('Sent', { action: 'send' })
  await make('Planned', { scheduled_at: ISO(NOON + 60 * MINUTE) })
  const texts = async (from: number, to: number): Promise<string[]> => {
    const { body } = await admin.call('GET', `${SOCIAL}/calendar?from=${ISO(from)}&to=${ISO(to)}`)
    const { posts, cut } = body as { posts: SocialPost[]; cut: boolean }
    expect(cut).toBe(false)
    return posts.map((one) => one.x_text)
  }
  expect(await texts(NOON, NOON + 90 * MINUTE)).toEqual(['Missed', 'Sent', 'Planned'])
  // The end does not belong to it.
  expect(await texts(NOON + 20 * MINUTE, NOON + 60 * MINUTE)).toEqual(['Sent'])
})
