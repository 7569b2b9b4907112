import { describe, expect, it } from 'vitest'
import { SourceError } from '#server/kit/failure.ts'
import { type PostSource } from '#server/posts/ports.ts'
import {
  idAt,
  startPostServices,
  type PostServices,
} from '#tests/support/stand-ins/post-services.ts'
import { patiently } from '#tests/support/waiting.ts'
import { oembedPosts } from './oembed.ts'
import { syndicationPosts, syndicationToken } from './syndication.ts'
import { xPosts } from './x.ts'

const ID = idAt('2026-03-10T08:00:00Z')
const OTHER = idAt('2026-03-09T08:00:00Z', 7)
const NOON = 'Fri, 20 Nov 2026 12:00:00 GMT'
const NAMES = ['x', 'syndication', 'oembed'] as const

function sourcesOf(
  { settings }: PostServices,
  timeoutMs = 60_000,
): Record<(typeof NAMES)[number], PostSource> {
  const limits = { timeoutMs }
  const { x, syndication, oembed } = settings
  if (!x || x.token === null || !syndication || !oembed) throw new Error('an address is missing')
  return {
    x: xPosts({ url: x.url, token: x.token }, limits),
    syndication: syndicationPosts(syndication, limits),
    oembed: oembedPosts(oembed, limits),
  }
}

function find(source: PostSource, id: string): ReturnType<PostSource['find']> {
  return source.find(id, patiently())
}

describe.each(NAMES)('the source %s', (name) => {
  it('returns text, author and time', async () => {
    await using services = await startPostServices()
    services.posts.set(ID, { text: "Bitcoin > $150k & it's\nby EOY", verified: true })
    expect(await find(sourcesOf(services)[name], ID)).toMatchObject({
      state: 'found',
      post: {
        id: ID,
        text: "Bitcoin > $150k & it's\nby EOY",
        isCut: false,
        author: {
          name: 'Jane Doe',
          handle: '@janedoe',
          isVerified: name === 'oembed' ? null : true,
        },
        createdAt: '2026-03-10T08:00:00.000Z',
        likes: name === 'oembed' ? null : 12,
        reposts: name === 'x' ? 3 : null,
        replies: name === 'x' ? 4 : null,
        repost: null,
      },
    })
  })

  it('reports deleted and protected posts', async () => {
    await using services = await startPostServices()
    services.posts.set(OTHER, { text: 'secret', state: 'protected' })
    const source = sourcesOf(services)[name]
    expect(await find(source, ID)).toEqual({ state: 'gone' })
    expect(await find(source, OTHER)).toEqual({ state: 'protected' })
  })

  it.each([
    ['down', 'down'],
    ['slow', 'down'],
    ['server error', 'down'],
    ['half', 'nonsense'],
    ['html', 'nonsense'],
    ['wrong types', 'nonsense'],
    ['huge', 'nonsense'],
    ['redirect', 'nonsense'],
    ['other post', 'nonsense'],
    ['busy', 'busy'],
    ['refused', 'refused'],
    ['no credit', 'refused'],
  ] as const)('reveals no secrets when the service is "%s"', async (fault, kind) => {
    await using services = await startPostServices()
    services.posts.set(ID, { text: 'Bitcoin $150k by EOY' })
    services.faults.set(name, fault)
    const source = sourcesOf(services, fault === 'slow' ? 300 : undefined)[name]
    const failed = await find(source, ID).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(SourceError)
    expect(failed).toMatchObject({ fault: kind, message: expect.stringMatching(/^X/) })
    expect(String(failed)).not.toMatch(/SECRET|127\.0|\d{10}/)
  })

  it.each([
    [{ 'retry-after': '120' }, 120_000, 'asks us to wait 2 minutes (HTTP 429)'],
    [{ date: NOON, 'x-rate-limit-reset': '1795176030' }, 30_000, 'wait 30 seconds (HTTP 429)'],
    // Some proxies send milliseconds, or a reset in the past.
    [{ 'x-rate-limit-reset': '1795176030000' }, 900_000, 'asks us to wait 15 minutes (HTTP 429)'],
    [{ 'x-rate-limit-reset': '1' }, 0, 'asks us to wait (HTTP 429)'],
    [{ 'x-rate-limit-reset': 'soon' }, null, 'asks us to wait (HTTP 429)'],
  ])('reports the pause requested by %j', async (headers, waitMs, message) => {
    await using services = await startPostServices()
    services.faults.set(name, 'busy')
    services.busyHeaders = headers
    await expect(find(sourcesOf(services)[name], ID)).rejects.toMatchObject({
      fault: 'busy',
      waitMs,
      message: expect.stringContaining(message),
    })
  })

  it('stops when the caller aborts', async () => {
    await using services = await startPostServices()
    services.faults.set(name, 'slow')
    await expect(sourcesOf(services)[name].find(ID, AbortSignal.abort())).rejects.toThrow(
      'did not answer in time',
    )
  })
})

describe('the X API', () => {
  it.each([false, true])(
    'returns long posts in full, in either spelling (%s)',
    async (newNames) => {
      await using services = await startPostServices()
      const note = `Bitcoin to $150k by EOY. ${'Because. '.repeat(60)}`
      services.posts.set(ID, { text: note.slice(0, 200), note, newNames, media: true })
      const answer = await find(sourcesOf(services).x, ID)
      expect(answer).toMatchObject({ post: { text: note, isCut: false, hasMedia: true } })
    },
  )

  it.each([false, true])('names who reposted, in either spelling (%s)', async (newNames) => {
    await using services = await startPostServices()
    services.posts.set(OTHER, { text: 'BTC 150k by EOY', handle: 'expert', name: 'The Expert' })
    services.posts.set(ID, { text: 'RT @expert: BTC 150k by…', repostOf: OTHER, newNames })
    expect(await find(sourcesOf(services).x, ID)).toMatchObject({
      post: {
        id: ID,
        text: 'BTC 150k by EOY',
        isCut: false,
        author: { name: 'The Expert', handle: '@expert' },
        createdAt: '2026-03-09T08:00:00.000Z',
        repost: { id: OTHER, by: '@janedoe', at: '2026-03-10T08:00:00.000Z' },
      },
    })
  })

  it('separates quoted and answered posts from the text', async () => {
    await using services = await startPostServices()
    services.posts.set(OTHER, { text: 'BTC 500k by EOY', handle: 'expert' })
    services.posts.set(ID, { text: 'I agree', quotes: OTHER, answers: OTHER })
    const other = { id: OTHER, handle: '@expert', text: 'BTC 500k by EOY' }
    expect(await find(sourcesOf(services).x, ID)).toMatchObject({
      post: { text: 'I agree', quoted: other, answered: other },
    })
  })
})

describe('the embedding service', () => {
  it.each([
    ['1629307668568633344', '3y6mctgwzxo'],
    ['20', '6dq1a2xwd93'],
    ['463440424141459456', '14fxvks611f'],
  ])('requires a token for %s', (id, token) => {
    expect(syndicationToken(id)).toBe(token)
  })

  it('reports truncated posts and reposts', async () => {
    await using services = await startPostServices()
    services.posts.set(OTHER, { text: 'BTC 150k by EOY', handle: 'expert' })
    services.posts.set(ID, { text: 'The beginning', note: 'The beginning and the end' })
    const repost = idAt('2026-03-11T08:00:00Z')
    services.posts.set(repost, { text: '', repostOf: OTHER })
    const { syndication } = sourcesOf(services)
    expect(await find(syndication, ID)).toMatchObject({
      post: { text: 'The beginning', isCut: true },
    })
    expect(await find(syndication, repost)).toMatchObject({
      post: { text: 'BTC 150k by EOY', author: { handle: '@expert' }, repost: { by: '@janedoe' } },
    })
  })

  it('hides adult content', async () => {
    await using services = await startPostServices()
    services.posts.set(ID, { text: '', state: 'hidden' })
    expect(await find(sourcesOf(services).syndication, ID)).toEqual({ state: 'hidden' })
    expect(await find(sourcesOf(services).x, ID)).toEqual({ state: 'hidden' })
  })
})

it('the oEmbed service returns the text without tags', async () => {
  await using services = await startPostServices()
  services.posts.set(ID, { text: '$BTC to 150k <soon>\n&amp; by EOY pic.twitter.com/abc' })
  expect(await find(sourcesOf(services).oembed, ID)).toMatchObject({
    post: { text: '$BTC to 150k <soon>\n&amp; by EOY pic.twitter.com/abc', hasMedia: true },
  })
})
