import { type Board } from '#contracts/board.ts'
import { type PageInput } from '#contracts/page.ts'
import { PredictionEnvelope, PredictionList } from '#contracts/predictions.ts'
import { ScoresReply } from '#contracts/scores.ts'
import { day } from '#domain/day.ts'
import { SHARED } from '#server/http/cache-control.ts'
import { type BuiltPages } from '#server/predictions/web-pages.routes.ts'
import { packScores } from '#server/scores/packed-scores.ts'
import { type ScoreThread } from '#server/scores/score-thread.ts'
import { startScoreJobs } from '#server/scores/scores.jobs.ts'
import { scoresOf } from '#server/scores/scores.commands.ts'
import { openSite } from '#server/site.ts'
import { rounded } from '#tests/support/scores.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { testApp, testDatabase, type TestApp } from '#tests/support/test-app.ts'
import { SILENT, testKit } from '#tests/support/test-site.ts'
import { shows, showsByCall } from '#tests/support/waiting.ts'
import { pageAddress } from '#web/public/page-address.ts'
import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const HAMLIN = 'hamlin-2500-2014'
const REASON = 'The source says otherwise'

async function scoresAt(world: Pick<TestApp, 'app'>, query = ''): Promise<ScoresReply> {
  const answer = await world.app.inject(`/api/v1/scores${query}`)
  expect([query, answer.statusCode]).toEqual([query, 200])
  return ScoresReply.parse(answer.json())
}

async function refusedAt(world: TestApp, query: string): Promise<[number, string]> {
  const { status, body } = await world.get(`/api/v1/scores?${query}`)
  return [status, (body as { error: string }).error]
}

function fail(what: string): never {
  throw new Error(`nothing of ${what}`)
}

function hamlin(reply: ScoresReply) {
  return reply.people.flatMap(({ calls }) => calls).find((call) => call.id === HAMLIN)
}

/** Corrects the level of a call from $2,500 to $500. */
async function correct(world: TestApp): Promise<void> {
  const admin = await signedIn(world)
  const url = `/api/v1/admin/predictions/${HAMLIN}`
  const body = { version: 0, price_min: '500', reason: REASON }
  expect((await admin.call('PUT', url, body)).status).toBe(200)
}

/** Computes nothing, as a thread that is at something else. */
function stuckThread() {
  const asked: string[] = []
  const thread: ScoreThread = {
    compute: ({ digest }) => {
      asked.push(digest)
      return new Promise(() => {})
    },
    close: () => Promise.resolve(),
  }
  return { asked, thread }
}

type Kept = { as_of: string; mode: string; digest: string; is_daily: boolean }

async function keptScores(world: TestApp): Promise<Kept[]> {
  const { rows } = await world.database.pool.query<Kept>(
    'select as_of::text, mode, digest, is_daily from scores order by as_of, mode',
  )
  return rows
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

    // What cards say of luck is what people are scored by.
    const lists = await Promise.all([
      world.get('/api/predictions'),
      world.get('/api/mstr/predictions'),
    ])
    const rows = lists.flatMap(({ body }) =>
      Array.isArray(body) ? PredictionList.parse(body) : PredictionEnvelope.parse(body).data,
    )
    const luckByCard = Object.fromEntries(rows.map(({ id, odds }) => [id, odds?.touch]))
    const calls = now.people.flatMap((person) => person.calls)
    for (const { id, luck, no_luck, sigma } of calls) {
      expect([id, luckByCard[id]]).toMatchObject([
        id,
        { luck: luck?.market ?? null, no_luck, sigma },
      ])
    }

    const past = await scoresAt(world, '?as_of=2026-10-01&mode=close')
    expect(past).toEqual(await scoresOf(db, clock, { mode: 'close', asOf: day('2026-10-01') }))
    expect(past).toMatchObject({ as_of: '2026-10-01', mode: 'close', notes: [] })

    const early = await scoresAt(world, '?as_of=2018-01-01')
    expect(early.prices_through.btc).toBe('2018-01-01')
    const made = early.people.flatMap(({ calls }) => calls.map((call) => call.made))
    expect(made.toSorted().at(-1)).toBe('2017-12-31')

    // A browser that has them is not sent them again.
    const ask = (etag = '') =>
      world.app.inject({
        url: '/api/v1/scores?as_of=2018-01-01',
        headers: { 'accept-encoding': 'br', 'if-none-match': etag },
      })
    const first = await ask()
    expect(first.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': SHARED,
      'content-type': 'application/json; charset=utf-8',
    })
    const second = await ask(String(first.headers.etag))
    expect([second.statusCode, second.body]).toEqual([304, ''])
  })

  it('days that cannot have scores, and more days at once than can be computed, are refused in a sentence', async () => {
    await using world = await starterSite()
    expect(await refusedAt(world, 'as_of=2026-11-21')).toEqual([
      400,
      'as_of: 21/11/2026 is in the future. Scores are known up to 20/11/2026.',
    ])
    expect(await refusedAt(world, 'as_of=2013-12-09')).toEqual([
      400,
      'as_of: The first prediction was made on 10/12/2013: there are no scores of earlier days.',
    ])
    for (const wrong of ['yesterday', '2026-02-30', '', '2026-1-1', '99999-01-01']) {
      expect([wrong, await refusedAt(world, `as_of=${wrong}`)]).toEqual([
        wrong,
        [400, expect.stringMatching(/^as_of: Please give a day/)],
      ])
    }
    const mode = await refusedAt(world, 'mode=both')
    expect(mode).toEqual([400, 'mode: Please choose one of: touch, close.'])
    const future = { mode: 'touch', asOf: day('2027-01-01') } as const
    await expect(scoresOf(world.database.db, world.kit.clock, future)).rejects.toThrow(
      'is in the future',
    )

    const days = Array.from({ length: 8 }, (_, i) => `/api/v1/scores?as_of=2016-05-0${i + 1}`)
    const answers = await Promise.all(days.map((url) => world.app.inject(url)))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(3)
    expect(refused[0]?.json()).toMatchObject({
      code: 'too_many',
      message: expect.stringContaining('are being computed right now'),
    })
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('one address cannot have any number of days computed, but may ask again for those that are kept', async () => {
    const thread: ScoreThread = {
      compute: ({ digest }) => packScores({ notes: [digest] } as unknown as ScoresReply, []),
      close: () => Promise.resolve(),
    }
    await using world = await starterSite({ options: { scores: { thread } } })
    const statuses: number[] = []
    for (let i = 1; i <= 21; i += 1) {
      const url = `/api/v1/scores?as_of=2016-05-${String(i).padStart(2, '0')}`
      statuses.push((await world.app.inject(url)).statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    const again = await world.app.inject('/api/v1/scores?as_of=2016-05-01')
    expect(again.statusCode).toBe(200)
  })

  it('scores of today and yesterday alone are kept as daily ones, and the same ones again draw no page', async () => {
    const thread: ScoreThread = {
      compute: ({ digest }) => packScores({ notes: [digest] } as unknown as ScoresReply, []),
      close: () => Promise.resolve(),
    }
    await using world = await starterSite({ options: { scores: { thread } } })
    const { service } = world.scores
    await service.bringUpToDate('touch')
    const version = service.version()
    await service.bringUpToDate('touch')
    expect(service.version()).toBe(version)
    await world.app.inject('/api/v1/scores?as_of=2026-11-18')
    const kept = await keptScores(world)
    expect(kept.map((row) => [row.as_of, row.is_daily])).toEqual([
      ['2026-11-18', false],
      ['2026-11-19', true],
      ['2026-11-20', true],
    ])
  })

  it('a site without predictions has scores of nobody', async () => {
    await using world = await testApp()
    expect(await scoresAt(world)).toMatchObject({
      people: [],
      luckiest: null,
      notes: ['No prediction had been made by 20/11/2026.'],
      finding: 'Nobody has 5 decided calls yet.',
    })
    expect(await refusedAt(world, 'as_of=2020-01-01')).toEqual([
      400,
      'as_of: There is no prediction yet, and so there are no scores.',
    ])
  })
})

describe('the page of experts', () => {
  async function boardAt(world: Pick<TestApp, 'app'>, query = ''): Promise<Board> {
    const url = encodeURIComponent(`/experts${query}`)
    const { data } = (await world.app.inject(`/api/v1/page?url=${url}`)).json<PageInput>()
    if (data.page !== 'experts' || !data.board) throw new Error(`no board at ${query}`)
    return data.board
  }

  it('the page of experts shows the figures of the scores, and of some calls only those', async () => {
    await using world = await starterSite()
    const scores = await scoresAt(world)
    const all = await boardAt(world)
    expect(all.ranked.map(({ slug }) => slug)).toEqual(
      scores.people.filter(({ ranked }) => ranked).map(({ slug }) => slug),
    )
    expect(all.ranked.length + all.others.length).toBe(scores.people.length)
    expect([all.finding, all.totals]).toEqual([scores.finding, scores.totals[0]])
    const byClose = await scoresAt(world, '?mode=close')
    expect((await boardAt(world, '?mode=close')).totals).toEqual(byClose.totals[0])
    const btc = await boardAt(world, '?asset=btc')
    expect(rounded(btc.totals)).toEqual(
      rounded(scores.totals.find(({ asset_type }) => asset_type === 'btc')),
    )
    const shown = (board: Board) => [...board.ranked, ...board.others].flatMap(({ calls }) => calls)
    expect(shown(btc).every(({ asset }) => asset === 'btc')).toBe(true)
    const counts = await Promise.all(
      ['bull', 'bear'].map(async (side) => shown(await boardAt(world, `?side=${side}`)).length),
    )
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBeLessThanOrEqual(shown(all).length)
    // What cannot be read is left out of the view.
    expect(await boardAt(world, '?asset=doge&from=x&side=up&recorded=1')).toEqual(all)
    expect((await boardAt(world, '?from=2099')).finding).toBe('No call is decided yet.')
  })

  it('the page of a person shows their figures, and what became of their calls', async () => {
    await using world = await starterSite()
    const scores = await scoresAt(world)
    const reportOf = async (slug: string) => {
      const url = `/api/v1/page?url=/experts/${slug}`
      const { data } = (await world.app.inject(url)).json<PageInput>()
      if (data.page !== 'expert' || !data.report) throw new Error(`no report of ${slug}`)
      return data.report
    }
    for (const slug of ['tim-draper', 'arthur-hayes']) {
      const { calls, ...figures } = scores.people.find((one) => one.slug === slug) ?? fail(slug)
      const report = await reportOf(slug)
      expect(report.figures).toEqual(figures)
      const made = report.years.reduce((sum, year) => sum + year.calls, 0)
      expect(made).toBe(calls.length)
      const up = report.years.reduce((sum, { n }) => sum + n, 0)
      expect(up).toBe(calls.filter((call) => call.time_is_up && call.luck).length)
    }
    expect(await reportOf('arthur-hayes')).toMatchObject({
      best: 'hayes-70k-in-2024',
      worst: 'hayes-dip-70k-75k-2025',
    })
  })

  it('the board and each person have a picture for previews of links, drawn again with new scores', async () => {
    await using world = await starterSite()
    const pictureAt = (url: string, etag = '') =>
      world.app.inject({ url, headers: { 'if-none-match': etag } })
    const early = await pictureAt('/experts/picture.png')
    expect([early.statusCode, early.json()]).toMatchObject([503, { code: 'unavailable' }])
    await scoresAt(world)
    const addresses = ['/experts/picture.png', '/experts/tim-draper/picture.png']
    const tags = await Promise.all(
      addresses.map(async (url) => {
        const { statusCode, headers, rawPayload } = await pictureAt(url)
        expect([url, statusCode, headers['content-type']]).toEqual([url, 200, 'image/png'])
        expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1_200, 630])
        const again = await pictureAt(url, String(headers.etag))
        expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
        return String(headers.etag)
      }),
    )
    const unknown = await pictureAt('/experts/nobody-of-this-name/picture.png')
    expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { code: 'not_found' }])

    await correct(world)
    await world.refresh()
    await scoresAt(world)
    for (const [i, url] of addresses.entries()) {
      const { statusCode, headers } = await pictureAt(url, tags[i])
      expect([url, statusCode]).toEqual([url, 200])
      expect(headers.etag).not.toBe(tags[i])
    }
  })

  it('pages of a site without predictions say that nobody can be compared', async () => {
    await using world = await testApp()
    const dataAt = async (url: string) =>
      (await world.app.inject(`/api/v1/page?url=${url}`)).json<PageInput>().data
    expect(await dataAt('/experts')).toMatchObject({
      board: { finding: 'Nobody has 5 decided calls yet.', ranked: [], others: [], years: null },
    })
    expect(await dataAt('/')).toMatchObject({ board: null })
    expect(await dataAt('/methodology')).toMatchObject({
      luck: { example: null, test: { calls: 0 }, left_out: [] },
    })
  })
})

describe('pages that show some of the scores', () => {
  async function pageAt(world: Pick<TestApp, 'app'>, url: string): Promise<PageInput['data']> {
    return (await world.app.inject(`/api/v1/page?url=${url}`)).json<PageInput>().data
  }

  it('the landing page and the methodology show the newest scores, and do not wait for them', async () => {
    await using world = await starterSite()
    expect(await pageAt(world, '/methodology')).toMatchObject({ luck: null, code: null })
    expect(await pageAt(world, '/')).toMatchObject({ board: null })
    const scores = await scoresAt(world)
    const ranked = scores.people.filter((person) => person.ranked)
    expect(await pageAt(world, '/')).toMatchObject({
      board: {
        finding: scores.finding,
        totals: scores.totals[0],
        people: ranked.length,
        ranked: ranked.slice(0, 5).map(({ slug, against_luck, calls }) => ({
          slug,
          against_luck,
          calls: calls.map(({ id, luck }) => ({ id, luck: luck?.market ?? null })),
        })),
      },
    })
    const data = await pageAt(world, '/methodology')
    if (data.page !== 'methodology' || !data.luck?.example) throw new Error('no example')
    const { example, test, left_out } = data.luck
    const call = scores.people.flatMap(({ calls }) => calls).find(({ id }) => id === example.id)
    expect(example.steps.market).toBeCloseTo(call?.luck?.market ?? 0, 10)
    expect(example.steps.coin).toBeCloseTo(call?.luck?.coin ?? 0, 10)
    expect(test.calls).toBe(scores.luck_test.calls)
    expect(test.rows.filter(({ direction }) => direction === null)).toHaveLength(4)
    expect(left_out).toEqual([])
  })
})

describe('the job that computes scores', () => {
  it('the page of experts is drawn again once there are new scores', async () => {
    const render = ({ data }: PageInput) => ({
      head: '',
      body: JSON.stringify(data.page === 'experts' && data.board?.totals),
    })
    const pages: BuiltPages = {
      template: '<!--head--><!--body--><!--data-->',
      folder: resolve('public'),
      render,
      address: pageAddress,
    }
    await using world = await starterSite({ options: { pages } })
    world.scores.start()
    const drawn = async () => (await world.app.inject('/experts')).body
    await showsByCall(async () => expect(await drawn()).toContain('"hits"'))
    const former = (await scoresAt(world)).totals[0]
    expect(await drawn()).toContain(JSON.stringify(former))
    await correct(world)
    // Drawn from the new record with the scores of before, and kept.
    await world.refresh()
    await drawn()
    await showsByCall(async () => {
      const now = (await scoresAt(world)).totals[0]
      expect(now).not.toEqual(former)
      expect(await drawn()).toContain(JSON.stringify(now))
    })
  })

  it('scores are computed in the background, again after a correction, and kept over a restart', async () => {
    await using world = await starterSite()
    world.scores.start()
    const all = ['2026-11-19 close', '2026-11-19 touch', '2026-11-20 close', '2026-11-20 touch']
    await shows(async () => {
      const rows = await keptScores(world)
      expect(rows.map(({ as_of, mode }) => `${as_of} ${mode}`)).toEqual(all)
      expect(rows.every((row) => row.is_daily)).toBe(true)
    })
    const before = await scoresAt(world)
    const digestsBefore = (await keptScores(world)).map(({ digest }) => digest)
    expect(hamlin(before)).toMatchObject({ level_min: 2_500, outcome: 'miss', time_is_up: true })

    await correct(world)
    await world.refresh()
    await showsByCall(async () => expect(hamlin(await scoresAt(world))?.level_min).toBe(500))
    await shows(async () => {
      const digests = (await keptScores(world)).map(({ digest }) => digest)
      expect(digests).toHaveLength(4)
      expect(digests.filter((digest) => digestsBefore.includes(digest))).toEqual([])
    })
    const after = await scoresAt(world)
    await world.stop()

    // A process that has computed nothing shows what is kept, at once and without computing it again.
    await using kit = testKit(world.database.url)
    const { asked, thread } = stuckThread()
    const site = await openSite(kit, world.ports, { scores: { thread } })
    try {
      expect(await scoresAt(site)).toEqual(after)
      site.scores.start()
      await showsByCall(async () => expect(await scoresAt(site)).toEqual(after))
      expect((await scoresAt(site, '?as_of=2026-11-19')).as_of).toBe('2026-11-19')
      expect(asked).toEqual([])
    } finally {
      await site.stop()
    }
  })

  it('scores that an earlier version kept as text are shown as they are', async () => {
    await using world = await starterSite()
    const now = await scoresAt(world)
    const { pool } = world.database
    const { rowCount } = await pool.query(
      "update scores set reply = $1, gzip = null, starts = null where mode = 'touch'",
      [JSON.stringify(now)],
    )
    expect(rowCount).toBe(1)
    await using kit = testKit(world.database.url)
    const { asked, thread } = stuckThread()
    const site = await openSite(kit, world.ports, { scores: { thread } })
    try {
      expect(await scoresAt(site)).toEqual(now)
      expect(asked).toEqual([])
    } finally {
      await site.stop()
    }
  })

  it('scores of thousands of people are sent as they are kept', async () => {
    const text = randomBytes(1_500_000).toString('hex')
    const reply = { notes: [text] } as unknown as ScoresReply
    const thread: ScoreThread = {
      compute: () => packScores(reply, []),
      close: () => Promise.resolve(),
    }
    await using world = await starterSite({ options: { scores: { thread } } })
    const get = (accepted: string, tag = '') =>
      world.app.inject({
        url: '/api/v1/scores',
        headers: { 'accept-encoding': accepted, ...(tag && { 'if-none-match': tag }) },
      })
    const packed = await get('br, gzip')
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual({ ...reply, people: [] })
    const plain = await get('identity')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.json()).toEqual({ ...reply, people: [] })
    const tags = [packed, plain].map(({ headers }) => String(headers.etag))
    expect(new Set(tags).size).toBe(2)
    expect((await get('br, gzip', tags[0])).statusCode).toBe(304)
  })

  it('a past day of thousands of people is kept, and may be asked for any number of times', async () => {
    const reply = { notes: [randomBytes(1_500_000).toString('hex')] } as unknown as ScoresReply
    const packed = await packScores(reply, [])
    const thread: ScoreThread = {
      compute: () => Promise.resolve(packed),
      close: () => Promise.resolve(),
    }
    // There is room for its file once.
    const keptBytes = packed.gzip.length * 1.5
    await using world = await starterSite({ options: { scores: { thread, keptBytes } } })
    const statuses: number[] = []
    for (let i = 0; i < 25; i += 1) {
      const url = '/api/v1/scores?as_of=2016-05-01'
      const { statusCode } = await world.app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
      statuses.push(statusCode)
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('visitors see the former scores while new ones are computed, in every process', async () => {
    await using world = await starterSite()
    await using kit = testKit(world.database.url)
    const { asked, thread } = stuckThread()
    const busy = await openSite(kit, world.ports, { scores: { thread } })
    try {
      const former = await scoresAt(world)
      busy.scores.start()
      await showsByCall(async () => expect(await scoresAt(busy)).toEqual(former))
      await correct(world)
      await busy.catalog.refresh()
      await shows(() => expect(asked.length).toBeGreaterThan(0))
      expect(await scoresAt(busy)).toEqual(former)
      // What another process computes is heard of here.
      await world.refresh()
      const latter = await scoresAt(world)
      expect(hamlin(latter)?.level_min).toBe(500)
      await showsByCall(async () => expect(await scoresAt(busy)).toEqual(latter))
    } finally {
      await busy.stop()
    }
  })

  it('scores go on in another process after one was killed while it computed', async () => {
    await using database = await testDatabase()
    const pool = new pg.Pool({ connectionString: database.url })
    pool.on('error', () => {})
    const held: string[] = []
    const killed = startScoreJobs({
      pool,
      log: SILENT,
      bringUpToDate: (mode) => {
        held.push(mode)
        return new Promise(() => {})
      },
    })
    await shows(() => expect(held.length).toBeGreaterThan(0))
    // It loses every connection at once, as by kill -9.
    await pool.end()
    const done = new Set<string>()
    const other = startScoreJobs({
      pool: database.pool,
      log: SILENT,
      superviseSeconds: 1,
      retrySeconds: 1,
      bringUpToDate: async (mode) => void done.add(mode),
    })
    try {
      await shows(() => expect(done).toEqual(new Set(['touch', 'close'])))
    } finally {
      await Promise.all([killed.stop(), other.stop()])
    }
  })
})
