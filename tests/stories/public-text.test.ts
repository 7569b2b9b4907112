import { expect, it } from 'vitest'
import { onePrediction } from '#contracts/predictions.ts'
import { approve, handIn, Refused, tryOut } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { appOfFile } from '#tests/support/once-for-file.ts'

const site = appOfFile()
const SECRET = 'between you and me'

it('the notes of a submitter are in nothing that is public', async () => {
  const world = site()
  const admin = await signedIn(world)
  const id = await handIn(admin, { notes: SECRET })
  await handIn(admin, { notes: SECRET, price_target: 600 }, '/api/mstr/submissions')
  const run = await tryOut(admin, id)
  expect(run.prediction?.quote).toBe('')
  const { prediction_id: at } = await approve(admin, id)
  await world.refresh()
  const places = [
    '/api/predictions',
    '/api/mstr/predictions',
    `/api/v1/predictions/${at}`,
    '/feed.xml',
    '/feed.json',
  ]
  for (const url of places) {
    const { statusCode, body } = await world.app.inject({ url })
    expect([url, statusCode]).toEqual([url, 200])
    expect(body).not.toContain(SECRET)
  }
  const { rows } = await world.database.pool.query<{ all: string }>(
    'select (select json_agg(p) from predictions p)::text || (select json_agg(e) from prediction_events e)::text as all',
  )
  expect(rows[0]?.all).toContain(at)
  expect(rows[0]?.all).not.toContain(SECRET)
})

it.each([
  [{ quote: ' She names a level. ' }, 'She names a level.'],
  [{ quote: '"150 it is."', quote_kind: 'said' }, '“150 it is.” – Expert A'],
  [{ quote: '', quote_kind: 'said' }, ''],
])('the public text %j is published as %j', async (body, quote) => {
  const world = site()
  const admin = await signedIn(world)
  const id = await handIn(admin)
  expect((await tryOut(admin, id, body)).prediction?.quote).toBe(quote)
  const { prediction_id: at } = await approve(admin, id, body)
  await world.refresh()
  const shown = await world.get(`/api/v1/predictions/${at}`)
  expect(onePrediction.reply.parse(shown.body).prediction.quote).toBe(quote)
})

it.each([
  [{ quote: 'x'.repeat(2_001) }, 'Please use at most 2000 characters.'],
  [{ quote: 'x'.repeat(401), quote_kind: 'said' }, 'Please use at most 400 characters.'],
  [
    { quote: 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5' },
    /^This is a secret key/,
  ],
])('a public text that is too long or holds a secret is refused', async (body, message) => {
  const world = site()
  const admin = await signedIn(world)
  const id = await handIn(admin)
  const url = `/api/admin/prediction_submissions/${id}/approve`
  const { status, body: refused } = await admin.call('POST', url, body)
  expect(status).toBe(400)
  expect(Refused.parse(refused).fields?.['quote']).toMatch(message)
})

it.each([
  [{ notes: 'buy at scam[.]com' }, {}, 'There is a link in the notes of the submitter: scam.com'],
  [{ expert_name: 'Scam.com' }, {}, 'There is a link in the name: Scam.com'],
  [{}, { quote: 'See scam dot com' }, 'There is a link in the public text: scam.com'],
  [{}, { notes: 'scam.com' }, 'There is a link in the notes of the submitter: scam.com'],
])('a link in a text of %j and %j is warned of', async (given, body, message) => {
  const world = site()
  const admin = await signedIn(world)
  const { warnings } = await tryOut(admin, await handIn(admin, given), body)
  expect(warnings.filter(({ code }) => code === 'link')).toEqual([{ code: 'link', message }])
})
