import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { PNG } from '#tests/support/pictures.ts'
import { callsOf, MINUTE, PICTURES, socialOfFile } from '#tests/support/social-world.ts'
import { type Behaviour } from '#tests/support/stand-ins/faulty-server.ts'
import { PDS_DID } from '#tests/support/stand-ins/pds.ts'

const world = socialOfFile()
const { call, post, shown: visible, upload } = callsOf(world)

const TEXT = 'A call by prices: https://example.org/a #Bitcoin'
const POST = { networks: ['bluesky'], bluesky_text: TEXT, action: 'send' }

const sent = (part: object = {}) => post({ ...POST, ...part })
const stateOf = async (id: string) => (await visible(id)).results[0]
const inMinutes = (minutes: number) => new Date(world().clock.ms + minutes * MINUTE).toISOString()
/** Bluesky's answer until so many minutes have passed. */
const limited = (minutes: number): Behaviour => ({
  status: 429,
  headers: { 'ratelimit-reset': String(world().clock.ms / 1_000 + minutes * 60) },
})

async function uploaded(file: Buffer): Promise<string> {
  const answer = await upload(PICTURES, [['image', file, 'a']])
  return answer.json<{ picture: { id: string } }>().picture.id
}

describe('a post on Bluesky', () => {
  it("has its links, its time and its pictures, each within Bluesky's size", async () => {
    const { pds } = world()
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const large = await sharp({
      create: { width: 1_500, height: 900, channels: 3, background: '#fff', noise },
    })
      .jpeg({ quality: 98 })
      .toBuffer()
    expect(large.length).toBeGreaterThan(1_000_000)
    const pictures = [
      { id: await uploaded(PNG), alt: 'A small one' },
      { id: await uploaded(large), alt: 'A large one' },
    ]
    const { results } = await sent({ pictures })
    const [[key, record] = []] = pds.records
    expect(results).toMatchObject([
      {
        network: 'bluesky',
        state: 'posted',
        error: null,
        remote_id: `at://${PDS_DID}/app.bsky.feed.post/${String(key)}`,
        url: `https://bsky.app/profile/${PDS_DID}/post/${String(key)}`,
      },
    ])
    expect(record).toMatchObject({
      text: TEXT,
      createdAt: inMinutes(0),
      facets: [
        { index: { byteStart: 18, byteEnd: 39 }, features: [{ uri: 'https://example.org/a' }] },
        { index: { byteStart: 40, byteEnd: 48 }, features: [{ tag: 'Bitcoin' }] },
      ],
      embed: {
        images: [
          { alt: 'A small one', aspectRatio: { width: 12, height: 8 } },
          { alt: 'A large one' },
        ],
      },
    })
    expect([...pds.blobs.values()].map(({ type }) => type)).toEqual(['image/png', 'image/jpeg'])
    for (const { bytes } of pds.blobs.values()) expect(bytes.length).toBeLessThanOrEqual(1_000_000)
  })

  // Each answer is tested in `bluesky.test.ts`.
  it('that was refused says why, and is a new one when sent again', async () => {
    const { pds, clock } = world()
    pds.expire(false)
    pds.behaviour.login = { status: 401, error: 'AuthenticationRequired' }
    const first = await sent()
    expect(first.results).toMatchObject([
      { state: 'failed', remote_id: null, next_try_at: null, fault: 'keys' },
    ])
    expect(pds.writes).toEqual([])
    // The password is in no message, and nothing is retried by the server.
    expect(JSON.stringify(first)).not.toContain('abcd')
    pds.behaviour.login = 'well'
    clock.ms += 20 * MINUTE
    expect((await post({}, `/${first.id}/send`)).results).toMatchObject([{ state: 'posted' }])
    expect([...pds.records.values()].map(({ createdAt }) => createdAt)).toEqual([inMinutes(0)])
  })

  it('is not retried before the time that Bluesky named', async () => {
    const { pds, clock } = world()
    pds.behaviour.put = limited(10)
    await sent()
    pds.behaviour.put = 'well'
    clock.ms += 5 * MINUTE
    expect((await sent()).results).toMatchObject([{ state: 'failed', fault: 'limited' }])
    clock.ms += 6 * MINUTE
    expect((await sent()).results).toMatchObject([{ state: 'posted' }])
  })

  it('with a lost answer is found at once', async () => {
    const { pds } = world()
    pds.behaviour.put = 'store-and-hang'
    expect((await sent()).results).toMatchObject([{ state: 'posted', fault: null }])
    expect(pds.writes).toHaveLength(1)
  })
})

describe('a post that may be on Bluesky', () => {
  it('is searched for by the server, and is the same one when sent again', async () => {
    const { pds, clock, work } = world()
    Object.assign(pds.behaviour, { put: 'store-and-close', get: { status: 503 } })
    const first = await sent()
    expect(first.results).toMatchObject([
      { state: 'unknown', fault: 'unknown', next_try_at: inMinutes(1) },
    ])
    // Sent again on purpose, under its existing key.
    pds.behaviour.put = 'well'
    expect((await post({}, `/${first.id}/send`)).results).toMatchObject([{ state: 'unknown' }])
    pds.behaviour.get = 'well'
    clock.ms += MINUTE
    await work()
    expect(await stateOf(first.id)).toMatchObject({ state: 'posted', next_try_at: null })
    expect(pds.writes).toHaveLength(1)
  })

  it('and is not waits for a person, and goes out once, even if the first attempt arrives late', async () => {
    const { pds, clock, work } = world()
    pds.behaviour.put = { status: 502 }
    const { id, results } = await sent()
    expect(results).toMatchObject([{ state: 'unknown' }])
    pds.behaviour.put = 'well'
    expect((await call(`/${id}/check?network=bluesky`)).body).toMatchObject({
      found: false,
      message: expect.stringContaining('not on Bluesky') as string,
    })
    expect(await stateOf(id)).toMatchObject({ state: 'failed', fault: 'unsent' })
    clock.ms += MINUTE
    await work()
    expect(pds.writes).toEqual([])
    // The first attempt, which was slow.
    Object.assign(pds.behaviour, { put: 'store-and-close', get: 'close' })
    await call(`/${id}/send`)
    Object.assign(pds.behaviour, { put: 'well', get: 'well' })
    await call(`/${id}/send`)
    expect(pds.records.size).toBe(1)
    expect(new Set(pds.writes.map(({ body }) => body)).size).toBeLessThanOrEqual(1)
  })

  it('and is sent again long after an attempt that did not arrive has its own time', async () => {
    const { pds, clock } = world()
    pds.behaviour.put = { status: 502 }
    const { id } = await sent()
    await call(`/${id}/check?network=bluesky`)
    pds.behaviour.put = 'well'
    clock.ms += 30 * MINUTE
    const again = await post({}, `/${id}/send`)
    const [[key, record] = []] = pds.records
    expect(record).toMatchObject({ createdAt: inMinutes(0) })
    expect(again.results).toMatchObject([
      { state: 'posted', url: `https://bsky.app/profile/${PDS_DID}/post/${String(key)}` },
    ])
  })

  it("follows an administrator's decision over a check already in progress", async () => {
    const { pds, clock, work } = world()
    Object.assign(pds.behaviour, { put: 'close', get: 'close' })
    const { id } = await sent()
    pds.behaviour.get = 'well'
    clock.ms += MINUTE
    let marked: Promise<unknown> = Promise.resolve()
    pds.before.get = () => {
      marked = call(`/${id}/mark`, { posted: true, network: 'bluesky' })
      return marked
    }
    await work()
    await marked
    expect(await stateOf(id)).toMatchObject({ state: 'posted' })
  })

  it('is searched for by the server, but neither sent by it nor searched for once a person has said that it is not there', async () => {
    const { pds, clock, work } = world()
    Object.assign(pds.behaviour, { put: 'close', get: 'close' })
    const [lost, gone] = [await sent(), await sent({ bluesky_text: 'Another' })]
    expect([lost, gone].flatMap(({ results }) => results.map(({ state }) => state))).toEqual([
      'unknown',
      'unknown',
    ])
    const marked = await post({ posted: false, network: 'bluesky' }, `/${gone.id}/mark`)
    expect(marked.results).toMatchObject([{ state: 'failed', next_try_at: null }])
    Object.assign(pds.behaviour, { put: 'well', get: 'well' })
    clock.ms += MINUTE
    await work()
    for (const { id } of [lost, gone]) {
      expect(await stateOf(id)).toMatchObject({ state: 'failed', fault: 'unsent' })
    }
    expect(pds.writes).toEqual([])
  })

  it.each([
    ['is there', 3, true, { state: 'posted' }, 1],
    ['is there, long past its time', 30, true, { state: 'posted' }, 1],
    ['is not there', 5, false, { state: 'posted' }, 2],
    ['is not there, long past its time', 30, false, { state: 'failed', fault: 'unsent' }, 1],
  ])('is continued where a process stopped: it %s', async (_, minutes, isThere, result, writes) => {
    const { pds, clock, database, work } = world()
    const { id } = await sent()
    const last = [...pds.records.keys()]
    // As left by a process killed during the request.
    await database.sql(
      `with post as (update social_posts set state = 'sending')
         update outbox set state = 'sending', due = $1 where kind = 'post'`,
      [inMinutes(3)],
    )
    if (!isThere) pds.records.clear()
    clock.ms += minutes * MINUTE
    await work()
    expect(await stateOf(id)).toMatchObject(result)
    expect([pds.writes.length, new Set(pds.writes.map(({ key }) => key)).size]).toEqual([writes, 1])
    expect(pds.writes[0]?.key).toBe(last[0])
  })
})
