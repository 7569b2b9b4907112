// Over 400 lines: what an import of prices, splits and predictions does to the record, step by step.

import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { onePrediction, PredictionEnvelope, PredictionList } from '#contracts/predictions.ts'
import { PriceEnvelope, PriceList } from '#contracts/prices.ts'
import { search } from '#contracts/search.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { emptied } from '#tests/support/once-for-file.ts'
import { count } from '#tests/support/review.ts'
import {
  starterFile,
  newStarterSite,
  STARTER_FILES as STARTER,
} from '#tests/support/starter-site.ts'
import { words } from '#tests/support/words.ts'

const { world: empty } = emptySite()
let world = empty
beforeEach(() => {
  world = empty
})

const Sourced = z.array(
  z.object({ id: z.string(), outcome_by_the_source: z.enum(['success', 'miss']).nullable() }),
)

async function btc(): Promise<z.infer<typeof PredictionList>> {
  await world.refresh()
  return PredictionList.parse((await world.get('/api/predictions')).body)
}

async function one(id: string): Promise<z.infer<typeof PredictionList>[number]> {
  const found = (await btc()).find((row) => row.id === id)
  if (!found) throw new Error(`no prediction ${id}`)
  return found
}

/** Predictions of the starter data with another outcome than their source states. */
async function differing(): Promise<unknown[]> {
  const entries = Sourced.parse(JSON.parse(starterFile('predictions.json')))
  const sourced = entries.filter(({ outcome_by_the_source: outcome }) => outcome !== null)
  expect(sourced).toHaveLength(469)
  const all = await btc()
  const mstr = PredictionEnvelope.parse((await world.get('/api/mstr/predictions')).body).data
  const rows = new Map([...all, ...mstr].map((row) => [row.id, row]))
  return sourced.filter(
    ({ id, outcome_by_the_source: outcome }) => rows.get(id)?.success_status !== outcome,
  )
}

describe('starter data', () => {
  it('the starter data yields every outcome that its sources state, also by full daily prices of two sources', async () => {
    await using starter = await newStarterSite()
    world = starter
    expect(await world.imports.starter(STARTER)).toBeNull()
    expect(await world.imports.judge()).toBe(0)
    await world.refresh()
    expect(PriceList.parse((await world.get('/api/prices')).body)).toHaveLength(5_388)
    expect(PriceList.parse((await world.get('/prices')).body)).toHaveLength(5_388)
    expect(PriceEnvelope.parse((await world.get('/api/mstr/prices')).body).data).toHaveLength(1_951)
    expect(PriceEnvelope.parse((await world.get('/api/naka/prices')).body).data).toEqual([])
    expect(await btc()).toHaveLength(503)
    const mstr = PredictionEnvelope.parse((await world.get('/api/mstr/predictions')).body).data
    expect(mstr).toHaveLength(77)
    expect(mstr.find((row) => row.id === 'mstr-harte-1800-apr-2024')).toMatchObject({
      target_price: 1_800,
      split_factor: 10,
      success_status: 'success',
      verdicts: { touch: { level_min: 180 } },
    })
    expect(await differing()).toEqual([])
    await world.sql('delete from bars')
    for (const asset of ['btc', 'mstr'] as const) {
      const closes = STARTER.prices[asset].trim().split('\n').slice(1)
      const [calm, wild] = [fullDays(closes, 0), fullDays(closes, 0.25)]
      const input = [calm, wild].map((text, i) => ({ text, source: `source-${String(i)}` }))
      const imported = await world.imports.priceFiles(asset, input, true)
      expect(imported).toMatchObject({ ok: true, bad: [] })
    }
    expect(await differing()).toEqual([])
  })

  it('a site counts the predictions added by a newer file until that file is imported', async () => {
    const rows = (JSON.parse(STARTER.predictions) as unknown[]).slice(0, 20)
    const newer = { ...STARTER, predictions: JSON.stringify(rows) }
    const older = { ...STARTER, predictions: JSON.stringify(rows.slice(4)) }
    expect(await world.imports.starter(older)).toEqual({ predictions: 16, faults: [] })
    expect(await world.imports.newInStarter(older)).toBe(0)
    expect(await world.imports.newInStarter(newer)).toBe(4)
    await world.imports.predictions(newer.predictions)
    expect(await world.imports.newInStarter(newer)).toBe(0)
  })

  it('a site that began with its own data is not asked about the starter data, and gets none', async () => {
    await world.imports.prices('btc', closesFile('2024-01-01', [100]), 'mine')
    expect(await world.imports.newInStarter(STARTER)).toBe(0)
    expect(await world.imports.starter(STARTER)).toBeNull()
  })

  it('the starter data with broken files is reported, and the good ones are imported', async () => {
    const loaded = await world.imports.starter({ prices: { btc: '' }, predictions: '[{"id":' })
    expect(loaded?.faults).toHaveLength(2)
    expect(loaded?.faults[0]).toContain('the file is empty')
    expect(loaded?.faults[1]).toContain('may be truncated')
  })
})

/**
 * Days with all four prices: their own, or those between the closes of two days.
 *
 * @param values lines of date,high,low,close
 * @param wick how far every tenth day's high and low lie outside, as a share of the price
 */
function fullDays(values: readonly string[], wick: number): string {
  const rows = values.map((line) => line.split(','))
  const lines = rows.map(([date = '', top, bottom, text = ''], i) => {
    const close = Number(text)
    const open = Number(rows[i - 1]?.[3] ?? text)
    const out = i % 10 === 9 ? wick : 0
    const high = (top ? Number(top) : Math.max(open, close)) * (1 + out)
    const low = (bottom ? Number(bottom) : Math.min(open, close)) * (1 - out)
    return [date, Math.min(Math.max(open, low), high), high, low, close].join(',')
  })
  return ['date,open,high,low,close', ...lines].join('\n')
}

it('another set of rules stores only changed decisions, with their reason, and is not news', async () => {
  const changes = { target_time: '2024-01-04' }
  await world.imports.prices('btc', closesFile('2024-01-01', [100, 110, 112, 111]), 'one')
  await world.publish(
    entry('near', { ...changes, price_target: 113 }),
    entry('far', { ...changes, price_target: 150 }),
    entry('hit', { ...changes, price_target: 110 }),
    entry('open', { price_target: 150 }),
    entry('undated', { ...changes, price_target: 105, made_precision: 'month' }),
  )
  const items = async (): Promise<number> => {
    await world.refresh()
    return (await world.app.inject('/feed.xml')).body.split('<item>').length
  }
  const published = await items()
  // As judged by the previous rules.
  await world.sql(`
      update verdicts set rule = 1, outcome = old.outcome, reason = old.reason, day = old.day,
        evidence = evidence || jsonb_build_object('rule', 1, 'outcome', old.outcome, 'reason', old.reason,
          'day', old.day - date '1970-01-01')
      from (values ('near', 'miss', 'not-reached', date '2024-01-04'), ('undated', 'hit', 'reached', '2024-01-02'))
        as old (id, outcome, reason, day)
      where prediction_id = old.id and mode = 'touch'`)
  await world.sql(`update verdicts set rule = 1 where rule = 2`)
  const before = await world.sql('select max(id) as id from prediction_events')
  await world.imports.predictions(JSON.stringify([entry('one-more')]))
  const events = await world.sql(
    `select prediction_id, text from prediction_events where id > $1 and prediction_id <> 'one-more' order by id`,
    [before[0].id],
  )
  expect(events).toEqual([
    {
      prediction_id: 'near',
      text: 'Verdict by intraday prices: PENDING, before MISS on 04/01/2024 (rule set 2: the high or low of a day that came near is not known).',
    },
    {
      prediction_id: 'undated',
      text: 'Verdict by intraday prices: VOID on 01/01/2024, before SUCCESS on 02/01/2024 (rule set 2: the day it was said is not known).',
    },
  ])
  expect(await items()).toBe(published + 1)
})

describe('an import', () => {
  it('is idempotent, and counts new and corrected bars separately', async () => {
    const file = JSON.stringify([entry('a'), entry('b', { price_target: 90 })])
    const prices = (...closes: number[]) =>
      world.imports.prices('btc', closesFile('2024-01-01', closes), 'one')
    await prices(100, 120)
    const counts = { added: 2, changed: 0, verdicts: 4 }
    expect(await world.imports.predictions(file)).toMatchObject(counts)
    expect(await world.imports.predictions(file)).toMatchObject({ added: 0, same: 2, verdicts: 0 })
    const published = `select from prediction_events where kind = 'published'`
    expect(await world.sql(published)).toHaveLength(2)
    expect(await prices(100, 120)).toMatchObject({ added: 0, same: 2, verdicts: 0 })
    expect(await prices(100, 121, 122)).toMatchObject({ added: 1, changed: 1, same: 1 })
  })

  it('keeps the good rows and reports the bad ones', async () => {
    const bad = [
      entry('no-level', { price_target: null }),
      entry('backwards', { prediction_type: 'range', price_min: 9, price_max: 9 }),
      entry('too-late', { target_time: '2024-01-01' }),
      entry('elsewhere', { asset_type: 'doge' }),
      entry('no-date', { prediction_made: '2024-02-30' }),
      entry('tomorrow', { prediction_made: '2026-11-21', target_time: '2027-01-01' }),
      entry('script', { source_url: 'javascript:alert(1)' }),
      entry('good'),
      entry('nul', { expert_name: 'X\u0000Y' }),
      entry('half\ud800'),
      entry('backspace', { expert_name: 'X\b' }),
      entry('no-text', { summary: 'X\uFFFF' }),
      'nonsense',
      null,
    ]
    const result = await world.imports.predictions(JSON.stringify([entry('good'), ...bad]))
    expect(result.ok && result.bad.map(({ row }) => row)).toEqual(bad.map((_, i) => i + 2))
    expect(result.ok && result.bad.slice(0, 8).map(({ id }) => id)).toEqual(
      bad.slice(0, 8).map((one) => (one as { id: string }).id),
    )
    expect(result).toMatchObject({ added: 1 })
    expect((await btc()).map((row) => row.id)).toEqual(['good'])
  })

  it('of an invalid list changes nothing', async () => {
    for (const text of ['', '{', '{}', '"text"', '[{"id": "cut']) {
      expect(await world.imports.predictions(text)).toMatchObject({ ok: false })
    }
    for (const text of ['', 'a,b\n1,2', '\u0000\u0001', 'date,price,extra\n']) {
      expect(await world.imports.prices('btc', text, 'test')).toMatchObject({ ok: false })
    }
    expect(await btc()).toEqual([])
  })

  it('reports bad price rows by line', async () => {
    const text = words(`
      date,open,high,low,close 2024-01-03,1,3,1,2 2024-01-02,1,3,1,2 2024-01-02,1,3,1,2
      2024-01-04,1,3,1,0 2024-01-05,1,3,1,-2 2026-11-21,1,3,1,2 2024-01-06,1,1,3,2
      2024-01-07,1,3,1,9 2024-01-08,9,3,1,2 2024-01-09,,,,2 2024-01-10,,,, 2024-01-11,x,3,1,2
      2024-13-01,1,3,1,2 2024-01-12,1,3,1
    `).join('\n')
    const result = await world.imports.prices('btc', text, 'test')
    expect(result.ok && result.bad.map((row) => row.row)).toEqual([
      5, 6, 7, 8, 9, 10, 12, 13, 14, 15,
    ])
    expect(result).toMatchObject({ added: 3 })
  })

  it('omits a truncated last line', async () => {
    const cut = 'date,close\n2024-01-01,85400\n2024-01-02,855'
    for (const [text, bad] of [
      [cut, [{ row: 3 }]],
      [`${cut}00`, []],
    ] as const) {
      expect(await world.imports.prices('btc', text, 'test')).toMatchObject({ added: 1, bad })
    }
  })

  it('rejects jumps from known prices unless told otherwise', async () => {
    await world.imports.prices('btc', closesFile('2024-01-01', [100]), 'test')
    const jump = { text: closesFile('2024-01-02', [101, 10, 11, 102]), source: 'test' }
    expect(await world.imports.priceFiles('btc', [jump], false)).toMatchObject({
      added: 2,
      bad: [{ id: '2024-01-03' }, { id: '2024-01-04' }],
    })
    expect(await world.imports.priceFiles('btc', [jump], true)).toMatchObject({ added: 2, bad: [] })
    const older = { text: closesFile('2023-12-01', [10, 20]), source: 'test' }
    expect(await world.imports.priceFiles('btc', [older], false)).toMatchObject({ added: 0 })
  })

  it.each([
    ['a price in the units of before a split', '2020-12-10,285.17,291.77,282.38,290.33', 'close'],
    ['a range with a digit too many', '2020-12-10,28.5,2917.7,28.2,29.03', 'range'],
    ['a range with a shifted decimal', '2020-12-10,28.5,29.2,2.82,29.03', 'range'],
  ])('%s changes no close and no verdict unless requested', async (_, row, what) => {
    await world.imports.prices('mstr', closesFile('2020-12-08', [29, 29.1, 29.03, 29.2]), 'starter')
    const message = { asset_type: 'mstr', prediction_made: '2020-12-08', target_time: '2020-12-11' }
    // Said before the ten-for-one split.
    const both = [
      entry('up', { ...message, price_target: 2000 }),
      entry('down', { ...message, price_target: 40 }),
    ]
    await world.imports.predictions(JSON.stringify(both))
    const outcomes = async (): Promise<string[]> => {
      const rows = await world.sql(
        `select distinct on (prediction_id) outcome from verdicts where mode = 'touch' order by prediction_id, id desc`,
      )
      return rows.map(({ outcome }) => outcome)
    }
    const file = { text: `date,open,high,low,close\n${row}\n`, source: 'another' }
    expect(await world.imports.priceFiles('mstr', [file], false)).toMatchObject({
      added: 0,
      bad: [{ id: '2020-12-10', reason: expect.stringMatching(`^the ${what} .*--believe-jumps`) }],
    })
    expect(await outcomes()).toEqual(['miss', 'miss'])
    expect(await world.imports.priceFiles('mstr', [file], true)).toMatchObject({ added: 1 })
    expect(await outcomes()).toContain('hit')
  })

  it('judges sources together that arrive together', async () => {
    await world.imports.prices('btc', closesFile('2024-01-01', [100]), 'starter')
    await world.imports.predictions(JSON.stringify([entry('a')]))
    const head = 'date,open,high,low,close\n'
    const files = [
      { text: `${head}2024-01-02,100,160,95,120\n`, source: 'one' },
      { text: `${head}2024-01-02,100,121,95,120\n`, source: 'two' },
    ]
    const stored = await world.imports.priceFiles('btc', files, false)
    expect(stored).toMatchObject({ added: 2, verdicts: 0 })
    expect((await one('a')).verdicts.touch).toMatchObject({
      outcome: 'pending',
      unconfirmed: { date: '2024-01-02', usd: 160 },
    })
  })
})

describe('a verdict', () => {
  it('gets better evidence when better data of a day arrives', async () => {
    await world.imports.prices('btc', closesFile('2024-01-01', [100, 120, 160]), 'starter')
    await world.imports.predictions(JSON.stringify([entry('a')]))
    expect((await one('a')).verdicts.touch).toMatchObject({
      outcome: 'hit',
      date: '2024-01-03',
      close_only: true,
      some_closes_only: false,
      bar: { source: 'starter', high: null },
    })
    const full = 'date,open,high,low,close\n2024-01-02,100,155,95,120\n'
    await world.imports.prices('btc', full, 'exchange')
    const after = await one('a')
    expect(after.verdicts.touch).toMatchObject({
      outcome: 'hit',
      date: '2024-01-02',
      close_only: false,
      some_closes_only: false,
      bar: { source: 'exchange', high: 155 },
    })
    expect(after.verdicts.close).toMatchObject({ date: '2024-01-03' })
    const { history } = await world.read(onePrediction, 'a')
    expect(history.map((event) => event.kind)).toEqual(['published', 'judged', 'judged', 'changed'])
    expect(history.at(-1)?.text).toBe(
      'Verdict by intraday prices: SUCCESS on 02/01/2024, before SUCCESS on 03/01/2024 (daily range now known).',
    )
  })

  it.each([
    ['its level', { price_target: 115 }],
    ['its direction', { direction: 'down' }],
    ['how exactly its day is known', { made_precision: 'month' }],
  ])('is corrected in a new row when an import corrects %s', async (_, correction) => {
    await world.imports.prices('btc', closesFile('2024-01-01', [100, 120, 160, 100]), 'test')
    await world.imports.predictions(JSON.stringify([entry('a')]))
    const changed = JSON.stringify([entry('a', correction)])
    expect(await world.imports.predictions(changed)).toMatchObject({ changed: 1, verdicts: 2 })
    const rows = await world.sql(
      'select change, count(*)::int as n from verdicts group by change order by change',
    )
    expect(rows).toEqual([
      { change: 'first', n: 2 },
      // The prices changed nothing, so no change is announced.
      { change: 'statement', n: 2 },
    ])
  })

  it('that stays pending gets no new row', async () => {
    await world.imports.predictions(JSON.stringify([entry('a', { target_time: '2030-01-01' })]))
    await world.imports.prices('btc', closesFile('2024-01-01', [100, 110]), 'test')
    await world.imports.prices('btc', closesFile('2024-01-03', [120, 130]), 'test')
    expect(await count(world, 'verdicts')).toBe(2)
    expect((await one('a')).verdicts.touch.nearest).toEqual({ date: '2024-01-04', usd: 130 })
  })

  it('and its event are one write, even with two writers at once', async () => {
    await world.imports.predictions(JSON.stringify([entry('a'), entry('b')]))
    await Promise.all([
      world.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test'),
      world.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test'),
      world.imports.judge(),
      world.imports.judge(),
    ])
    const rows = await world.sql(
      `select count(*)::int as verdicts, count(e.id)::int as events from verdicts v
       left join prediction_events e on e.verdict_id = v.id where v.outcome = 'hit'`,
    )
    expect(rows).toEqual([{ verdicts: 4, events: 4 }])
  })
})

it('a search orders people by their number of calls, then by their newest one, then by its id', async () => {
  await world.publish(
    entry('1', { expert_name: 'Voice One' }),
    entry('b', { expert_name: 'Voice Two', prediction_made: '2024-01-05' }),
    entry('a', { expert_name: 'Voice Three', prediction_made: '2024-01-05' }),
    entry('c', { expert_name: 'Voice Four' }),
    entry('d', { expert_name: 'Voice Four', price_target: 160 }),
  )
  const { groups } = await world.read(search, '/api/v1/search?q=voice')
  const names = groups[0]?.found.map(({ title }) => title.slice(6))
  expect(names).toEqual(['Four', 'Three', 'Two', 'One'])
})

it('people of one file are recognized in the order of its predictions', async () => {
  const message = [
    ['Expert A', '@first'],
    ['Expert B', null],
    // A known name with another handle, and one in another spelling.
    ['expert a', '@second'],
    ['Expert-B', null],
    // Names of symbols only share one address.
    ['???', null],
    ['!!!', null],
    ['Expert', null],
    // Its address must not be taken by the second "Expert".
    ['Expert 2', null],
    // A handle takes precedence over a name.
    ['Expert C', '@FIRST'],
    ['Expert D', '@fourth'],
    ['Expert E', 'fourth'],
    ['Expert F', null],
    ['Expert F', '@sixth'],
    ['Expert G', null],
    // New people with one prediction each are added by one statement.
    ['Somebody', '@some'],
    ['A firm', null],
    ['Anybody', '@any'],
  ] as const
  const entries = message.map(([name, handle], n) =>
    entry(`p${String(n)}`, { expert_name: name, x_handle: handle, is_firm: name === 'A firm' }),
  )
  const people = async (files: readonly (readonly object[])[]): Promise<unknown> => {
    await emptied(world)
    for (const file of files) {
      expect(await world.imports.predictions(JSON.stringify(file))).toMatchObject({ bad: [] })
    }
    return world.sql(`
      select array_agg(id order by id) as predictions,
        (select json_build_array(name, slug, is_firm) from influencers i where i.id = p.influencer_id) as person,
        (select json_agg(json_build_array(kind, folded, text, main, confirmed) order by kind, folded)
          from influencer_names n where n.influencer_id = p.influencer_id) as names
      from predictions p group by influencer_id order by 1`)
  }
  const known = [[entry('k', { expert_name: 'Expert G' })]]
  const together = await people([...known, entries])
  expect(together).toHaveLength(12)
  expect(together).toEqual(await people([...known, ...entries.map((one) => [one])]))
})
