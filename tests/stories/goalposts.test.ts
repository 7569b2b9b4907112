import { expect, it, beforeEach } from 'vitest'
import { decideGoalpost, listGoalposts, type GoalpostDecision } from '#contracts/corrections.ts'
import { oneExpert, onePrediction } from '#contracts/predictions.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { Failed } from '#tests/support/payment-world.ts'
import { audited } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { type TestApp } from '#tests/support/test-app.ts'

const URL = decideGoalpost.path
const AB = { earlier: 'a', later: 'b' } as const
const BC = { earlier: 'b', later: 'c' } as const
const AC = { earlier: 'a', later: 'c' } as const

/** $150 by 10 January, repeated for 15 January and for 20 February; its price never gets there. */
const CALLS = [
  entry('a'),
  entry('b', { prediction_made: '2024-01-08', target_time: '2024-01-15' }),
  entry('c', { prediction_made: '2024-01-17', target_time: '2024-02-20', price_target: 155 }),
  entry('other', {
    expert_name: 'Expert B',
    prediction_made: '2024-01-08',
    target_time: '2024-01-15',
  }),
]

/** These predictions and prices of 20 days, an administrator and a reviewer. */
async function goalpostsOn(world: TestApp) {
  await world.imports.prices('btc', closesFile('2024-01-01', Array(20).fill(100)), 'test')
  await world.publish(...CALLS)
  const admin = await signedIn(world)
  const reviewer = await signedIn(world, 'Reviewer', 'reviewer')
  const decide = async (
    pair: Pick<GoalpostDecision, 'earlier' | 'later'>,
    state: GoalpostDecision['state'],
    was: GoalpostDecision['was'] = 'suggested',
    who: SignedInBrowser = reviewer,
  ) => {
    const answer = await who.call('PUT', URL, { ...pair, state, was })
    return answer.status === 200
      ? decideGoalpost.reply.parse(answer.body).message
      : `${String(answer.status)} ${Failed.parse(answer.body).error}`
  }
  return {
    world,
    admin,
    reviewer,
    decide,
    /** Each pair with its state, such as `a b suggested`. */
    listed: async (state = 'all') => {
      return (await reviewer.read(listGoalposts, `?state=${state}`)).rows.map(
        (row) =>
          `${row.earlier.id} ${row.later.id} ${row.state}${row.is_shown ? '' : ', not shown'}${row.decided ? ` by ${row.decided.who}` : ''}`,
      )
    },
    /** The chains of a person as visitors see them, such as `a ~ b = c, 3 months`; `=` where confirmed. */
    shown: async (slug = 'expert-a') => {
      return (await world.read(oneExpert, slug)).goalposts.map(
        ({ calls: message, delay }) =>
          `${message
            .map(({ id, link }) =>
              link === null ? id : `${link === 'confirmed' ? '=' : '~'} ${id}`,
            )
            .join(' ')}, ${delay}`,
      )
    },
    chainOf: async (id: string) => {
      return (await world.read(onePrediction, id)).goalposts?.calls.map((call) => call.id) ?? null
    },
    correct: async (id: string, how: 'PUT' | 'POST', path: string, body: object) => {
      const { sql } = world.database
      const rows = await sql('select version from predictions where id = $1', [id])
      const url = `/api/v1/admin/predictions/${id}${path}`
      const version = rows[0]?.version ?? 0
      const answer = await admin.call(how, url, { version, reason: 'As published', ...body })
      expect(answer).toMatchObject({ status: 200 })
      await world.refresh()
    },
  }
}

const { world: empty } = emptySite()
let site: Awaited<ReturnType<typeof goalpostsOn>>
beforeEach(async () => {
  site = await goalpostsOn(empty)
})

it('a revision is unchecked until a reviewer confirms it, and hidden once rejected', async () => {
  expect(await site.listed()).toEqual(['a b suggested', 'b c suggested'])
  expect(await site.shown()).toEqual(['a ~ b ~ c, 1 month'])
  expect(await site.shown('expert-b')).toEqual([])
  expect(await site.chainOf('b')).toEqual(['a', 'b', 'c'])
  expect(await site.chainOf('other')).toBeNull()
  const page = await site.world.get('/api/v1/page?url=/predictions/a')
  expect(page.body).toMatchObject({ data: { goalposts: { delay: '1 month', delay_days: 41 } } })

  expect(await site.decide(AB, 'confirmed')).toBe(
    'Confirmed: the page of the person shows it as checked.',
  )
  expect(await site.shown()).toEqual(['a = b ~ c, 1 month'])
  expect(await site.decide(BC, 'cut')).toBe('Dismissed: no page shows it any more.')
  expect(await site.shown()).toEqual(['a = b, 5 days'])
  expect(await site.chainOf('c')).toBeNull()
  expect(await site.listed()).toEqual([
    'a b confirmed by Reviewer',
    'b c cut, not shown by Reviewer',
  ])
  expect(await site.listed('suggested')).toEqual([])
  expect(await site.listed('cut')).toEqual(['b c cut, not shown by Reviewer'])
  const counts = (await site.reviewer.call('GET', URL)).body
  expect(counts).toMatchObject({ total: 0, counts: { all: 2, suggested: 0, confirmed: 1, cut: 1 } })

  await site.decide(BC, 'suggested', 'cut')
  await site.decide(AB, 'suggested', 'confirmed', site.admin)
  expect(await site.listed()).toEqual(['a b suggested', 'b c suggested'])
  expect(await site.shown()).toEqual(['a ~ b ~ c, 1 month'])
  expect(await audited(site.world, `subject_kind = 'goalpost'`)).toMatchObject([
    {
      username: 'Reviewer',
      action: 'goalpost confirmed',
      subject_id: 'a → b',
      before: { state: 'suggested' },
      after: { state: 'confirmed' },
    },
    { action: 'goalpost cut', subject_id: 'b → c' },
    { action: 'goalpost decision taken back', subject_id: 'b → c' },
    { username: 'Admin A', before: { state: 'confirmed' } },
  ])
})

it('the slower of two reviewers learns who was faster, and nothing is stored', async () => {
  await site.decide(AB, 'cut', 'suggested', site.admin)
  expect(await site.decide(AB, 'confirmed')).toMatch(
    /^409 Admin A cut this on .+ UTC\. Please load the list again\.$/,
  )
  expect(await site.decide(BC, 'cut', 'confirmed')).toBe(
    '409 The decision about this pair was taken back meanwhile. Please load the list again.',
  )
  expect(await site.decide(AB, 'cut', 'cut')).toBe('409 This pair is already cut.')
  // A decision may be reversed.
  await site.decide(AB, 'confirmed', 'cut')
  await site.decide(AB, 'cut', 'confirmed')
  expect(await site.listed('cut')).toEqual(['a b cut, not shown by Reviewer'])
})

it('a pair that is not a revision can be neither confirmed nor rejected', async () => {
  const pairs = [
    { earlier: 'b', later: 'a' },
    { earlier: 'a', later: 'other' },
    { earlier: 'a', later: 'missing' },
    { earlier: 'missing', later: 'b' },
    { earlier: 'a', later: 'a' },
    { earlier: 'b\0', later: "';--" },
  ]
  for (const pair of pairs) {
    for (const state of ['confirmed', 'cut'] as const) {
      expect([pair, await site.decide(pair, state)]).toEqual([
        pair,
        expect.stringMatching(/^409 By the rule the later call is not a revision/),
      ])
    }
  }
  const wrong = { ...AB, state: 'suggested', was: 'unknown' }
  expect((await site.reviewer.call('PUT', URL, wrong)).status).toBe(400)
  // A call follows one call: while it has a confirmed link, no other can be confirmed.
  await site.decide(AB, 'cut')
  expect(await site.shown()).toEqual(['b ~ c, 1 month'])
  await site.decide(BC, 'confirmed')
  expect(await site.decide(AC, 'confirmed')).toMatch(/^409 By the rule/)
  expect(await site.listed()).toEqual([
    'a b cut, not shown by Reviewer',
    'b c confirmed by Reviewer',
  ])
})

it('revisions follow corrections: an edited level, a withdrawal, another person', async () => {
  await site.decide(AB, 'confirmed')
  await site.decide(BC, 'confirmed')
  expect(await site.shown()).toEqual(['a = b = c, 1 month'])

  // Another level is another thesis; the decision is stored, and applies again with the level.
  await site.correct('c', 'PUT', '', { price_target: 180 })
  expect(await site.shown()).toEqual(['a = b, 5 days'])
  expect(await site.listed('confirmed')).toEqual([
    'a b confirmed by Reviewer',
    'b c confirmed, not shown by Reviewer',
  ])
  await site.correct('c', 'PUT', '', { price_target: 150 })
  expect(await site.shown()).toEqual(['a = b = c, 1 month'])

  // Withdrawn calls are in no chain; the calls around them are not linked automatically.
  await site.correct('b', 'POST', '/withdraw', {})
  expect(await site.shown()).toEqual(['a ~ c, 1 month'])
  expect(await site.chainOf('b')).toBeNull()
  expect(await site.listed()).toEqual([
    'a b confirmed, not shown by Reviewer',
    'a c suggested',
    'b c confirmed, not shown by Reviewer',
  ])
  // Taking back one decision leaves those that share a call with it.
  const kept = (await site.listed()).filter((line) => !line.startsWith('a c'))
  await site.decide(AC, 'confirmed')
  await site.decide(AC, 'suggested', 'confirmed')
  expect(await site.listed()).toEqual([kept[0], 'a c suggested', kept[1]])
  await site.correct('b', 'POST', '/restore', {})
  expect(await site.shown()).toEqual(['a = b = c, 1 month'])

  // A confirmed link that no longer holds can still be cut.
  await site.correct('b', 'PUT', '', {
    influencer_id: (await site.world.read(oneExpert, 'expert-b')).expert.id,
  })
  expect(await site.shown()).toEqual(['a ~ c, 1 month'])
  expect(await site.decide(BC, 'cut', 'confirmed')).toMatch(/^Dismissed/)
})
