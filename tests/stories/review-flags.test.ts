import { adminSite } from '#tests/support/empty-site.ts'
import { expect, it, beforeEach } from 'vitest'
import { searchSubmissions } from '#contracts/review.ts'
import { closesFile } from '#tests/support/builders.ts'
import { approve, handIn } from '#tests/support/review.ts'
import { type SignedInBrowser } from '#tests/support/sign-in.ts'

async function flagsIn(admin: SignedInBrowser, query = 'flags=yes') {
  const { body } = await admin.call('GET', `/api/v1/admin/submissions?${query}`)
  return searchSubmissions.reply.parse(body).flags
}

const { world, admin } = adminSite()
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
      { prediction_type: 'top', price_target: null, price_max: 90, prediction_made: '2025-12-31' },
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

it('two pending submissions that say the same are both flagged, until one is edited', async () => {
  const one = await handIn(admin, CLEAN)
  const other = await handIn(admin, CLEAN)
  expect(await flagsIn(admin)).toEqual({ [one]: ['duplicate'], [other]: ['duplicate'] })
  const url = `/api/admin/prediction_submissions/${other}/update`
  await admin.call('PUT', url, { price_target: 800 })
  expect(await flagsIn(admin)).toEqual({ [one]: [], [other]: [] })
})

it('flags follow the record, and are computed only on request', async () => {
  const one = await handIn(admin, CLEAN)
  const other = await handIn(admin, { ...CLEAN, price_target: 505, target_time: '2027-12-31' })
  await approve(admin, other)
  await world.refresh()
  expect(await flagsIn(admin)).toEqual({ [one]: ['duplicate'] })
  expect(await flagsIn(admin, '')).toEqual({})
})
