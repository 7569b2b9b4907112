import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { followers, followNews, follows } from '#server/database/schema/following.ts'
import { influencers, predictionEvents } from '#server/database/schema/predictions.ts'
import { replies } from '#server/database/schema/replies.ts'
import { newsService, addNews, lastSettledEvent } from '#server/following/news.service.ts'
import { type Db } from '#server/kit/db.ts'
import { onRecord, rolledBack } from '#tests/support/rolled-back.ts'

const NOON = '2026-11-20T12:00:00.000Z'
const HOUR_MS = 3_600_000

/** A published prediction `a` with events of these ages, oldest first. @returns the ids of the events */
async function withEvents(db: Db, agesMs: readonly number[]): Promise<number[]> {
  await onRecord(db)
  const made = await db
    .insert(predictionEvents)
    .values(
      agesMs.map((age) => ({
        predictionId: 'a',
        kind: 'published' as const,
        text: 'Published.',
        at: sql`clock_timestamp() - make_interval(secs => ${age / 1_000})`,
      })),
    )
    .returning({ id: predictionEvents.id })
  return made.map(({ id }) => id)
}

/** A browser that follows Bitcoin since an event. @returns its id */
async function follower(db: Db, sinceEvent: number): Promise<string> {
  const id = '00000000-0000-4000-8000-000000000001'
  await db.insert(followers).values({
    id,
    channel: 'push',
    address: 'https://push.example.org/1',
    addressHash: 'address',
    tokenHash: 'token',
    every: 'now',
    pushKey: 'key',
    pushAuth: 'auth',
    nextAt: NOON,
    createdAt: NOON,
  })
  const about = { kind: 'asset' as const, subject: 'btc' }
  await db.insert(follows).values({ followerId: id, ...about, sinceEvent, sinceDay: '2026-11-20' })
  return id
}

it('an event is not news while it can be taken back, nor is any after it', () =>
  rolledBack(async (db) => {
    const [settled] = await withEvents(db, [2 * HOUR_MS, HOUR_MS / 2, 2 * HOUR_MS])
    expect(await lastSettledEvent(db, HOUR_MS)).toBe(settled)
  }))

it('a new follower gets later events only', () =>
  rolledBack(async (db) => {
    const [last = 0, next = 0] = await withEvents(db, [0, 0])
    await follower(db, last)
    const news = [last, next].map((number) => ({
      event: `event ${String(number)}`,
      predictionId: 'a',
      isForOwn: true,
      number,
      day: null,
    }))
    await addNews(db, news, NOON)
    // Duplicates are ignored. A deadline counts by its day, from the first day of following on.
    const about = { predictionId: 'a', isForOwn: true, number: null }
    await addNews(db, [{ ...about, event: 'the day before', day: '2026-11-19' }, ...news], NOON)
    await addNews(db, [{ ...about, event: 'that day', day: '2026-11-20' }], NOON)
    const received = await db.select({ event: followNews.event }).from(followNews)
    expect(received.map(({ event }) => event)).toEqual([`event ${String(next)}`, 'that day'])
  }))

it('a reply is news once, for those who followed by its publication', () =>
  rolledBack(async (db) => {
    const [last = 0] = await withEvents(db, [0])
    await follower(db, last)
    const evidence = { way: 'email', note: '', by: 'Admin A' } as const
    const [expert] = await db.select({ influencerId: influencers.id }).from(influencers)
    const reply = (n: number, publishedAt: string) => ({
      id: `00000000-0000-4000-8000-00000000000${String(n)}`,
      influencerId: expert?.influencerId ?? 0,
      predictionId: 'a',
      text: 'I meant 2025.',
      way: 'email' as const,
      evidence,
      tokenHash: String(n),
      state: 'published' as const,
      receivedAt: publishedAt,
      publishedAt,
    })
    // However long no process was there to read them.
    const on = [reply(2, NOON), reply(3, '2026-11-21T12:00:00Z')]
    await db.insert(replies).values([reply(1, '2026-11-19T23:00:00Z'), ...on])
    const record = { today: () => 0, select: async () => [] }
    const clock = { now: () => Date.parse('2026-12-20T12:00:00Z') }
    const news = newsService({ db, clock, record } as never, undefined, 1)
    await news.write()
    await news.write()
    const received = await db.select({ event: followNews.event }).from(followNews)
    expect(received).toEqual(on.map(({ id }) => ({ event: `reply ${id}` })))
  }))
