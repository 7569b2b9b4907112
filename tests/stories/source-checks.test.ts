import { beforeEach, describe, expect, it } from 'vitest'
import { listSourceChecks } from '#contracts/operations.ts'
import { PredictionList } from '#contracts/predictions.ts'
import { checkNext } from '#server/sources/source-checks.service.ts'
import { webPages } from '#server/sources/web-pages.ts'
import { entry } from '#tests/support/builders.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { movingClock, NOON } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { reachOf, startPages, type StandInPages } from '#tests/support/stand-ins/source-pages.ts'
import { testApp } from '#tests/support/test-app.ts'
import { patiently, until } from '#tests/support/waiting.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const weekly = onceForFile(async () => {
  const pages = await startPages()
  const clock = movingClock()
  const sourcePages = webPages({ reach: reachOf(pages.port), timeoutMs: 2_000 })
  const settings = { sourceChecks: 'weekly' } as const
  const app = await testApp({ clock, settings, ports: { sourcePages } })
  const close = async (): Promise<void> => {
    await app[Symbol.asyncDispose]()
    await pages[Symbol.asyncDispose]()
  }
  return { app, pages, clock, [Symbol.asyncDispose]: close }
})
let pages: StandInPages
beforeEach(async () => {
  const { app, clock } = weekly()
  pages = weekly().pages
  pages.answers.clear()
  pages.calls.length = 0
  clock.set(NOON)
  await emptied(app)
})

/** Adds a prediction for each of these addresses. */
async function checked(urls: readonly string[]) {
  const { app, clock } = weekly()
  const file = urls.map((source_url, i) => entry(`p${String(i)}`, { source_url }))
  const taken = await app.imports.predictions(JSON.stringify(file))
  expect(taken).toMatchObject({ ok: true, added: urls.length })
  const kit = { ...app.kit, pages: app.ports.sourcePages }
  const askOne = () => checkNext(kit, patiently())
  return {
    app,
    askOne,
    move: clock.pass,
    /** Moves the clock, and checks all due links. */
    after: async (ms: number) => {
      clock.pass(ms)
      const requests: string[] = []
      for (let url = await askOne(); url !== null; url = await askOne()) {
        requests.push(url)
        clock.pass(MINUTE)
      }
      return requests
    },
    /** The day since which each source has been unreachable, by its address, as visitors see it. */
    dead: async () => {
      await app.refresh()
      const rows = PredictionList.parse((await app.get('/api/predictions')).body)
      const sources = rows.flatMap((row) => row.sources)
      return Object.fromEntries(sources.map((one) => [one.url, one.dead_since]))
    },
    state: async () => {
      const admin = await signedIn(app)
      return admin.read(listSourceChecks)
    },
  }
}

describe('the links of sources', () => {
  it('are checked once a week, and are dead after two failures a week apart', async () => {
    const names = ['alive', 'lost', 'fault', 'closed', 'later']
    const [alive = '', lost = '', fault = '', closed = '', later = ''] = names.map((name) =>
      pages.at(`${name}.example`, `/${name}`),
    )
    const nowhere = pages.at('private.example', '/')
    const world = await checked([alive, lost, fault, closed, later, nowhere])
    const set = (path: string, status: number) => pages.answers.set(path, status)
    set('/alive', 200)
    set('/fault', 500)
    set('/closed', 403)
    set('/later', 200)
    expect(await world.state()).toMatchObject({ addresses: 6, asked: 0, waiting: 6 })

    expect(await world.after(0)).toHaveLength(6)
    const none = { [alive]: null, [lost]: null, [fault]: null, [closed]: null }
    expect(await world.dead()).toMatchObject(none)
    expect(await world.state()).toMatchObject({
      mode: 'weekly',
      asked: 6,
      waiting: 0,
      failing: 2,
      closed: 2,
      dead: { total: 0, newest: [] },
    })
    // Nothing is due for a week.
    expect(await world.after(6 * DAY)).toEqual([])

    set('/later', 404)
    expect(await world.after(DAY)).toHaveLength(6)
    expect(await world.dead()).toEqual({
      ...none,
      [lost]: '2026-11-20',
      [fault]: '2026-11-20',
      [later]: null,
      [nowhere]: null,
    })
    const { dead } = await world.state()
    expect(dead.total).toBe(2)
    expect(dead.newest.find(({ url }) => url === lost)).toMatchObject({
      note: 'The page answered HTTP 404.',
      predictions: ['p1'],
      archived_url: null,
    })

    // One recovers, the other disappears: that is not news.
    set('/fault', 200)
    set('/lost', 403)
    await world.after(7 * DAY)
    expect(await world.dead()).toMatchObject({
      [lost]: '2026-11-20',
      [fault]: null,
      [later]: expect.stringMatching(/^2026-11-27/),
    })
  })

  it('are not dead after two failures in one week, nor after a success between two', async () => {
    const url = pages.at('news.example', '/page')
    const world = await checked([url])
    const again = async (ms: number) => {
      // As if the clock had been set back meanwhile, or by an administrator's request.
      await world.app.sql(`update source_checks set next_ask_at = '2026-01-01'`)
      expect(await world.after(ms)).toEqual([url])
      return (await world.dead())[url]
    }
    await world.after(0)
    expect(await again(6 * DAY)).toBeNull()
    pages.answers.set('/page', 200)
    expect(await again(DAY)).toBeNull()
    pages.answers.set('/page', 404)
    expect(await again(DAY)).toBeNull()
    expect(await again(6 * DAY)).toBeNull()
    expect(await again(DAY)).toBe('2026-11-28')
  })

  it('are checked at most four times a minute, each host once', async () => {
    const [first, second] = [pages.at('a.example', '/'), pages.at('www.a.example', '/')]
    const other = pages.at('b.example', '/broken')
    pages.answers.set('/', 200).set('/broken', 'broken')
    const world = await checked([first, second, other])
    expect(await world.askOne()).toBe(first)
    world.move(14_000)
    expect(await world.askOne()).toBeNull()
    world.move(2_000)
    expect(await world.askOne()).toBe(other)
    // Connectivity is known from the first, which is not due.
    expect(pages.calls.filter(({ host }) => host === 'a.example')).toHaveLength(1)
    world.move(43_000)
    expect(await world.askOne()).toBeNull()
    world.move(2_000)
    expect(await world.askOne()).toBe(second)
  })

  it('that await review are not checked', async () => {
    const world = await checked([])
    await world.app.sql(
      `with s as (insert into submissions (id, origin, status, asset, expert_name, prediction_type, timing, price_prediction, target_time, created_at)
         values (gen_random_uuid(), 'admin', 'pending', 'btc', 'M', 'target', 'by', '$1', '2027-01-01', now()) returning id)
       insert into sources (submission_id, position, kind, url) select id, 0, 'report', $1 from s`,
      [pages.at('news.example', '/')],
    )
    expect(await world.after(0)).toEqual([])
    expect(pages.calls).toEqual([])
  })

  it('do not die while this site has no internet', async () => {
    const alive = pages.at('alive.example', '/')
    const dns = 'https://gone.example/page'
    const world = await checked([alive, dns])
    pages.answers.set('/', 'broken')
    // Neither answers: both are retried soon, and nothing is counted.
    await world.after(0)
    expect(await world.state()).toMatchObject({ failing: 0, dead: { total: 0 } })
    await world.after(8 * DAY)
    expect(await world.state()).toMatchObject({ failing: 0, dead: { total: 0 } })
    expect(await world.after(61 * MINUTE)).toHaveLength(2)

    pages.answers.set('/', 200)
    await world.after(61 * MINUTE)
    expect(await world.state()).toMatchObject({ failing: 1, dead: { total: 0 } })
    // An answer of last week says nothing about the internet of today.
    pages.answers.set('/', 'broken')
    await world.after(7 * DAY)
    expect(await world.state()).toMatchObject({ failing: 1, dead: { total: 0 } })
    pages.answers.set('/', 200)
    await world.after(61 * MINUTE)
    expect((await world.dead())[dns]).toBe('2026-11-28')
  })
})

it('a link that a killed process has begun to check is checked again ten minutes later', async () => {
  const [hangs, fine] = [pages.at('a.example', '/a'), pages.at('b.example', '/b')]
  const world = await checked([hangs, fine])
  pages.answers.set('/a', 'silent').set('/b', 200)
  const killed = world.askOne().catch(() => null)
  await until(() => pages.open() === 1)
  pages.answers.set('/a', 200)
  expect(await world.after(2 * MINUTE)).toEqual([fine])
  expect(await world.after(9 * MINUTE)).toEqual([hangs])
  await killed
})

it('the source checks are a job if enabled, and their results appear at once', async () => {
  const url = pages.at('news.example', '/page')
  const { app } = await checked([url])
  // It failed a week ago.
  await app.sql(
    `insert into source_checks (url, asked_at, next_ask_at, failing_since)
     values ($1, '2026-11-13T11:00:00Z', '2026-11-20T11:00:00Z', '2026-11-13T11:00:00Z')`,
    [url],
  )
  await app.jobs.drain('source-checks')
  const [row] = PredictionList.parse((await app.get('/api/predictions')).body)
  expect(row?.sources[0]?.dead_since).toBe('2026-11-13')
  await using silent = await testApp({ settings: { sourceChecks: 'off' } })
  await expect(silent.jobs.drain('source-checks')).rejects.toThrow('no job')
})
