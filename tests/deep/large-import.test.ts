import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { rowsOf } from '#server/kit/db.ts'
import { predictionRow } from '#server/predictions/wire.ts'
import { manyEntries, walk } from '#tests/support/many.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'

/** Too many for one statement to write, and for one batch to judge. */
const MANY = 4_100

/** Counts of what is on record of them, and inconsistencies. */
async function counts(world: TestApp): Promise<unknown> {
  const result = await world.kit.db.execute(sql`select
    (select count(*)::int from predictions) as predictions,
    (select count(*)::int from sources) as sources,
    (select count(*)::int from verdicts) as verdicts,
    (select count(*)::int from prediction_events) as events,
    (select count(*)::int from prediction_events e join verdicts v on v.id = e.verdict_id
      where e.prediction_id <> v.prediction_id or e.text not like '%by ' || case v.mode when 'touch' then 'intraday' else 'daily' end || '%') as mixed_up,
    (select count(*)::int from verdicts where evidence ->> 'mode' <> mode or evidence ->> 'outcome' <> outcome) as other_evidence,
    (select count(*)::int from predictions p join sources s on s.prediction_id = p.id
      where s.url <> 'https://example.org/many/' || substr(p.id, 6)) as other_sources`)
  return rowsOf(result)[0]
}

it('a file of thousands is imported once, each row with its source, verdicts and events', async () => {
  await using world = await testApp()
  await world.imports.prices('btc', walk(), 'walk')
  const entries = manyEntries(MANY)
  const file = JSON.stringify(entries)
  const none = { ok: true, ranges: null, bad: [] }
  expect(await world.imports.predictions(file)).toEqual({
    ...none,
    added: MANY,
    changed: 0,
    same: 0,
    verdicts: 2 * MANY,
  })
  const whole = {
    predictions: MANY,
    sources: MANY,
    verdicts: 2 * MANY,
    events: 3 * MANY,
    mixed_up: 0,
    other_evidence: 0,
    other_sources: 0,
  }
  expect(await counts(world)).toEqual(whole)

  expect(await world.imports.predictions(file)).toEqual({
    ...none,
    added: 0,
    changed: 0,
    same: MANY,
    verdicts: 0,
  })
  expect(await counts(world)).toEqual(whole)

  const summaries = entries.map((one, n) => (n % 1_000 === 7 ? { ...one, summary: 'Other.' } : one))
  expect(await world.imports.predictions(JSON.stringify(summaries))).toEqual({
    ...none,
    added: 0,
    changed: 5,
    same: MANY - 5,
    verdicts: 0,
  })
  expect(await counts(world)).toEqual(whole)
})

it('a list of thousands is compressed while it is sent, and equals its pages', async () => {
  const many = 5_100
  await using world = await testApp()
  await world.imports.prices('btc', walk(), 'walk')
  await world.publish(...manyEntries(many))
  const listed = await world.get('/api/predictions')
  expect(listed.status).toBe(200)
  expect(listed.body).toEqual(
    JSON.parse(JSON.stringify((await world.record.list({ asset: 'btc' })).map(predictionRow))),
  )
  const packed = await world.app.inject({
    url: '/api/predictions',
    headers: { 'accept-encoding': 'br' },
  })
  expect(JSON.parse(brotliDecompressSync(packed.rawPayload).toString())).toEqual(listed.body)
})
