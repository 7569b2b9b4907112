import { followers, followNews, follows } from '#server/database/schema/following.ts'
import { influencers, predictionEvents, predictions } from '#server/database/schema/predictions.ts'
import { addNews, lastSettledEvent } from '#server/following/news.store.ts'
import { type Db } from '#server/kit/db.ts'
import { rolledBack } from '#tests/support/rolled-back.ts'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'

const NOON = '2026-11-20T12:00:00.000Z'
const HOUR_MS = 3_600_000

/** A published prediction `a` with events of these ages, oldest first. @returns the numbers of the events */
async function withEvents(db: Db, agesMs: readonly number[]): Promise<number[]> {
  const [expert] = await db
    .insert(influencers)
    .values({ name: 'Expert A', slug: 'expert-a' })
    .returning()
  await db.insert(predictions).values({
    id: 'a',
    asset: 'btc',
    influencerId: expert?.id ?? 0,
    type: 'target',
    priceTarget: 150,
    timing: 'by',
    made: '2024-01-01',
    madePrecision: 'day',
    targetDate: '2024-01-10',
    targetPrecision: 'day',
  })
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

it('no event is news that may still be taken back, nor one after it', () =>
  rolledBack(async (db) => {
    const [settled] = await withEvents(db, [2 * HOUR_MS, HOUR_MS / 2, 2 * HOUR_MS])
    expect(await lastSettledEvent(db, HOUR_MS)).toBe(settled)
  }))

it('whoever begins to follow hears of later events only', () =>
  rolledBack(async (db) => {
    const [last = 0, next = 0] = await withEvents(db, [0, 0])
    await follower(db, last)
    const news = [last, next].map((number) => ({
      event: `event ${String(number)}`,
      predictionId: 'a',
      kind: 'asset' as const,
      subject: 'btc',
      number,
      day: null,
    }))
    await addNews(db, news, NOON)
    // Twice is once. A deadline counts by its day: the first is that on which one began to follow.
    const about = { predictionId: 'a', kind: 'asset', subject: 'btc', number: null } as const
    await addNews(db, [{ ...about, event: 'the day before', day: '2026-11-19' }, ...news], NOON)
    await addNews(db, [{ ...about, event: 'that day', day: '2026-11-20' }], NOON)
    const heard = await db.select({ event: followNews.event }).from(followNews)
    expect(heard.map(({ event }) => event)).toEqual([`event ${String(next)}`, 'that day'])
  }))
