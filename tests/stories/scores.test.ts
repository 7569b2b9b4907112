import { ScoresReply } from '#contracts/scores.ts'
import { day } from '#domain/day.ts'
import { scoresOf } from '#server/scores/scores.commands.ts'
import { starterFile } from '#tests/support/files.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { describe, expect, it } from 'vitest'

const STARTER = {
  prices: { btc: starterFile('btc-daily-close.csv'), mstr: starterFile('mstr-daily-close.csv') },
  predictions: starterFile('predictions.json'),
}

/** A site with the record that it ships with. */
async function starterSite(given: Parameters<typeof testApp>[0] = {}): Promise<TestApp> {
  const world = await testApp(given)
  await world.imports.starter(STARTER)
  await world.refresh()
  return world
}

async function scoresAt(world: TestApp, query = ''): Promise<ScoresReply> {
  const { status, body } = await world.get(`/api/v1/scores${query}`)
  expect([query, status]).toEqual([query, 200])
  return ScoresReply.parse(body)
}

describe("everybody's scores", () => {
  it('the call and the command line give the same scores, today, on any day and by either mode', async () => {
    await using world = await starterSite()
    const { db } = world.database
    const { clock } = world.kit
    const now = await scoresAt(world)
    expect(now).toEqual(await scoresOf(db, clock, { mode: 'touch' }))
    expect(now).toMatchObject({
      as_of: '2026-11-20',
      mode: 'touch',
      rule: 1,
      inputs: { seed: '2026-11-20', histories: 2_000 },
      prices_through: { btc: '2026-10-01', mstr: '2026-10-06' },
      notes: [
        'Prices of Bitcoin are known up to 01/10/2026: its scores hold as of then.',
        'Prices of Strategy are known up to 06/10/2026: its scores hold as of then.',
      ],
    })
    expect(now.people.flatMap(({ calls }) => calls)).toHaveLength(304)
    expect(now.people.filter(({ ranked }) => ranked).length).toBeGreaterThan(5)
    expect(now.people.filter(({ replayed }) => replayed !== null).length).toBe(now.luckiest?.people)

    const past = await scoresAt(world, '?as_of=2026-10-01&mode=close')
    expect(past).toEqual(await scoresOf(db, clock, { mode: 'close', asOf: day('2026-10-01') }))
    expect(past).toMatchObject({ as_of: '2026-10-01', mode: 'close', notes: [] })

    const early = await scoresAt(world, '?as_of=2018-01-01')
    expect(early.prices_through.btc).toBe('2018-01-01')
    const made = early.people.flatMap(({ calls }) => calls.map((call) => call.made))
    expect(made.toSorted().at(-1)).toBe('2017-12-31')
  })

  it('a copy of scores is kept by a browser, and sent again only when they changed', async () => {
    await using world = await starterSite()
    const ask = (etag = '') =>
      world.app.inject({
        url: '/api/v1/scores?as_of=2020-01-01',
        headers: { 'accept-encoding': 'br', 'if-none-match': etag },
      })
    const first = await ask()
    expect(first.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'no-cache',
      'content-type': 'application/json; charset=utf-8',
    })
    const second = await ask(String(first.headers.etag))
    expect([second.statusCode, second.body]).toEqual([304, ''])
  })

  it('a correction changes the scores, and a withdrawn prediction leaves them', async () => {
    await using world = await starterSite()
    const admin = await signedIn(world)
    const callOf = (reply: ScoresReply, id: string) =>
      reply.people.flatMap(({ calls }) => calls).find((call) => call.id === id)
    const before = await scoresAt(world)
    expect(callOf(before, 'hamlin-2500-2014')).toMatchObject({ outcome: 'miss', time_is_up: true })

    const url = '/api/v1/admin/predictions/hamlin-2500-2014'
    const reason = 'The source says otherwise'
    const edit = { version: 0, price_min: '500', reason }
    expect((await admin.call('PUT', url, edit)).status).toBe(200)
    await world.refresh()
    const after = await scoresAt(world)
    expect(after.inputs.digest).not.toBe(before.inputs.digest)
    expect(callOf(after, 'hamlin-2500-2014')).toMatchObject({ level_min: 500 })

    const withdraw = await admin.call('POST', `${url}/withdraw`, { version: 1, reason })
    expect(withdraw.status).toBe(200)
    await world.refresh()
    expect(callOf(await scoresAt(world), 'hamlin-2500-2014')).toBeUndefined()
  })

  it('a day that cannot have scores is refused in a sentence', async () => {
    await using world = await starterSite()
    const refused = async (query: string) => {
      const { status, body } = await world.get(`/api/v1/scores?${query}`)
      return [status, (body as { error: string }).error]
    }
    expect(await refused('as_of=2026-11-21')).toEqual([
      400,
      'as_of: 21/11/2026 is in the future. Scores are known up to 20/11/2026.',
    ])
    expect(await refused('as_of=2013-12-09')).toEqual([
      400,
      'as_of: The first prediction was made on 10/12/2013: there are no scores of earlier days.',
    ])
    for (const wrong of ['yesterday', '2026-02-30', '', '2026-1-1', '99999-01-01']) {
      expect([wrong, await refused(`as_of=${wrong}`)]).toEqual([
        wrong,
        [400, expect.stringMatching(/^as_of: Please give a day/)],
      ])
    }
    expect(await refused('mode=both')).toEqual([400, 'mode: Please choose one of: touch, close.'])
    const { db } = world.database
    const future = { mode: 'touch', asOf: day('2027-01-01') } as const
    await expect(scoresOf(db, world.kit.clock, future)).rejects.toThrow('is in the future')
  })

  it('a site without predictions has scores of nobody', async () => {
    await using world = await testApp()
    expect(await scoresAt(world)).toMatchObject({
      people: [],
      luckiest: null,
      notes: ['No prediction had been made by 20/11/2026.'],
      finding: 'Nobody has 5 decided calls yet.',
    })
    const { status, body } = await world.get('/api/v1/scores?as_of=2020-01-01')
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        error: 'as_of: There is no prediction yet, and so there are no scores.',
      }),
    ])
  })
})
