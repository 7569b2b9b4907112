import { afterAll, expect, it } from 'vitest'
import { checkNext } from '#server/sources/source-checks.service.ts'
import { webPages } from '#server/sources/web-pages.ts'
import { entry } from '#tests/support/builders.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { movingClock } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { reachOf, startPages, type PageAnswer } from '#tests/support/stand-ins/source-pages.ts'
import { stories } from '#tests/support/story.ts'
import { testApp } from '#tests/support/test-app.ts'
import { patiently, until } from '#tests/support/waiting.ts'

const MINUTE_MS = 60_000
const clock = movingClock()
const pages = await startPages()
afterAll(() => pages[Symbol.asyncDispose]())
const site = onceForFile(() => {
  const sourcePages = webPages({ reach: reachOf(pages.port), timeoutMs: 2_000 })
  return testApp({ clock, settings: { sourceChecks: 'weekly' }, ports: { sourcePages } })
})

const PORT = /:\d{2,5}(?=\/)/g
const withPort = (url: string) =>
  url.replace(/(?<=^http:\/\/[\w.]+)(?=\/)/, `:${String(pages.port)}`)
const withoutPort = (urls: readonly string[]) => urls.map((url) => url.replace(PORT, '')).toSorted()

async function checkOne(): Promise<string | null> {
  return checkNext({ ...site().kit, pages: site().ports.sourcePages }, patiently())
}

/** Checks all due links, one a minute. */
async function checkDue(): Promise<string[]> {
  const asked: string[] = []
  for (let url = await checkOne(); url !== null; url = await checkOne()) {
    asked.push(url)
    clock.pass(MINUTE_MS)
  }
  return withoutPort(asked)
}

const { call, replay } = stories(site, clock, async () => {
  pages.answers.clear()
  pages.calls.length = 0
  await emptied(site())
})

let killed: Promise<string | null>
const answerOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : (text as PageAnswer))

replay('sources', {
  /** A prediction for each of these addresses. */
  sources: async (words) => {
    const file = words
      .split(' ')
      .map((url, i) => entry(`p${String(i)}`, { source_url: withPort(url) }))
    await site().imports.predictions(JSON.stringify(file))
  },
  page: (words) => {
    const [path = '', answer = ''] = words.split(' ')
    pages.answers.set(path, answerOf(answer))
  },
  /** As if the clock had been set back meanwhile, or an administrator had asked. */
  soon: async () => void (await site().sql(`update source_checks set next_ask_at = '2026-01-01'`)),
  waiting: async (url) =>
    void (await site().sql(
      `with s as (insert into submissions (id, origin, status, asset, expert_name, prediction_type, timing, price_prediction, target_time, created_at)
         values (gen_random_uuid(), 'admin', 'pending', 'btc', 'M', 'target', 'by', '$1', '2027-01-01', now()) returning id)
       insert into sources (submission_id, position, kind, url) select id, 0, 'report', $1 from s`,
      [withPort(url)],
    )),
  failing: async (words) => {
    const [url = '', ...times] = words.split(' ')
    await site().sql(
      `insert into source_checks (url, asked_at, failing_since, next_ask_at) values ($1, $2, $2, $3)`,
      [withPort(url), ...times],
    )
  },
  due: () => checkDue(),
  one: async () => withoutPort([(await checkOne()) ?? 'none']).join(),
  requests: (host) => String(pages.calls.filter((one) => one.host === host).length),
  /** The day since which each source has been unreachable, as visitors see it. */
  dead: async () => {
    await site().refresh()
    const { body } = await call('visitor', 'GET', '/api/predictions', '')
    const rows = body as { sources: { url: string; dead_since: string | null }[] }[]
    return rows
      .flatMap(({ sources }) => sources)
      .map(({ url, dead_since: since }) => `${url.replace(PORT, '')} ${since ?? 'alive'}`)
      .toSorted()
  },
  state: async () => {
    // Sessions end while weeks pass.
    const admin = await signedIn(site())
    const { body } = await admin.call('GET', '/api/v1/admin/sources/checks')
    return JSON.parse(JSON.stringify(body).replaceAll(PORT, '')) as unknown
  },
  begin: async () => {
    killed = checkOne().catch(() => null)
    await until(() => pages.open() === 1)
  },
  'killed-ends': async () => void (await killed),
  drain: () => site().jobs.drain('source-checks'),
})

it('the source checks are no job unless enabled', async () => {
  await using silent = await testApp({ settings: { sourceChecks: 'off' } })
  await expect(silent.jobs.drain('source-checks')).rejects.toThrow('no job')
})
