import { extractTweet } from '#contracts/posts.ts'
import { postSources } from '#server/posts/configured-sources.ts'
import { type PostAssistant } from '#server/posts/assistant/ports.ts'
import { expect, it } from 'vitest'
import { assistantSays, standInAssistant } from '#tests/support/reading-assistant.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { idAt, startPostServices } from '#tests/support/stand-ins/post-services.ts'
import { testApp } from '#tests/support/test-app.ts'

const ID = idAt('2026-03-10T08:00:00.000Z')
const TEXT = 'My call: Bitcoin hits $150k by EOY.'

/** A site that reads posts from the stand-in, and what asks it for the post. */
async function site(
  services: Awaited<ReturnType<typeof startPostServices>>,
  assistant: PostAssistant | null = null,
) {
  const world = await testApp({ ports: { posts: postSources(services.settings), assistant } })
  const admin = await signedIn(world)
  return {
    ask: () =>
      admin.call('POST', '/api/extract-tweet', {
        url: `https://x.com/janedoe/status/${ID}`,
        refetch: true,
      }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

it('a post is not gone when one moody source says so and the other is away', async () => {
  await using services = await startPostServices({ key: false })
  services.faults.set('oembed', 'down')
  await using here = await site(services)
  expect(await here.ask()).toMatchObject({
    status: 503,
    body: { error: expect.stringMatching(/embedding service finds no such post\. .*oEmbed/) },
  })
  services.faults.clear()
  expect((await here.ask()).status).toBe(404)
})

it('a post stays whole when X is away and a lesser source has its beginning only', async () => {
  await using services = await startPostServices()
  const note = `${TEXT} ${'And much more. '.repeat(30)}`
  services.posts.set(ID, { text: `${TEXT} And\u2026`, note })
  await using here = await site(services)
  const read = async () => extractTweet.reply.parse((await here.ask()).body).data
  expect((await read()).source).toMatchObject({ name: 'x', is_cut: false })
  services.faults.set('x', 'no credit')
  const again = await read()
  expect(again).toMatchObject({ tweet_text: note, source: { name: 'x', is_cut: false } })
  expect(again.source.notes.join(' ')).toMatch(/no credit left.*embedding service shows less/)
  services.faults.clear()
  expect((await read()).source).toMatchObject({ name: 'x', notes: [] })
})

it('a reading that is refuted gives the reason alone, not what was said for it', async () => {
  await using services = await startPostServices()
  services.posts.set(ID, { text: 'gm' })
  const refuted = { is: true, why: 'Nobody says so.' }
  const assistant = standInAssistant(() => assistantSays({ refuted, reasoning: 'It says so.' }))
  await using here = await site(services, assistant)
  expect(extractTweet.reply.parse((await here.ask()).body).data).toMatchObject({
    has_prediction: false,
    no_prediction_reason: 'Nobody says so.',
    accuracy_reasoning: 'Nobody says so.',
  })
})
