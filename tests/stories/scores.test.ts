// Over 400 lines: scores from the call and the job to the pages, on the same starter record.

import { describe, expect, it } from 'vitest'
import { type Board } from '#contracts/board.ts'
import { PredictionEnvelope, PredictionList } from '#contracts/predictions.ts'
import { ScoresReply } from '#contracts/scores.ts'
import { day, isoDay } from '#domain/day.ts'
import { computeDay, rowsOfReply } from '#server/scores/compute-scores.ts'
import { scoresOf } from '#server/scores/scores.commands.ts'
import { scoreWorker, type ScorePace } from '#server/scores/scores.service.ts'
import { openSite, type Site, type SiteOptions } from '#server/site.ts'
import { disposals } from '#tests/support/disposals.ts'
import { appOfFile, sharedByFile } from '#tests/support/once-for-file.ts'
import { correct, scoredSite, WRONG } from '#tests/support/scored-site.ts'
import { rounded } from '#tests/support/scores.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { type TestApp, rememberedScores, pageAt, plainPages } from '#tests/support/test-app.ts'
import { testKit } from '#tests/support/test-site.ts'
import { shows, showsByCall } from '#tests/support/waiting.ts'

function corrected(reply: ScoresReply) {
  return reply.people.flatMap(({ calls }) => calls).find(({ id }) => id === WRONG)
}

async function scoresAt(world: Pick<Site, 'app'>, query = ''): Promise<ScoresReply> {
  const answer = await world.app.inject(`/api/v1/scores${query}`)
  expect([query, answer.statusCode]).toEqual([query, 200])
  return ScoresReply.parse(answer.json())
}

/** Another process on the same database, without anything read or computed. */
async function otherProcess(
  { database, ports }: TestApp,
  options: SiteOptions = {},
): Promise<Site & AsyncDisposable> {
  const opened = disposals()
  const kit = opened.use(testKit(database.url))
  const site = await openSite(kit, ports, options)
  opened.defer(() => site.stop())
  return { ...site, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

/** Computes nothing until it is closed, like a busy worker. */
function stuckWorker() {
  const requests: string[] = []
  const closed = new AbortController()
  const worker: ScorePace['worker'] = () => ({
    compute: ({ asOf }) => {
      requests.push(isoDay(asOf))
      return new Promise((_, fail) => {
        closed.signal.addEventListener('abort', () => fail(new Error('closed')))
      })
    },
    close: async () => closed.abort(),
  })
  return { asked: requests, worker }
}

/** Returns its request instead of scores. */
const quickWorker: NonNullable<ScorePace['worker']> = ({ db }) => ({
  compute: (request) =>
    computeDay(db, request, ({ digest }) => {
      const reply = { notes: [digest], people: [] }
      return { ...rowsOfReply(reply), pages: '{}' }
    }),
  close: () => Promise.resolve(),
})

type StoredRow = { as_of: string; mode: string; digest: string; is_daily: boolean }

function storedRows({ database }: TestApp): Promise<StoredRow[]> {
  return database.sql('select as_of::text, mode, digest, is_daily from scores order by as_of, mode')
}

/** Read only. */
const world = sharedByFile(starterSite)

async function refusedAt(of: TestApp, query: string): Promise<[number, string]> {
  const { status, body } = await of.get(`/api/v1/scores?${query}`)
  return [status, (body as { error: string }).error]
}

function fail(what: string): never {
  throw new Error(`nothing of ${what}`)
}

describe("everybody's scores", () => {
  it('the call and the command line give the same scores, today, on any day and in either mode', async () => {
    const { db } = world.database
    const { clock } = world.kit
    const now = await scoresAt(world)
    expect(now).toEqual(await scoresOf(db, clock, { mode: 'touch' }))
    expect(now).toMatchObject({
      as_of: '2026-11-20',
      mode: 'touch',
      rule: 2,
      inputs: { seed: '2026-11-20', histories: 2_000 },
      prices_through: { btc: '2026-10-01', mstr: '2026-10-06' },
      notes: [
        'Bitcoin scores use prices up to 01/10/2026.',
        'Strategy scores use prices up to 06/10/2026.',
      ],
    })
    expect(now.people.flatMap(({ calls }) => calls)).toHaveLength(580)
    expect(now.people.filter(({ band }) => band !== null).length).toBeGreaterThan(5)
    expect(now.people.every(({ band, replayed }) => (band === null) === (replayed === null))).toBe(
      true,
    )

    // Cards use the same luck as the scores.
    const lists = await Promise.all([
      world.get('/api/predictions'),
      world.get('/api/mstr/predictions'),
    ])
    const rows = lists.flatMap(({ body }) =>
      Array.isArray(body) ? PredictionList.parse(body) : PredictionEnvelope.parse(body).data,
    )
    const luckByCard = Object.fromEntries(rows.map(({ id, odds }) => [id, odds?.touch]))
    const repeatsByCard = new Map(rows.map(({ id, repeats }) => [id, repeats]))
    expect([...repeatsByCard.values()].some((first) => first !== null)).toBe(true)
    const calls = now.people.flatMap((person) => person.calls)
    const noted = await world.sql(
      'select id, touch_luck, close_luck is not null as by_close, repeats from predictions order by id collate "C"',
    )
    expect(noted).toEqual(
      calls
        .map(({ id, luck, repeats }) => {
          return { id, touch_luck: luck ?? null, by_close: luck !== null, repeats }
        })
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    for (const { id, luck, no_luck, sigma, repeats } of calls) {
      expect([id, luckByCard[id]]).toMatchObject([id, { luck: luck ?? null, no_luck, sigma }])
      expect([id, repeatsByCard.get(id)]).toEqual([id, repeats])
    }

    const early = await scoresAt(world, '?as_of=2018-01-01&mode=close')
    expect(early).toEqual(await scoresOf(db, clock, { mode: 'close', asOf: day('2018-01-01') }))
    expect(early).toMatchObject({ as_of: '2018-01-01', mode: 'close', notes: [] })
    expect(early.prices_through.btc).toBe('2018-01-01')
    const made = early.people.flatMap(({ calls }) => calls.map((call) => call.made))
    expect(made.toSorted().at(-1)).toBe('2017-12-31')
  })

  it('days without scores, and too many days at once, are refused with a message', async () => {
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
})

describe('the page of experts', () => {
  async function boardAt(query = ''): Promise<Board> {
    const data = await pageAt(world, `/experts${query}`)
    if (data.page !== 'experts' || !data.board) throw new Error(`no board at ${query}`)
    return data.board
  }

  it('shows the figures of the scores, also for a filter', async () => {
    const scores = await scoresAt(world)
    const all = await boardAt()
    expect(all.ranked.map(({ slug }) => slug)).toEqual(
      scores.people.filter(({ band }) => band !== null).map(({ slug }) => slug),
    )
    expect(all.counts.ranked + all.counts.others).toBe(scores.people.length)
    expect([all.finding, all.totals]).toEqual([scores.finding, scores.totals[0]])
    const byClose = await scoresAt(world, '?mode=close')
    expect((await boardAt('?mode=close')).totals).toEqual(byClose.totals[0])
    const btc = await boardAt('?asset=btc')
    const ofBtc = scores.totals.find(({ asset_type }) => asset_type === 'btc')
    const { calls, hits, bins } = rounded(ofBtc ?? fail('btc'))
    // Histories are replayed for all calls only.
    expect(rounded(btc.totals)).toMatchObject({ calls, hits, bins, margin: null })
    const visible = (board: Board) =>
      [...board.ranked, ...board.others].flatMap(({ calls }) => calls)
    const kindOf = new Map(
      scores.people.flatMap(({ calls }) => calls.map((call) => [call.id, call.asset_type])),
    )
    expect(visible(btc).every(({ id }) => kindOf.get(id) === 'btc')).toBe(true)
    for (const { slug, call_count: count, calls: marks } of [...all.ranked, ...all.others]) {
      const own = scores.people.find((one) => one.slug === slug)?.calls ?? fail(slug)
      const counted = own.filter(({ repeats }) => repeats === null)
      const placed = counted.filter(({ luck, outcome }) => luck != null && outcome !== 'void')
      expect([slug, count, marks.map(({ id }) => id)]).toEqual([
        slug,
        counted.length,
        placed.map(({ id }) => id),
      ])
    }
    const counts = await Promise.all(
      ['bull', 'bear'].map(async (side) => visible(await boardAt(`?side=${side}`)).length),
    )
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBeLessThanOrEqual(visible(all).length)
    // Invalid parameters are ignored in the view.
    expect(await boardAt('?asset=doge&from=x&side=up&recorded=1')).toEqual(all)
    expect((await boardAt('?from=2099')).finding).toBe('No call has been decided yet.')
  })

  it("a person's page shows their figures and the outcomes of their calls", async () => {
    const scores = await scoresAt(world)
    const reportOf = async (slug: string) => {
      const data = await pageAt(world, `/experts/${slug}`)
      if (data.page !== 'expert' || !data.report) throw new Error(`no report of ${slug}`)
      return data.report
    }
    for (const slug of ['tim-draper', 'arthur-hayes']) {
      const { calls, ...figures } = scores.people.find((one) => one.slug === slug) ?? fail(slug)
      const report = await reportOf(slug)
      expect(report.figures).toEqual(figures)
      const made = report.years.reduce((sum, year) => sum + year.calls, 0)
      expect(made).toBe(calls.filter(({ repeats }) => repeats === null).length)
      const decided = report.years.reduce((sum, year) => sum + year.decided.calls, 0)
      expect(decided).toBe(figures.decided.calls)
    }
    expect(await reportOf('arthur-hayes')).toMatchObject({
      best: 'hayes-70k-in-2024',
      worst: 'hayes-1000-dec-2016',
    })
  })
})

describe('pages with some of the scores', () => {
  it('the landing page and the methodology show the newest scores, without waiting for them', async () => {
    await using early = await scoredSite()
    expect(await pageAt(early, '/methodology')).toMatchObject({ luck: null, code: null })
    expect(await pageAt(early, '/')).toMatchObject({ board: null })
    await using site = await otherProcess(world)
    const scores = await scoresAt(world)
    const ranked = scores.people.filter(({ band }) => band !== null)
    expect(await pageAt(site, '/')).toMatchObject({
      board: {
        finding: scores.finding,
        totals: scores.totals[0],
        people: ranked.length,
        ranked: ranked.slice(0, 5).map(({ slug, band, decided, calls }) => ({
          slug,
          band,
          decided,
          calls: calls
            .filter(({ repeats, luck, outcome }) => {
              return repeats === null && luck != null && outcome !== 'void'
            })
            .map(({ id, luck }) => ({ id, luck })),
        })),
      },
    })
    const data = await pageAt(site, '/methodology')
    if (data.page !== 'methodology' || !data.luck?.example) throw new Error('no example')
    const { example, test, left_out } = data.luck
    const call = scores.people.flatMap(({ calls }) => calls).find(({ id }) => id === example.id)
    expect(example.steps.luck).toBeCloseTo(call?.luck ?? 0, 10)
    expect(test.calls).toBe(scores.luck_test.calls)
    expect(test.rows.filter(({ direction }) => direction === null)).toHaveLength(5)
    expect(left_out.map(({ reason, count }) => [reason, count])).toEqual([
      ['void', 3],
      ['too-long', 106],
    ])
  })

  it('the board and each person have a preview picture, drawn again with new scores', async () => {
    await using world = await scoredSite()
    const pictureAt = (url: string, etag = '') =>
      world.app.inject({ url, headers: { 'if-none-match': etag } })
    const early = await pictureAt('/experts/picture.png')
    expect([early.statusCode, early.json()]).toMatchObject([503, { code: 'unavailable' }])
    await scoresAt(world)
    const addresses = ['/experts/picture.png', '/experts/expert-a/picture.png']
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
      // Nothing visible on the board has changed.
      const { statusCode } = await pictureAt(url, tags[i])
      expect([url, statusCode]).toEqual([url, i === 0 ? 304 : 200])
    }
  })
})

describe('a site without predictions', () => {
  const empty = appOfFile()

  it('has no scores', async () => {
    expect(await scoresAt(empty())).toMatchObject({
      people: [],
      notes: ['No prediction had been made by 20/11/2026.'],
      finding: 'Nobody has five comparable calls yet.',
    })
    expect(await refusedAt(empty(), 'as_of=2020-01-01')).toEqual([
      400,
      'as_of: There is no prediction yet, and so there are no scores.',
    ])
  })

  it('pages of a site without predictions say that there is nobody to compare', async () => {
    await scoresAt(empty())
    expect(await pageAt(empty(), '/experts')).toMatchObject({
      board: {
        finding: 'Nobody has five comparable calls yet.',
        ranked: [],
        others: [],
        years: null,
      },
    })
    expect(await pageAt(empty(), '/')).toMatchObject({ board: null })
    expect(await pageAt(empty(), '/methodology')).toMatchObject({
      luck: { example: null, test: { calls: 0 }, left_out: [] },
    })
  })
})

/** Computes the first scores in a worker of its own, whose start takes two seconds of processor time, and the rest here. */
const workerOnce: NonNullable<ScorePace['worker']> = (kit) => {
  const own = scoreWorker(kit)
  let worker = own
  return {
    compute: async (job) => {
      const answer = await worker.compute(job)
      worker = rememberedScores(kit)
      return answer
    },
    close: () => own.close(),
  }
}

describe('the job that computes scores', () => {
  it('the page of experts is rendered again once there are new scores', async () => {
    const pages = plainPages(({ data }) => ({
      head: '',
      body: JSON.stringify(data.page === 'experts' && data.board?.totals),
    }))
    await using world = await scoredSite({ pages })
    world.scores.start()
    world.jobs.work()
    const drawn = async () => (await world.app.inject('/experts')).body
    await showsByCall(async () => expect(await drawn()).toContain('"hits"'))
    const former = (await scoresAt(world)).totals[0]
    expect(await drawn()).toContain(JSON.stringify(former))
    await correct(world)
    // Rendered from the new record with the previous scores, and cached.
    await world.refresh()
    await drawn()
    await showsByCall(async () => {
      const now = (await scoresAt(world)).totals[0]
      expect(now).not.toEqual(former)
      expect(await drawn()).toContain(JSON.stringify(now))
    })
  })

  it('scores are computed in the background, again after a correction, and survive a restart', async () => {
    await using world = await scoredSite({ scores: { worker: workerOnce } })
    world.scores.start()
    world.jobs.work()
    const all = ['2026-11-19 close', '2026-11-19 touch', '2026-11-20 close', '2026-11-20 touch']
    await shows(async () => {
      const rows = await storedRows(world)
      expect(rows.map(({ as_of, mode }) => `${as_of} ${mode}`)).toEqual(all)
      expect(rows.every((row) => row.is_daily)).toBe(true)
    })
    const before = await scoresAt(world)
    const digestsBefore = (await storedRows(world)).map(({ digest }) => digest)
    expect(corrected(before)).toMatchObject({ level_min: 150, outcome: 'miss', time_is_up: true })

    await correct(world)
    await world.refresh()
    await shows(async () => {
      const digests = (await storedRows(world)).map(({ digest }) => digest)
      expect(digests).toHaveLength(4)
      expect(digests.filter((digest) => digestsBefore.includes(digest))).toEqual([])
    })
    await showsByCall(async () => expect(corrected(await scoresAt(world))?.level_min).toBe(101))
    const after = await scoresAt(world)
    await world.stop()

    // A process that has computed nothing shows stored scores, at once and without computing them again.
    const { asked: request, worker } = stuckWorker()
    await using site = await otherProcess(world, { scores: { worker } })
    expect(await scoresAt(site)).toEqual(after)
    site.scores.start()
    site.jobs.work()
    await showsByCall(async () => expect(await scoresAt(site)).toEqual(after))
    expect((await scoresAt(site, '?as_of=2026-11-19')).as_of).toBe('2026-11-19')
    expect(request).toEqual([])
  })

  it('visitors see the previous scores while new ones are computed, in every process', async () => {
    await using world = await scoredSite()
    const former = await scoresAt(world)
    const { asked: request, worker } = stuckWorker()
    await using busy = await otherProcess(world, { scores: { worker } })
    busy.scores.start()
    busy.jobs.work()
    await showsByCall(async () => expect(await scoresAt(busy)).toEqual(former))
    await correct(world)
    await busy.record.refresh()
    await shows(() => expect(request.length).toBeGreaterThan(0))
    expect(await scoresAt(busy)).toEqual(former)
    // Scores computed by another process are announced here.
    await world.refresh()
    const latter = await scoresAt(world)
    expect(corrected(latter)?.level_min).toBe(101)
    await showsByCall(async () => expect(await scoresAt(busy)).toEqual(latter))
  })
})

describe('stored scores', () => {
  it('only scores of today and yesterday are stored as daily ones, and one address has 20 days computed', async () => {
    await using world = await scoredSite({ scores: { worker: quickWorker } })
    const { service } = world.scores
    await service.bringUpToDate('touch')
    const version = service.version()
    await service.bringUpToDate('touch')
    expect(service.version()).toBe(version)
    await world.app.inject('/api/v1/scores?as_of=2026-11-18')
    expect((await storedRows(world)).map((row) => [row.as_of, row.is_daily])).toEqual([
      ['2026-11-18', false],
      ['2026-11-19', true],
      ['2026-11-20', true],
    ])
    const statuses: number[] = []
    for (let i = 10; i < 31; i += 1) {
      statuses.push((await world.app.inject(`/api/v1/scores?as_of=2026-05-${i}`)).statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 429, 429])
    expect((await world.app.inject('/api/v1/scores?as_of=2026-11-18')).statusCode).toBe(200)
  })

  it('statements are read again only when the record has changed', async () => {
    await using world = await scoredSite()
    const { service } = world.scores
    const digest = async () => {
      await service.bringUpToDate('touch')
      return (await storedRows(world)).map((row) => row.digest)
    }
    const before = await digest()
    // No version of the record has this time, so a changed digest shows that the table was read.
    await world.sql("update predictions set created_at = created_at - interval '1 s'")
    expect(await digest()).toEqual(before)
    await world.sql('update record_state set version = version + 1')
    expect(await digest()).not.toEqual(before)
  })
})
