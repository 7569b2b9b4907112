import { adminSite } from '#tests/support/empty-site.ts'
import { approve, Changed, handIn, Refused, tryOut } from '#tests/support/review.ts'
import { describe, expect, it, beforeEach } from 'vitest'
import { oneSubmission, searchSubmissions } from '#contracts/review.ts'
import { closesFile } from '#tests/support/builders.ts'
import { type SignedInBrowser } from '#tests/support/sign-in.ts'

const { world, admin } = adminSite()

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

async function slugs(): Promise<string[]> {
  const { rows } = await world.database.pool.query<{ slug: string }>(
    'select slug from influencers order by id',
  )
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
  const suggested = async (of: string) =>
    oneSubmission.reply.parse((await admin.call('GET', `${V1}/${of}`)).body).suggestions
  expect(await suggested(id)).toMatchObject([
    { id: influencer.id, why: 'similar', is_sure: false, sentence: expect.stringContaining(how) },
  ])
  // Choosing a person does not add a name.
  const forgotten = await handIn(admin, { ...given, price_target: 300 })
  await approve(admin, forgotten, { influencer_id: String(influencer.id) })
  expect(await suggested(id)).toMatchObject([{ id: influencer.id, why: 'similar' }])
  const chosen = { influencer_id: influencer.id, remember_name: true }
  expect((await approve(admin, id, chosen)).influencer.id).toBe(influencer.id)
  const again = await handIn(admin, { ...given, price_target: 500 })
  expect(await suggested(again)).toMatchObject([{ id: influencer.id, why: 'alias', is_sure: true }])
})

it('a similar submission with a deadline a month away is flagged as a duplicate', async () => {
  const first = await handIn(admin, { target_time: '2027-12-31' })
  for (const [day, twice] of [
    ['2027-12-01', true],
    ['2027-11-30', false],
  ] as const) {
    const id = await handIn(admin, { target_time: day, source_url: `https://example.org/${day}` })
    const { duplicates } = oneSubmission.reply.parse((await admin.call('GET', `${V1}/${id}`)).body)
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
    const seen = oneSubmission.reply.parse((await admin.call('GET', `${V1}/${id}`)).body)
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
  const { submission, suggestions } = oneSubmission.reply.parse(
    (await admin.call('GET', `${V1}/${beforehand}`)).body,
  )
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
  // The handle distinguishes them from now on; the name alone means the first.
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
  expect(await edit({ new_influencer: true })).toMatchObject({
    new_influencer: true,
    existing_influencer_id: null,
  })
  const known = first.influencer.id
  expect(await edit({ existing_influencer_id: known })).toMatchObject({
    new_influencer: false,
    existing_influencer_id: known,
  })
  await edit({ new_influencer: true })
  for (const body of [{ existing_influencer_id: known }, { new_influencer: false }]) {
    expect((await tryOut(admin, id, body)).influencer).toMatchObject({ id: known, is_new: false })
  }
  expect(await edit({ new_influencer: false })).toMatchObject({ new_influencer: false })
  const both = { new_influencer: true, existing_influencer_id: known }
  const refused = await admin.call('PUT', `${BASE}/${id}/update`, both)
  expect([refused.status, Refused.parse(refused.body).fields]).toMatchObject([
    400,
    { existing_influencer_id: expect.stringContaining('either') },
  ])
  const two = { new_influencer: true, influencer_id: known }
  const unclear = await admin.call('POST', `${BASE}/${id}/approve`, two)
  expect([unclear.status, Refused.parse(unclear.body).fields]).toMatchObject([
    400,
    { influencer_id: expect.stringContaining('either') },
  ])
})

describe('flags', () => {
  async function flagsIn(admin: SignedInBrowser, query = 'flags=yes') {
    const { body } = await admin.call('GET', `/api/v1/admin/submissions?${query}`)
    return searchSubmissions.reply.parse(body).flags
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
    const { pool } = world.database
    await pool.query('update submissions set payment_id = null')
    await pool.query('delete from payments')
    await pool.query("delete from submissions where status = 'pending'")
    return flags[id]
  }

  it('a submission is flagged by its content', async () => {
    for (const [input, flags] of [
      [{}, []],
      [{ notes: 'see scam[.]com' }, ['link']],
      [{ price_target: 151 }, ['duplicate']],
      [{ price_target: 100, prediction_made: '2025-12-31' }, ['already-true']],
      [
        {
          prediction_type: 'top',
          price_target: null,
          price_max: 90,
          prediction_made: '2025-12-31',
        },
        ['already-broken'],
      ],
      [{ target_time: '2026-06-01' }, ['window-over']],
      [
        { prediction_made: null, source_url: 'https://x.com/experta/status/1899900000000000000' },
        ['other-day'],
      ],
      [
        {
          prediction_made: '2015-03-01',
          source_url: 'https://x.com/experta/status/1899900000000000000',
        },
        ['other-day'],
      ],
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
        await world.database.pool.query(
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
})
