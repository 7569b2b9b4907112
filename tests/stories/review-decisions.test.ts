// Over 400 lines: decisions about submissions and the people they are published under, on the same review.

import { expect, it, describe, beforeEach } from 'vitest'
import { AdminExpert, mergeExpert } from '#contracts/corrections.ts'
import { onePrediction } from '#contracts/predictions.ts'
import { oneSubmission, searchSubmissions } from '#contracts/review.ts'
import { closesFile } from '#tests/support/builders.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import {
  approve,
  Changed,
  count,
  handIn,
  Refused,
  reject,
  tryOut,
  undo,
} from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'

const { world, admin } = adminSite()

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'
const EXPERTS = '/api/v1/admin/experts'

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
  return world.read(onePrediction, id)
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

it('approving uses the calls of the other dashboards for their own asset only', async () => {
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
  const wrong = {
    expert_name: '',
    price_target: 'lots',
    source_url: 'javascript:alert(1)',
    influencer_id: '999',
  }
  const all = await tryOut(admin, id, wrong)
  expect(Object.keys(all.fields).toSorted()).toEqual(Object.keys(wrong).toSorted())
  expect((await admin.call('POST', `${V1}/${id}/dry-run`, { paid_sats: 5 })).status).toBe(400)
  expect((await tryOut(admin, id, { existing_influencer_id: 999 })).fields).toEqual({
    existing_influencer_id: 'This influencer is not on record. Please choose from the list.',
  })
  expect(await count(world, 'predictions')).toBe(0)
  expect(await count(world, 'influencers')).toBe(0)
})

it('only one of two simultaneous decisions on a submission wins', async () => {
  const admins = [admin, await signedIn(world, 'Admin B')]
  const decide = async (id: string, n: number) =>
    n % 3 === 0
      ? reject(admins[n % 2]!, id)
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

it('the dry run reads numbers, judges by both rules and stores nothing', async () => {
  await prices('btc', '2026-01-01', [100, 120, 160])
  const id = await handIn(admin)
  const run = await tryOut(admin, id, { price_target: '0.150', prediction_outcome: 'ongoing' })
  expect(run.prediction).toMatchObject({ price_target: 0.15 })
  const visible = await tryOut(admin, id, { price_target: '100.000', start_date: '2026-11-20' })
  expect(visible).toMatchObject({
    fields: {},
    influencer: { id: null, is_new: true, sentence: 'Creates a new influencer: Expert A.' },
    prediction: {
      price_target: 100_000,
      prediction_type: 'target',
      verdicts: {
        touch: { outcome: 'pending', window_from: '2026-01-02', window_to: '2027-12-31' },
        close: { outcome: 'pending' },
      },
    },
    prices: { first: 20_454, steps: [], closes: [100, 120, 160] },
  })
  expect(visible.warnings.map(({ code }) => code)).toEqual(['new-influencer'])
  const hit = await tryOut(admin, id)
  expect(hit.prediction?.verdicts.touch).toMatchObject({
    outcome: 'hit',
    bar: { date: '2026-01-03', close: 160 },
  })
  expect(await count(world, 'predictions')).toBe(0)
  const changes = `audit_log where action <> 'submission submitted' and subject_kind = 'submission'`
  expect(await count(world, changes)).toBe(0)
})

it('a new handle of a person known by name is stored, also if the administrator confirms them', async () => {
  const first = await approve(admin, await handIn(admin, { twitter_handle: '' }))
  const again = await handIn(admin, { price_target: 190 })
  const confirmed = await approve(admin, again, { influencer_id: first.influencer.id })
  expect(confirmed.influencer).toEqual({ ...first.influencer, created: false })
  const { influencer } = (await prediction(first.prediction_id)).prediction
  expect(influencer.x_handle).toBe('experta')
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
  // A claim judged at the end has no early decision to warn of.
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
  expect(run.prediction).toMatchObject({ price_target: 1_800, split_factor: 10 })
  expect(run.warnings.map(({ code }) => code)).toContain('split')
  const late = await tryOut(admin, id, { target_time: '2024-01-01' })
  expect(late.warnings.map(({ code }) => code)).toEqual(['deadline-before-made'])
  expect(late.fields).toHaveProperty('target_time')
  expect(late.prediction).toBeNull()
})

it("the dry run warns if a post's day differs from the day the call was made", async () => {
  await prices('btc', '2026-01-01', [100, 120, 130])
  // Made on 10 March 2026.
  const source_url = 'https://x.com/ada_example/status/2031278883117924352'
  const use_day = '2026-03-10'
  const days = async (id: string, body = {}) =>
    (await tryOut(admin, id, body)).warnings.filter(({ message }) => message.startsWith('The post'))
  for (const [prediction_made, says] of [
    [null, 'the prediction counts as made on 20/11/2026, when it was submitted.'],
    ['2026-11-05', 'the submission says 05/11/2026.'],
  ] as const) {
    const id = await handIn(admin, { prediction_made, source_url })
    const message = `The post is from 10/03/2026, ${says}`
    expect(await days(id)).toEqual([{ code: 'source-older', message, use_day }])
    expect(await days(id, { prediction_made: use_day })).toEqual([])
  }
})

it('the dry run warns of a link in a text, submitted or edited', async () => {
  for (const [input, body, where] of [
    [{ notes: 'buy at scam[.]com' }, {}, 'the notes of the submitter: scam.com'],
    [{ expert_name: 'Scam.com' }, {}, 'the name: Scam.com'],
    [{}, { quote: 'See scam dot com' }, 'the public text: scam.com'],
    [{}, { notes: 'scam.com' }, 'the notes of the submitter: scam.com'],
  ] as const) {
    const { warnings } = await tryOut(admin, await handIn(admin, input), body)
    expect(warnings.filter(({ code }) => code === 'link')).toEqual([
      { code: 'link', message: `There is a link in ${where}` },
    ])
  }
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
  const rows = await world.sql(
    'select (select json_agg(p) from predictions p)::text || (select json_agg(e) from prediction_events e)::text as all',
  )
  expect(rows[0]?.all).toContain(at)
  expect(rows[0]?.all).not.toContain(notes)
})

async function slugs(): Promise<string[]> {
  const rows = await world.sql('select slug from influencers order by id')
  return rows.map(({ slug }) => slug)
}

it('an unknown name or handle is shown before it is published under a person on record', async () => {
  const { influencer } = await approve(admin, await handIn(admin))
  const warned = async (given: object, body: object = {}) =>
    (await tryOut(admin, await handIn(admin, { price_target: 300, ...given }), body)).warnings
      .filter(({ code }) => /name|handle/.test(code))
      .map(({ code, message }) => [code, message])
  expect(await warned({})).toEqual([])
  const other = { expert_name: 'Somebody Else', price_target: 400 }
  expect(await warned(other, { influencer_id: influencer.id })).toEqual([
    ['other-name', 'The submission names Somebody Else, but it will be published under Expert A.'],
  ])
  expect(await warned({ twitter_handle: '@impostor', price_target: 500 })).toEqual([
    [
      'other-handle',
      'Expert A is on record as @experta. Approving also adds @impostor. Is it the same person?',
    ],
  ])
  await approve(admin, await handIn(admin, { expert_name: 'Expert B', twitter_handle: null }))
  const known = { expert_name: 'Expert B', twitter_handle: '@expertb', price_target: 600 }
  expect(await warned(known)).toEqual([
    ['new-handle', 'Approving also records @expertb as the handle of Expert B.'],
  ])
  // A person chosen despite another name does not get the handle.
  const stranger = { expert_name: 'Expert C', twitter_handle: '@expertc', price_target: 700 }
  const codes = await warned(stranger, { influencer_id: influencer.id })
  expect(codes.map(([code]) => code)).toEqual(['other-name'])
})

it.each([
  ['A, Expert', 'in another order'],
  ['Expert A (Firm F)', 'a little differently'],
])('a similar name is suggested, and remembered if requested: %s', async (name, how) => {
  const { influencer } = await approve(admin, await handIn(admin))
  const given = { expert_name: name, twitter_handle: '', price_target: 400 }
  const id = await handIn(admin, given)
  const suggested = async (of: string) => (await admin.read(oneSubmission, of)).suggestions
  expect(await suggested(id)).toMatchObject([
    { id: influencer.id, why: 'similar', is_sure: false, sentence: expect.stringContaining(how) },
  ])
  // Choosing a person does not add a name.
  const forgotten = await handIn(admin, { ...given, price_target: 300 })
  await approve(admin, forgotten, { influencer_id: String(influencer.id) })
  expect(await suggested(id)).toMatchObject([{ id: influencer.id, why: 'similar' }])
  // Those corrected meanwhile do not prevent undoing another.
  await world.sql('update predictions set version = 1')
  const chosen = { influencer_id: influencer.id, remember_name: true }
  expect((await approve(admin, id, chosen)).influencer.id).toBe(influencer.id)
  const again = await handIn(admin, { ...given, price_target: 500 })
  expect(await suggested(again)).toMatchObject([{ id: influencer.id, why: 'alias', is_sure: true }])
  expect((await undo(admin, id)).status).toBe(200)
  expect(await suggested(again)).toMatchObject([{ id: influencer.id, why: 'similar' }])
})

it('a similar submission with a deadline a month away is flagged as a duplicate', async () => {
  const first = await handIn(admin, { target_time: '2027-12-31' })
  for (const [day, twice] of [
    ['2027-12-01', true],
    ['2027-11-30', false],
  ] as const) {
    const id = await handIn(admin, { target_time: day, source_url: `https://example.org/${day}` })
    const { duplicates } = await admin.read(oneSubmission, id)
    expect([day, duplicates.some((one) => one.id === first)]).toEqual([day, twice])
  }
})

it.each([
  ['nobody on record', null],
  ['somebody else on record', 'Expert B'],
])(
  "one person's handle with another's name goes by the name and says so: the name of %s",
  async (_, known) => {
    const { influencer } = await approve(admin, await handIn(admin))
    if (known !== null) {
      await approve(admin, await handIn(admin, { expert_name: known, twitter_handle: null }))
    }
    const id = await handIn(admin, { expert_name: 'Expert B', price_target: 400 })
    const seen = await admin.read(oneSubmission, id)
    expect(seen.suggestions[0]).toMatchObject({ name: 'Expert A', is_sure: false })
    const run = await tryOut(admin, id)
    expect(run.fields).toEqual({})
    expect(run.influencer).toMatchObject({ name: 'Expert B', is_new: known === null })
    expect(run.warnings).toContainEqual({
      code: 'other-handle',
      message: '@experta belongs to Expert A and will stay there. Whose prediction is this?',
    })
    const made = await approve(admin, id)
    expect(made.influencer).toMatchObject({ name: 'Expert B', created: known === null })
    expect(await slugs()).toEqual(['expert-a', 'expert-b'])
    await world.refresh()
    for (const [slug, handle] of [
      ['expert-a', 'experta'],
      ['expert-b', null],
    ]) {
      const { body } = await world.get(`/api/v1/experts/${slug}`)
      expect(body).toMatchObject({ expert: { x_handle: handle } })
    }
    const again = await handIn(admin, { expert_name: 'Expert B', price_target: 500 })
    const chosen = await approve(admin, again, { influencer_id: influencer.id })
    expect(chosen.influencer).toEqual({ ...influencer, created: false })
  },
)

it("a second person of the same name is added on an administrator's request, by the approval or before", async () => {
  const first = await approve(admin, await handIn(admin))
  const other = { twitter_handle: '@otherexpert' }

  // Unspecified: the name decides.
  const same = await approve(admin, await handIn(admin, { ...other, twitter_handle: null }))
  expect(same.influencer).toEqual({ ...first.influencer, created: false })

  const byApproval = await handIn(admin, other)
  expect((await tryOut(admin, byApproval, { new_influencer: true })).influencer).toEqual({
    id: null,
    name: 'Expert A',
    is_new: true,
    sentence:
      'Creates a new influencer: Expert A. An influencer of this name is already on record.',
  })
  const second = await approve(admin, byApproval, { new_influencer: true })
  expect(second.influencer).toMatchObject({ name: 'Expert A', created: true })

  const beforehand = await handIn(admin, { twitter_handle: '@third', new_influencer: true })
  const { submission, suggestions } = await admin.read(oneSubmission, beforehand)
  expect(submission).toMatchObject({ new_influencer: true, existing_influencer_id: null })
  expect(suggestions).toHaveLength(2)
  expect((await tryOut(admin, beforehand)).influencer?.is_new).toBe(true)
  const third = await approve(admin, beforehand)
  expect(third.influencer.created).toBe(true)

  expect(await slugs()).toEqual(['expert-a', 'expert-a-2', 'expert-a-3'])
  expect(new Set([first, same, second, third].map((one) => one.prediction_id)).size).toBe(4)
  await world.refresh()
  for (const [slug, handle] of [
    ['expert-a', 'experta'],
    ['expert-a-2', 'otherexpert'],
    ['expert-a-3', 'third'],
  ] as const) {
    expect((await world.get(`/api/v1/experts/${slug}`)).body).toMatchObject({
      expert: { name: 'Expert A', x_handle: handle },
    })
  }
  // From now on the handle distinguishes them; the name alone means the first person.
  const later = await approve(admin, await handIn(admin, other))
  expect(later.influencer.id).toBe(second.influencer.id)
  const byName = await approve(admin, await handIn(admin, { twitter_handle: null }))
  expect(byName.influencer.id).toBe(first.influencer.id)
})

it('an edit adds and removes a second person with the same name', async () => {
  const first = await approve(admin, await handIn(admin))
  const id = await handIn(admin, { twitter_handle: null })
  const edit = async (body: object) =>
    Changed.parse((await admin.call('PUT', `${BASE}/${id}/update`, body)).body).submission
  const known = first.influencer.id
  const added = { new_influencer: true, existing_influencer_id: null }
  expect(await edit({ new_influencer: true })).toMatchObject(added)
  const chosen = { new_influencer: false, existing_influencer_id: known }
  expect(await edit({ existing_influencer_id: known })).toMatchObject(chosen)
  await edit({ new_influencer: true })
  for (const body of [{ existing_influencer_id: known }, { new_influencer: false }]) {
    expect((await tryOut(admin, id, body)).influencer).toMatchObject({ id: known, is_new: false })
  }
  expect(await edit({ new_influencer: false })).toMatchObject({ new_influencer: false })
  for (const [method, path, field] of [
    ['PUT', 'update', 'existing_influencer_id'],
    ['POST', 'approve', 'influencer_id'],
  ] as const) {
    const both = { new_influencer: true, [field]: known }
    const refused = await admin.call(method, `${BASE}/${id}/${path}`, both)
    expect([refused.status, Refused.parse(refused.body).fields]).toMatchObject([
      400,
      { [field]: expect.stringContaining('either') },
    ])
  }
})

it('a second person of the same name leaves a handle with its owner', async () => {
  await approve(admin, await handIn(admin))
  const id = await handIn(admin, { new_influencer: true })
  expect((await tryOut(admin, id)).warnings.map(({ code }) => code)).toContain('other-handle')
  expect((await approve(admin, id)).influencer).toMatchObject({ name: 'Expert A', created: true })
  expect(await slugs()).toEqual(['expert-a', 'expert-a-2'])
  await world.refresh()
  const { body } = await world.get('/api/v1/experts/expert-a-2')
  expect(body).toMatchObject({ expert: { x_handle: null } })
})

it('a second person with the same name is undone with the approval, renamed, and merged', async () => {
  const first = await approve(admin, await handIn(admin))
  const id = await handIn(admin, { twitter_handle: '@other', new_influencer: true })
  await approve(admin, id)
  expect((await undo(admin, id)).status).toBe(200)
  expect(await slugs()).toEqual(['expert-a'])
  const { influencer } = await approve(admin, id)

  const url = `${EXPERTS}/${String(influencer.id)}`
  const edited = await admin.call('PUT', url, { version: 0, is_firm: true, reason: 'A firm' })
  expect(edited.status).toBe(200)
  const taken = { version: 0, name: 'expert a', reason: 'No' }
  const third = await approve(admin, await handIn(admin, { expert_name: 'C', twitter_handle: '' }))
  const refused = await admin.call('PUT', `${EXPERTS}/${String(third.influencer.id)}`, taken)
  expect(refused.status).toBe(400)

  const into = { version: 1, into: first.influencer.id, reason: 'One person' }
  const merged = mergeExpert.reply.parse((await admin.call('POST', `${url}/merge`, into)).body)
  expect(AdminExpert.parse(merged.expert)).toMatchObject({
    name: 'Expert A',
    aliases: [],
    handles: ['experta', 'other'],
    predictions: 2,
  })
})

describe('flags', () => {
  async function flagsIn(admin: SignedInBrowser, query = 'flags=yes') {
    return (await admin.read(searchSubmissions, `?${query}`)).flags
  }

  beforeEach(async () => {
    await world.imports.prices('btc', closesFile('2025-12-31', [100, 100, 120]), 'test')
    // Known by name and handle, with a prediction of 150 by the end of 2027 on record.
    await approve(admin, await handIn(admin))
    await world.refresh()
  })

  const CLEAN = { price_target: 500, notes: 'Said so.' }

  /** The flags of a submission that is pending alone. */
  async function flagsOf(
    overrides: object,
    change?: (id: string) => Promise<void>,
  ): Promise<unknown> {
    const id = await handIn(admin, { ...CLEAN, ...overrides })
    await change?.(id)
    const flags = await flagsIn(admin)
    expect(Object.keys(flags)).toEqual([id])
    await world.sql(`update submissions set payment_id = null; delete from payments;
      delete from submissions where status = 'pending'`)
    return flags[id]
  }

  it('a submission is flagged by its content', async () => {
    const eve = { prediction_made: '2025-12-31' }
    const source_url = 'https://x.com/experta/status/1899900000000000000'
    for (const [input, flags] of [
      [{}, []],
      [{ notes: 'see scam[.]com' }, ['link']],
      [{ price_target: 151 }, ['duplicate']],
      [{ price_target: 100, ...eve }, ['already-true']],
      [{ prediction_type: 'top', price_target: null, price_max: 90, ...eve }, ['already-broken']],
      [{ target_time: '2026-06-01' }, ['window-over']],
      [{ prediction_made: null, source_url }, ['other-day']],
      [{ prediction_made: '2015-03-01', source_url }, ['other-day']],
      [{ expert_name: 'Someone New', twitter_handle: null }, ['new-person']],
      [{ expert_name: 'Someone New' }, ['other-handle', 'new-person']],
      [{ twitter_handle: '@another' }, ['other-handle']],
      [{ twitter_handle: null }, []],
    ] as const) {
      expect([input, await flagsOf(input)]).toEqual([input, flags])
    }
  })

  it('a submission is flagged by how it was paid', async () => {
    for (const [status, more, flags] of [
      ['paid_late', 0, ['paid-late']],
      ['overpaid', 0, ['paid-twice']],
      ['paid', -1, ['paid-too-little']],
      ['paid', 0, []],
    ] as const) {
      const pay = async (id: string): Promise<void> => {
        await world.sql(
          `with p as (
       insert into payments (id, submission_id, checking_hash, status, sats, wallet, network, bolt11, payment_hash, expires_at, received_msat, created_at)
       values (gen_random_uuid(), $1, 'c', $2, 5, 'w', 'bitcoin', 'b', 'h', now(), 5000 + $3::int, now()) returning id)
     update submissions set payment_id = p.id from p where submissions.id = $1`,
          [id, status, more],
        )
      }
      expect([status, more, await flagsOf({}, pay)]).toEqual([status, more, flags])
    }
  })

  it('flags follow the record, and are computed only on request', async () => {
    const one = await handIn(admin, CLEAN)
    const other = await handIn(admin, { ...CLEAN, price_target: 505, target_time: '2027-12-31' })
    await approve(admin, other)
    await world.refresh()
    expect(await flagsIn(admin)).toEqual({ [one]: ['duplicate'] })
    expect(await flagsIn(admin, '')).toEqual({})
  })

  it('two pending submissions that say the same are both flagged, until one is edited', async () => {
    const one = await handIn(admin, CLEAN)
    const other = await handIn(admin, CLEAN)
    expect(await flagsIn(admin)).toEqual({ [one]: ['duplicate'], [other]: ['duplicate'] })
    const url = `/api/admin/prediction_submissions/${other}/update`
    await admin.call('PUT', url, { price_target: 800 })
    expect(await flagsIn(admin)).toEqual({ [one]: [], [other]: [] })
  })
})
