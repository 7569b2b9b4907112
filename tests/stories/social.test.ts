import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { expect, it, vi } from 'vitest'
import { listPosts } from '#contracts/publishing.ts'
import { socialAccount } from '#server/publishing/account.ts'
import { sharpReader } from '#server/publishing/pictures/pictures.service.ts'
import { type Publisher } from '#server/publishing/ports.ts'
import { postDetail } from '#server/publishing/posts.service.ts'
import { SEND_LIMITS } from '#server/publishing/publishing-kit.ts'
import { beginDue, endPost, sendPart } from '#server/publishing/send-posts.service.ts'
import { xPublisher } from '#server/publishing/x.ts'
import { PNG } from '#tests/support/pictures.ts'
import { handIn } from '#tests/support/review.ts'
import {
  callsOf,
  form,
  MINUTE,
  PICTURES,
  postOf,
  POSTS,
  sendKit,
  socialOfFile,
  socialWorld,
} from '#tests/support/social-world.ts'
import { X_KEYS } from '#tests/support/stand-ins/x-server.ts'
import { SILENT } from '#tests/support/test-site.ts'

// `tests/texts/social/` has the stories in calls.
const world = socialOfFile()
const { call, post, tweet, shown, upload } = callsOf(world)

const ON_BLUESKY = { networks: ['bluesky'], bluesky_text: 'A call', action: 'send' }
/** A post for X in a minute. */
function planned() {
  const scheduled_at = new Date(world().clock.ms + MINUTE).toISOString()
  return { networks: ['x'], x_text: 'Once', action: 'schedule', scheduled_at }
}

it('a post is not sent again under the same Idempotency-Key, however often it is requested', async () => {
  const { app, admin, x } = world()
  const send = (text: string, key: string) => {
    const headers = { ...admin.headers, 'idempotency-key': key }
    return app.inject({ method: 'POST', url: '/api/x/tweet', headers, payload: { text } })
  }
  const key = randomUUID()
  const all = await Promise.all([send('Once', key), send('Once', key), send('Once', key)])
  all.push(await send('Once', key))
  expect(new Set(all.map((one) => postOf(one.json()).id)).size).toBe(1)
  expect(all.map((one) => one.json<{ success: boolean }>().success)).toEqual(all.map(() => true))
  expect(x.posts).toHaveLength(1)
  expect((await send('Other', key)).statusCode).toBe(409)
  expect((await send('Other', 'short')).statusCode).toBe(400)
})

it('a note is not reported as unsent if it was sent but that could not be stored', async () => {
  const { nostr, clock, publishing, work } = world()
  const { nostr: publisher } = publishing.kit
  if (!publisher) throw new Error('there is a key')
  const { publish } = publisher
  const lost = vi.spyOn(publisher, 'publish').mockImplementation(async (...args) => {
    await publish(...args)
    throw new Error('the database is away')
  })
  const { id } = await post({ networks: ['nostr'], nostr_text: 'Here', action: 'send' })
  expect((await shown(id)).results).toMatchObject([
    { state: 'failed', error: expect.stringMatching(/relays may have it/) as string },
  ])
  lost.mockRestore()
  clock.ms += 3 * MINUTE
  await work()
  expect((await shown(id)).results).toMatchObject([{ state: 'posted' }])
  expect(new Set(nostr.sent.map(({ event }) => event.id)).size).toBe(1)
})

it('a picture is for administrators, and a partial upload is refused', async () => {
  const { app, admin, x } = world()
  const whole = await form([['image', PNG, 'a.png']])
  const headers = { ...admin.headers, ...whole.headers }
  const send = (payload: Buffer) => app.inject({ method: 'POST', url: PICTURES, headers, payload })
  const { url } = (await send(whole.payload)).json<{ picture: { url: string } }>().picture
  const get = (of: string, headers = {}) => app.inject({ url: of, headers })
  const answer = await get(url, admin.headers)
  expect(answer).toMatchObject({
    statusCode: 200,
    headers: { 'content-type': 'image/png', 'cache-control': 'no-store' },
  })
  expect((await get(url)).statusCode).toBe(401)
  expect((await get(`${PICTURES}/${randomUUID()}`, admin.headers)).statusCode).toBe(404)
  for (const payload of [whole.payload.subarray(0, -60), Buffer.from('x')])
    expect((await send(payload)).statusCode).toBe(400)
  expect(x.requests).toEqual([])
})

it('a post is refused with a message if reading its picture crashes; the reader ends with the site', async () => {
  const file = new URL('../support/hanging-picture-worker.ts', import.meta.url)
  const pictureReader = sharpReader({ file })
  await using site = await socialWorld({ pictureReader })
  const send = (text: string) => callsOf(() => site).upload(PICTURES, [['image', text, 'a.png']])
  const [empty, crashed] = [await send(''), await send('crash')]
  expect([empty.statusCode, crashed.statusCode]).toEqual([400, 503])
  expect(empty.json()).toMatchObject({ fields: { image: expect.any(String) } })
  expect(crashed.json()).toMatchObject({
    error: expect.stringContaining('The picture could not be read. Please try again'),
  })
  const last = pictureReader.read(Buffer.from('hang'))
  await Promise.all([
    expect(last).rejects.toThrow('The server is stopping.'),
    site.publishing.stop(),
  ])
})

it('a site without keys says what is missing', async () => {
  await using site = await socialWorld({ isConfigured: false })
  const { admin } = site
  const missing = (name: string) => expect.stringContaining(name) as string
  const post = { networks: ['bluesky'], bluesky_text: 'a', action: 'send' }
  const failed = { state: 'failed', error: missing('not set up') }
  const off = { configured: false }
  for (const [url, says, body] of [
    ['/api/x/test', { success: false, ...off, error: missing('X_API_KEY') }],
    ['/api/x/rate-limit-status', { success: false, canPost: false }],
    ['/api/nostr/status', { ...off, publicKey: null, error: missing('NOSTR_PRIVATE_KEY') }],
    ['/api/bluesky/status', off],
    ['/api/nostr/post', { success: false, publishedToRelays: 0 }, { content: 'a' }],
    ['/api/x/tweet', { success: false, unknown: false }, { text: 'a' }],
    [POSTS, { post: { results: [failed] } }, post],
  ] as const) {
    const answer = await admin.call(body ? 'POST' : 'GET', url, body)
    expect([url, answer.body]).toMatchObject([url, says])
  }
})

it('a post being sent shows when its outcome is known', async () => {
  const { clock, database, sending, x } = world()
  const [asks, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // Another process of the site, slow to ask X.
  const real = xPublisher({ url: x.url, keys: X_KEYS, clock, callLimit: x.callLimit })
  const publisher: Publisher = {
    ...real,
    post: async (one, on) => {
      reached.resolve()
      await asks.promise
      return real.post(one, on)
    },
  }
  const kit = { db: database.db, clock, log: SILENT }
  const account = socialAccount(kit, 'x', { publisher, keyHash: 'keys' })
  const slow = sendKit(world(), { x: account })
  const { id } = await post(planned())
  clock.ms += MINUTE
  await beginDue(slow)
  const late = sendPart(slow, id, 'x')
  await reached.promise
  const known = async () => (await shown(id)).results[0]?.known_at
  const end = new Date(clock.ms + SEND_LIMITS.takenForMs).toISOString()
  // Another process may still be sending it; one with its own database knows at once after a restart.
  expect(await known()).toBeNull()
  const detail = (aloneSinceMs: number) => postDetail({ ...sending, aloneSinceMs }, id)
  expect((await detail(clock.ms)).results[0]?.known_at).toBeNull()
  expect((await detail(clock.ms + 1)).results[0]?.known_at).toBe(end)
  clock.ms += SEND_LIMITS.sendWithinMs
  expect(await known()).toBeNull()
  clock.ms += 1
  expect(await known()).toBe(end)
  asks.resolve()
  await late
  expect(await known()).toBeNull()
})

it('lists of posts are sorted by when they went out, and their pages neither lose nor repeat any', async () => {
  const draft = await post({ ...planned(), action: 'draft', scheduled_at: null })
  const ids: string[] = []
  // All within one millisecond.
  for (const text of ['One', 'Two', 'Three']) ids.push((await tweet(text)).id)
  world().clock.ms += MINUTE
  await call(`/${draft.id}/send`)
  await post(planned())
  const idsOf = async (query: string) =>
    (await world().admin.read(listPosts, `?state=gone${query}`)).posts.map(({ id }) => id)
  const all = await idsOf('')
  expect(all).toEqual([draft.id, ...ids.toSorted().toReversed()])
  const [, second = ''] = all
  const { scheduled_at: at } = await shown(second)
  expect(await idsOf(`&before=${at ?? ''}&before_id=${second}`)).toEqual(all.slice(2))
})

it('many posts about submissions can end at the same time, more than there are connections', async () => {
  const { admin, database } = world()
  await tweet('One')
  const rows = await database.sql(
    `with made as (
       insert into social_posts select (jsonb_populate_record(one, jsonb_build_object(
         'id', gen_random_uuid(), 'state', 'sending', 'submission_id', $1::text, 'approval', 'waiting'))).*
       from social_posts one, generate_series(1, 12) returning id)
     insert into outbox (kind, key, ref, lane, state, created_at, updated_at)
       select 'post', id || ' x', id, 'x', 'sent', now(), now() from made returning ref as id`,
    [await handIn(admin)],
  )
  const approved: string[] = []
  const sending = sendKit(world(), {
    approve: async (_, id) => {
      await database.db.execute('select pg_sleep(0.02)')
      approved.push(id)
      return { ok: true }
    },
  })
  await Promise.all(rows.map(({ id }) => endPost(sending, id)))
  expect(approved).toHaveLength(12)
})

it("a picture is shrunk to Bluesky's size", async () => {
  const { pds } = world()
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: 1_500, height: 900, channels: 3, background: '#fff', noise } as const
  const large = await sharp({ create }).jpeg({ quality: 98 }).toBuffer()
  expect(large.length).toBeGreaterThan(1_000_000)
  const answer = await upload(PICTURES, [['image', large, 'a']])
  const { id } = answer.json<{ picture: { id: string } }>().picture
  const { results } = await post({ ...ON_BLUESKY, pictures: [{ id, alt: 'A large one' }] })
  expect(results).toMatchObject([{ state: 'posted', error: null }])
  const [record] = pds.records.values()
  expect(record).toMatchObject({ embed: { images: [{ alt: 'A large one' }] } })
  const [blob] = pds.blobs.values()
  expect(blob?.type).toBe('image/jpeg')
  expect(blob?.bytes.length).toBeLessThanOrEqual(1_000_000)
})

it("a post that may be on Bluesky follows an administrator's decision over a check already in progress", async () => {
  const { pds, clock, work } = world()
  Object.assign(pds.behaviour, { put: 'close', get: 'close' })
  const { id } = await post(ON_BLUESKY)
  pds.behaviour.get = 'well'
  clock.ms += MINUTE
  let marked: Promise<unknown> = Promise.resolve()
  pds.before.get = () => {
    marked = call(`/${id}/mark`, { posted: true, network: 'bluesky' })
    return marked
  }
  await work()
  await marked
  expect((await shown(id)).results).toMatchObject([{ state: 'posted' }])
})
