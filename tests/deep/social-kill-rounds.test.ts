import { addAdmin } from '#server/admins/admins.store.ts'
import { addPost } from '#server/publishing/posts.store.ts'
import { programOf } from '#tests/support/programs.ts'
import { seededRandom } from '#tests/support/random.ts'
import { pds } from '#tests/support/stand-ins/pds.ts'
import { xServer } from '#tests/support/stand-ins/x-server.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '#tests/support/waiting.ts'

/** `SOCIAL_KILL_ROUNDS=50 npm test -- deep` for the long run. */
const ROUNDS = Number(process.env['SOCIAL_KILL_ROUNDS'] ?? 4)
const POSTS_A_ROUND = 12
const LEASE_MS = 1_500
const ANSWER_MS = 60
const OWNER = await programOf('social-kill-owner')

it(
  `a site posts what is planned once, in ${String(ROUNDS)} rounds of kill -9`,
  async () => {
    await using database = await testDatabase()
    await using x = await xServer()
    await using bluesky = await pds()
    const { db } = database
    x.pause.answerMs = ANSWER_MS
    bluesky.pause.answerMs = ANSWER_MS
    const random = seededRandom('SOCIAL_KILL_SEED')('pauses')
    const at = new Date().toISOString()
    const createdBy = await addAdmin(db, {
      username: 'Admin A',
      role: 'administrator',
      passwordHash: 'none',
      fromEnvironment: false,
      createdAt: at,
    })

    async function plan(round: number): Promise<void> {
      for (let n = 0; n < POSTS_A_ROUND; n += 1) {
        await addPost(db, {
          id: randomUUID(),
          kind: 'manual',
          state: 'scheduled',
          networks: ['x', 'bluesky'],
          xText: `Post ${String(round)}.${String(n)}`,
          blueskyText: `Post ${String(round)}.${String(n)}`,
          pictures: [],
          scheduledAt: new Date(Date.now() + n * 20).toISOString(),
          createdBy: createdBy ?? 0,
          createdAt: at,
          updatedAt: at,
        })
      }
    }

    async function start(): Promise<ChildProcess> {
      const args = [OWNER, database.url, x.url.origin, bluesky.url.origin, String(LEASE_MS)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      await once(child.stdout, 'data')
      return child
    }

    async function kill(child: ChildProcess): Promise<void> {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }

    for (let round = 0; round < ROUNDS; round += 1) {
      const owners = await Promise.all([start(), start()])
      const before = x.posts.length
      await plan(round)
      await until(() => x.posts.length > before)
      await pause(random() * ANSWER_MS * 4)
      for (const owner of owners) await kill(owner)
    }
    const last = await start()
    const count = async (state: string): Promise<number> => {
      const { rows } = await database.pool.query<{ n: number }>(
        'select count(*)::int n from social_posts where state = $1',
        [state],
      )
      return rows[0]?.n ?? NaN
    }
    const planned = ROUNDS * POSTS_A_ROUND
    await until(async () => (await count('done')) >= planned)
    await kill(last)

    const { rows } = await database.pool.query<{
      x_text: string
      network: string
      state: string
      remote_id: string | null
    }>(
      'select p.x_text, r.network, r.state, r.remote_id from social_posts p join social_results r on r.post_id = p.id',
    )
    expect(await count('done'), 'every post has ended').toBe(planned)
    const texts = x.posts.map((one) => one.text)
    expect(new Set(texts).size, 'none went out twice').toBe(texts.length)
    const onX = rows.filter((row) => row.network === 'x')
    const posted = onX.filter((row) => row.state === 'posted')
    const unknown = onX.filter((row) => row.state === 'unknown')
    expect(posted.length + unknown.length).toBe(planned)
    for (const row of posted) {
      expect(x.posts.find((one) => one.text === row.x_text)?.id).toBe(row.remote_id)
    }
    // What is out is on record as posted, or as unknown where its process died over it.
    const known = new Set(rows.map((row) => row.x_text))
    expect(texts.filter((text) => !known.has(text))).toEqual([])
    // Two processes die in a round, with three posts under way each.
    expect(unknown.length).toBeLessThanOrEqual(ROUNDS * 6)
    // Bluesky knows a post again: none is in doubt, and each is there once.
    const there = rows.filter((row) => row.network === 'bluesky')
    expect(new Set(there.map((row) => row.state))).toEqual(new Set(['posted']))
    const records = [...bluesky.records.values()].map(({ text }) => text)
    expect(records.toSorted()).toEqual(there.map((row) => row.x_text).toSorted())
    process.stdout.write(
      `${String(ROUNDS)} rounds, ${String(posted.length)} posted, ${String(unknown.length)} unknown\n`,
    )
  },
  ROUNDS * 60_000,
)
