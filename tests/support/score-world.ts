import { ScoresReply } from '#contracts/scores.ts'
import { rowsOfReply } from '#server/scores/compute-scores.ts'
import { computeDay } from '#server/scores/compute-day.ts'
import { type ScorePace } from '#server/scores/scores.service.ts'
import { openSite, type Site, type SiteOptions } from '#server/site.ts'
import { isoDay } from '#domain/day.ts'
import { expect } from 'vitest'
import { closesFile, entry } from './builders.ts'
import { disposals } from './disposals.ts'
import { signedIn } from './sign-in.ts'
import { testApp, type TestApp } from './test-app.ts'
import { testKit } from './test-site.ts'

/** The call corrected by `correct`. */
const WRONG = 'wrong'

/** A site with three decided calls of two people, whose scores take no time. */
export async function scoredSite(options: SiteOptions = {}): Promise<TestApp> {
  const world = await testApp({ options })
  const closes = Array.from({ length: 200 }, (_, i) => 100 + 2 * (i % 2))
  const message = { prediction_made: '2025-05-01', target_time: '2025-06-30' }
  await world.imports.prices('btc', closesFile('2025-01-01', closes), 'test')
  await world.imports.predictions(
    JSON.stringify([
      entry(WRONG, message),
      entry('b', { ...message, price_target: 101 }),
      entry('c', { ...message, price_target: 90, expert_name: 'Expert B' }),
    ]),
  )
  await world.refresh()
  return world
}

/** Corrects the level of a call from $150, which was missed, to $101, which was reached. */
export async function correct(world: TestApp): Promise<void> {
  const admin = await signedIn(world)
  const body = { version: 0, price_min: '101', reason: 'The source says otherwise' }
  const { status } = await admin.call('PUT', `/api/v1/admin/predictions/${WRONG}`, body)
  expect(status).toBe(200)
}

export function corrected(reply: ScoresReply) {
  return reply.people.flatMap(({ calls }) => calls).find(({ id }) => id === WRONG)
}

export async function scoresAt(world: Pick<Site, 'app'>, query = ''): Promise<ScoresReply> {
  const answer = await world.app.inject(`/api/v1/scores${query}`)
  expect([query, answer.statusCode]).toEqual([query, 200])
  return ScoresReply.parse(answer.json())
}

/** Another process on the same database, without anything read or computed. */
export async function otherProcess(
  { database, ports }: TestApp,
  options: SiteOptions = {},
): Promise<Site & AsyncDisposable> {
  const opened = disposals()
  const kit = opened.use(testKit(database.url))
  const site = await openSite(kit, ports, options)
  opened.defer(() => site.stop())
  return { ...site, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

/** Computes nothing until it is closed, like a busy thread. */
export function stuckThread() {
  const requests: string[] = []
  const closed = new AbortController()
  const thread: ScorePace['thread'] = () => ({
    compute: ({ asOf }) => {
      requests.push(isoDay(asOf))
      return new Promise((_, fail) => {
        closed.signal.addEventListener('abort', () => fail(new Error('closed')))
      })
    },
    close: async () => closed.abort(),
  })
  return { asked: requests, thread }
}

/** Returns its request instead of scores. */
export const quickThread: NonNullable<ScorePace['thread']> = ({ db }) => ({
  compute: (request) =>
    computeDay(db, request, ({ digest }) => {
      const reply = { notes: [digest], people: [] }
      const calls = { ids: [], chances: [], repeats: [] }
      return { ...rowsOfReply(reply), pages: '{}', calls }
    }),
  close: () => Promise.resolve(),
})

type StoredRow = { as_of: string; mode: string; digest: string; is_daily: boolean }

export async function storedRows({ database }: TestApp): Promise<StoredRow[]> {
  const { rows } = await database.pool.query<StoredRow>(
    'select as_of::text, mode, digest, is_daily from scores order by as_of, mode',
  )
  return rows
}
