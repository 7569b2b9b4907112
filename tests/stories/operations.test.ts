import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reviewWaiting } from '#contracts/accounts.ts'
import { listJobs, listJumps } from '#contracts/operations.ts'
import { outbox } from '#server/database/schema/kit.ts'
import { saveSource } from '#server/prices/price-sources.rows.ts'
import { barsFrom, closesFile, entry } from '#tests/support/builders.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { priceWorld, sharedPriceWorld, days } from '#tests/support/price-world.ts'
import { audited } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { words } from '#tests/support/words.ts'
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
    body: { message: 'It is being fetched now.' },
  })
  await world.jobs.drain()
  expect(calls()).toBeGreaterThan(before)
  const list = async () => (await admin.read(listJobs)).jobs
  expect((await list()).find(({ name }) => name === 'price-history btc kraken')).toMatchObject({
    title: 'Reading prices: btc kraken',
    state: 'waiting',
    waiting: 1,
    last_run: expect.any(String),
  })
  await saveSource(world.database.db, 'btc', 'kraken', { notBefore: Date.now() + 900_000 })
  const later = await run('kraken')
  expect(later).toMatchObject({ status: 409 })
  expect(JSON.stringify(later.body)).toContain('asked us to wait until')
  expect((await list()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(words('payments notices queue posts relays sources proofs judging')),
  )
})

describe('the jobs page', () => {
  const { world, admin } = adminSite()

  it('jobs are late if a due run has not started, and failing if they report an error', async () => {
    await world.sql(
      `with s as (insert into submissions (id, origin, status, asset, expert_name, prediction_type, timing, price_prediction, target_time, created_at)
       values (gen_random_uuid(), 'admin', 'pending', 'btc', 'M', 'target', 'by', '$1', '2027-01-01', now()) returning id)
     insert into outbox (kind, key, ref, lane, payload, due, created_at, updated_at, last_error)
     select 'notice', id, id, 'notice', '{"event":"approved"}', $1::timestamptz, now(), now(), 'The mail server is away.' from s`,
      ['2026-11-20T12:05:00Z'],
    )
    const notices = async () =>
      (await admin.read(listJobs)).jobs.find(({ name }) => name === 'notices')
    expect(await notices()).toMatchObject({
      state: 'failing',
      waiting: 1,
      last_error: 'The mail server is away.',
      next_run: '2026-11-20T12:05:00.000Z',
    })
    await world.sql(`update outbox set due = '2026-11-20T11:00:00Z'`)
    expect(await notices()).toMatchObject({ state: 'late' })
  })

  it('a job that failed for good is listed with its reason, and retried or dismissed once', async () => {
    // The second one failed while another of its key was to be retried.
    await world.sql(
      `insert into jobs.job (name, data, singleton_key, source_name, source_output, source_retry_count)
     values ('failed', '{"mode":"touch"}', 'touch', 'scores', '{"message":"There is no room left."}', 50),
       ('failed', '{"mode":"close"}', 'close', 'scores', '{}', 3)`,
    )
    const { to_do: waiting } = await admin.read(reviewWaiting)
    expect(waiting.failed).toBe(1)
    const failed = async () => (await admin.read(listJobs)).failed
    const [job] = await failed()
    expect(job).toMatchObject({
      title: 'Computing scores',
      key: 'touch',
      tries: 51,
      reason: 'There is no room left.',
    })
    const failure = { state: 'failed' }
    const retry = () => admin.call('POST', `/api/v1/admin/jobs/${job?.id ?? ''}/retry`, failure)
    expect((await retry()).status).toBe(200)
    expect(await failed()).toEqual([])
    expect((await retry()).status).toBe(409)
    await world.sql(
      `insert into jobs.job (name, data, source_name, source_output, source_retry_count)
     values ('failed', '{}', 'scores', '{}', 50)`,
    )
    const [other] = await failed()
    const dismiss = () => admin.call('POST', `/api/v1/admin/jobs/${other?.id ?? ''}/dismiss`)
    expect([(await dismiss()).status, await failed()]).toEqual([200, []])
    expect((await dismiss()).status).toBe(409)
    // A refused decision leaves no entry.
    expect(await audited(world, `subject_kind = 'job'`)).toMatchObject([
      { action: 'failed job tried again', after: { title: 'Computing scores' } },
      { action: 'failed job dismissed', after: { title: 'Computing scores' } },
    ])
  })

  it('deliveries that failed or may have arrived are listed with the jobs, and decided by administrators, once', async () => {
    const add = (kind: string, key: string, state: string, reason: string, lane = kind) =>
      world.sql(
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
    await world.sql(
      `update outbox set updated_at = '2026-10-01' where key = 'g';
     update outbox set payload = payload || '{"said":"replaced"}' where key = 'h'`,
    )
    const failed = async () => (await admin.read(listJobs)).failed
    const waiting = async () => (await admin.read(reviewWaiting)).to_do.failed
    const [relays, first, second, news, zap] = (await failed()).toSorted(
      (a, b) => Number(a.id) - Number(b.id),
    )
    const ref = expect.any(String) as string
    const to = { title: 'Sending events to relays', key: 'wss://relay.org' }
    expect([first, second, news, relays, zap]).toMatchObject([
      { kind: 'notice', state: 'unknown', count: 1, ref },
      { kind: 'notice', state: 'unknown', count: 1, ref },
      { kind: 'follow-news', state: 'unknown', count: 2, ref: null },
      { kind: 'relay', state: 'failed', count: 3, ref: null, ...to, tries: 7, reason: 'Blocked.' },
      { kind: 'zap-relay', state: 'failed', count: 1, ref },
    ])
    expect(await waiting()).toBe(5)
    const decide = async (
      row: { id: string; state: string } | undefined,
      what: 'retry' | 'arrived' | 'dismiss',
      state = row?.state,
    ) => {
      const path = `/api/v1/admin/jobs/${row?.id ?? ''}/${what}`
      return (await admin.call('POST', path, what === 'retry' ? { state } : undefined)).status
    }
    // Another administrator's screen may still say that it failed.
    expect(await decide(first, 'retry', 'failed')).toBe(409)
    // Only what is in doubt can be said to have arrived.
    expect(await decide(relays, 'arrived')).toBe(409)
    expect([await decide(relays, 'retry'), await decide(relays, 'retry')]).toEqual([200, 409])
    expect([await decide(first, 'arrived'), await decide(first, 'retry')]).toEqual([200, 409])
    expect([await decide(second, 'dismiss'), await decide(second, 'retry')]).toEqual([409, 200])
    expect(await decide(news, 'arrived')).toBe(200)
    expect([await decide(zap, 'dismiss'), await decide(zap, 'retry')]).toEqual([200, 409])
    expect([await failed(), await waiting()]).toEqual([[], 0])
    const rows = await world.sql(
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
    const audit = await audited(world, `subject_kind = 'delivery'`)
    expect(audit.map(({ action }) => action)).toEqual([
      'delivery sent again',
      'delivery marked as arrived',
      'delivery sent again',
      'delivery marked as arrived',
      'failed delivery dismissed',
    ])
  })

  it('a post in doubt is decided on its own screen', async () => {
    const { db } = world.database
    await world.sql(
      `insert into outbox (kind, key, ref, lane, state, created_at, updated_at)
     values ('post', 'one x', 'one', 'x', 'unknown', now(), now())`,
    )
    const id = await db.$count(outbox)
    for (const decision of ['again', 'arrived'] as const) {
      expect(await world.outbox.decide(db, id, decision, 'unknown')).toEqual([])
    }
  })
})

describe('a price jump waiting for an answer', () => {
  const prices = sharedPriceWorld()
  let admin: SignedInBrowser
  beforeEach(async () => {
    prices.setTime('2024-12-04T22:00:00Z')
    admin = await signedIn(prices.world)
    await prices.world.imports.prices('mstr', 'date,close\n2024-12-02,400', 'starter')
    await prices.report({ yahoo: barsFrom('2024-12-03', ['390..410>400', '195..205>200']) })
  })
  const input = { asset: 'mstr', date: '2024-12-04' }
  const ANSWER = '/api/v1/admin/prices/jumps/answer'

  it('is accepted when confirmed as real', async () => {
    const jumps = async () => (await admin.read(listJumps)).jumps
    // A coin is never split.
    await prices.world.sql(
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
    expect(await audited(prices.world, `subject_kind = 'price jump'`)).toMatchObject([
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
    const split = (more: object) =>
      admin.call('POST', ANSWER, { ...input, answer: 'split', ...more })
    expect(await split({})).toMatchObject({
      status: 400,
      body: { fields: { ratio: expect.stringContaining('how many') } },
    })
    await prices.world.sql(
      `insert into price_questions (asset, day, sources, before_day, before_usd, after_usd)
       select 'mstr', day::date, 'yahoo', day::date - 1, 400, 200
       from unnest(array['2024-11-23', '2024-11-24', '2024-12-14', '2024-12-15']) day`,
    )
    const message = await split({ ratio: 2 })
    expect(message.body).toMatchObject({ message: expect.stringContaining('became 2') })
    // The split also answers questions about the ten days before and after it.
    const open = (await admin.read(listJumps)).jumps.filter(({ answer }) => answer === null)
    expect(open.map(({ date }) => date)).toEqual(['2024-11-23', '2024-12-15'])
    // From now on the source reports all days in the new units.
    await prices.report({ yahoo: barsFrom('2024-12-03', ['195..205>200', '195..205>200']) })
    const rows = await prices.world.sql(
      `select close from bars where asset = 'mstr' order by day, source`,
    )
    expect(rows.map(({ close }) => close)).toEqual([200, 200, 200])
    expect((await split({ ratio: 2 })).status).toBe(409)
  })

  it('a price jump rejected as wrong is asked about again when it returns', async () => {
    await admin.call('POST', ANSWER, { ...input, answer: 'wrong' })
    await prices.ask('yahoo')
    const { body } = await admin.call('GET', '/api/v1/admin/prices/jumps')
    expect(body).toMatchObject({ jumps: [{ ...input, answer: null }] })
    expect((await admin.call('GET', '/api/v1/admin/prices/sources')).body).toMatchObject({
      questions: [{ asset: 'mstr' }],
    })
  })
})

const TOKEN = 'a-token-of-sixteen-or-more'

const withToken = () => testApp({ settings: { admin: { metricsToken: TOKEN } } })

describe('/metrics', () => {
  it('is open only to its token and to administrators, even while the database is down', async () => {
    await using world = await withToken()
    await world.sql('alter table payments rename to out_of_reach')
    const status = async (headers: Record<string, string>) =>
      (await world.app.inject({ url: '/metrics', headers })).statusCode
    expect(await status({})).toBe(401)
    expect(await status({ authorization: 'Bearer another-token-of-16' })).toBe(401)
    expect(await status({ authorization: TOKEN })).toBe(401)
    expect(await status({ authorization: `Bearer ${TOKEN}` })).toBe(200)
    const headers = { authorization: `Bearer ${TOKEN}` }
    const { body } = await world.app.inject({ url: '/metrics', headers })
    expect(body).toContain('proof_of_price_database_up 0')
    const admin = await signedIn(world)
    expect(await status({ ...admin.headers })).toBe(200)
    await using closed = await testApp()
    const none = { url: '/metrics', headers: { authorization: 'Bearer null' } }
    expect((await closed.app.inject(none)).statusCode).toBe(401)
  })

  it('shows calls, rows, verdicts, waiting work, prices and memory', async () => {
    await using world = await withToken()
    await world.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test')
    await world.publish(entry('a'), entry('b', { price_target: 900 }))
    await world.get('/api/v1/predictions/a')
    await world.get('/api/v1/predictions/none')
    for (const path of ['/x1', '/x2', '/x3']) await world.app.inject(path)
    const read = async () =>
      (await world.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } }))
        .body
    const text = await read()
    const value = (name: string): string | null =>
      text
        .split('\n')
        .find((line) => line.startsWith(`proof_of_price_${name} `))
        ?.split(' ')
        .at(-1) ?? null
    const route = 'route="/api/v1/predictions/:id",method="GET"'
    expect(value(`http_seconds_count{${route},status="2xx"}`)).toBe('1')
    expect(value(`http_seconds_count{${route},status="4xx"}`)).toBe('1')
    // Unknown routes share one label.
    expect(value('http_seconds_count{route="pages",method="GET",status="4xx"}')).toBe('3')
    expect(text).not.toContain('/x1')
    expect(value('rows{kind="predictions",state="live"}')).toBe('2')
    expect(value('verdicts{asset="btc",mode="touch",outcome="hit"}')).toBe('1')
    expect(value('waiting{job="payments"}')).toBe('0')
    expect(value('database_up')).toBe('1')
    expect(Number(value('bar_age_days{asset="btc"}'))).toBe(1_052)
    expect(Number(value('process_resident_memory_bytes'))).toBeGreaterThan(1e6)
    expect(text).not.toContain(TOKEN)
    // The monitoring only queries existing metrics.
    const input = new Set(text.match(/(?<=^# TYPE )\S+/gm))
    // Only where there is a replica.
    for (const name of ['replica_used', 'replica_behind_seconds'])
      input.add(`proof_of_price_${name}`)
    const file = (name: string): string =>
      readFileSync(join(import.meta.dirname, '../../deploy', name), 'utf8')
    const request = [
      ...file('grafana/dashboards/site.json').matchAll(/proof_of_price_\w+/g),
      ...file('prometheus/alarms.yaml').matchAll(/proof_of_price_\w+/g),
    ].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))
    expect(request.length).toBeGreaterThan(15)
    expect(request.filter((name) => !input.has(name))).toEqual([])
  })
})
