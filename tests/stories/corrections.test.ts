import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { listExpertsAdmin } from '#contracts/corrections.ts'
import { onePrediction } from '#contracts/predictions.ts'
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
  it('a page opened before the signal of a correction arrives shows the new level with the new history', async () => {
    // Another process has corrected it, and its signal is still on the way.
    await on.world.sql(`
      with edited as (update predictions set price_target = 140, version = 1 where id = 'a' returning id)
      insert into prediction_events (prediction_id, kind, text) select id, 'edited', 'Corrected' from edited`)
    const { prediction, history } = await on.world.read(onePrediction, 'a')
    expect(history.at(-1)?.kind).toBe('edited')
    expect(prediction.price_target).toBe(140)
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
})

describe('a withdrawn prediction', () => {
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
  it('a corrected prediction stays corrected after importing the same file again', async () => {
    await on.change('PUT', '', { price_target: 140, reason: REASON })
    const again = await on.world.imports.predictions(JSON.stringify([entry('a'), entry('b')]))
    expect(again).toMatchObject({ changed: 1, same: 1 })
    expect((await on.readDetail()).prediction.price_target).toBe(140)
  })
})

it('people are merged once if two administrators merge them in opposite directions', async () => {
  const merge = (from: number, into: number) =>
    on.admin.call('POST', `/api/v1/admin/experts/${String(from)}/merge`, { version: 0, into })
  const answers = await Promise.all([merge(1, 2), merge(2, 1)])
  expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409])
  const { rows } = await on.admin.read(listExpertsAdmin)
  expect(rows.map(({ predictions }) => predictions)).toEqual([2])
})
