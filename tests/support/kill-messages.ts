import { addAdmin } from '#server/admins/admins.store.ts'
import { followers, follows } from '#server/database/schema/following.ts'
import { pushKeys } from '#server/following/push.ts'
import { type importService } from '#server/predictions/imports.service.ts'
import { recordFact } from '#server/kit/facts.ts'
import { addPost } from '#server/publishing/posts.store.ts'
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { entry } from './builders.ts'
import type { KillOwner } from './site-kill-owner.ts'
import { mailSink } from './stand-ins/mail-sink.ts'
import { moodyRelay } from './stand-ins/moody-relay.ts'
import { pds } from './stand-ins/pds.ts'
import { pushService } from './stand-ins/push-service.ts'
import { xServer } from './stand-ins/x-server.ts'
import { type TestDatabase } from './test-app.ts'
import { until } from './waiting.ts'

const POSTS_A_ROUND = 4
const FOLLOWERS_A_ROUND = 4
const LEASE_MS = 1_500
const ANSWER_MS = 60

/** Posts, news and relay events sent by sites while they are killed. */
export async function killMessages(
  { pool, db }: TestDatabase,
  imports: Pick<ReturnType<typeof importService>, 'predictions'>,
  secret: string,
) {
  const relay = await moodyRelay()
  const mails = await mailSink()
  const x = await xServer()
  const bluesky = await pds()
  const { publicKey } = await pushKeys(db)
  const pushes = await pushService(() => publicKey)
  x.pause.answerMs = ANSWER_MS
  Object.assign(x.limits, { limit: 1_000_000, remaining: 1_000_000 })
  bluesky.pause.answerMs = ANSWER_MS
  const at = new Date().toISOString()
  const admin = { username: 'Admin A', role: 'administrator', passwordHash: 'none' } as const
  const createdBy = await addAdmin(db, { ...admin, fromEnvironment: false, createdAt: at })
  // Everything published from here on is news.
  await recordFact(db, 'follow news through event', '0')
  let planned = 0

  const rowsOf = async (query: string): Promise<Record<string, string>[]> =>
    (await pool.query<Record<string, string>>(query)).rows
  const count = async (what: string): Promise<number> =>
    (await rowsOf(`select 1 from ${what}`)).length
  /** Waits until none of these rows are left, as long as they become fewer. */
  async function ended(what: string): Promise<void> {
    for (let left = await count(what); left > 0; left = await count(what))
      await until(async () => (await count(what)) < left)
  }

  async function follower(channel: 'email' | 'push'): Promise<void> {
    const [id, browser] = [randomUUID(), channel === 'push' ? await pushes.subscribe() : null]
    await db.insert(followers).values({
      id,
      channel,
      address: browser?.endpoint ?? `${id}@example.org`,
      addressHash: id,
      tokenHash: id,
      every: 'now',
      pushKey: browser?.keys.p256dh ?? null,
      pushAuth: browser?.keys.auth ?? null,
      nextAt: at,
      createdAt: at,
    })
    const about = { kind: 'asset', subject: 'btc' } as const
    await db
      .insert(follows)
      .values({ followerId: id, ...about, sinceEvent: 0, sinceDay: '2024-01-01' })
  }

  async function checkPosts(): Promise<{ posted: number; unknown: number; absent: number }> {
    const rows = await rowsOf(
      `select p.x_text as text, r.lane, r.state, r.payload->>'remoteId' as id, r.last_error as error
       from social_posts p join outbox r on r.ref = p.id::text`,
    )
    const texts = x.posts.map(({ text }) => text)
    expect(new Set(texts).size, 'no post went out twice').toBe(texts.length)
    const onX = rows.filter(({ lane }) => lane === 'x')
    const posted = onX.filter(({ state }) => state === 'sent')
    const unknown = onX.filter(({ state }) => state === 'unknown')
    expect(posted.length + unknown.length, 'every post has ended').toBe(planned)
    for (const { text, id } of posted) expect(x.posts.find((one) => one.text === text)?.id).toBe(id)
    // Bluesky recognizes a post: none stays unknown, and each is there once, unless the search failed.
    const onBluesky = rows.filter(({ lane }) => lane === 'bluesky')
    const there = onBluesky.filter(({ state }) => state === 'sent')
    const others = onBluesky.filter(({ state }) => state !== 'sent')
    expect([...bluesky.records.values()].map(({ text }) => text).toSorted()).toEqual(
      there.map(({ text }) => text ?? '').toSorted(),
    )
    for (const one of others) {
      expect(one).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('is not on Bluesky') as string,
      })
    }
    return { posted: posted.length, unknown: unknown.length, absent: others.length }
  }

  /**
   * Each message on record has arrived, possibly repeated with the same id, and no other.
   *
   * @returns the number of repeats
   */
  function arrived(what: string, ids: readonly string[], got: readonly string[]): number {
    expect(
      ids.filter((id) => !got.includes(id)),
      `${what} that got lost`,
    ).toEqual([])
    expect(
      [...new Set(got)].filter((id) => !ids.includes(id)),
      `${what} that nobody sent`,
    ).toEqual([])
    expect(ids.length).toBeGreaterThan(0)
    return got.length - ids.length
  }

  return {
    relay,
    outside: {
      relay: relay.url,
      secret,
      smtp: mails.url,
      x: x.url.origin,
      pds: bluesky.url.origin,
      leaseMs: LEASE_MS,
    } satisfies KillOwner['outside'],

    async plan(round: number): Promise<void> {
      for (let n = 0; n < FOLLOWERS_A_ROUND; n += 1) await follower(n % 2 ? 'push' : 'email')
      await imports.predictions(JSON.stringify([entry(`p${String(round)}`)]))
      for (let n = 0; n < POSTS_A_ROUND; n += 1) {
        const text = `Post ${String(round)}.${String(n)}`
        await addPost(db, {
          id: randomUUID(),
          kind: 'manual',
          state: 'scheduled',
          networks: ['x', 'bluesky'],
          x_text: text,
          bluesky_text: text,
          pictures: [],
          scheduled_at: new Date(Date.now() + n * 20).toISOString(),
          createdBy: createdBy ?? 0,
          created_at: at,
          updated_at: at,
        })
        planned += 1
      }
    },

    /** Waits until everything planned has ended, and compares it with what arrived. @returns a summary line */
    async check(): Promise<string> {
      await ended(`social_posts where state <> 'done'`)
      await ended(`outbox where state in ('waiting', 'sending')`)
      await ended(`followers f where not exists (
        select from follow_news n join outbox o on o.id = n.message_id where n.follower_id = f.id and o.state = 'sent')`)
      const { posted, unknown, absent } = await checkPosts()
      const sent = await rowsOf(
        `select id, kind, lane from outbox where kind in ('notice', 'follow-news') and state = 'sent'`,
      )
      const got = (await mails.mails()).map(({ messageId = '' }) =>
        messageId.replace(/^<((?:news|notice)-\d+).*$/, '$1'),
      )
      const idsOf = (lane: string, prefix: string): string[] =>
        sent.flatMap((row) => (row['lane'] === lane ? [`${prefix}-${String(row['id'])}`] : []))
      const again = arrived('mails', [...idsOf('email', 'news'), ...idsOf('notice', 'notice')], got)
      const topics = pushes.notes.map(({ topic = '' }) => topic)
      const pushedAgain = arrived('push messages', idsOf('push', 'news'), topics)
      const twice = await rowsOf(
        `select follower_id from follow_news group by follower_id, prediction_id, event having count(*) > 1`,
      )
      expect(twice).toEqual([])
      const signed = await rowsOf(
        `select distinct on (kind, d) event_id as id from record_events order by kind, d, id desc`,
      )
      const relayed = new Set(relay.events.map(({ id }) => id))
      expect(signed.filter(({ id = '' }) => !relayed.has(id))).toEqual([])
      return [
        `${String(posted)} posted, ${String(unknown)} unknown, ${String(absent)} not on Bluesky`,
        `${String(got.length)} mails (${String(again)} again by the same id)`,
        `${String(topics.length)} push messages (${String(pushedAgain)} again)`,
        `${String(relay.events.length)} relay events (${String(relay.events.length - relayed.size)} again)`,
      ].join(', ')
    },

    [Symbol.asyncDispose]: async () => {
      for (const one of [relay, mails, x, bluesky, pushes]) await one[Symbol.asyncDispose]()
    },
  }
}
