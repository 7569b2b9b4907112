import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { dryRunEdit, listPublished } from '#contracts/corrections.ts'
import { onePrediction, type PredictionRow } from '#contracts/predictions.ts'
import { day } from '#domain/day.ts'
import { verdicts } from '#server/database/schema/predictions.ts'
import { judgeTouched } from '#server/judging/judging.service.ts'
import { saveBars } from '#server/prices/bars.rows.ts'
import { closesFile, entry, barsFrom } from '#tests/support/builders.ts'
import { sharedCorrected, type CorrectedSite } from '#tests/support/corrected.ts'
import { Failed } from '#tests/support/payment-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
const on = sharedCorrected()
const REASON = 'The source says otherwise'

/** Has a source report the prices of a day. @returns the number of new verdicts */
const barsOf = (date: string, prices: string) =>
  barsFrom(date, [prices]).map((bar) => ({ ...bar, source: 'test', state: 'final' as const }))

function publicationOf({ world }: CorrectedSite, date: string, prices: string): Promise<number> {
  return world.database.db.transaction(async (tx) => {
    await saveBars(tx, 'btc', barsOf(date, prices))
    return judgeTouched(tx, 'btc', day('2026-11-20'), { from: day(date), to: day(date) })
  })
}

describe('an edit of a published prediction', () => {
  it('an edit of a published level is judged again at once, in public, with the reason', async () => {
    expect((await on.readDetail()).prediction.verdicts.touch.outcome).toBe('miss')
    const after = await on.change('PUT', '', { price_target: '$140', reason: REASON })
    expect(after).toMatchObject({
      version: 1,
      prediction: {
        price_prediction: '$140',
        verdicts: { touch: { outcome: 'hit', date: '2024-01-05' }, close: { outcome: 'hit' } },
      },
    })
    expect((await on.historyTexts()).slice(-3)).toEqual([
      'edited: Corrected: the level from Target $150 to Target $140. Reason: The source says otherwise.',
      'changed: Judged again as corrected, by intraday prices: SUCCESS on 05/01/2024, before MISS on 10/01/2024.',
      'changed: Judged again as corrected, by daily closes: SUCCESS on 05/01/2024, before MISS on 10/01/2024.',
    ])
    const changes = await on.world.sql(
      `select change from verdicts where prediction_id = 'a' order by id`,
    )
    const kinds = ['first', 'first', 'statement', 'statement']
    expect(changes.map(({ change }) => change)).toEqual(kinds)
    // Nothing is left to judge, and the public page shows the same.
    expect(await on.world.imports.judge()).toBe(0)
    expect((await on.world.get('/api/v1/predictions/a')).body).toMatchObject({
      prediction: { price_target: 140, success_status: 'success' },
      withdrawn: null,
    })
    expect((await on.audit())[0]).toMatchObject({
      who: 'Admin A',
      action: 'prediction edited',
      before: { level: 'Target $150', version: 0 },
      after: { level: 'Target $140', version: 1 },
      reason: REASON,
    })
  })

  it('a page opened before the signal of a correction arrives shows the new level with the new history', async () => {
    // Another process has corrected it, and its signal is still on the way.
    await on.world.sql(`
      with edited as (update predictions set price_target = 140, version = 1 where id = 'a' returning id)
      insert into prediction_events (prediction_id, kind, text) select id, 'edited', 'Corrected' from edited`)
    const { prediction, history } = await on.world.read(onePrediction, 'a')
    expect(history.at(-1)?.kind).toBe('edited')
    expect(prediction.price_target).toBe(140)
  })

  it('changes any field, even type and person; private notes need no reason', async () => {
    const fields = {
      influencer_id: (await on.readDetail('b')).prediction.influencer_id,
      prediction_type: 'range',
      price_min: '150.000',
      price_max: '$200 000',
      timing: 'throughout',
      prediction_made: '2024-01-02',
      made_precision: 'month',
      start_date: '2024-01-04',
      target_time: '2024-01-12',
      target_precision: 'month',
      quote: 'Said so \u0001<b>twice</b>.',
      source_url: 'https://example.org/other',
      chart_value: '1,234.5',
      exclude_from_chart: true,
      reason: REASON,
    }
    // One wrong field: nothing is written.
    expect(await on.refused('PUT', '', { ...fields, price_max: 'a lot' })).toMatchObject({
      fields: { price_max: expect.stringContaining('Please enter a number') },
    })
    expect((await on.change('PUT', '', fields)).prediction).toMatchObject({
      influencer: { name: 'Expert B' },
      prediction_type: 'range',
      price_min: 150_000,
      price_max: 200_000,
      timing: 'throughout',
      prediction_made: '2024-01-02',
      made_precision: 'month',
      start_date: '2024-01-04',
      target_time: '2024-01-12',
      // The middle of a month is not an end.
      target_precision: 'day',
      quote: 'Said so <b>twice</b>.',
      source_url: 'https://example.org/other',
      chart_value: 1_234.5,
      exclude_from_chart: true,
    })
    expect((await on.change('PUT', '', { remarks: 'checked twice' })).remarks).toBe('checked twice')
    expect((await on.historyTexts()).filter((text) => text.startsWith('edited'))).toHaveLength(1)
  })

  it('is refused with the faulty field', async () => {
    const gone = await on.world.sql(
      `insert into influencers (name, slug, merged_into)
       select 'Expert G', 'expert-g', min(id) from influencers returning id`,
    )
    const cases: [body: object, field: string, message: string][] = [
      [{ price_target: 140, reason: '  ' }, 'reason', 'Please say why'],
      [{ prediction_made: '2031-01-01' }, 'prediction_made', 'in the future'],
      [{ start_date: '2024-06-01' }, 'start_date', 'is after the target date'],
      [{ source_url: 'javascript:alert(1)' }, 'source_url', 'web address'],
      [{ influencer_id: 999_999 }, 'influencer_id', 'no such person'],
      [{ influencer_id: Number(gone[0]?.id) }, 'influencer_id', 'no such person'],
    ]
    for (const [body, field, message] of cases) {
      const refused = await on.refused('PUT', '', { reason: REASON, ...body })
      expect([field, refused.status, refused.fields?.[field]]).toEqual([
        field,
        400,
        expect.stringContaining(message),
      ])
    }
    expect(await on.audit()).toEqual([])
    expect((await on.readDetail()).version).toBe(0)
  })

  it('from a stale version is refused with who changed what', async () => {
    const other = await signedIn(on.world, 'Admin B')
    const url = '/api/v1/admin/predictions/a'
    const edit = (by: typeof other, price: number) =>
      by.call('PUT', url, { version: 0, price_target: price, reason: REASON })
    const answers = await Promise.all([edit(on.admin, 140), edit(other, 145)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const lost = Failed.parse(answers.find(({ status }) => status === 409)?.body)
    const winner = answers[0]?.status === 200 ? 'Admin A' : 'Admin B'
    expect(lost.error).toContain(`${winner} changed this on 20/11/2026 at 12:00 UTC`)
    expect(lost.fields?.['level']).toContain(`${winner}, 20/11/2026 at 12:00 UTC: from Target $150`)
    expect((await on.readDetail()).version).toBe(1)
  })

  it('a preview of an edit shows the changes and the resulting verdicts', async () => {
    const dry = async (body: object) =>
      dryRunEdit.reply.parse(
        (await on.admin.call('POST', '/api/v1/admin/predictions/a/dry-run', body)).body,
      )
    const good = await dry({ price_target: '155', target_time: '2024-01-14' })
    expect(good).toMatchObject({
      fields: {},
      changes: [{ field: 'level' }, { field: 'target_time', after: '14/01/2024' }],
      prediction: {
        price_target: 155,
        verdicts: { touch: { outcome: 'hit', date: '2024-01-13', bar: { close: 160 } } },
      },
      warnings: [],
    })
    expect((await dry({ quote: 'Other words' })).prediction).toBeNull()
    expect((await dry({ price_target: 100 })).warnings[0]).toContain('void')
    expect((await dry({ price_target: 'x' })).fields).toHaveProperty('price_target')
    expect((await on.readDetail()).version).toBe(0)
  })
})

describe('a withdrawn prediction', () => {
  it('leaves lists, figures, feeds and the sitemap; its page remains and says why', async () => {
    const { app } = on.world
    expect((await on.refused('POST', '/withdraw', {})).fields).toHaveProperty('reason')
    /** Without reading the record again: the lists follow as soon as the message arrives. */
    const reason = 'He never said it'
    const change = (version: number, path: string) =>
      on.admin.call('POST', `/api/v1/admin/predictions/a/${path}`, { version, reason })
    expect((await change(0, 'withdraw')).status).toBe(200)
    const ids = async () =>
      (await on.world.app.inject('/api/predictions')).json<PredictionRow[]>().map(({ id }) => id)
    expect(await ids()).toEqual(['b'])
    const metrics = await on.world.get('/api/intro/metrics')
    expect(metrics.body).toMatchObject({ data: { totalPredictions: 1 } })
    expect((await on.world.get('/api/v1/experts/expert-a')).body).toMatchObject({ predictions: [] })
    for (const file of ['/feed.xml', '/feed.json', '/sitemap.xml']) {
      expect((await app.inject(file)).body).not.toContain('/predictions/a')
    }
    const page = await on.world.get('/api/v1/predictions/a')
    expect(page).toMatchObject({
      status: 200,
      body: { withdrawn: { reason: 'He never said it', at: '2026-11-20T12:00:00.000Z' } },
    })
    expect((await on.world.get('/api/v1/page?url=/predictions/a')).body).toMatchObject({
      data: { page: 'prediction', withdrawn: { reason: 'He never said it' } },
    })
    expect((await on.historyTexts()).at(-1)).toContain('Reason: He never said it.')
    expect((await on.refused('POST', '/withdraw', { reason: 'again' })).status).toBe(409)
    expect((await change(1, 'restore')).status).toBe(200)
    expect((await ids()).toSorted()).toEqual(['a', 'b'])
  })

  it("is not judged; when restored, it gets the verdict of that day's prices", async () => {
    await on.change('POST', '/withdraw', { reason: 'In doubt' })
    await on.world.imports.prices('btc', closesFile('2024-01-08', [151]), 'test')
    expect(await publicationOf(on, '2024-01-09', '190..210>200')).toBe(2)
    expect((await on.readDetail()).prediction.verdicts.touch.outcome).toBe('miss')
    await on.change('POST', '/restore', {})
    const { touch } = (await on.readDetail()).prediction.verdicts
    expect(touch).toMatchObject({ outcome: 'hit', date: '2024-01-08' })
    expect(await on.world.imports.judge()).toBe(0)
  })
})

it('a frozen prediction keeps its verdicts whatever prices arrive, until it is unfrozen', async () => {
  await on.change('POST', '/freeze', { reason: 'Prices in dispute' })
  const { db } = on.world.database
  const verdictsOf = (id: string) => db.$count(verdicts, eq(verdicts.predictionId, id))
  const before = await verdictsOf('a')
  // Prices from a file and from a source, and a complete judging.
  await on.world.imports.prices('btc', closesFile('2024-01-08', [151]), 'test')
  expect(await publicationOf(on, '2024-01-09', '190..210>200')).toBe(2)
  expect(await on.world.imports.judge()).toBe(0)
  expect(await verdictsOf('a')).toBe(before)
  expect((await on.readDetail('b')).prediction.verdicts.touch.outcome).toBe('hit')
  await on.world.refresh()
  expect((await on.world.read(onePrediction, 'a')).prediction.success_status).toBe('miss')
  expect(await on.readDetail()).toMatchObject({
    frozen_at: '2026-11-20T12:00:00.000Z',
    prediction: { verdicts: { touch: { outcome: 'miss' } } },
    by_rule: { touch: { outcome: 'hit' } },
  })
  const edit = await on.refused('PUT', '', { price_target: 140, reason: REASON })
  expect(edit).toMatchObject({ status: 409, error: expect.stringContaining('Unfreeze it first') })
  expect((await on.change('PUT', '', { quote: 'Better.', reason: REASON })).version).toBe(2)
  const override = await on.refused('POST', '/override', { outcome: 'hit', reason: REASON })
  expect(override.status).toBe(409)
  expect((await on.change('POST', '/thaw', {})).prediction.verdicts.touch.outcome).toBe('hit')
  expect((await on.historyTexts()).slice(-3)[0]).toMatch(/^thawed: No longer frozen/)
  // Prices stored before it is frozen count, although nothing has been judged by them yet.
  await saveBars(db, 'btc', barsOf('2024-01-04', '140..155>150'))
  const { prediction } = await on.change('POST', '/freeze', { reason: 'In dispute again' })
  expect(prediction.verdicts.touch.date).toBe('2024-01-04')
})

it('an override withstands prices and edits, is public with its reason, and can be lifted', async () => {
  const mute = await on.refused('POST', '/override', { outcome: 'hit' })
  expect(mute.fields).toHaveProperty('reason')
  const unknown = await on.refused('POST', '/override', { outcome: 'win', reason: REASON })
  expect(unknown.status).toBe(400)
  const venue = { outcome: 'hit', reason: 'Another venue printed it' }
  const set = await on.change('POST', '/override', venue)
  expect(set).toMatchObject({
    overridden: { touch: true, close: true },
    prediction: {
      success_status: 'success',
      verdicts: { touch: { outcome: 'hit', reason: 'overridden', bar: null, date: null } },
    },
    by_rule: { touch: { outcome: 'miss' } },
  })
  const list = '/api/v1/admin/predictions?state=overridden'
  expect((await on.admin.call('GET', list)).body).toMatchObject({
    rows: [{ id: 'a', touch: 'hit', close: 'hit', overridden: true }],
  })
  expect(await on.historyTexts()).toContain(
    'overridden: Set by an administrator, by intraday prices: SUCCESS, before MISS on 10/01/2024. Reason: Another venue printed it.',
  )
  await on.world.imports.prices('btc', closesFile('2024-01-09', [99]), 'test')
  expect(await publicationOf(on, '2024-01-09', '98..100>99')).toBe(0)
  const body = { price_target: 170, direction: 'up', reason: REASON }
  const edited = await on.change('PUT', '', body)
  expect(edited.prediction.direction).toBe('up')
  expect(edited.prediction.verdicts.touch).toMatchObject({ outcome: 'hit', level_min: 170 })
  const lifted = await on.change('DELETE', '/override', { mode: 'touch', reason: 'Checked' })
  expect(lifted).toMatchObject({
    overridden: { touch: false, close: true },
    prediction: { verdicts: { touch: { outcome: 'miss' }, close: { outcome: 'hit' } } },
  })
  expect((await on.historyTexts()).at(-1)).toBe(
    'changed: The rule decides again, by intraday prices: MISS on 10/01/2024. Reason: Checked.',
  )
  expect((await on.refused('DELETE', '/override', { mode: 'touch', reason: 'x' })).status).toBe(409)
  await on.change('DELETE', '/override', { reason: 'Checked' })
  expect(await on.world.imports.judge()).toBe(0)
  expect((await on.audit()).map(({ action }) => action)).toEqual([
    'override lifted',
    'override lifted',
    'prediction edited',
    'verdict overridden',
  ])
})

describe('the list of published predictions', () => {
  it('is searched by name, text and source, and filtered by asset and state', async () => {
    await on.world.publish(
      entry('m', { asset_type: 'mstr', target_time: '2024-02-01', summary: '100 % sure_thing' }),
    )
    await on.change('POST', '/freeze', { reason: REASON })
    await on.change('POST', '/withdraw', { reason: REASON })
    const list = (query: string) => on.admin.read(listPublished, `?${query}`)
    const ids = async (query: string) => (await list(query)).rows.map(({ id }) => id).toSorted()
    expect(await list('')).toMatchObject({ total: 3, page: 1, pages: 1 })
    expect(await ids('asset=mstr')).toEqual(['m'])
    expect(await ids('q=expert+b')).toEqual(['b'])
    expect(await ids('q=%25')).toEqual(['m'])
    expect(await ids('q=sure_th')).toEqual(['m'])
    expect(await ids("q=%00'%3B+drop")).toEqual([])
    expect(await ids('state=withdrawn')).toEqual(['a'])
    expect(await ids('state=frozen')).toEqual(['a'])
    expect(await ids('state=live')).toEqual(['b', 'm'])
    expect(await ids('state=overridden')).toEqual([])
    expect((await list('state=withdrawn')).rows[0]).toMatchObject({
      touch: 'miss',
      frozen: true,
      withdrawn: true,
      price_prediction: '$150',
      version: 2,
    })
    expect(await ids('page=9')).toEqual([])
  })

  it('a corrected prediction stays corrected after importing the same file again', async () => {
    await on.change('PUT', '', { price_target: 140, reason: REASON })
    const again = await on.world.imports.predictions(JSON.stringify([entry('a'), entry('b')]))
    expect(again).toMatchObject({ changed: 1, same: 1 })
    expect((await on.readDetail()).prediction.price_target).toBe(140)
  })
})
