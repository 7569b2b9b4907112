import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { PredictionList } from '#contracts/predictions.ts'
import { day } from '#domain/day.ts'
import { checkStored } from '#server/composition/check-stored.ts'
import { appliedMigrations, migrateDatabase } from '#server/kit/db.ts'
import { replyText } from '#server/scores/scores-wire.ts'
import { everybody, storedScores } from '#server/scores/scores.rows.ts'
import { openSite } from '#server/site.ts'
import { earlierDatabase, MIGRATIONS, runServer, tablesOf } from '#tests/support/databases.ts'
import { programOf } from '#tests/support/programs.ts'
import { testDatabase, type TestDatabase } from '#tests/support/test-app.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'

const [MAIN, CLI] = await Promise.all([programOf('main'), programOf('cli')])

const OUTCOMES = {
  'a-hit': 'hit',
  'a-miss': 'miss',
  'a-open': 'pending',
  'a-down': 'miss',
  'b-range': 'hit',
  'b-window': 'hit',
  'b-top': 'miss',
  'b-bottom': 'hit',
  'c-void': 'void',
}

it('a database of each earlier commit is brought up to date and shows its verdicts', async () => {
  const evidenceOf = ({ sql }: TestDatabase): Promise<unknown[]> =>
    sql(`select id, evidence - 'someClosesOnly' as evidence from verdicts order by 1`)
  const [before, after]: [unknown[], unknown[]] = [[], []]
  for (const [commit, last] of [
    ['bff7f3b0', 0],
    ['4e668fa3', 0],
    ['e92094da', 16],
  ] as const) {
    await using database = await earlierDatabase(last, commit)
    before.push(await evidenceOf(database))
    await migrateDatabase(database, MIGRATIONS, checkStored)
    after.push(await evidenceOf(database))
    await using kit = testKit(database.url)
    const site = await openSite(kit, testPorts(kit))
    const { body } = await site.app.inject({ url: '/api/predictions' })
    const rows = PredictionList.parse(JSON.parse(body))
    const outcomes = rows.map((row) => [row.id, row.verdicts.touch.outcome])
    expect([commit, Object.fromEntries(outcomes)]).toEqual([commit, OUTCOMES])
    for (const { id } of rows) {
      const history = await site.app.inject({ url: `/api/v1/predictions/${id}` })
      expect({ commit, id, status: history.statusCode }).toEqual({ commit, id, status: 200 })
    }
    await site.stop({ linger: () => Promise.resolve() })
  }
  // Evidence stored before days were numbers equals what the next version wrote for the same record.
  expect(after[1]).toEqual(before[0])
})

it.each([
  ['packed', 'gzip'],
  ['as text', 'reply'],
])('scores of a day stored by an earlier version as %s stay unchanged', async (_, column) => {
  await using database = await earlierDatabase(18)
  const people = [
    { slug: 'b', ranked: true, sats: 1e-7, calls: [{ id: 'z' }, { id: 'a' }] },
    { slug: 'a', ranked: false, sats: null, calls: [] },
  ]
  const notes = ['"people":[] “é”']
  const text = JSON.stringify({ as_of: '2026-01-02', people, years: [], notes })
  await database.sql(
    `insert into scores (as_of, mode, digest, rule, seed, histories, is_daily, computed_at, ${column}, starts)
     values ('2026-01-02', 'close', '3-x', 1, 's', 9, true, '2026-01-02 10:00:00+00', $1, $2)`,
    column === 'gzip' ? [gzipSync(text), [0]] : [text, null],
  )
  await migrateDatabase(database, MIGRATIONS, checkStored)
  const of = { asOf: day('2026-01-02'), mode: 'close' } as const
  const stored = await storedScores(database.db, of)
  if (!stored) throw new Error('no scores')
  const parts = database.db.transaction((tx) =>
    Array.fromAsync(replyText(stored.about, everybody(tx, of))),
  )
  expect((await parts).join('')).toBe(text)
  const rows = await database.sql(
    `select digest, seed, is_daily, computed_at = '2026-01-02 10:00:00+00' as same from scores`,
  )
  expect(rows).toEqual([{ digest: '3-x', seed: 's', is_daily: true, same: true }])
  expect(await tablesOf(database)).not.toContain('packed_scores')
})

it('strips of the board include calls stored before', async () => {
  await using database = await earlierDatabase(35)
  const mark = { id: 'a', text: '$1', deadline: '2026-01-01', outcome: 'hit', luck: 0.5 }
  const calls = [
    { ...mark, made: '2025-01-01' },
    { ...mark, id: 'void', outcome: 'void' },
    { ...mark, repeats: 'a' },
    { id: 'open', luck: null },
  ]
  const store = (text: string, ...values: unknown[]) => database.sql(text, values)
  for (const asOf of ['2026-01-01', '2026-01-02']) {
    await store(
      `insert into scores (as_of, mode, digest, rule, seed, histories, about, is_daily, computed_at)
       values ($1, 'close', '3-x', 1, 's', 9, '{}', true, now())`,
      asOf,
    )
    await store(
      `insert into person_scores (as_of, mode, slug, place, ranked, call_count, figures, calls)
       values ($1, 'close', 'b', 0, true, 4, '{}', $2)`,
      asOf,
      JSON.stringify(calls),
    )
  }
  await migrateDatabase(database, MIGRATIONS, checkStored)
  const rows = await store('select call_count, marks from person_scores order by as_of')
  expect(rows, 'only the newest are shown').toEqual([
    { call_count: 4, marks: [] },
    { call_count: 3, marks: [mark] },
  ])
})

it('a start that cannot read what is stored says so and leaves the database unchanged', async () => {
  await using database = await earlierDatabase(0, '4e668fa3')
  const spoil = (json: string) =>
    database.sql('update verdicts set evidence = $1 where id = 3', [json])
  await spoil('{"date": "never", "window_from": ""}')
  await expect(migrateDatabase(database, MIGRATIONS, checkStored)).rejects.toThrow(
    'invalid input syntax for type date: "never"',
  )
  await spoil('{"day": "soon"}')
  const before = await contentsOf(database)
  const why = String.raw`this version cannot read evidence 3 of verdicts \(outcome\)`
  expect(await runServer(MAIN, [], database).ended).toEqual({
    said: expect.stringMatching(
      `^The site cannot start: The database could not be migrated: ${why}\\. It is unchanged: .*\n$`,
    ),
    status: 1,
  })
  expect(await contentsOf(database)).toEqual(before)
})

it('a token with fewer rights than its account ends, and says so; it gains nothing', async () => {
  await using database = await earlierDatabase(28)
  await database.sql(
    `insert into admins (role, username, folded, password_hash, created_at)
     select role, role, role, '', now() from unnest(array['administrator', 'reviewer']) role;
     insert into admin_tokens (id, token_hash, admin_id, name, created_at, expires_at, scopes)
     select gen_random_uuid(), role || ' ' || scopes, a.id, role || ' ' || scopes, now(),
       now() + interval '1 day', scopes::text[]
     from admins a, unnest(array['{}', '{read}', '{read,review}', '{read,review,publish}',
       '{operate,publish,read,review}']) scopes`,
  )
  await migrateDatabase(database, MIGRATIONS, checkStored)
  const rows = await database.sql(
    `select name from admin_tokens where revoked_at is null order by name`,
  )
  expect(rows.map(({ name }) => name)).toEqual([
    'administrator {operate,publish,read,review}',
    'reviewer {operate,publish,read,review}',
    'reviewer {read,review,publish}',
    'reviewer {read,review}',
  ])
  expect(await database.sql(`select 1 from audit_log where action = 'token revoked'`)).toHaveLength(
    6,
  )
})

it('a report that waited for its deposit is open', async () => {
  await using database = await earlierDatabase(16, 'e92094da')
  await database.sql(
    `insert into reports (prediction_id, kind, explanation, state, reported_at, last_event)
     select id, 'words', 'Another day', 'unpaid', now(), 0 from predictions limit 1`,
  )
  await migrateDatabase(database, MIGRATIONS, checkStored)
  const rows = await database.sql('select explanation, state from reports')
  expect(rows).toEqual([{ explanation: 'Another day', state: 'open' }])
})

it('a database of another version is refused by site and commands, with how to migrate it', async () => {
  await using database = await testDatabase()
  const run = (program: string, words: readonly string[] = []) =>
    runServer(program, words, database).ended
  const journal = 'drizzle.__drizzle_migrations'
  const rows = await database.sql(`select max(created_at) as at from ${journal}`)
  // The first and the last of the nineteen migrations of older versions.
  await database.sql(`delete from ${journal}`)
  await database.sql(
    `insert into ${journal} (hash, created_at) values ('a', 1795173466062), ('b', 1795362612655)`,
  )
  const older = /made by a version from before 23 November 2026.* docs\/operations\.md /
  for (const outcome of await Promise.all([run(MAIN), run(CLI, ['judge'])])) {
    expect(outcome).toEqual({ said: expect.stringMatching(older), status: 1 })
  }
  expect(await database.sql('select from predictions')).toEqual([])
  await database.sql(`update ${journal} set created_at = $1::bigint + 1`, [rows[0]?.at])
  expect(await run(CLI, ['judge'])).toEqual({
    said: expect.stringContaining('last opened by a newer version'),
    status: 1,
  })
})

async function contentsOf(database: TestDatabase): Promise<unknown> {
  const tables = await Promise.all(
    (await tablesOf(database)).map(async (name) => [
      name,
      await database.sql(`select t::text from "${name}" t order by 1`),
    ]),
  )
  return { tables, migrations: await appliedMigrations(database.pool) }
}

it('deliveries pending during an update continue in the outbox, and nothing is sent twice', async () => {
  await using database = await earlierDatabase(24)
  const { sql } = database
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${String(n)}`
  await sql(`
    insert into submissions (id, origin, status, asset, expert_name, prediction_type, price_prediction, target_time, created_at)
      values ('${id(1)}', 'admin', 'approved', 'btc', 'A', 'target', '$1', '2027-01-01', now());
    insert into notices (submission_id, event, status, attempts, next_try_at, sats, created_at, sent_at) values
      ('${id(1)}', 'approved', 'sending', 1, now(), 6, now(), null), ('${id(1)}', 'rejected', 'sent', 1, now(), 0, now(), now()),
      ('${id(1)}', 'verdict:hit', 'waiting', 2, now(), 0, now(), null);
    insert into followers (id, channel, address, address_hash, token_hash, every, next_at, created_at)
      values ('${id(2)}', 'email', 'a@example.org', 'a', 't', 'now', now(), now());
    insert into follow_messages (follower_id, status, attempts, next_try_at, created_at) values
      ('${id(2)}', 'sent', 1, now(), now()), ('${id(2)}', 'waiting', 1, now(), now());
    insert into nostr_events (id, purpose, event, signed_at) values ('e', 'note', '{}', now()), ('z', 'zap', '{}', now());
    insert into nostr_deliveries (event_id, relay, state, next_try_at, updated_at) values
      ('e', 'wss://own', 'accepted', now(), now()), ('z', 'wss://own', 'waiting', now(), now()), ('z', 'wss://other', 'given-up', now(), now());
    insert into proof_days (day, root, made_at) values ('2026-11-20', 'r', now());
    insert into proof_stamps (day, calendar, promise, attested, height, failures, last_error, next_try_at, updated_at) values
      ('2026-11-20', 'https://a', null, null, null, 9, 'It is away.', now(), now()), ('2026-11-20', 'https://b', 'p', null, null, 0, null, now(), now()),
      ('2026-11-20', 'https://c', 'p', 'a', 900000, 0, null, now(), now());
    insert into admins (username, folded, role, password_hash, from_environment, created_at) values ('A', 'a', 'administrator', 'x', false, now());
    insert into social_posts (id, kind, state, networks, pictures, scheduled_at, created_by, created_at, updated_at)
      select '${id(3)}', 'manual', 'sending', '{x,nostr}', '[]', now(), id, now(), now() from admins;
    insert into social_results (post_id, network, state, next_try_at, attempts, posting_at) values
      ('${id(3)}', 'x', 'sending', now(), 1, now()), ('${id(3)}', 'nostr', 'posted', null, 1, null)`)
  await migrateDatabase(database, MIGRATIONS, checkStored)
  const rows = await sql(
    `select concat_ws(' ', kind, lane, state, tries, due is not null, asked_at is not null, payload->>'said') as text
     from outbox order by kind, key`,
  )
  expect(rows.map(({ text }) => text)).toEqual([
    'follow-news email sent 1 f f',
    'follow-news email waiting 1 t f',
    'notice notice sending 1 t t',
    'notice notice sent 1 f f',
    'notice notice waiting 2 t f',
    'post nostr sent 1 f f',
    'post x sending 1 t t',
    'relay wss://own sent 0 f f accepted',
    'relay wss://own waiting 0 t f',
    'stamp https://a waiting 4 t f',
    'stamp https://b waiting 0 t f',
    'zap-relay wss://other failed 0 f f given-up',
  ])
  const stamps = await sql('select calendar from proof_stamps')
  expect(stamps.map(({ calendar }) => calendar)).toEqual(['https://b', 'https://c'])
  const clock = { now: () => Date.now() + 1_000 }
  await using kit = testKit(database.url, { clock })
  const site = await openSite(kit, testPorts(kit))
  for (const kind of ['notice', 'post']) await site.outbox.deliver(kind)
  const ended = await sql(`select state from outbox where asked_at is not null`)
  expect(ended).toEqual([{ state: 'unknown' }, { state: 'unknown' }])
  await site.stop({ linger: () => Promise.resolve() })
})

it('the single address of each prediction and submission becomes its source in the migration', async () => {
  await using database = await earlierDatabase(1)
  const { sql } = database
  const post = 'https://x.com/AdaQuant/status/1742000000000000000'
  await sql(`insert into influencers (name, slug) values ('Ada Quant', 'ada-quant')`)
  await sql(
    `insert into influencer_names (kind, folded, text, influencer_id) select 'handle', 'adaquant', 'AdaQuant', id from influencers on conflict do nothing`,
  )
  const addresses = [
    post,
    post.replace('AdaQuant', 'other'),
    'https://www.sec.gov/f?a=1',
    'no address',
    null,
  ]
  for (const [i, url] of addresses.entries()) {
    await sql(
      `insert into predictions (id, asset, influencer_id, type, made, made_precision, target_date, target_precision, source_url)
       select $1, 'btc', id, 'top', '2024-01-01', 'day', '2025-01-01', 'day', $2 from influencers`,
      [`p${String(i)}`, url],
    )
  }
  await sql(
    `insert into submissions (id, origin, status, asset, expert_name, twitter_handle, prediction_type, price_prediction, target_time, created_at, source_url)
     values (gen_random_uuid(), 'admin', 'pending', 'btc', 'Ada Quant', '@AdaQuant', 'target', '$1', '2027-01-01', now(), $1)`,
    [post],
  )
  await migrateDatabase(database, MIGRATIONS)
  const rows = await sql(
    `select prediction_id, submission_id is not null as submitted, position, kind, url, date from sources order by prediction_id`,
  )
  const own = { kind: 'own', url: post, date: '2024-01-02', position: 0 }
  expect(rows).toEqual([
    { prediction_id: 'p0', submitted: false, ...own },
    { prediction_id: 'p1', submitted: false, ...own, kind: 'report', url: addresses[1] },
    {
      prediction_id: 'p2',
      submitted: false,
      ...own,
      kind: 'filing',
      url: addresses[2],
      date: null,
    },
    {
      prediction_id: 'p3',
      submitted: false,
      ...own,
      kind: 'report',
      url: 'no address',
      date: null,
    },
    { prediction_id: null, submitted: true, ...own },
  ])
  const found = await sql(
    `select 1 from submissions where search @@ plainto_tsquery('simple', '1742000000000000000')`,
  )
  expect(found).toHaveLength(1)
})
