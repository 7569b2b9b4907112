import { describe, expect, it } from 'vitest'
import { addToTweetQueue, processTweetQueueItem, QueueEvent, tweetQueue } from '#contracts/posts.ts'
import { postSources } from '#server/composition/ports.ts'
import { type PostPace } from '#server/posts/open-posts.ts'
import { openSite } from '#server/site.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { idAt, startPostServices } from '#tests/support/stand-ins/post-services.ts'
import { testApp } from '#tests/support/test-app.ts'
import { testPorts } from '#tests/support/test-site.ts'
import { shows, streamOf } from '#tests/support/waiting.ts'

const TEXT = 'My call: Bitcoin hits $150k by EOY.'

const idOf = (serial: number) => idAt('2026-03-10T08:00:00.000Z', serial)
const urlOf = (serial: number) => `https://x.com/janedoe/status/${idOf(serial)}`

const SOON = { superviseSeconds: 1, retrySeconds: 1 }

/** A site with its own stand-in for posts, and a signed-in administrator. */
async function site(
  overrides: Parameters<typeof startPostServices>[0] = {},
  pace: PostPace & { readonly isStarted?: boolean } = {},
) {
  const { isStarted = false, ...own } = pace
  const services = await startPostServices(overrides)
  const world = await testApp({
    ports: { posts: postSources(services.settings) },
    options: { jobs: SOON, posts: own },
  })
  if (isStarted) world.jobs.work()
  return {
    services,
    world,
    admin: await signedIn(world),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      await services[Symbol.asyncDispose]()
    },
  }
}

let tests = 0
async function again(here: Awaited<ReturnType<typeof site>>): Promise<void> {
  const { services, world } = here
  services.posts.clear()
  services.faults.clear()
  services.calls.length = 0
  services.hold = null
  await emptied(world)
  here.admin = await signedIn(world, undefined, undefined, `10.0.0.${String((tests += 1))}`)
}

async function add(admin: SignedInBrowser, urls: string | string[], process = true) {
  const { status, body } = await admin.call('POST', '/api/tweet-queue', { urls, process })
  expect([status, body]).toMatchObject([200, { success: true }])
  return addToTweetQueue.reply.parse(body)
}

const list = (admin: SignedInBrowser) => admin.read(tweetQueue)

async function process(admin: SignedInBrowser, id: number | string) {
  const { body } = await admin.call('POST', '/api/process-tweet-queue-item', { id })
  return processTweetQueueItem.reply.parse(body)
}

describe('the queue', () => {
  const quiet = onceForFile(() => site(), again)

  it('sends its changes to open pages', async () => {
    const { admin, services, world } = quiet()
    services.posts.set(idOf(1), { text: TEXT })
    const address = await world.app.listen({ port: 0, host: '127.0.0.1' })
    using stream = await streamOf(`${address}/api/tweet-queue/events`, admin.headers)
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
    const events = () =>
      [...stream.state.text.matchAll(/^data: (.*)\n/gm)].map(([, data = '']) =>
        QueueEvent.parse(JSON.parse(data)),
      )
    await shows(() => expect(events().at(-1)?.counts.total).toBe(0))
    await add(admin, urlOf(1))
    await shows(() => expect(events().at(-1)?.counts.pending).toBe(1))
    world.jobs.work()
    await shows(() => expect(events().at(-1)?.counts.completed).toBe(1))
    const { queue, version } = await list(admin)
    expect(version).toBe(events().at(-1)?.version)
    await admin.call('DELETE', `/api/tweet-queue/${String(queue[0]?.id)}`)
    await shows(() => expect(events().at(-1)?.counts.total).toBe(0))
  })
})

describe('the queue in the background', () => {
  const started = onceForFile(() => site({}, { isStarted: true }), again)

  it('waits for Process if requested, and returns completed items unchanged', async () => {
    const { admin, services } = started()
    services.posts.set(idOf(1), { text: TEXT })
    const { added } = await add(admin, [urlOf(1), urlOf(2)], false)
    expect(added[0]?.step).toBe('Not started: press Process')
    const [one, two] = added
    const done = await process(admin, one?.id ?? 0)
    expect(done).toMatchObject({ success: true, status: 'completed' })
    expect(await process(admin, one?.id ?? 0)).toEqual(done)
    expect(services.calls).toHaveLength(1)
    expect(await process(admin, two?.id ?? 0)).toMatchObject({
      success: false,
      status: 'failed',
      extracted_data: null,
      error: expect.stringContaining('does not exist'),
    })
    expect((await admin.call('POST', '/api/process-tweet-queue-item', { id: 99 })).status).toBe(404)
  })

  it('releases its item when stopped, resumes abandoned items, and fails those that always break off', async () => {
    const { admin, services, world } = started()
    for (const serial of [1, 2]) services.posts.set(idOf(serial), { text: TEXT })
    services.hold = new Promise(() => {})
    await add(admin, [urlOf(1), urlOf(2)])
    await shows(() => expect(services.calls).toHaveLength(2))
    await world.jobs.stop()
    const waiting = { status: 'pending', step: 'Will be tried again', attempts: 0 }
    expect((await list(admin)).queue).toMatchObject([waiting, waiting])
    services.hold = null
    // One process has died over the first, four over the second.
    await world.sql(
      `update tweet_queue set status = 'processing', version = version + 1,
         attempts = case post_id when $1 then 1 else 4 end`,
      [idOf(1)],
    )
    const ports = testPorts(world.kit, { posts: world.ports.posts })
    const other = await openSite(world.kit, ports, { jobs: SOON })
    other.jobs.work()
    await shows(async () => {
      expect((await list(admin)).queue).toMatchObject([
        { status: 'failed', error_message: 'Reading it was interrupted 4 times.' },
        { status: 'completed', attempts: 2 },
      ])
    })
    await other.stop()
  })
})

describe('the queue with X alone', () => {
  const alone = onceForFile(() => site({ off: ['syndication', 'oembed'] }), again)

  it('retries temporary errors, and stores the reason of permanent ones', async () => {
    const { admin, services, world } = alone()
    const newest = async (says: object) =>
      shows(async () => expect((await list(admin)).queue[0]).toMatchObject(says))
    services.posts.set(idOf(1), { text: TEXT })
    services.posts.set(idOf(2), { text: TEXT })
    services.faults.set('x', 'server error')
    world.jobs.work()
    await add(admin, urlOf(1))
    await newest({
      status: 'pending',
      step: 'Will be tried again',
      error_message: expect.stringContaining('X answered HTTP 503.'),
      next_try_at: expect.stringContaining('T'),
    })
    services.faults.delete('x')
    await newest({ status: 'completed', error_message: null })
    services.faults.set('x', 'refused')
    await add(admin, urlOf(2))
    await newest({
      status: 'failed',
      attempts: 1,
      error_message: expect.stringContaining('X rejected our key'),
    })
    // The key was fixed, and an administrator presses Retry.
    services.faults.delete('x')
    expect(await process(admin, String((await list(admin)).queue[0]?.id))).toMatchObject({
      success: true,
      status: 'completed',
      extracted_data: { tweet_id: idOf(2), price_target: 150_000 },
    })
  })
})
