import { type TestApp } from '#tests/support/test-app.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { approve, count, handIn, Refused, tryOut } from '#tests/support/review.ts'
import { closesFile } from '#tests/support/builders.ts'
import { beforeEach, expect, it } from 'vitest'
import { onePrediction } from '#contracts/predictions.ts'

const { site } = emptySite()
let world: TestApp
let admin: SignedInBrowser
beforeEach(async () => {
  world = site()
  admin = await signedIn(world)
})

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
  const { prediction: shown, history } = await prediction(done.prediction_id)
  expect(shown).toMatchObject({
    price_target: 150,
    prediction_made: '2026-01-01',
    start_date: null,
    end_date: '2027-12-31',
    // What was noted for the reviewers is not published.
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
  // Judging everything again finds nothing to add.
  await world.imports.judge()
  expect(await count(world, 'verdicts')).toBe(2)
  const second = await approve(admin, await handIn(admin))
  expect(second.prediction_id).toBe('expert-a-150-2027-2')
  expect(second.influencer).toEqual({ ...done.influencer, created: false })
})

it('approving takes the calls of the other dashboards for their own asset alone', async () => {
  const btc = await handIn(admin)
  const mstr = await handIn(admin, {}, '/api/mstr/submissions')
  const naka = await handIn(admin, { price_target: '0.0612' }, '/api/naka/predictions')
  const at = (asset: string, id: string) =>
    admin.call('POST', `/api/admin/${asset}_prediction_submissions/${id}/approve`, {
      admin_comment: null,
    })
  expect((await at('mstr', btc)).status).toBe(404)
  expect((await at('naka', mstr)).status).toBe(404)
  expect(await count(world, 'predictions')).toBe(0)
  expect((await at('mstr', mstr)).body).toMatchObject({
    success: true,
    prediction_id: 'expert-a-mstr-150-2027',
  })
  expect((await at('naka', naka)).body).toMatchObject({
    prediction_id: 'expert-a-naka-0-0612-2027',
  })
})

it('approving reads the payload of each type, and a start and an end of the window', async () => {
  const published = async (body: object) => {
    const { prediction_id } = await approve(admin, await handIn(admin), body)
    const { prediction: row } = await prediction(prediction_id)
    const { prediction_type: type, price_target, price_min, price_max } = row
    return [type, price_target, price_min, price_max]
  }
  const none = { price_target: null, price_min: null, price_max: null, price_prediction: '' }
  expect(
    await published({ ...none, prediction_type: 'range', price_min: '80,000', price_max: 1e5 }),
  ).toEqual(['range', null, 80_000, 100_000])
  const minimum = { prediction_type: 'pricetimerange', price_min: 90, price_max: 90 }
  expect(await published({ ...none, ...minimum })).toEqual(['pricetimerange', null, 90, 90])
  expect(await published({ ...none, prediction_type: 'top', price_max: '$200' })).toEqual([
    'top',
    null,
    null,
    200,
  ])
  expect(await published({ ...none, prediction_type: 'bottom', price_min: '50.5' })).toEqual([
    'bottom',
    null,
    50.5,
    null,
  ])
  expect(await published({ ...none, price_target: '100.000' })).toEqual([
    'target',
    100_000,
    null,
    null,
  ])
  const windows = async (body: object) => {
    const { prediction_id } = await approve(admin, await handIn(admin), body)
    const { prediction: row } = await prediction(prediction_id)
    return [row.verdicts.touch.window_from, row.verdicts.touch.window_to]
  }
  const rule = ['2026-01-02', '2027-12-31']
  expect(await windows({ start_date: '', end_date: null })).toEqual(rule)
  // The form's own offer, which no one said, cuts nothing off.
  expect(await windows({ start_date: '2026-11-20' })).toEqual(rule)
  expect(await windows({ start_date: '2025-01-01' })).toEqual(rule)
  expect(await windows({ start_date: '2026-06-01' })).toEqual(['2026-06-01', '2027-12-31'])
  expect(await windows({ end_date: '2026-12-31' })).toEqual(['2026-01-02', '2026-12-31'])
})

it('approving names the field that is wrong', async () => {
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
  ] as const) {
    const refused = await admin.call('POST', `${BASE}/${id}/approve`, body)
    expect([field, refused.status]).toEqual([field, 400])
    expect(Refused.parse(refused.body).fields).toHaveProperty(field)
  }
  expect(await count(world, 'predictions')).toBe(0)
  expect(await count(world, 'influencers')).toBe(0)
})

it('approving makes one prediction of a submission that two approve at once', async () => {
  const admins = [await signedIn(world), await signedIn(world, 'Admin B')]
  for (let round = 0; round < 5; round += 1) {
    const id = await handIn(admins[0]!, { expert_name: `Expert ${String(round)}` })
    const both = Array.from({ length: 6 }, (_, i) =>
      admins[i % 2]!.call('POST', `${BASE}/${id}/approve`, {}),
    )
    const answers = await Promise.all(both)
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([
      200, 409, 409, 409, 409, 409,
    ])
    const late = answers.find(({ status }) => status === 409)
    expect(Refused.parse(late?.body).message).toMatch(
      /^Admin [AB] already approved this submission on 20\/11\/2026 at 12:00 UTC\.$/,
    )
    expect(await count(world, 'predictions')).toBe(round + 1)
    expect(await count(world, 'verdicts')).toBe(2 * (round + 1))
    expect(await count(world, `prediction_events where kind = 'published'`)).toBe(round + 1)
    expect(await count(world, `audit_log where action = 'submission approved'`)).toBe(round + 1)
  }
})

it('one of approving and rejecting wins', async () => {
  const [a, b] = [await signedIn(world), await signedIn(world, 'Admin B')]
  for (let round = 0; round < 6; round += 1) {
    const id = await handIn(a, { expert_name: `Expert ${String(round)}` })
    const before = await count(world, 'predictions')
    const [yes, no] = await Promise.all([
      a.call('POST', `${BASE}/${id}/approve`, {}),
      b.call('PUT', `${BASE}/${id}`, { status: 'rejected', admin_comment: 'No.' }),
    ])
    expect([yes.status, no.status].toSorted((x, y) => x - y)).toEqual([200, 409])
    expect(await count(world, 'predictions')).toBe(before + (yes.status === 200 ? 1 : 0))
  }
})

it('approving publishes under the person that the administrator chose', async () => {
  const first = await approve(admin, await handIn(admin))
  const other = { expert_name: 'A. Expert', twitter_handle: '@elsewhere' }
  const chosen = await approve(admin, await handIn(admin, other), {
    influencer_id: String(first.influencer.id),
  })
  expect(chosen.influencer).toEqual({ ...first.influencer, created: false })
  const free = await approve(admin, await handIn(admin, { ...other, twitter_handle: '' }))
  expect(free.influencer).toMatchObject({ name: 'A. Expert', created: true })
})

it('approving notes a new handle of a person known by name, also where the administrator confirms them', async () => {
  const given = { expert_name: 'Jane Doe', twitter_handle: '' }
  const first = await approve(admin, await handIn(admin, given))
  const again = await handIn(admin, { ...given, twitter_handle: '@janedoe', price_target: 190 })
  const confirmed = await approve(admin, again, { influencer_id: first.influencer.id })
  expect(confirmed.influencer).toEqual({ ...first.influencer, created: false })
  const by = await handIn(admin, { expert_name: 'J. D.', twitter_handle: '@janedoe' })
  // A handle alone names no one.
  expect((await approve(admin, by)).influencer).toMatchObject({ name: 'J. D.', created: true })
})

it('the dry run reads numbers back, judges by both rules and stores nothing', async () => {
  await prices('btc', '2026-01-01', [100, 120, 160])
  const id = await handIn(admin)
  const run = await tryOut(admin, id, { price_target: '0.150', prediction_outcome: 'ongoing' })
  expect(run.numbers).toEqual([
    { field: 'price_target', given: '0.150', usd: 0.15, shown: '$0.15' },
  ])
  const shown = await tryOut(admin, id, { price_target: '100.000', start_date: '2026-11-20' })
  expect(shown).toMatchObject({
    fields: {},
    numbers: [{ shown: '$100,000' }],
    price_prediction: '$100,000',
    influencer: { id: null, is_new: true, sentence: 'Creates a new influencer: Expert A.' },
    verdicts: { touch: { outcome: 'pending' }, close: { outcome: 'pending' } },
    rule: 'Hit if BTC trades at or above $100,000 from 02/01/2026 to the end of 31/12/2027 UTC.',
    prediction: { price_target: 100_000, prediction_type: 'target' },
    prices: { first: 20_454, steps: [], closes: [100, 120, 160] },
  })
  expect(shown.warnings.map(({ code }) => code)).toEqual(['new-influencer'])
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

it('the dry run warns of what is odd about a window and its prices', async () => {
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
  // At the end nothing is true or broken before.
  for (const body of [{ prediction_type: 'top', price_max: 90 }, { price_target: 100 }]) {
    const { warnings } = await tryOut(admin, id, { ...body, timing: 'at_end' })
    expect(warnings.map(({ code }) => code)).toEqual(['new-influencer'])
  }
})

it('the dry run warns of a level said before a split, and of a deadline before the day it was said', async () => {
  await prices('mstr', '2024-01-02', [60, 61])
  const said = { price_target: 1_800, prediction_made: '2024-01-02' }
  const id = await handIn(admin, said, '/api/mstr/submissions')
  const run = await tryOut(admin, id)
  expect(run.split_note).toBe('said $1,800 = $180 today')
  expect(run.warnings.map(({ code }) => code)).toContain('split')
  const late = await tryOut(admin, id, { target_time: '2024-01-01' })
  expect(late.warnings.map(({ code }) => code)).toEqual(['deadline-before-made'])
  expect(late.fields).toHaveProperty('target_time')
  expect(late.verdicts).toBeNull()
})

it('the dry run warns where a post is not of the day it counts as made', async () => {
  await prices('btc', '2026-01-01', [100, 120, 130])
  // Made on 10 March 2026.
  const source_url = 'https://x.com/ada_example/status/2031278883117924352'
  const use_day = '2026-03-10'
  const days = async (id: string, body = {}) =>
    (await tryOut(admin, id, body)).warnings.filter(({ message }) => message.startsWith('The post'))
  const undated = await handIn(admin, { prediction_made: null, source_url })
  expect(await days(undated)).toEqual([
    {
      code: 'source-older',
      message:
        'The post is from 10/03/2026, the prediction counts as made on 20/11/2026, when it was submitted.',
      use_day,
    },
  ])
  expect(await days(undated, { prediction_made: '2026-03-10' })).toEqual([])
  const dated = await handIn(admin, { prediction_made: '2026-11-05', source_url })
  expect(await days(dated)).toEqual([
    {
      code: 'source-older',
      message: 'The post is from 10/03/2026, the submission says 05/11/2026.',
      use_day,
    },
  ])
})

it('the dry run reports all that is wrong by its field', async () => {
  const id = await handIn(admin)
  const run = await tryOut(admin, id, {
    expert_name: '',
    price_target: 'lots',
    source_url: 'javascript:alert(1)',
    influencer_id: '',
    end_date: '2027-02-30',
  })
  expect(Object.keys(run.fields).toSorted()).toEqual([
    'end_date',
    'expert_name',
    'price_target',
    'source_url',
  ])
  const refused = await admin.call('POST', `${V1}/${id}/dry-run`, { paid_sats: 5 })
  expect(refused.status).toBe(400)
})
