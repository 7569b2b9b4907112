import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { smtpMailer } from '#server/submissions/mail-smtp.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { mailSink, type MailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2024-01-01T12:00:00Z')

type World = TestApp & { readonly clock: { ms: number } }

/** A site with a mail server, where what happens is news at once; nothing runs by itself. */
async function followed(sink: MailSink | null): Promise<World> {
  const clock = { ms: NOON, now: () => clock.ms }
  const world = await testApp({
    clock,
    ports: {
      mailer: sink && smtpMailer({ url: sink.url, from: 'Proof of Price <news@site.org>' }),
    },
    options: { following: { settledMs: 0 } },
  })
  await world.imports.prices('btc', closesFile('2023-12-20', Array(12).fill(100)), 'mine')
  await world.imports.predictions(JSON.stringify([entry('a'), entry('b')]))
  await world.refresh()
  await world.following.round()
  return Object.assign(world, { clock })
}

async function post(
  { app }: World,
  url: string,
  payload: object = {},
  remoteAddress = '203.0.113.9',
): Promise<{ status: number; body: unknown }> {
  const answer = await app.inject({ method: 'POST', url, payload, remoteAddress })
  return { status: answer.statusCode, body: answer.json() }
}

const TABLES = ['followers', 'follows', 'follow_questions', 'follow_news', 'follow_messages']
const ASSET = { kind: 'asset', subject: 'btc' }
const EMAIL = 'reader@example.org'

function ask(world: World, given: object = {}, from?: string) {
  return post(world, '/api/v1/follow', { ...ASSET, email: EMAIL, every: 'now', ...given }, from)
}

/** The token in the link of the last mail. */
async function tokenIn(sink: MailSink): Promise<string> {
  const text = (await sink.mails()).at(-1)?.text ?? ''
  return /\/following\/([\w-]+)/.exec(text)?.[1] ?? ''
}

/** Follows, and confirms by the link of the mail. @returns the token that manages it */
async function follow(world: World, sink: MailSink, given: object = {}): Promise<string> {
  expect(await ask(world, given)).toMatchObject({ status: 200 })
  await world.following.round()
  const url = `/api/v1/following/${await tokenIn(sink)}/confirm`
  const { body } = await post(world, url)
  sink.clear()
  return z.object({ token: z.string() }).parse(body).token
}

async function subjects(sink: MailSink): Promise<(string | undefined)[]> {
  return (await sink.mails()).map(({ subject }) => subject)
}

async function count(world: World, table: string): Promise<number> {
  const { rows } = await world.database.pool.query<{ n: number }>(
    `select count(*)::int as n from ${table}`,
  )
  return rows[0]?.n ?? 0
}

describe('following by e-mail', () => {
  it('begins with a press on the page of a mail, and brings each call, verdict and deadline once', async () => {
    await using sink = await mailSink()
    await using world = await followed(sink)
    await ask(world)
    await world.following.round()
    expect(await subjects(sink)).toEqual(['Please confirm that you want news from Proof of Price'])
    const token = await tokenIn(sink)
    // Reading the page, as programs do that open links, confirms nothing.
    expect((await world.get(`/api/v1/following/${token}`)).body).toMatchObject({
      confirmed: false,
      shown: 'r…@example.org',
      follows: [{ kind: 'asset', subject: 'btc', title: 'Bitcoin', path: '/btc' }],
    })
    expect(await count(world, 'followers')).toBe(0)
    const confirmed = await post(world, `/api/v1/following/${token}/confirm`)
    expect(confirmed.body).toMatchObject({ shown: 'r…@example.org', title: 'Bitcoin' })
    expect((await post(world, `/api/v1/following/${token}/confirm`)).body).toEqual(confirmed.body)
    sink.clear()
    await world.following.round()
    // What is on record before is no news.
    expect(await subjects(sink)).toEqual([])

    await world.imports.predictions(JSON.stringify([entry('c')]))
    await world.refresh()
    await world.following.round()
    await world.following.round()
    expect(await subjects(sink)).toEqual(['New call: Expert A: Bitcoin at $150 by 10/01/2024'])
    const [mail] = await sink.mails()
    expect(mail?.text).toContain('http://localhost:3001/predictions/c')
    sink.clear()

    // A week before their deadlines, together.
    world.clock.ms += 2 * DAY_MS
    await world.refresh()
    await world.following.round()
    await world.following.round()
    expect(await subjects(sink)).toEqual(['3 updates on what you follow at Proof of Price'])
    expect((await sink.mails())[0]?.text).toContain('Deadline in 7 days: Expert A: Bitcoin at $150')
    sink.clear()

    world.clock.ms += DAY_MS
    const closes = [...Array<number>(13).fill(100), 135, 160]
    await world.imports.prices('btc', closesFile('2023-12-20', closes), 'mine')
    await world.refresh()
    await world.following.round()
    await world.following.round()
    const [decided] = await sink.mails()
    expect(decided?.subject).toBe('3 updates on what you follow at Proof of Price')
    expect(decided?.text).toContain('SUCCESS: Expert A: Bitcoin at $150')
    expect(decided?.html).toContain('http://localhost:3001/predictions/a/picture.png?v=hit')
    expect(sink.recipients).toHaveLength(1)
  })

  it('ends by one click of a mail program, and nothing of the address is left', async () => {
    await using sink = await mailSink()
    await using world = await followed(sink)
    const token = await follow(world, sink)
    await world.imports.predictions(JSON.stringify([entry('c')]))
    await world.refresh()
    await world.following.round()
    const [mail] = await sink.mails()
    const header = (key: string) => mail?.headers.find((one) => one.key === key)?.value ?? ''
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = new URL(header('list-unsubscribe').slice(1, -1)).pathname
    for (const _ of [1, 2]) {
      const answer = await world.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
      expect([answer.statusCode, answer.json()]).toEqual([200, { deleted: true }])
    }
    for (const table of TABLES) expect([table, await count(world, table)]).toEqual([table, 0])
    expect((await world.get(`/api/v1/following/${token}`)).status).toBe(404)
  })
})
