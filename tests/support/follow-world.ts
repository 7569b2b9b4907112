import { expect } from 'vitest'
import { z } from 'zod'
import { NEWS, QUESTIONS } from '#server/following/followers.store.ts'
import { pushClient } from '#server/following/push.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { closesFile, entry } from './builders.ts'
import { shareByFile } from './once-for-file.ts'
import { type MailSink } from './stand-ins/mail-sink.ts'
import { testApp, type TestApp } from './test-app.ts'
import { patiently } from './waiting.ts'

export const DAY_MS = 86_400_000
const NOON = Date.parse('2024-01-01T12:00:00Z')

export type World = TestApp & { readonly clock: { ms: number } }

/** Writes news, and sends what is due. */
export async function deliverNews({ following, outbox }: TestApp): Promise<void> {
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
  await world.imports.predictions(JSON.stringify([entry('a'), entry('b')]))
  await world.refresh()
  await deliverNews(world)
  return Object.assign(world, { clock })
}

/** The same for all tests of a file or `describe`: each begins with the two predictions, at noon. */
export function sharedFollowed(sink: MailSink | null): World {
  return shareByFile(
    () => followed(sink),
    (world) => world,
    (world) => {
      network += 1
      world.clock.ms = NOON
    },
  )
}

/** Network shared by the visitors of a test. */
let network = 0

export async function post(
  { app }: World,
  url: string,
  payload: object = {},
  remoteAddress = `10.9.${String(network & 255)}.1`,
): Promise<{ status: number; body: unknown }> {
  const answer = await app.inject({ method: 'POST', url, payload, remoteAddress })
  return { status: answer.statusCode, body: answer.json() }
}

export const MESSAGES = `outbox where kind = 'follow-news'`
export const TABLES = ['followers', 'follows', 'follow_questions', 'follow_news', MESSAGES]
export const ASSET = { kind: 'asset', subject: 'btc' }
const EMAIL = 'reader@example.org'

export function ask(world: World, overrides: object = {}, from?: string) {
  return post(world, '/api/v1/follow', { ...ASSET, email: EMAIL, every: 'now', ...overrides }, from)
}

/** The token in the link of the last mail. */
export async function tokenIn(sink: MailSink): Promise<string> {
  const text = (await sink.mails()).at(-1)?.text ?? ''
  return /\/following\/([\w-]+)/.exec(text)?.[1] ?? ''
}

/** Follows, and confirms by the link of the mail. @returns the management token */
export async function follow(
  world: World,
  sink: MailSink,
  overrides: object = {},
): Promise<string> {
  expect(await ask(world, overrides)).toMatchObject({ status: 200 })
  await deliverNews(world)
  const url = `/api/v1/following/${await tokenIn(sink)}/confirm`
  const { body } = await post(world, url)
  sink.clear()
  return z.object({ token: z.string() }).parse(body).token
}

export async function subjects(sink: MailSink): Promise<(string | undefined)[]> {
  return (await sink.mails()).map(({ subject }) => subject)
}

export async function count(world: World, table: string): Promise<number> {
  const { rows } = await world.database.pool.query<{ n: number }>(
    `select count(*)::int as n from ${table}`,
  )
  return rows[0]?.n ?? 0
}

export async function publish(world: World, id: string, overrides: object = {}): Promise<void> {
  await world.imports.predictions(JSON.stringify([entry(id, { ...overrides })]))
  await world.refresh()
  await deliverNews(world)
}
