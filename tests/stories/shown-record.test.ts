import { correctedOn, type CorrectedSite } from '#tests/support/corrected.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { beforeEach, expect, it } from 'vitest'
import { ASSET_KEYS } from '#domain/asset.ts'
import { addDays, dayOfTime } from '#domain/day.ts'
import { judgeDue } from '#server/judging/judging.service.ts'
import { type Shown } from '#server/judging/shown.service.ts'
import { catalogService, type Snapshot } from '#server/predictions/catalog.service.ts'
import { predictionRow } from '#server/predictions/wire.ts'

const { site } = emptySite()
let on: CorrectedSite
beforeEach(async () => {
  on = await correctedOn(site())
})

function shownIn(snapshot: Snapshot | null): Shown[] {
  return ASSET_KEYS.flatMap((key) => [...(snapshot?.assets[key].judged.shown.values() ?? [])])
}

/** All that pages could show of the record. */
function contentOf(snapshot: Snapshot | null) {
  return {
    version: snapshot?.version,
    tags: ASSET_KEYS.map((key) => snapshot?.assets[key].judged.tag),
    shown: shownIn(snapshot)
      .map(({ prediction, ...marks }) => ({
        ...marks,
        withdrawn: prediction.withdrawn,
        row: JSON.stringify(predictionRow(prediction)),
      }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }
}

async function freshly(world: TestApp): Promise<Snapshot | null> {
  const fresh = catalogService(world.kit)
  await fresh.refresh()
  return fresh.snapshot()
}

it('what is read again after a change is what a process that starts reads, and nothing else is read', async () => {
  const { catalog, imports, database, refresh } = on.world
  const query = (text: string) => () => database.pool.query(text)
  const open = { prediction_made: '2024-01-14', target_time: '2024-12-31', price_target: 120 }
  const price = (date: string, close: number) => () =>
    imports.prices('btc', closesFile(date, [close]), 'test')
  const correct = (method: 'PUT' | 'POST' | 'DELETE', path: string, body: object) => () =>
    on.change(method, path, body)
  const changes: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
    ['nothing', () => Promise.resolve(), []],
    ['a new one', () => imports.predictions(JSON.stringify([entry('open', open)])), ['open']],
    ['an edit', correct('PUT', '', { quote: 'Said otherwise', reason: 'A slip' }), ['a']],
    ['votes', query("update predictions set vote_score = 7 where id = 'b'"), ['b']],
    ['a name', query("update influencers set name = 'Expert Bee' where name = 'Expert B'"), ['b']],
    [
      'a source',
      query(
        "update sources set url = 'https://example.org/b', quotation = 'His words', speaker = 'B' where prediction_id = 'b'",
      ),
      ['b'],
    ],
    [
      'a dead source',
      query(
        "insert into source_checks (url, asked_at, next_ask_at, dead_since) select url, now(), now(), '2024-03-01' from sources where prediction_id = 'b'",
      ),
      ['b'],
    ],
    ['an override', correct('POST', '/override', OVERRIDE), ['a']],
    ['a freeze', correct('POST', '/freeze', { reason: 'Prices in dispute' }), ['a']],
    ['a withdrawal', correct('POST', '/withdraw', { reason: 'He never said it' }), ['a']],
    ['its return', correct('POST', '/restore', {}), ['a']],
    ['prices', price('2024-01-16', 101), ['a', 'b', 'open']],
    ['prices that decide', price('2024-01-17', 121), ['a', 'b', 'open']],
  ]
  let { scenes } = catalog.snapshot()?.record ?? {}
  for (const [what, change, others] of changes) {
    const before = new Map(shownIn(catalog.snapshot()).map((one) => [one.id, one.prediction]))
    await change()
    await refresh()
    const now = shownIn(catalog.snapshot())
    const other = now.filter(({ id, prediction }) => before.get(id) !== prediction)
    expect([what, other.map(({ id }) => id).toSorted()]).toEqual([what, others])
    // One that was kept and one that was read are judged by the same prices in memory.
    const former = scenes
    scenes = catalog.snapshot()?.record.scenes
    expect([what, scenes !== former]).toEqual([what, what.startsWith('prices')])
    expect([what, contentOf(catalog.snapshot())]).toEqual([
      what,
      contentOf(await freshly(on.world)),
    ])
  }
  const frozen = shownIn(catalog.snapshot()).filter((one) => one.isFrozen)
  expect(frozen.map(({ id }) => id)).toEqual(['a'])
  await query("delete from sources where prediction_id = 'b'")()
  await refresh()
  expect(contentOf(catalog.snapshot())).toEqual(contentOf(await freshly(on.world)))
})

const OVERRIDE = { mode: 'touch', outcome: 'hit', reason: 'A misprint of the exchange' }

it('a verdict that prices bring is shown once it is on record, and evidence is that of the prices', async () => {
  const { catalog, imports, database, refresh } = on.world
  const open = { prediction_made: '2024-01-14', target_time: '2024-12-31', price_target: 120 }
  await imports.predictions(JSON.stringify([entry('open', open)]))
  await refresh()
  const verdict = () => catalog.snapshot()?.byId.get('open')?.verdicts.touch
  expect(verdict()).toMatchObject({ outcome: 'pending', bar: null, nearest: { usd: 113 } })
  // By hand: nothing judges it.
  await database.pool.query(
    "insert into bars (asset, day, source, close) values ('btc', '2024-01-16', 'test', 121)",
  )
  await refresh()
  expect(verdict()).toMatchObject({ outcome: 'pending', bar: null, nearest: { usd: 113 } })
  expect(contentOf(catalog.snapshot())).toEqual(contentOf(await freshly(on.world)))
  await imports.judge()
  await refresh()
  expect(verdict()).toMatchObject({ outcome: 'hit', bar: { close: 121 }, nearest: { usd: 121 } })
  const { rows } = await database.pool.query<{ evidence: unknown }>(
    "select evidence from verdicts where prediction_id = 'open' and mode = 'touch' order by id desc limit 1",
  )
  expect(JSON.parse(JSON.stringify(verdict()))).toEqual(rows[0]?.evidence)
})

it('a start judges what a new day can decide, and everything after another version of the rules', async () => {
  await using world = await testApp()
  await world.imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
  const open = { prediction_made: '2024-01-01', target_time: '2024-12-31', price_target: 120 }
  await world.imports.predictions(
    JSON.stringify([entry('open', open), entry('hit', { ...open, price_target: 101 })]),
  )
  expect(await world.imports.judgeDue()).toBe(0)
  const { pool } = world.database
  await pool.query(
    "insert into bars (asset, day, source, close) values ('btc', '2024-01-04', 'test', 121)",
  )
  // The same day: what came meanwhile was judged as it came.
  expect(await world.imports.judgeDue()).toBe(0)
  const tomorrow = addDays(dayOfTime(world.kit.clock.now()), 1)
  expect(await world.kit.db.transaction((tx) => judgeDue(tx, tomorrow))).toBe(2)
  await pool.query("update facts set value = 'rules of before' where name = 'judged by'")
  await pool.query("update bars set close = 119 where day = '2024-01-04'")
  expect(await world.imports.judgeDue()).toBe(2)
  expect(await world.imports.judgeDue()).toBe(0)
})
