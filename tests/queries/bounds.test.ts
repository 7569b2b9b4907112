import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { dayFromNumber } from '#domain/day.ts'
import { addAdmin, changeAdmin, lockAdmin, countTry } from '#server/admins/admins.store.ts'
import { optionsForNewPasskey } from '#server/admins/passkeys.service.ts'
import { beginSession, createOwnToken } from '#server/admins/sessions.service.ts'
import { adminSessions, adminTokens, passkeys } from '#server/database/schema/admins.ts'
import { followers, follows } from '#server/database/schema/following.ts'
import { rateLimitEntries, outbox } from '#server/database/schema/kit.ts'
import { replies } from '#server/database/schema/replies.ts'
import { scores } from '#server/database/schema/scores.ts'
import { payments, removedUnpaid } from '#server/database/schema/submissions.ts'
import { followService } from '#server/following/follow.service.ts'
import { type FollowKit } from '#server/following/followed-subject.ts'
import { followerById, keepFollower } from '#server/following/followers.store.ts'
import { type Db } from '#server/kit/db.ts'
import { openLimiter, type RateLimit } from '#server/kit/limiter.ts'
import { tokenMaker } from '#server/kit/tokens.ts'
import { failedDeliveries } from '#server/operations/failed.service.ts'
import { paymentLimiter } from '#server/payments/order-payment.service.ts'
import { removeUnpaidSupport } from '#server/payments/payments.jobs.ts'
import {
  addToQueue,
  changeTry,
  claimItem,
  queueItem,
} from '#server/posts/queue/post-queue.store.ts'
import { mayRead } from '#server/replies/replies-kit.ts'
import { countReplies, waitingAt } from '#server/replies/replies.rows.ts'
import * as scoreRows from '#server/scores/scores.rows.ts'
import { onRecord, rolledBack } from '#tests/support/rolled-back.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { SILENT, testKit } from '#tests/support/test-site.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const HOUR_MS = 3_600_000
const inMs = (ms: number) => new Date(NOON + ms).toISOString()
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const GONE = { how: 'passkey', passkeyId: 'removed' } as const

async function addAda(db: Db): Promise<number> {
  const input = { username: 'ada', role: 'administrator', passwordHash: '-' } as const
  return (await addAdmin(db, { ...input, fromEnvironment: false, createdAt: inMs(0) })) ?? 0
}

it('replies count by proof while waiting, and as overdue once their time is up', () =>
  rolledBack(async (db) => {
    const influencerId = await onRecord(db)
    const post = (isMatch: boolean) => ({ way: 'post', evidence: { way: 'post', isMatch } })
    const all: object[] = [
      { way: 'nostr', evidence: {}, receivedAt: inMs(-2) },
      { ...post(true), receivedAt: inMs(-1) },
      { ...post(false), receivedAt: inMs(0) },
      { ...post(false), receivedAt: inMs(0), predictionId: 'a' },
      { way: 'email', evidence: {}, receivedAt: inMs(-3) },
      { ...post(true), receivedAt: inMs(-9), state: 'published', publishedAt: inMs(0) },
    ]
    for (const [n, one] of all.entries()) {
      const reply = { id: idOf(n), tokenHash: String(n), text: 'No.' }
      await db.insert(replies).values({ influencerId, ...reply, ...one } as never)
    }
    const person = { influencerId, predictionId: null }
    const call = { influencerId, predictionId: 'a' }
    const waiting: number[] = []
    for (const isProven of [undefined, true, false])
      for (const of of [person, call]) waiting.push(await waitingAt(db, of, isProven))
    expect(waiting).toEqual([4, 1, 2, 0, 1, 1])
    const counts = { waiting: 5, published: 1, declined: 0, withdrawn: 0 }
    expect(await countReplies(db, inMs(-2))).toEqual({ ...counts, overdue: 1 })
  }))

it('daily scores stay daily, the newest 500 others are stored, and future ones are never the latest', () =>
  rolledBack(async (db) => {
    let ms = 0
    const rows = { about: '{}', pages: null, people: [] }
    const save = async (n: number, isDaily: boolean) => {
      const request = { mode: 'touch', digest: '', rule: 1, seed: '', histories: 1 } as const
      const asOf = dayFromNumber(n)
      const now = inMs((ms += 1))
      await scoreRows.saveScores(db, { ...request, asOf, rows, isDaily, now, recordVersion: 1 })
      await scoreRows.forgetOld(db, dayFromNumber(n))
    }
    const latest = async (n: number) =>
      (await scoreRows.latestScores(db, 'touch', dayFromNumber(n)))?.asOf
    await save(20_000, true)
    await save(20_000, false)
    await save(20_002, true)
    expect([await latest(20_001), await latest(19_999)]).toEqual([20_000, undefined])
    await save(0, false)
    await db.execute(
      sql`insert into scores select (jsonb_populate_record(s, jsonb_build_object(
            'as_of', s.as_of + n, 'computed_at', s.computed_at + n * interval '1 ms'))).*
          from scores s, generate_series(1, 499) n where as_of = '1970-01-01'`,
    )
    ms += 499
    await save(500, false)
    const stored = (await db.select({ asOf: scores.asOf }).from(scores)).map(({ asOf }) => asOf)
    expect([stored.length, stored.includes('1970-01-01')]).toEqual([502, false])
  }))

it('scores of an earlier record version do not replace later ones', () =>
  rolledBack(async (db) => {
    const request = { asOf: dayFromNumber(20_000), mode: 'close' } as const
    const due = { deadline: '2025-01-01', outcome: 'miss' } as const
    const asBtc = { asset_type: 'btc', text: '$1', ...due } as const
    const calls = ['z', 'a'].map((id) => ({ id, ...asBtc, luck: 0.1, repeats: null }))
    const personOf = (slug: string, n: number) => {
      return { slug, band: n === 0 ? ('unclear' as const) : null, calls }
    }
    const save = (digest: string, recordVersion: number, slugs: readonly string[]) =>
      scoreRows.saveScores(db, {
        ...request,
        digest,
        rule: 1,
        seed: '',
        histories: 1,
        recordVersion,
        isDaily: true,
        now: inMs(0),
        rows: { about: '{}', pages: null, people: slugs.map(personOf) },
      })
    const stored = async () => {
      const people = []
      for await (const { calls: own, ...figures } of scoreRows.everybody(db, request))
        people.push([figures.slug, own.map(({ id }) => id)])
      return [(await scoreRows.storedScores(db, request))?.digest, people]
    }
    expect(await save('second', 2, ['b', 'c'])).toBe(true)
    expect(await save('first', 1, ['a'])).toBe(false)
    expect(await stored()).toEqual(['second', ['b', 'c'].map((slug) => [slug, ['z', 'a']])])
    expect(await scoreRows.countRanked(db, request)).toBe(1)
    expect(await save('third', 2, ['a'])).toBe(true)
    expect(await stored()).toEqual(['third', [['a', ['z', 'a']]]])
    await scoreRows.noteVersion(db, request, { recordVersion: 5, isDaily: false })
    const latest = await scoreRows.latestScores(db, request.mode, request.asOf)
    expect(latest?.recordVersion, 'daily scores stay daily').toBe(5)
    expect(await save('late', 4, [])).toBe(false)
  }))

it.each([
  ['nothing', {}, true],
  ['its password', { passwordHash: 'other' }, false],
  ['its second factor', { totpSecret: 'other' }, false],
  ['that it is disabled', { disabledAt: inMs(0) }, false],
  ['its passkey', null, false],
])('an account whose %s has changed since sign-in: %j', (_, change, isIn) =>
  rolledBack(async (db) => {
    const seen = await lockAdmin(db, await addAda(db))
    if (!seen) throw new Error('no account')
    if (change && Object.keys(change).length > 0) await changeAdmin(db, seen.id, change)
    const [clock, refusals] = [{ now: () => NOON }, { signIn: () => undefined }]
    const kit = { db, clock, refusals }
    const way = change ? ({ how: 'password' } as const) : GONE
    const [begun] = await Promise.allSettled([
      beginSession(kit, seen, way, { address: '::1', agent: '' }),
    ])
    expect(begun).toMatchObject(
      isIn ? { value: { username: 'ada' } } : { reason: { code: 'unauthorized' } },
    )
  }),
)

it('an account has at most fifty tokens and twenty passkeys', () =>
  rolledBack(async (db) => {
    const id = await addAda(db)
    const own = { adminId: id, createdAt: inMs(0), expiresAt: inMs(HOUR_MS) }
    const browser = { how: 'password', address: '::1', agent: '' } as const
    const session = { id: idOf(0), tokenHash: 'session', seenAt: own.createdAt }
    await db.insert(adminSessions).values({ ...session, ...own, ...browser })
    const tokens = Array.from({ length: 49 }, (_, n) => {
      return { id: idOf(n + 1), tokenHash: String(n + 1), name: String(n + 1), ...own }
    })
    await db.insert(adminTokens).values(tokens)
    for (let n = 1; n < 20; n += 1) {
      const key = { name: String(n), publicKey: Buffer.from('-'), counter: 0, transports: [] }
      await db.insert(passkeys).values({ id: String(n), adminId: id, createdAt: inMs(0), ...key })
    }
    const kit = { db, clock: { now: () => NOON }, config: { origin: 'https://example.org' } }
    const admin = { id, username: 'ada' }
    const by = { admin, by: 'session', id: idOf(0), hasSecondFactor: false } as const
    const newToken = () =>
      createOwnToken(kit, { ...by, role: 'administrator' }, { name: 'script', days: 1 })
    expect(await newToken()).toMatch(/^pop_/)
    await expect(newToken()).rejects.toThrow('You have 50 tokens.')
    expect((await optionsForNewPasskey(kit, admin)).excludeCredentials).toHaveLength(19)
    const last = { name: 'last', publicKey: Buffer.from('-'), counter: 0, transports: [] }
    await db.insert(passkeys).values({ id: 'last', adminId: id, createdAt: inMs(0), ...last })
    await expect(optionsForNewPasskey(kit, admin)).rejects.toThrow('at most 20 passkeys')
  }))

it('deliveries that failed are listed for thirty days, all of a reason together, unknown ones each and always', () =>
  rolledBack(async (db) => {
    const rows = [
      [1, 'failed', 'No.'],
      [29, 'failed', 'No.'],
      [31, 'failed', 'No.'],
      [2, 'failed', 'Later.'],
      [40, 'unknown', 'No.'],
      [41, 'unknown', 'No.'],
    ] as const
    for (const [n, state, lastError] of rows) {
      const [at, id] = [inMs(-n * 24 * HOUR_MS), idOf(n)]
      const notice = { kind: 'notice', key: id, ref: id, lane: 'notice', state, lastError } as const
      await db.insert(outbox).values({ ...notice, createdAt: at, updatedAt: at })
    }
    const found = await failedDeliveries(db, { now: () => NOON })
    expect(found.map(({ at, state, reason, count }) => [at, state, reason, count])).toEqual([
      [inMs(-24 * HOUR_MS), 'failed', 'No.', 2],
      [inMs(-48 * HOUR_MS), 'failed', 'Later.', 1],
      [inMs(-40 * 24 * HOUR_MS), 'unknown', 'No.', 1],
      [inMs(-41 * 24 * HOUR_MS), 'unknown', 'No.', 1],
    ])
  }))

it('an address follows up to five hundred items, is due on schedule, and stays one address when confirmed again', () =>
  rolledBack(async (db) => {
    const tokens = tokenMaker('secret')
    const mail = { channel: 'email', address: 'me@example.org', addressHash: 'me' } as const
    const keep = (n: number, every: 'now' | 'week', nextAtMs: number) => {
      const times = { createdAt: inMs(0), nextAt: inMs(nextAtMs) }
      const tokenHash = tokens.hash(String(n))
      return keepFollower(db, { id: idOf(n), tokenHash, every, ...mail, ...times })
    }
    await keep(1, 'now', 0)
    const some = (i: number) => ({ subject: String(i), sinceEvent: 0, sinceDay: '2026-11-01' })
    const own = { followerId: idOf(1), kind: 'prediction' as const }
    const most = Array.from({ length: 499 }, (_, i) => ({ ...own, ...some(i) }))
    await db.insert(follows).values(most)
    const clock = { now: () => NOON }
    const service = followService({ db, clock, tokens } as unknown as FollowKit)
    const add = (subject: string) => service.add('1', { kind: 'asset', subject })
    expect(await add('btc')).toMatchObject({ title: 'Bitcoin' })
    await expect(add('mstr')).rejects.toMatchObject({ code: 'too_many' })
    const due = async () => (await followerById(db, idOf(1)))?.nextAt
    await service.change('1', 'week')
    const monday = Date.parse('2026-11-23T07:00:00Z')
    expect(Date.parse((await due()) ?? '')).toBe(monday)
    expect(await keep(2, 'week', -5)).toEqual({ id: idOf(1) })
    expect(Date.parse((await due()) ?? '')).toBe(monday)
    await keep(2, 'now', -5)
    expect([Date.parse((await due()) ?? ''), await db.$count(followers)]).toEqual([NOON - 5, 1])
  }))

it('unpaid invoices are removed once checked to their end, and counted by day', () =>
  rolledBack(async (db) => {
    const all: Readonly<Record<string, object>> = {
      old: {},
      young: { createdAt: inMs(-HOUR_MS) },
      'to be checked': { nextLookAt: inMs(1) },
      'may still be paid': { watchUntil: inMs(1) },
      'checked to its end': { watchUntil: inMs(0) },
      'not checked': { lastError: 'Away.' },
      'of another wallet': { status: 'expired', lastError: 'Another wallet.' },
      'expired, with a fault before': { status: 'expired', lastError: 'Away.' },
      paid: { status: 'paid', paidAt: inMs(-9) },
    }
    const old = { createdAt: inMs(-2 * HOUR_MS), status: 'pending', sats: 21, purpose: 'support' }
    const of = { wallet: 'ledger', network: 'regtest', bolt11: 'lnbc', expiresAt: inMs(0) }
    async function add(names: readonly string[]): Promise<void> {
      for (const [n, name] of names.entries()) {
        const hashes = { checkingHash: name, paymentHash: name }
        const row = { id: idOf(n), ...old, ...of, ...hashes, ...all[name] }
        await db.insert(payments).values(row as typeof payments.$inferInsert)
      }
    }
    const limits = { before: inMs(-HOUR_MS), now: inMs(0), unchecked: 'Another wallet.' }
    await add(Object.keys(all))
    expect(await removeUnpaidSupport(db, limits)).toBe(3)
    const left = await db.select({ name: payments.checkingHash }).from(payments)
    const gone = ['old', 'checked to its end', 'expired, with a fault before']
    expect(left.map(({ name }) => name)).toEqual(Object.keys(all).filter((n) => !gone.includes(n)))
    await db.delete(payments)
    await add(['old'])
    expect(await removeUnpaidSupport(db, limits)).toBe(1)
    const counts = { day: '2026-11-20', submissions: 0, invoices: 4, sats: 84 }
    expect(await db.select().from(removedUnpaid)).toMatchObject([counts])
  }))

it('a payment that never began is not counted', () =>
  rolledBack(async (db) => {
    const one = { mostAnAddress: 2, mostAPrefix: 3, mostOpenAnAddress: 2, mostOpenAPrefix: 3 }
    const limits = { ...one, mostAMinute: 50, mostOpen: 50 }
    const kit = { db, clock: { now: () => NOON }, log: SILENT }
    const limiter = paymentLimiter({ db, limiter: openLimiter(kit) }, limits)
    for (let i = 0; i < 5; i += 1) await limiter.admit('198.51.100.7', async () => null)
    expect(await db.$count(rateLimitEntries)).toBe(0)
  }))

it('does not store a reading after another process has claimed the post', () =>
  rolledBack(async (db) => {
    const post = { postId: '1', url: 'https://x.com/janedoe/status/1' }
    const [id = 0] = await addToQueue(db, [post], { now: inMs(0), links: true })
    const tries = [await claimItem(db, id), await claimItem(db, id)]
    const written = []
    for (const one of tries) {
      written.push(one && (await changeTry(db, one, { status: 'completed', step: 'Read' })))
    }
    expect(written).toEqual([false, true])
    expect(await queueItem(db, id)).toMatchObject({ status: 'completed', attempts: 2 })
  }))

it('the pause between wrong passwords doubles each time, up to the maximum', () =>
  rolledBack(async (db) => {
    const pausesS: number[] = []
    let at = NOON
    for (let i = 0; i < 15; i += 1) {
      expect(await countTry(db, 'ada', new Date(at).toISOString())).toBeNull()
      const until = await countTry(db, 'ada', new Date(at - 1).toISOString())
      const pauseS = (Date.parse(until ?? '') - at) / 1_000
      pausesS.push(pauseS)
      at += pauseS * 1_000
    }
    expect(pausesS).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  }))

it('posts read for visitors are counted across processes, even at the same time', async () => {
  await using database = await testDatabase()
  const clock = { ms: Date.parse('2026-11-20T12:00:00Z'), now: () => clock.ms }
  await using one = testKit(database.url, { clock })
  await using other = testKit(database.url, { clock })
  const [first, second] = [
    { db: one.db, limiter: openLimiter(one) },
    { db: other.db, limiter: openLimiter(other) },
  ]
  const allowed = async (networks: readonly string[]) => {
    const request = networks.map((address, n) => mayRead(n % 2 ? first : second, { address }))
    return (await Promise.all(request)).filter(Boolean).length
  }
  // Eight for a network, a hundred for everyone.
  expect(await allowed(Array.from({ length: 14 }, () => 'a'))).toBe(8)
  expect(await allowed(Array.from({ length: 96 }, (_, n) => `b ${String(n)}`))).toBe(92)
  expect(await allowed(['c'])).toBe(0)
  clock.ms += 86_400_001
  expect(await allowed(['a', 'c'])).toBe(2)
  // Counts are deleted after a day.
  expect(await database.sql('select 1 from door_entries')).toHaveLength(2)
})

it('limits count by network, prefix and subject, keep half of the common one for newcomers, and ignore a clock ahead', () =>
  rolledBack(async (db) => {
    const clock = { ms: NOON, now: () => clock.ms }
    const limiter = openLimiter({ db, clock, log: SILENT })
    const withinMs = HOUR_MS
    const common = { name: 'common', shares: [{ of: 'all', most: 10, withinMs, message: 'Full.' }] }
    const enter = (limit: object, address: string, subject?: string) =>
      limiter
        .enter(db, limit as RateLimit, { address, ...(subject !== undefined && { subject }) })
        .catch((error: unknown) => (error as Error).message)
    for (const [address, most] of [
      ['10.1.0.1', 5],
      ['10.2.0.1', 3],
    ] as const) {
      const seen: unknown[] = []
      for (let i = 0; i <= most; i += 1) seen.push(await enter(common, address))
      expect(seen).toEqual([...Array<boolean>(most).fill(true), 'Full.'])
    }

    // Callers must not learn of it: refused attempts do not count.
    const quiet = { name: 'quiet', shares: [{ of: 'subject', most: 2, withinMs, message: null }] }
    const asked: unknown[] = []
    for (const ms of [0, 1, 3_000_000, HOUR_MS + 2, HOUR_MS + 3]) {
      clock.ms = NOON + ms
      asked.push(await enter(quiet, '10.1.0.1', 'a'))
    }
    expect(asked).toEqual([true, true, false, true, true])
    clock.ms = NOON - HOUR_MS
    expect(await enter(quiet, '10.1.0.1', 'a')).toBe(true)
  }))
