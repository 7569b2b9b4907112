import { listJobs, listJumps } from '#contracts/operations.ts'
import { reviewWaiting } from '#contracts/accounts.ts'
import { outbox } from '#server/database/schema/outbox.ts'
import { saveSource } from '#server/prices/price-sources.rows.ts'
import { daily } from '#tests/support/bars.ts'
import { priceWorld, type PriceWorld } from '#tests/support/price-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { days } from '#tests/support/price-answers.ts'
import { describe, expect, it } from 'vitest'

const RUN = '/api/v1/admin/prices/sources/run'

it('the jobs page shows the state of each job, and runs a price source on demand', async () => {
  await using prices = await priceWorld(new Date().toISOString())
  const { world } = prices
  const admin = await signedIn(world)
  const run = (source: string) => admin.call('POST', RUN, { asset: 'btc', source })
  const calls = () => prices.exchanges.calls.filter(({ source }) => source === 'kraken').length
  await world.jobs.drain('price-history')
  const before = calls()
  expect(before).toBeGreaterThan(0)
  expect((await run('nobody')).status).toBe(404)
  expect(await run('kraken')).toMatchObject({
    status: 200,
    body: { message: 'It is asked now.' },
  })
  await world.jobs.drain()
  expect(calls()).toBeGreaterThan(before)
  const list = async () =>
    listJobs.reply.parse((await admin.call('GET', '/api/v1/admin/jobs')).body).jobs
  expect((await list()).find(({ name }) => name === 'price-history btc kraken')).toMatchObject({
    title: 'Reading prices: btc kraken',
    state: 'waiting',
    waiting: 1,
    last_run: expect.any(String),
  })
  await saveSource(world.database.db, 'btc', 'kraken', { notBefore: Date.now() + 900_000 })
  const later = await run('kraken')
  expect(later).toMatchObject({ status: 409 })
  expect(JSON.stringify(later.body)).toContain('asked to be left alone until')
  expect((await list()).map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'payments',
      'notices',
      'queue',
      'posts',
      'relays',
      'sources',
      'proofs',
      'judging',
    ]),
  )
})

it('jobs are late if a due run has not started, and failing if they report an error', async () => {
  await using world = await testApp()
  const admin = await signedIn(world)
  await world.database.pool.query(
    `with s as (insert into submissions (id, origin, status, asset, expert_name, prediction_type, timing, price_prediction, target_time, created_at)
       values (gen_random_uuid(), 'admin', 'pending', 'btc', 'M', 'target', 'by', '$1', '2027-01-01', now()) returning id)
     insert into outbox (kind, key, ref, lane, payload, due, created_at, updated_at, last_error)
     select 'notice', id, id, 'notice', '{"event":"approved"}', $1::timestamptz, now(), now(), 'The mail server is away.' from s`,
    ['2026-11-20T12:05:00Z'],
  )
  const notices = async () =>
    listJobs.reply
      .parse((await admin.call('GET', '/api/v1/admin/jobs')).body)
      .jobs.find(({ name }) => name === 'notices')
  expect(await notices()).toMatchObject({
    state: 'failing',
    waiting: 1,
    last_error: 'The mail server is away.',
    next_run: '2026-11-20T12:05:00.000Z',
  })
  await world.database.pool.query(`update outbox set due = '2026-11-20T11:00:00Z'`)
  expect(await notices()).toMatchObject({ state: 'late' })
})

it('a job that failed for good is listed with its reason, and retried or dismissed once', async () => {
  await using world = await testApp()
  const admin = await signedIn(world)
  // The second one failed while another of its key was to be retried.
  await world.database.pool.query(
    `insert into jobs.job (name, data, singleton_key, source_name, source_output, source_retry_count)
     values ('failed', '{"mode":"touch"}', 'touch', 'scores', '{"message":"There is no room left."}', 50),
       ('failed', '{"mode":"close"}', 'close', 'scores', '{}', 3)`,
  )
  const { to_do: waiting } = reviewWaiting.reply.parse(
    (await admin.call('GET', '/api/v1/admin/review/waiting')).body,
  )
  expect(waiting.failed).toBe(1)
  const failed = async () =>
    listJobs.reply.parse((await admin.call('GET', '/api/v1/admin/jobs')).body).failed
  const [job] = await failed()
  expect(job).toMatchObject({
    title: 'Computing scores',
    key: 'touch',
    tries: 51,
    reason: 'There is no room left.',
  })
  const retry = () => admin.call('POST', `/api/v1/admin/jobs/${job?.id ?? ''}/retry`)
  expect((await retry()).status).toBe(200)
  expect(await failed()).toEqual([])
  expect((await retry()).status).toBe(404)
  await world.database.pool.query(
    `insert into jobs.job (name, data, source_name, source_output, source_retry_count)
     values ('failed', '{}', 'scores', '{}', 50)`,
  )
  const [other] = await failed()
  const dismiss = () => admin.call('POST', `/api/v1/admin/jobs/${other?.id ?? ''}/dismiss`)
  expect([(await dismiss()).status, await failed()]).toEqual([200, []])
  expect((await dismiss()).status).toBe(404)
})

it('deliveries that failed or may have arrived are listed with the jobs, and decided by administrators, once', async () => {
  await using world = await testApp()
  const admin = await signedIn(world)
  const add = (kind: string, key: string, state: string, reason: string, lane = kind) =>
    world.database.pool.query(
      `insert into outbox (kind, key, ref, lane, payload, state, asked_at, tries, created_at, updated_at, last_error)
       values ($1, $2, gen_random_uuid(), $5, '{"purpose":"record"}', $3, now(), 7, now(), now(), $4)`,
      [kind, key, state, reason, lane],
    )
  for (const key of ['a', 'b', 'c'])
    await add('relay', key, 'failed', 'Blocked.', 'wss://relay.org')
  await add('notice', 'd', 'unknown', 'In doubt.')
  await add('notice', 'e', 'unknown', 'In doubt.')
  await add('notice', 'f', 'sent', '')
  for (const key of ['i', 'j']) await add('follow-news', key, 'unknown', 'In doubt.', 'email')
  await add('zap-relay', 'k', 'failed', 'Blocked.')
  await add('relay', 'g', 'failed', 'Blocked.', 'wss://relay.org')
  await add('relay', 'h', 'failed', 'A newer event has replaced it.', 'wss://relay.org')
  await world.database.pool.query(
    `update outbox set updated_at = '2026-10-01' where key = 'g';
     update outbox set payload = payload || '{"said":"replaced"}' where key = 'h'`,
  )
  const failed = async () =>
    listJobs.reply.parse((await admin.call('GET', '/api/v1/admin/jobs')).body).failed
  const waiting = async () =>
    reviewWaiting.reply.parse((await admin.call('GET', '/api/v1/admin/review/waiting')).body).to_do
      .failed
  const [relays, first, second, news, zap] = (await failed()).toSorted(
    (a, b) => Number(a.id) - Number(b.id),
  )
  expect(
    [first, second, news, relays, zap].map((row) => [
      row?.kind,
      row?.state,
      row?.count,
      row?.ref !== null,
    ]),
  ).toEqual([
    ['notice', 'unknown', 1, true],
    ['notice', 'unknown', 1, true],
    ['follow-news', 'unknown', 2, false],
    ['relay', 'failed', 3, false],
    ['zap-relay', 'failed', 1, true],
  ])
  expect(relays).toMatchObject({
    title: 'Sending events to relays',
    key: 'wss://relay.org',
    tries: 7,
    reason: 'Blocked.',
  })
  expect(await waiting()).toBe(5)
  const decide = async (row: { id: string } | undefined, what: 'retry' | 'arrived' | 'dismiss') =>
    (await admin.call('POST', `/api/v1/admin/jobs/${row?.id ?? ''}/${what}`)).status
  // Only what is in doubt can be said to have arrived.
  expect(await decide(relays, 'arrived')).toBe(404)
  expect([await decide(relays, 'retry'), await decide(relays, 'retry')]).toEqual([200, 404])
  expect([await decide(first, 'arrived'), await decide(first, 'retry')]).toEqual([200, 404])
  expect([await decide(second, 'dismiss'), await decide(second, 'retry')]).toEqual([404, 200])
  expect(await decide(news, 'arrived')).toBe(200)
  expect([await decide(zap, 'dismiss'), await decide(zap, 'retry')]).toEqual([200, 404])
  expect([await failed(), await waiting()]).toEqual([[], 0])
  const { rows } = await world.database.pool.query<{ one: string }>(
    `select key || ' ' || state || ' ' || tries || ' ' || (asked_at is null) as one from outbox order by key`,
  )
  expect(rows.map(({ one }) => one)).toEqual([
    'a waiting 0 true',
    'b waiting 0 true',
    'c waiting 0 true',
    'd sent 7 false',
    'e waiting 0 true',
    'f sent 7 false',
    // Too old to be listed, and replaced.
    'g failed 7 false',
    'h failed 7 false',
    'i sent 7 false',
    'j sent 7 false',
    'k failed 7 false',
  ])
  const audit = await world.database.pool.query<{ action: string }>(
    `select action from audit_log where subject_kind = 'delivery' order by id`,
  )
  expect(audit.rows.map(({ action }) => action)).toEqual([
    'delivery sent again',
    'delivery marked as arrived',
    'delivery sent again',
    'delivery marked as arrived',
    'failed delivery dismissed',
  ])
})

it('a post in doubt is decided on its own screen', async () => {
  await using world = await testApp()
  const { db } = world.database
  await world.database.pool.query(
    `insert into outbox (kind, key, ref, lane, state, created_at, updated_at)
     values ('post', 'one x', 'one', 'x', 'unknown', now(), now())`,
  )
  const id = await db.$count(outbox)
  for (const decision of ['again', 'arrived'] as const) {
    expect(await world.outbox.decide(db, id, decision)).toEqual([])
  }
})

describe('a price jump waiting for an answer', () => {
  const begin = async (): Promise<PriceWorld> => {
    const prices = await priceWorld('2024-12-04T22:00:00Z')
    await prices.world.imports.prices('mstr', 'date,close\n2024-12-02,400', 'starter')
    prices.exchanges.bars.set('yahoo', daily('2024-12-03', ['390..410>400', '195..205>200']))
    await prices.ask('yahoo')
    return prices
  }
  const input = { asset: 'mstr', date: '2024-12-04' }
  const ANSWER = '/api/v1/admin/prices/jumps/answer'

  it('is accepted when confirmed as real', async () => {
    await using prices = await begin()
    const admin = await signedIn(prices.world)
    const jumps = async () =>
      listJumps.reply.parse((await admin.call('GET', '/api/v1/admin/prices/jumps')).body).jumps
    // A coin is never split.
    await prices.world.database.pool.query(
      `insert into price_questions (asset, day, sources, before_day, before_usd, after_usd)
       values ('btc', '2024-12-03', 'bitstamp', '2024-12-02', 90000, 45000)`,
    )
    expect(await jumps()).toMatchObject([
      { asset: 'btc', looks_like_split: null },
      { ...input, before: 400, after: 200, answer: null, looks_like_split: 2 },
    ])
    const other = await admin.call('POST', ANSWER, { ...input, date: '2024-12-03', answer: 'real' })
    expect(other.status).toBe(409)
    const message = await admin.call('POST', ANSWER, { ...input, answer: 'real', note: 'A crash' })
    expect(message.body).toMatchObject({ message: expect.stringContaining('is real') })
    expect(await jumps()).toMatchObject([{ answer: null }, { answer: 'real' }])
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(2)
    const { rows } = await prices.world.database.pool.query(
      `select action, subject_id, before, after, reason from audit_log where subject_kind = 'price jump'`,
    )
    expect(rows).toEqual([
      {
        action: 'price jump: real',
        subject_id: 'mstr 2024-12-04',
        before: { from: 400, to: 200 },
        after: { answer: 'real' },
        reason: 'A crash',
      },
    ])
  })

  it('a price jump confirmed as a split rescales earlier prices once', async () => {
    await using prices = await begin()
    const admin = await signedIn(prices.world)
    const split = (more: object) =>
      admin.call('POST', ANSWER, { ...input, answer: 'split', ...more })
    const without = await split({})
    expect(without).toMatchObject({
      status: 400,
      body: { fields: { ratio: expect.stringContaining('how many') } },
    })
    const message = await split({ ratio: 2 })
    expect(message.body).toMatchObject({ message: expect.stringContaining('became 2') })
    // From now on the source reports all days in the new units.
    prices.exchanges.bars.set('yahoo', daily('2024-12-03', ['195..205>200', '195..205>200']))
    await prices.ask('yahoo')
    const { rows } = await prices.world.database.pool.query(
      `select close from bars where asset = 'mstr' order by day, source`,
    )
    expect(rows.map(({ close }: { close: number }) => close)).toEqual([200, 200, 200])
    expect((await split({ ratio: 2 })).status).toBe(409)
  })

  it('a price jump rejected as wrong is asked about again when it returns', async () => {
    await using prices = await begin()
    const admin = await signedIn(prices.world)
    await admin.call('POST', ANSWER, { ...input, answer: 'wrong' })
    await prices.ask('yahoo')
    const { body } = await admin.call('GET', '/api/v1/admin/prices/jumps')
    expect(body).toMatchObject({ jumps: [{ ...input, answer: null }] })
    expect((await admin.call('GET', '/api/v1/admin/prices/sources')).body).toMatchObject({
      questions: [{ asset: 'mstr' }],
    })
  })
})
