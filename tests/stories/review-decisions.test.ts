import { signedIn } from '#tests/support/sign-in.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { approve, count, handIn, Refused, tryOut } from '#tests/support/review.ts'
import { closesFile } from '#tests/support/builders.ts'
import { expect, it } from 'vitest'
import { onePrediction } from '#contracts/predictions.ts'

const { world, admin } = adminSite()

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

async function prices(
  asset: 'btc' | 'mstr',
  from: string,
  closes: readonly number[],
): Promise<void> {
  await world.imports.prices(asset, closesFile(from, closes), 'test')
  await world.refresh()
}

async function prediction(id: string) {
  await world.refresh()
  return onePrediction.reply.parse((await world.get(`/api/v1/predictions/${id}`)).body)
}

it('approving publishes with influencer, first verdicts, event and audit entry', async () => {
  await prices('btc', '2026-01-01', [100, 120, 160])
  const id = await handIn(admin)
  const done = await approve(admin, id, { admin_comment: 'Checked.', influencer_id: '' })
  expect(done.message).toBe(
    'Submission approved successfully! Switch to the Approved tab to see it.',
  )
  expect(done.influencer).toMatchObject({ name: 'Expert A', created: true })
  expect(done.prediction_id).toBe('expert-a-150-2027')
  expect(done.submission).toMatchObject({
    status: 'approved',
    admin_comment: 'Checked.',
    decided_by: 'Admin A',
    prediction_id: done.prediction_id,
    existing_influencer_name: 'Expert A',
  })
  const { prediction: visible, history } = await prediction(done.prediction_id)
  expect(visible).toMatchObject({
    price_target: 150,
    prediction_made: '2026-01-01',
    start_date: null,
    end_date: '2027-12-31',
    // Notes for reviewers are not published.
    quote: '',
    source_url: 'https://example.org/said',
    success_status: 'success',
    influencer: { x_handle: 'experta' },
    verdicts: { touch: { date: '2026-01-03', window_from: '2026-01-02' } },
  })
  expect(history.map(({ kind, text }) => [kind, text])).toEqual([
    ['published', 'Published.'],
    ['judged', 'First verdict by intraday prices: SUCCESS on 03/01/2026.'],
    ['judged', 'First verdict by daily closes: SUCCESS on 03/01/2026.'],
  ])
  await world.imports.judge()
  expect(await count(world, 'verdicts')).toBe(2)
  const second = await approve(admin, await handIn(admin))
  expect(second.prediction_id).toBe('expert-a-150-2027-2')
  expect(second.influencer).toEqual({ ...done.influencer, created: false })
})

it('approving publishes the submitted values, with the stated start and end of the window', async () => {
  const published = async (body: object) => {
    const { prediction_id } = await approve(admin, await handIn(admin), body)
    return (await prediction(prediction_id)).prediction
  }
  const range = { prediction_type: 'range', price_min: '80,000', price_max: 1e5 }
  expect(await published({ price_target: null, price_prediction: '', ...range })).toMatchObject({
    prediction_type: 'range',
    price_target: null,
    price_min: 80_000,
    price_max: 100_000,
  })
  const rule = ['2026-01-02', '2027-12-31']
  for (const [body, ...window] of [
    [{ start_date: '', end_date: null }, ...rule],
    // The form's default, which nobody stated, cuts nothing off.
    [{ start_date: '2026-11-20' }, ...rule],
    [{ start_date: '2025-01-01' }, ...rule],
    [{ start_date: '2026-06-01' }, '2026-06-01', '2027-12-31'],
    [{ end_date: '2026-12-31' }, '2026-01-02', '2026-12-31'],
  ] as const) {
    const { window_from: from, window_to: to } = (await published(body)).verdicts.touch
    expect([body, from, to]).toEqual([body, ...window])
  }
})

it('approving and its dry run name the faulty field', async () => {
  const id = await handIn(admin)
  for (const [body, field] of [
    [{ price_target: 'lots' }, 'price_target'],
    [{ price_target: -5 }, 'price_target'],
    [{ prediction_type: 'range', price_min: 5, price_max: 4 }, 'price_min'],
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ start_date: '2028-02-01' }, 'start_date'],
    [{ end_date: 'soon' }, 'end_date'],
    [{ end_date: '2025-12-31' }, 'end_date'],
    [{ influencer_id: 999_999 }, 'influencer_id'],
    [{ admin_comment: 'x'.repeat(2_001) }, 'admin_comment'],
    [{ quote: 'x'.repeat(2_001) }, 'quote'],
    [{ quote: 'x'.repeat(401), quote_kind: 'said' }, 'quote'],
    [{ quote: 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5' }, 'quote'],
  ] as const) {
    const refused = await admin.call('POST', `${BASE}/${id}/approve`, body)
    expect([field, refused.status]).toEqual([field, 400])
    expect(Refused.parse(refused.body).fields).toHaveProperty(field)
    expect((await tryOut(admin, id, body)).fields).toHaveProperty(field)
  }
  const wrong = { expert_name: '', price_target: 'lots', source_url: 'javascript:alert(1)' }
  const all = await tryOut(admin, id, wrong)
  expect(Object.keys(all.fields).toSorted()).toEqual(Object.keys(wrong).toSorted())
  expect((await admin.call('POST', `${V1}/${id}/dry-run`, { paid_sats: 5 })).status).toBe(400)
  expect(await count(world, 'predictions')).toBe(0)
  expect(await count(world, 'influencers')).toBe(0)
})

it('only one of two simultaneous decisions on a submission wins', async () => {
  const admins = [admin, await signedIn(world, 'Admin B')]
  const decide = async (id: string, n: number) =>
    n % 3 === 0
      ? admins[n % 2]!.call('PUT', `${BASE}/${id}`, { status: 'rejected', admin_comment: 'No.' })
      : admins[n % 2]!.call('POST', `${BASE}/${id}/approve`, {})
  for (let round = 0; round < 4; round += 1) {
    const id = await handIn(admin, { expert_name: `Expert ${String(round)}` })
    // An approval comes first in every other round.
    const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => decide(id, n + (round % 2))))
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([
      200, 409, 409, 409, 409, 409,
    ])
    const late = answers.find(({ status }) => status === 409)
    expect(Refused.parse(late?.body).message).toMatch(
      /^Admin [AB] already (?:approved|rejected) this submission on 20\/11\/2026 at 12:00 UTC\.$/,
    )
    const approved = await count(world, `submissions where status = 'approved'`)
    for (const [table, each] of [
      ['predictions', 1],
      ['verdicts', 2],
      [`prediction_events where kind = 'published'`, 1],
      [`audit_log where action = 'submission approved'`, 1],
    ] as const) {
      expect([table, await count(world, table)]).toEqual([table, each * approved])
    }
  }
})

it('the dry run shows parsed numbers, judges by both rules and stores nothing', async () => {
  await prices('btc', '2026-01-01', [100, 120, 160])
  const id = await handIn(admin)
  const run = await tryOut(admin, id, { price_target: '0.150', prediction_outcome: 'ongoing' })
  expect(run.numbers).toEqual([
    { field: 'price_target', given: '0.150', usd: 0.15, shown: '$0.15' },
  ])
  const visible = await tryOut(admin, id, { price_target: '100.000', start_date: '2026-11-20' })
  expect(visible).toMatchObject({
    fields: {},
    numbers: [{ shown: '$100,000' }],
    price_prediction: '$100,000',
    influencer: { id: null, is_new: true, sentence: 'Creates a new influencer: Expert A.' },
    verdicts: { touch: { outcome: 'pending' }, close: { outcome: 'pending' } },
    rule: 'Hit if BTC trades at or above $100,000 from 02/01/2026 to the end of 31/12/2027 UTC.',
    prediction: { price_target: 100_000, prediction_type: 'target' },
    prices: { first: 20_454, steps: [], closes: [100, 120, 160] },
  })
  expect(visible.warnings.map(({ code }) => code)).toEqual(['new-influencer'])
  const hit = await tryOut(admin, id)
  expect(hit.verdicts?.touch).toMatchObject({ outcome: 'hit', bar: { date: '2026-01-03' } })
  expect(hit.sentences?.touch).toContain(
    'Hit on 3 Jan 2026, two days after the call. Bitcoin closed at $160.',
  )
  expect(await count(world, 'predictions')).toBe(0)
  expect(
    await count(
      world,
      `audit_log where action <> 'submission submitted' and subject_kind = 'submission'`,
    ),
  ).toBe(0)
})

it('the dry run warns of unusual windows and prices', async () => {
  await prices('btc', '2026-01-01', [100, 120, 130, 120, 110, 100])
  const id = await handIn(admin)
  for (const [body, code] of [
    [{ price_target: 100 }, 'already-true'],
    [{ prediction_type: 'top', price_max: 90 }, 'already-broken'],
    [{ prediction_type: 'bottom', price_min: 110 }, 'already-broken'],
    [
      { prediction_type: 'range', price_min: 110, price_max: 120, timing: 'throughout' },
      'already-broken',
    ],
    [{ price_target: 90, direction: 'up' }, 'already-true'],
    [{ target_time: '2026-01-05' }, 'window-over'],
    [{ start_date: '2026-02-01' }, 'start-shortens'],
    [{ prediction_made: '2025-01-01' }, 'no-reference'],
  ] as const) {
    const { warnings } = await tryOut(admin, id, body)
    expect(warnings.map((one) => one.code)).toContain(code)
  }
  // At the end nothing is decided before it.
  for (const body of [{ prediction_type: 'top', price_max: 90 }, { price_target: 100 }]) {
    const { warnings } = await tryOut(admin, id, { ...body, timing: 'at_end' })
    expect(warnings.map(({ code }) => code)).toEqual(['new-influencer'])
  }
})

it('the dry run warns of a level said before a split, and of a deadline before the day it was said', async () => {
  await prices('mstr', '2024-01-02', [60, 61])
  const message = { price_target: 1_800, prediction_made: '2024-01-02' }
  const id = await handIn(admin, message, '/api/mstr/submissions')
  const run = await tryOut(admin, id)
  expect(run.split_note).toBe('said $1,800 = $180 today')
  expect(run.warnings.map(({ code }) => code)).toContain('split')
  const late = await tryOut(admin, id, { target_time: '2024-01-01' })
  expect(late.warnings.map(({ code }) => code)).toEqual(['deadline-before-made'])
  expect(late.fields).toHaveProperty('target_time')
  expect(late.verdicts).toBeNull()
})

it.each([
  [{ quote: ' She names a level. ' }, 'She names a level.'],
  [{ quote: '"150 it is."', quote_kind: 'said' }, '“150 it is.” – Expert A'],
])('the public text %j is previewed and published as %j', async (body, quote) => {
  const id = await handIn(admin)
  expect((await tryOut(admin, id, body)).prediction?.quote).toBe(quote)
  const { prediction_id: at } = await approve(admin, id, body)
  expect((await prediction(at)).prediction.quote).toBe(quote)
})

it("a submitter's notes are never public", async () => {
  const notes = 'between you and me'
  const { prediction_id: at } = await approve(admin, await handIn(admin, { notes }))
  await world.refresh()
  for (const url of ['/api/predictions', `/api/v1/predictions/${at}`, '/feed.xml', '/feed.json']) {
    const { statusCode, body } = await world.app.inject({ url })
    expect([url, statusCode, body.includes(notes)]).toEqual([url, 200, false])
  }
  const { rows } = await world.database.pool.query<{ all: string }>(
    'select (select json_agg(p) from predictions p)::text || (select json_agg(e) from prediction_events e)::text as all',
  )
  expect(rows[0]?.all).toContain(at)
  expect(rows[0]?.all).not.toContain(notes)
})
