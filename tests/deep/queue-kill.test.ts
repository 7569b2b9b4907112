import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { programOf } from '#tests/support/programs.ts'
import { idAt, startPostServices } from '#tests/support/stand-ins/post-services.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { shows } from '#tests/support/waiting.ts'

const LINKS = 50
const OWNER = await programOf('queue-kill-owner')

it('the queue reads each of 50 links once, although its process is killed in the middle', async () => {
  await using services = await startPostServices()
  const ids = Array.from({ length: LINKS }, (_, i) => idAt('2026-03-10T08:00:00.000Z', i))
  for (const [i, id] of ids.entries()) {
    // Every tenth has been deleted; the others each say something else.
    if (i % 10 !== 9) services.posts.set(id, { text: `Bitcoin hits $${String(100 + i)}k by EOY.` })
  }
  await using world = await testApp()
  const admin = await signedIn(world)
  const urls = ids.map((id) => `https://x.com/janedoe/status/${id}`).join('\n')
  expect((await admin.call('POST', '/api/tweet-queue', { urls })).status).toBe(200)

  const children: ChildProcess[] = []
  async function start(): Promise<ChildProcess> {
    const settings = JSON.stringify(services.environment)
    const child = spawn(process.execPath, [OWNER, world.database.url, settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    await once(createInterface(child.stdout), 'line')
    return child
  }
  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const count = async (what: string): Promise<number> => {
    const { rows } = await world.database.pool.query<{ n: number }>(
      `select count(*)::int n from ${what}`,
    )
    return rows[0]?.n ?? NaN
  }

  try {
    const first = await start()
    await shows(() => expect(services.calls.length).toBeGreaterThan(15))
    // Two links hang in the middle when it dies.
    let release = (): void => {}
    services.hold = new Promise((done) => {
      release = done
    })
    const processing = `tweet_queue where status = 'processing'`
    await shows(() => expect(services.held()).toBe(2))
    expect(await count(processing)).toBe(2)
    await kill(first)
    services.hold = null
    release()
    expect(await count(processing)).toBe(2)
    expect(await count(`tweet_queue where status = 'pending'`)).toBeGreaterThan(10)

    await start()
    const open = `tweet_queue where status in ('pending', 'processing')`
    await shows(async () => expect(await count(open)).toBe(0))
    expect(await count(`tweet_queue where status = 'completed'`)).toBe(45)
    expect(await count(`tweet_queue where status = 'failed'`)).toBe(5)
    expect(await count(`tweet_queue where attempts = 2`)).toBe(2)
    expect(await count(`tweet_queue where attempts > 2`)).toBe(0)
    // Each was read once, and each has the result of its own post.
    expect(await count('extractions')).toBe(45)
    expect(
      await count(`tweet_queue q join extractions e on e.id = q.extraction_id
        where q.post_id = e.post_id and e.result->>'tweet_id' = q.post_id`),
    ).toBe(45)
    expect(await count(`(select distinct result->>'price_target' from extractions) one`)).toBe(45)
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
})
