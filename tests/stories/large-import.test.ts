import { rowsOf } from '#server/kit/rows.ts'
import { entry } from '#tests/support/builders.ts'
import { manyEntries, walk } from '#tests/support/many.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'

/** More than are written by one statement, and more than are judged at a time. */
const MANY = 4_100

/** What is on record of them, counted, and what does not fit together. */
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

it('a file of thousands is on record once, each with its own source, verdicts and events', async () => {
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

it('people of one file are those that its predictions bring one after the other', async () => {
  const said = [
    ['Expert A', '@first'],
    ['Expert B', null],
    // Another handle of one that is there, and a name that is written in another way.
    ['expert a', '@second'],
    ['Expert-B', null],
    // Names of signs alone share one address.
    ['???', null],
    ['!!!', null],
    ['Expert', null],
    // It would get the address that has its name, were the one of the second of those not counted on.
    ['Expert 2', null],
    // A handle counts before a name.
    ['Expert C', '@FIRST'],
    ['Expert D', '@fourth'],
    ['Expert E', 'fourth'],
    ['Expert F', null],
    ['Expert F', '@sixth'],
    ['Expert G', null],
    // People of whom nothing else is known: one statement adds them.
    ['Somebody', '@some'],
    ['A firm', null],
    ['Anybody', '@any'],
  ] as const
  const entries = said.map(([name, handle], n) =>
    entry(`p${String(n)}`, { expert_name: name, x_handle: handle, is_firm: name === 'A firm' }),
  )
  const people = async (files: readonly (readonly object[])[]): Promise<unknown> => {
    await using world = await testApp()
    for (const file of files) {
      expect(await world.imports.predictions(JSON.stringify(file))).toMatchObject({ bad: [] })
    }
    const result = await world.kit.db.execute(sql`
      select array_agg(id order by id) as predictions,
        (select json_build_array(name, slug, is_firm) from influencers i where i.id = p.influencer_id) as person,
        (select json_agg(json_build_array(kind, folded, text, main, confirmed) order by kind, folded)
          from influencer_names n where n.influencer_id = p.influencer_id) as names
      from predictions p group by influencer_id order by 1`)
    return rowsOf(result)
  }
  const known = [[entry('k', { expert_name: 'Expert G' })]]
  const together = await people([...known, entries])
  expect(together).toHaveLength(12)
  expect(together).toEqual(await people([...known, ...entries.map((one) => [one])]))
})
