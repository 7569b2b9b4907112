import { describe, expect, it } from 'vitest'
import { listJobs } from '#contracts/operations.ts'
import { pushClient, areBrowserKeys } from '#server/following/push.ts'
import { newsService } from '#server/following/news.service.ts'
import { entry } from '#tests/support/builders.ts'
import {
  ask,
  ASSET,
  count,
  DAY_MS,
  deliverNews,
  follow,
  sharedFollowed,
  post,
  publish,
  subjects,
  TABLES,
  tokenIn,
  MESSAGES,
} from '#tests/support/follow-world.ts'
import { sharedMailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { sharedByFile } from '#tests/support/once-for-file.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { pushService } from '#tests/support/stand-ins/push-service.ts'

const MINUTE_MS = 60_000

const sink = sharedMailSink()
const world = sharedFollowed(sink)
const service = sharedByFile(
  () => pushService(() => world.following.kit.pushes.publicKey ?? ''),
  async ({ clear }) => clear(),
)

// Responses of mail servers are tested in `mail.test.ts`, retries by the outbox's own tests.
it('a mail that may have arrived waits for a person, who has it sent again; news in between goes out as one mail', async () => {
  const token = await follow(world, sink)
  sink.behaviour.after = 'dies'
  await publish(world, 'c')
  sink.behaviour.after = 'answers'
  for (const id of ['d', 'e', 'f']) {
    world.clock.ms += MINUTE_MS
    await publish(world, id)
  }
  const nextDay = async (): Promise<void> => {
    world.clock.ms += DAY_MS
    await deliverNews(world)
    await deliverNews(world)
  }
  await nextDay()
  await nextDay()
  const [first, second] = await sink.mails()
  expect(second?.subject).toBe('3 updates on what you follow at Proof of Price')
  const copies = async () =>
    (await sink.mails()).filter(({ messageId }) => messageId === first?.messageId).length
  expect(await copies()).toBe(1)
  expect(await count(world, `${MESSAGES} and state = 'unknown'`)).toBe(1)
  const jobs = async (method: 'GET' | 'POST', path = '', body?: object) =>
    (await signedIn(world)).call(method, `/api/v1/admin/jobs${path}`, body)
  const list = async () => listJobs.reply.parse((await jobs('GET')).body).failed
  const [doubt] = await list()
  expect(doubt).toMatchObject({
    kind: 'follow-news',
    title: 'News for followers',
    key: 'email',
    state: 'unknown',
    reason: 'The mail server did not say whether it took the mail.',
  })
  expect((await jobs('POST', `/${doubt?.id ?? ''}/retry`, { state: 'unknown' })).status).toBe(200)
  await nextDay()
  expect(await list()).toEqual([])
  expect(await copies()).toBe(2)
  expect((await post(world, `/api/v1/following/${token}/end`)).status).toBe(200)
})

describe('an address', () => {
  it('leaves nothing behind when deleted, nor when it never confirmed', async () => {
    const token = await follow(world, sink)
    await ask(world, { kind: 'person', subject: 'expert-a' })
    await ask(world, { kind: 'prediction', subject: 'a' })
    expect((await post(world, `/api/v1/following/${token}/end`)).status).toBe(200)
    for (const table of TABLES) expect([table, await count(world, table)]).toEqual([table, 0])
    const { rows } = await world.database.pool.query<{ found: string }>(
      `select query_to_xml('select * from ' || quote_ident(table_name), true, false, '')::text as found
       from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter(({ found }) => found.includes('reader@example'))).toEqual([])
  })

  it('can be removed by the link in the first mail as long as it follows', async () => {
    await ask(world)
    await deliverNews(world)
    const token = await tokenIn(sink)
    await post(world, `/api/v1/following/${token}/confirm`)
    world.clock.ms += 8 * DAY_MS
    await deliverNews(world)
    expect((await world.get(`/api/v1/following/${token}`)).body).toMatchObject({ confirmed: true })
    expect((await post(world, `/api/v1/following/${token}/refuse`)).status).toBe(200)
    for (const table of TABLES) expect([table, await count(world, table)]).toEqual([table, 0])
  })

  it("cannot be changed by other people's links", async () => {
    await follow(world, sink)
    const other = await follow(world, sink, { email: 'other@example.org' })
    expect((await post(world, `/api/v1/following/${other}/unfollow`, ASSET)).body).toEqual({
      left: 0,
    })
    expect((await post(world, `/api/v1/following/${'x'.repeat(32)}/unfollow`, ASSET)).status).toBe(
      404,
    )
    await post(world, `/api/v1/following/${other}/end`)
    expect(await count(world, 'follows')).toBe(1)
    await publish(world, 'c')
    expect(sink.recipients).toEqual(['reader@example.org'])
  })
})

describe('a followed item', () => {
  it('gets links that work after the secret of tokens was replaced', async () => {
    await follow(world, sink)
    await world.database.pool.query(`update followers set token_hash = 'of the former secret'`)
    await publish(world, 'c')
    const { status } = await world.get(`/api/v1/following/${await tokenIn(sink)}`)
    expect(status).toBe(200)
  })

  it('sends nothing once it is unfollowed, not even queued news', async () => {
    const token = await follow(world, sink, { every: 'week' })
    const url = `/api/v1/following/${token}`
    await post(world, `${url}/follow`, { kind: 'prediction', subject: 'a' })
    await publish(world, 'c')
    await world.database.pool.query(
      `insert into prediction_events (prediction_id, kind, text) values ('a', 'withdrawn', 'Withdrawn.')`,
    )
    await world.refresh()
    await deliverNews(world)
    expect(await count(world, 'follow_news')).toBe(2)
    await post(world, `${url}/unfollow`, ASSET)
    expect(await count(world, `follow_news where prediction_id = 'a'`)).toBe(1)
    expect(await count(world, 'follow_news')).toBe(1)
  })

  it('is one person after two were merged', async () => {
    const person = { kind: 'person', subject: 'expert-a' }
    const token = await follow(world, sink, person)
    await world.database.pool.query(
      `with made as (insert into influencers (name, slug) values ('The Same', 'the-same') returning id),
         moved as (update predictions set influencer_id = (select id from made))
       update influencers set merged_into = (select id from made) where slug = 'expert-a'`,
    )
    await world.refresh()
    const url = `/api/v1/following/${token}`
    await post(world, `${url}/follow`, { kind: 'person', subject: 'the-same' })
    expect(await count(world, 'follows')).toBe(2)
    const { body } = await world.get(url)
    expect(body).toMatchObject({
      follows: [{ kind: 'person', title: 'The Same', path: '/experts/the-same' }],
    })
    const [one] = (body as { follows: { kind: string; subject: string }[] }).follows
    const { kind, subject } = one ?? { kind: '', subject: '' }
    expect((await post(world, `${url}/unfollow`, { kind, subject })).body).toEqual({ left: 0 })
  })

  it('sends nothing from before, even if read later', async () => {
    await ask(world)
    await deliverNews(world)
    await world.imports.predictions(JSON.stringify([entry('c')]))
    world.clock.ms += 3 * DAY_MS
    await world.refresh()
    await post(world, `/api/v1/following/${await tokenIn(sink)}/confirm`)
    await deliverNews(world)
    expect(await count(world, 'follows')).toBe(1)
    expect(await count(world, 'follow_news')).toBe(0)
    await publish(world, 'd')
    expect(await count(world, 'follow_news')).toBe(1)
  })
})

describe('browsers', () => {
  const inBrowser = (overrides: object, of = ASSET) =>
    post(world, '/api/v1/follow/browser', { ...of, ...overrides })

  it('with a new push address are notified there', async () => {
    const [before, subscription, other] = [
      await service.subscribe(),
      await service.subscribe(),
      await service.subscribe(),
    ]
    await inBrowser({ subscription: before, wants: 'follow' })
    const renew = (overrides: object) => post(world, '/api/v1/follow/browser/renew', overrides)
    const stolen = { ...before, keys: other.keys }
    expect((await renew({ before: stolen, subscription })).body).toEqual({ follows: false })
    expect((await renew({ before: other, subscription })).body).toEqual({ follows: false })
    expect((await renew({ before, subscription })).body).toEqual({ follows: true })
    const look = (overrides: object) => inBrowser({ subscription: overrides, wants: 'look' })
    expect((await look(before)).body).toEqual({ follows: false })
    expect((await look(subscription)).body).toEqual({ follows: true })
    await publish(world, 'c')
    expect(service.notes).toHaveLength(1)
    // A follower of the target keeps both.
    const one = { kind: 'prediction', subject: 'a' }
    await inBrowser({ subscription: other, wants: 'follow' }, one)
    expect((await renew({ before: subscription, subscription: other })).body).toEqual({
      follows: true,
    })
    expect([await count(world, 'followers'), await count(world, 'follows')]).toEqual([1, 2])
  })

  it('get a message that may have arrived no second time, and one that was not sent later', async () => {
    await inBrowser({ subscription: await service.subscribe(), wants: 'follow' })
    service.behaviour.silent = true
    await publish(world, 'c')
    service.behaviour.silent = false
    world.clock.ms += DAY_MS
    await deliverNews(world)
    expect([service.asked(), service.notes]).toEqual([1, []])
    expect(await count(world, `${MESSAGES} and state = 'unknown'`)).toBe(1)
    // Nothing listens there.
    const away = { ...(await service.subscribe()), endpoint: 'http://127.0.0.1:9/push' }
    await inBrowser({ subscription: away, wants: 'follow' }, { kind: 'prediction', subject: 'a' })
    await publish(world, 'd')
    expect(await count(world, `${MESSAGES} and state = 'waiting'`)).toBe(0)
    await world.database.pool.query(
      `insert into prediction_events (prediction_id, kind, text) values ('a', 'withdrawn', 'Withdrawn.')`,
    )
    await world.refresh()
    await deliverNews(world)
    expect(await count(world, `${MESSAGES} and state = 'waiting' and asked_at is null`)).toBe(1)
  })

  it('stay subscribed after errors that may be our fault', async () => {
    await inBrowser({ subscription: await service.subscribe(), wants: 'follow' })
    service.behaviour.status = 403
    await publish(world, 'c')
    expect([service.asked(), await count(world, 'followers')]).toEqual([1, 1])
  })

  it('are accepted twenty times an hour per network, and cannot make the site call hosts without limit', async () => {
    // One pair of keys serves all: generating them takes longest.
    const keyed = await service.subscribe()
    const follows = async (endpoint: string, from?: string) => {
      const input = { ...ASSET, subscription: { ...keyed, endpoint }, wants: 'follow' }
      return (await post(world, '/api/v1/follow/browser', input, from)).status
    }
    const taken = async (networks: readonly string[]) => {
      const statuses = []
      for (const [n, from] of networks.entries())
        statuses.push(await follows(`https://victim.example/hook/${from}/${String(n)}`, from))
      return statuses.filter((status) => status === 200).length
    }
    expect(await taken(Array.from({ length: 22 }, () => '2001:db8:8::1'))).toBe(20)
    const near = Array.from({ length: 22 }, (_, n) => `2001:db8:8:${String(n + 1)}::1`)
    expect(await taken(near)).toBe(20)
    // However many prefixes: fifty for an unknown push host, which does not block known ones.
    expect(await taken(Array.from({ length: 12 }, (_, n) => `203.0.${String(n)}.1`))).toBe(10)
    expect(await follows('https://fcm.googleapis.com/fcm/send/x', '203.0.99.1')).toBe(200)
  })

  it('are called only at public hosts', async () => {
    const call = pushClient().post(
      new URL('https://push.example.org:8443/1'),
      {},
      new Uint8Array(),
      AbortSignal.timeout(60_000),
    )
    await expect(call).rejects.toMatchObject({ fault: 'refused' })
  })

  it('have keys that can be encrypted for', () => {
    const auth = 'BTBZMqHH6r4Tts7J_aSIgg'
    const whole =
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
    expect(areBrowserKeys({ p256dh: whole, auth })).toBe(true)
    // The same point in compressed form.
    expect(areBrowserKeys({ p256dh: 'AiVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx', auth })).toBe(
      false,
    )
  })
})

it('news for many followers is written in batches, and a process stopped between two loses nothing', async () => {
  await follow(world, sink)
  await world.imports.predictions(JSON.stringify(['c', 'd', 'e'].map((id) => entry(id))))
  await world.refresh()
  const fewAtOnce = newsService(world.following.kit, 0, 1)
  let written = 0
  await fewAtOnce.write(() => {
    written += 1
    return written > 1
  })
  expect(await count(world, 'follow_news')).toBe(1)
  await fewAtOnce.write()
  await fewAtOnce.write()
  expect(await count(world, 'follow_news')).toBe(3)
  await deliverNews(world)
  expect(await subjects(sink)).toEqual(['3 updates on what you follow at Proof of Price'])
})
