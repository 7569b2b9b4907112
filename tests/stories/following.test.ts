import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listJobs } from '#contracts/operations.ts'
import { addDays, day } from '#domain/day.ts'
import { endBounced } from '#server/following/bounced.commands.ts'
import { NEWS, QUESTIONS } from '#server/following/followers.store.ts'
import { itemOfDeadline } from '#server/following/news-text.ts'
import { newsService } from '#server/following/news.service.ts'
import { pushClient, areBrowserKeys } from '#server/following/push.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { closesFile, entry, target } from '#tests/support/builders.ts'
import { closes, predicted } from '#tests/support/charts.ts'
import { sharedByFile, shareByFile } from '#tests/support/once-for-file.ts'
import { count } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import {
  sharedMailSink,
  unsubscribePath,
  type MailSink,
} from '#tests/support/stand-ins/mail-sink.ts'
import { pushService } from '#tests/support/stand-ins/push-service.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { patiently } from '#tests/support/waiting.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const NOON = Date.parse('2024-01-01T12:00:00Z')

type World = TestApp & { readonly clock: { ms: number } }

/** Writes news, and sends what is due. */
async function deliverNews({ following, outbox }: TestApp): Promise<void> {
  await following.write(patiently())
  for (const kind of [QUESTIONS, NEWS]) await outbox.deliver(kind)
}

/** A site with a mail server, where events are news at once and jobs only run on request. */
async function followed(sink: MailSink | null): Promise<World> {
  const clock = { ms: NOON, now: () => clock.ms }
  const world = await testApp({
    clock,
    ports: {
      mailer: sink && smtpMailer({ url: sink.url, from: 'Proof of Price <news@site.org>' }),
      // The stand-in listens on this machine, without https.
      pushClient: pushClient({ isAllowed: () => true }, 1_000),
    },
    options: { following: { settledMs: 0 } },
  })
  await world.imports.prices('btc', closesFile('2023-12-20', Array(12).fill(100)), 'mine')
  await world.publish(entry('a'), entry('b'))
  await deliverNews(world)
  return Object.assign(world, { clock })
}

/** Network shared by the visitors of a test. */
let network = 0

async function post(
  { app }: World,
  url: string,
  payload: object = {},
  remoteAddress = `10.9.${String(network & 255)}.1`,
) {
  const answer = await app.inject({ method: 'POST', url, payload, remoteAddress })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}

const MESSAGES = `outbox where kind = 'follow-news'`
const TABLES = ['followers', 'follows', 'follow_questions', 'follow_news', MESSAGES]
const ASSET = { kind: 'asset', subject: 'btc' }
const EMAIL = 'reader@example.org'

function ask(world: World, overrides: object = {}, from?: string) {
  return post(world, '/api/v1/follow', { ...ASSET, email: EMAIL, every: 'now', ...overrides }, from)
}

/** The token in the link of the last mail. */
async function tokenIn(sink: MailSink): Promise<string> {
  const text = (await sink.mails()).at(-1)?.text ?? ''
  return /\/following\/([\w-]+)/.exec(text)?.[1] ?? ''
}

/** Follows, and confirms by the link of the mail. @returns the management token */
async function follow(world: World, sink: MailSink, overrides: object = {}): Promise<string> {
  expect(await ask(world, overrides)).toMatchObject({ status: 200 })
  await deliverNews(world)
  const url = `/api/v1/following/${await tokenIn(sink)}/confirm`
  const { body } = await post(world, url)
  sink.clear()
  return z.object({ token: z.string() }).parse(body).token
}

async function subjects(sink: MailSink): Promise<(string | undefined)[]> {
  return (await sink.mails()).map(({ subject }) => subject)
}

async function publish(world: World, id: string, overrides: Record<string, unknown> = {}) {
  await world.publish(entry(id, overrides))
  await deliverNews(world)
}

const sink = sharedMailSink()
/** Each test begins with the two predictions, at noon. */
const world = shareByFile(
  () => followed(sink),
  (site) => site,
  ({ clock }) => {
    network += 1
    clock.ms = NOON
  },
)
const service = sharedByFile(
  () => pushService(() => world.following.kit.pushes.publicKey ?? ''),
  async ({ clear }) => clear(),
)

function inBrowser(
  subscription: object,
  wants: 'look' | 'follow' | 'unfollow',
  to: object = ASSET,
) {
  return post(world, '/api/v1/follow/browser', { ...to, subscription, wants })
}

describe('following by email', () => {
  it('ends by one click in a mail program, which deletes the address', async () => {
    const token = await follow(world, sink)
    await publish(world, 'c')
    const [mail] = await sink.mails()
    const post = mail?.headers.find(({ key }) => key === 'list-unsubscribe-post')
    expect(post?.value).toBe('List-Unsubscribe=One-Click')
    const url = unsubscribePath(mail)
    const forms = [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
      ['text/plain', 'anything'],
    ] as const
    for (const [type, payload] of forms) {
      const headers = { 'content-type': type }
      const answer = await world.app.inject({ method: 'POST', url, headers, payload })
      expect([answer.statusCode, answer.json()]).toEqual([200, { deleted: true }])
    }
    for (const table of TABLES) expect([table, await count(world, table)]).toEqual([table, 0])
    expect((await world.get(`/api/v1/following/${token}`)).status).toBe(404)
  })
})

describe('a news mail', () => {
  it('has no deadline of a call that is decided', () => {
    const by = day('2026-12-01')
    const titles = [150, 118].map((usd) => {
      const one = predicted(target(usd), closes('2024-01-01', 100, 110, 120), { by })
      return itemOfDeadline(one, addDays(by, -1))?.title
    })
    expect(titles).toEqual([expect.stringMatching(/^Deadline tomorrow: /), undefined])
  })

  it('is one mail for a change of many predictions', async () => {
    await follow(world, sink)
    const many = Array.from({ length: 51 }, (_, i) => entry(`many-${String(i)}`))
    await world.publish(...many)
    await deliverNews(world)
    await deliverNews(world)
    expect(await subjects(sink)).toEqual(['51 updates on what you follow at Proof of Price'])
    expect((await sink.mails())[0]?.text).toContain('And 1 more')
  })

  it('limits confirmations per mailbox and network, and drops unconfirmed requests', async () => {
    const statuses = async (asks: readonly (readonly [string, string])[]) => {
      const found = []
      for (const [email, from] of asks) found.push((await ask(world, { email }, from)).status)
      return found
    }
    // All of these are one mailbox.
    const one = Array.from({ length: 6 }, (_, i) => {
      const email = `R.eader+${String(i)}@${i % 2 ? 'gmail' : 'googlemail'}.com`
      return [email, `198.51.100.${String(i)}`] as const
    })
    // The sixth gets the same reply, but no mail is sent.
    expect(await statuses(one)).toEqual([200, 200, 200, 200, 200, 200])
    const many = Array.from({ length: 12 }, (_, i) => `r${String(i)}@example.org`)
    expect((await statuses(many.map((email) => [email, '2001:db8::1']))).slice(9)).toEqual([
      200, 429, 429,
    ])
    expect(await count(world, 'follow_questions')).toBe(15)
    world.clock.ms += 8 * DAY_MS
    await deliverNews(world)
    expect(await count(world, 'follow_questions')).toBe(0)
  })

  it('ends the subscription of an address that the mail server rejects', async () => {
    await follow(world, sink)
    sink.behaviour.refuseWith = 550
    await publish(world, 'c')
    expect(await count(world, 'followers')).toBe(0)
  })
})

describe('a bounced mail', () => {
  const bounce = (messageId: string, status = '5.1.1') =>
    [
      'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
      '',
      '--x',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mail.example.org',
      '',
      'Final-Recipient: rfc822; reader@example.org',
      `Action: ${status.startsWith('5') ? 'failed' : 'delayed'}`,
      `Status: ${status}`,
      '',
      '--x',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${messageId}`,
      '',
      '--x--',
    ].join('\r\n')

  it('ends its subscription by its unguessable Message-ID', async () => {
    await follow(world, sink)
    await publish(world, 'c')
    const id = (await sink.mails())[0]?.messageId ?? ''
    const { db } = world.database
    for (const text of [
      bounce(id, '4.4.1'),
      bounce(id, '5.7.1'),
      bounce(`<follow-${'-'.repeat(36)}@localhost>`),
      bounce('<follow-00000000-0000-4000-8000-000000000000@localhost>'),
      bounce(id.replace(/[\w-]{32}@/, `${'a'.repeat(32)}@`)),
      `${id} Action: failed`,
    ]) {
      expect(await endBounced(db, text)).toMatch(/^No subscription was ended/)
    }
    expect(await count(world, 'followers')).toBe(1)
    expect(await endBounced(db, bounce(id))).toMatch(/has ended/)
    expect(await count(world, 'followers')).toBe(0)
  })
})

describe('following in a browser', () => {
  it('tells the page its push key, and that there is no mail', async () => {
    await using world = await followed(null)
    const { body } = await world.get('/api/v1/follow?kind=asset&subject=btc')
    expect(body).toMatchObject({ push: world.following.kit.pushes.publicKey, mail: false })
  })

  it('a browser gets what it follows, encrypted and signed, until it unfollows', async () => {
    const subscription = await service.subscribe()
    expect((await inBrowser(subscription, 'look')).body).toEqual({ follows: false })
    expect((await inBrowser(subscription, 'follow')).body).toEqual({ follows: true })
    expect((await inBrowser(subscription, 'look')).body).toEqual({ follows: true })
    await publish(world, 'c')
    expect(service.notes).toEqual([
      {
        note: {
          title: 'New call: Expert A: Bitcoin at $150 by 10/01/2024',
          body: expect.stringContaining('Hit if BTC trades'),
          path: '/predictions/c',
          tag: 'news-1',
        },
        topic: 'news-1',
        ttl: '259200',
      },
    ])
    // Knowing only the browser's address is not enough.
    const other = await service.subscribe()
    const stolen = { ...subscription, keys: other.keys }
    expect((await inBrowser(stolen, 'unfollow')).body).toEqual({ follows: false })
    expect((await inBrowser(stolen, 'look')).body).toEqual({ follows: false })
    expect(await count(world, 'followers')).toBe(1)
    expect((await inBrowser(subscription, 'unfollow')).body).toEqual({ follows: false })
    expect(await count(world, 'followers')).toBe(0)
  })

  it('rejects an unusable subscription with a message', async () => {
    const subscription = { ...(await service.subscribe()), keys: { p256dh: 'AAAA', auth: 'AAAA' } }
    expect(await inBrowser(subscription, 'follow')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('push subscription of this browser cannot be used') },
    })
  })

  it.each([404, 410])('a subscription ends if the push service answers %i', async (status) => {
    await inBrowser(await service.subscribe(), 'follow')
    service.behaviour.status = status
    await publish(world, 'c')
    expect(await count(world, 'followers')).toBe(0)
  })

  it('a push service is not called during its requested pause; a subscription that accepted nothing for days ends', async () => {
    await inBrowser(await service.subscribe(), 'follow')
    Object.assign(service.behaviour, { status: 429, retryAfter: '600' })
    await publish(world, 'c')
    world.clock.ms += 599_000
    await deliverNews(world)
    expect([service.asked(), await count(world, 'followers')]).toEqual([1, 1])
    await world.sql(`update outbox set tries = 6 where kind = 'follow-news'`)
    world.clock.ms += 2_000
    await deliverNews(world)
    expect([service.asked(), await count(world, 'followers')]).toEqual([2, 0])
  })
})

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
  const list = async () => (await (await signedIn(world)).read(listJobs)).failed
  const [doubt] = await list()
  expect(doubt).toMatchObject({
    kind: 'follow-news',
    title: 'News for followers',
    key: 'email',
    state: 'unknown',
    reason: 'The mail server did not say whether it accepted the mail.',
  })
  const retry = `/api/v1/admin/jobs/${doubt?.id ?? ''}/retry`
  const answer = await (await signedIn(world)).call('POST', retry, { state: 'unknown' })
  expect(answer.status).toBe(200)
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
    const rows = await world.sql(
      `select query_to_xml('select * from ' || quote_ident(table_name), true, false, '')::text as found
       from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter(({ found }) => found.includes('reader@example'))).toEqual([])
  })
})

describe('browsers', () => {
  it('with a new push address are notified there', async () => {
    const ask = () => service.subscribe()
    const [before, subscription, other] = [await ask(), await ask(), await ask()]
    await inBrowser(before, 'follow')
    const renew = (overrides: object) => post(world, '/api/v1/follow/browser/renew', overrides)
    const stolen = { ...before, keys: other.keys }
    expect((await renew({ before: stolen, subscription })).body).toEqual({ follows: false })
    expect((await renew({ before: other, subscription })).body).toEqual({ follows: false })
    expect((await renew({ before, subscription: before })).body).toEqual({ follows: true })
    expect((await renew({ before, subscription })).body).toEqual({ follows: true })
    expect((await inBrowser(before, 'look')).body).toEqual({ follows: false })
    expect((await inBrowser(subscription, 'look')).body).toEqual({ follows: true })
    await publish(world, 'c')
    expect(service.notes).toHaveLength(1)
    // A follower of the target keeps both.
    const one = { kind: 'prediction', subject: 'a' }
    await inBrowser(other, 'follow', one)
    const replaced = await renew({ before: subscription, subscription: other })
    expect(replaced.body).toEqual({ follows: true })
    expect([await count(world, 'followers'), await count(world, 'follows')]).toEqual([1, 2])
  })

  it('never get a message twice that may have arrived, but later get one that was not sent', async () => {
    await inBrowser(await service.subscribe(), 'follow')
    service.behaviour.silent = true
    await publish(world, 'c')
    service.behaviour.silent = false
    world.clock.ms += DAY_MS
    await deliverNews(world)
    expect([service.asked(), service.notes]).toEqual([1, []])
    expect(await count(world, `${MESSAGES} and state = 'unknown'`)).toBe(1)
    // Nothing listens there.
    const away = { ...(await service.subscribe()), endpoint: 'http://127.0.0.1:9/push' }
    await inBrowser(away, 'follow', { kind: 'prediction', subject: 'a' })
    await publish(world, 'd')
    expect(await count(world, `${MESSAGES} and state = 'waiting'`)).toBe(0)
    await world.sql(
      `insert into prediction_events (prediction_id, kind, text) values ('a', 'withdrawn', 'Withdrawn.')`,
    )
    await world.refresh()
    await deliverNews(world)
    expect(await count(world, `${MESSAGES} and state = 'waiting' and asked_at is null`)).toBe(1)
  })

  it('stay subscribed after errors that may be our fault', async () => {
    await inBrowser(await service.subscribe(), 'follow')
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
    const url = new URL('https://push.example.org:8443/1')
    const call = pushClient().post(url, {}, new Uint8Array(), patiently())
    await expect(call).rejects.toMatchObject({ fault: 'refused' })
  })

  it('have keys that can be encrypted for', () => {
    const auth = 'BTBZMqHH6r4Tts7J_aSIgg'
    const whole =
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
    expect(areBrowserKeys({ p256dh: whole, auth })).toBe(true)
    // The same point in compressed form.
    const p256dh = 'AiVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx'
    expect(areBrowserKeys({ p256dh, auth })).toBe(false)
  })
})

it('news for many followers is written in batches, and a process stopped between two loses nothing', async () => {
  await follow(world, sink)
  await world.publish(...['c', 'd', 'e'].map((id) => entry(id)))
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
