import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addDays, dayOfTime } from '#domain/day.ts'
import { judgeDue } from '#server/judging/judging.service.ts'
import { predictionRow } from '#server/predictions/wire.ts'
import { type RecordNews } from '#server/prices/live-prices.ts'
import { messagesOf, readState, recordChanged } from '#server/record/record-state.ts'
import { startRecord } from '#server/record/record.jobs.ts'
import { openRecord } from '#server/record/record.service.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { sharedCorrected } from '#tests/support/corrected.ts'
import { testApp } from '#tests/support/test-app.ts'
import { shows } from '#tests/support/waiting.ts'

const on = sharedCorrected()
let sent: RecordNews[]
const OPEN = { prediction_made: '2024-01-14', target_time: '2024-12-31', price_target: 120 }

/** Predictions whose verdict in force is not the newest on record. */
const MISPLACED = `
  select predictions.id, shown.mode from predictions cross join lateral (values
    ('touch', touch_verdict, touch_outcome, touch_reason, touch_day),
    ('close', close_verdict, close_outcome, close_reason, close_day)) shown (mode, verdict, outcome, reason, day)
  where (shown.verdict, shown.outcome, shown.reason, shown.day) is distinct from (
    select (v.id, v.outcome, v.reason, v.day) from verdicts v
    where v.prediction_id = predictions.id and v.mode = shown.mode order by v.id desc limit 1)`

it('every change to a prediction is seen at once by another process, with the newest verdicts', async () => {
  const { imports, database, record } = on.world
  const other = openRecord(on.world.kit)
  const query = (text: string) => () => database.sql(text)
  const correct = (method: 'PUT' | 'POST' | 'DELETE', path: string, body: object) => () =>
    on.change(method, path, body)
  const price = (date: string, close: number) => () =>
    imports.prices('btc', closesFile(date, [close]), 'test')
  const verdict = (outcome: string, reason: string) => ({
    verdicts: { touch: { outcome, reason } },
  })
  await imports.predictions(JSON.stringify([entry('open', OPEN)]))
  await other.find('a')
  for (const [change, id, shows] of [
    [correct('PUT', '', { quote: 'Otherwise', reason: 'A slip' }), 'a', { summary: 'Otherwise' }],
    [
      correct('PUT', '', { price_target: '$140', reason: 'A slip' }),
      'a',
      verdict('hit', 'reached'),
    ],
    [query("update predictions set vote_score = 7 where id = 'b'"), 'b', { voteScore: 7 }],
    [
      query("update influencers set name = 'Expert Bee' where name = 'Expert B'"),
      'b',
      { expert: { name: 'Expert Bee' } },
    ],
    [
      query("update sources set url = 'https://example.org/b' where prediction_id = 'b'"),
      'b',
      { sources: [{ url: 'https://example.org/b' }] },
    ],
    [
      query(
        "insert into source_checks (url, asked_at, next_ask_at, dead_since) values ('https://example.org/b', now(), now(), '2024-03-01')",
      ),
      'b',
      { sources: [{ deadSince: '2024-03-01' }] },
    ],
    [correct('POST', '/override', OVERRIDE), 'a', verdict('miss', 'overridden')],
    [
      correct('DELETE', '/override', { mode: 'touch', reason: 'None' }),
      'a',
      verdict('hit', 'reached'),
    ],
    [correct('POST', '/freeze', { reason: 'In dispute' }), 'a', {}],
    // A frozen prediction stays unchanged.
    [price('2024-01-05', 104), 'a', verdict('hit', 'reached')],
    [price('2024-01-16', 121), 'open', verdict('hit', 'reached')],
    [
      correct('POST', '/withdraw', { reason: 'Never said' }),
      'a',
      { withdrawn: { reason: 'Never said' } },
    ],
    [correct('POST', '/restore', {}), 'a', { withdrawn: null }],
  ] as const) {
    await change()
    const found = await other.find(id)
    expect(found).toMatchObject(shows)
    expect(found && predictionRow(found)).toEqual(predictionRow((await record.find(id)) as never))
    expect(await database.sql(MISPLACED)).toEqual([])
  }
})

const OVERRIDE = { mode: 'touch', outcome: 'miss', reason: 'A misprint of the exchange' }

it('a verdict from prices is shown once it is on record, and its evidence matches the prices', async () => {
  const { record, imports, database, refresh } = on.world
  await imports.predictions(JSON.stringify([entry('open', OPEN)]))
  await refresh()
  const verdict = async () => (await record.find('open'))?.verdicts.touch
  const open = { outcome: 'pending', bar: null, nearest: { usd: 113 } }
  expect(await verdict()).toMatchObject(open)
  // An override is not judged.
  await database.sql(
    "insert into bars (asset, day, source, close) values ('btc', '2024-01-16', 'test', 121)",
  )
  await refresh()
  expect(await verdict()).toMatchObject(open)
  await imports.judge()
  await refresh()
  expect(await verdict()).toMatchObject({
    outcome: 'hit',
    bar: { close: 121 },
    nearest: { usd: 121 },
  })
  const rows = await database.sql(
    "select evidence from verdicts where prediction_id = 'open' and mode = 'touch' order by id desc limit 1",
  )
  expect(JSON.parse(JSON.stringify(await verdict()))).toEqual(rows[0]?.evidence)
})

it('a start judges calls that a new day can decide, and all calls after a rule change', async () => {
  await using world = await testApp()
  await world.imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
  const open = { prediction_made: '2024-01-01', target_time: '2024-12-31', price_target: 120 }
  const file = JSON.stringify([entry('open', open), entry('hit', { ...open, price_target: 101 })])
  await world.imports.predictions(file)
  expect(await world.imports.judgeDue()).toBe(0)
  const { sql } = world.database
  await sql(
    "insert into bars (asset, day, source, close) values ('btc', '2024-01-04', 'test', 121)",
  )
  // On the same day: prices were judged as they arrived.
  expect(await world.imports.judgeDue()).toBe(0)
  const tomorrow = addDays(dayOfTime(world.kit.clock.now()), 1)
  expect(await world.kit.db.transaction((tx) => judgeDue(tx, tomorrow))).toBe(2)
  await sql("update facts set value = 'rules of before' where name = 'judged by'")
  await sql("update bars set close = 119 where day = '2024-01-04'")
  expect(await world.imports.judgeDue()).toBe(2)
  expect(await world.imports.judgeDue()).toBe(0)
  // The same file changes nothing but verdicts.
  await sql("update bars set close = 121 where day = '2024-01-04'")
  const { version } = await readState(world.kit.db)
  expect(await world.imports.predictions(file)).toMatchObject({ same: 2, verdicts: 2 })
  expect((await readState(world.kit.db)).version).toBeGreaterThan(version)
})

/** Waits until everything has been sent. */
async function received(): Promise<void> {
  const { version } = await readState(on.world.kit.db)
  await shows(() => expect(sent.at(-1)?.version).toBe(String(version)))
}

/** The messages about a change on open pages, which name at least so many predictions, perhaps in several messages. */
async function news(change: () => Promise<unknown>, least = 0) {
  await received()
  sent = []
  const before = on.world.record.version()
  await change()
  await received()
  await shows(() =>
    expect(sent.flatMap(({ predictions }) => predictions).length).toBeGreaterThanOrEqual(least),
  )
  expect(sent[0]?.since).toBe(before)
  return {
    predictions: sent.flatMap(({ predictions }) => predictions.map(({ id }) => id)),
    verdicts: sent.flatMap(({ verdicts }) =>
      verdicts.map(({ id, mode, outcome }) => [id, mode, outcome].join(' ')),
    ),
  }
}

describe('an event of the record for an open page', () => {
  const ends: (() => void)[] = []
  beforeEach(async () => {
    sent = []
    const { kit, live, record } = on.world
    const { stop } = startRecord(kit, record, live, null)
    const unlisten = live.listen((event) => {
      if (event.kind === 'record') sent.push(event.news)
    })
    ends.push(stop, unlisten)
    await on.world.refresh()
    await received()
  })
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })

  it('is sent once for each prediction that is added, removed or changed, and no other', async () => {
    const { imports, database, refresh } = on.world
    const { db } = database
    const named = (condition: string) => async () =>
      recordChanged(db, { predictions: await messagesOf(db, sql.raw(condition)) })
    const put = (text: string) => () => imports.predictions(text)
    const many = Array.from({ length: 120 }, (__, n) =>
      entry(`many-${String(n)}`, { price_target: 200 + n }),
    )
    const rename = async () => {
      const rows = await database.sql("select id from influencers where slug = 'expert-b'")
      const body = { version: 0, name: 'Expert Bee', reason: 'A slip' }
      const url = `/api/v1/admin/experts/${rows[0]?.id ?? ''}`
      expect(await on.admin.call('PUT', url, body)).toMatchObject({ status: 200 })
    }
    const correct = (method: 'PUT' | 'POST', path: string, body: object) => () =>
      on.change(method, path, body)
    for (const [what, change, topics] of [
      ['nothing', refresh, []],
      ['an edit', correct('PUT', '', { quote: 'Said otherwise', reason: 'A slip' }), ['a']],
      ['a withdrawal', correct('POST', '/withdraw', { reason: 'He never said it' }), ['a']],
      ['its return', correct('POST', '/restore', {}), ['a']],
      ['a new one', put(JSON.stringify([entry('open', OPEN)])), ['open']],
      ['the same file again', () => put(JSON.stringify([entry('open', OPEN)]))().then(refresh), []],
      ['another name', rename, ['b']],
      // Sats, dead sources and undone approvals announce it themselves.
      ['those that are named', named("predictions.id in ('b', 'open')"), ['b', 'open']],
    ] as const) {
      const found = await news(change, topics.length)
      expect([what, found]).toEqual([what, { predictions: topics, verdicts: [] }])
    }
    const { predictions } = await news(put(JSON.stringify(many)))
    expect(new Set(predictions).size).toBe(100)
  })

  it('is sent once for each verdict, however often the record is read, and for both of two in a row', async () => {
    const { imports, record } = on.world
    await imports.predictions(JSON.stringify([entry('open', OPEN)]))
    const price = (close: number) => () =>
      imports.prices('btc', closesFile('2024-01-16', [close]), 'test')
    const both = (outcome: string) => ['open touch', 'open close'].map((one) => `${one} ${outcome}`)
    const { predictions, verdicts } = await news(async () => {
      await price(121)()
      await Promise.all([record.refresh(), record.refresh()])
    })
    expect([predictions, verdicts]).toEqual([[], both('hit')])
    const again = await news(() => price(101)().then(price(122)))
    expect(again.verdicts).toEqual([...both('pending'), ...both('hit')])
  })
})
