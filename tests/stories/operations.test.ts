import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listJobs } from '#contracts/operations.ts'
import { saveSource } from '#server/prices/price-sources.rows.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { priceWorld } from '#tests/support/price-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
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
