import { openSite } from '#server/site.ts'
import { testPorts } from '#tests/support/test-site.ts'
import { type PostPace } from '#server/posts/open-posts.ts'
import { addToTweetQueue, processTweetQueueItem, QueueEvent, tweetQueue } from '#contracts/posts.ts'
import { postSources } from '#server/posts/configured-sources.ts'
import { describe, expect, it } from 'vitest'
import { type z } from 'zod'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import {
  idAt,
  startPostServices,
  type PostServices,
} from '#tests/support/stand-ins/post-services.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { shows } from '#tests/support/waiting.ts'

const TEXT = 'My call: Bitcoin hits $150k by EOY.'

function urlOf(serial: number): string {
  return `https://x.com/janedoe/status/${idOf(serial)}`
}

function idOf(serial: number): string {
  return idAt('2026-03-10T08:00:00.000Z', serial)
}

const SOON: PostPace = { superviseSeconds: 1, retrySeconds: 1 }

async function site(
  services: PostServices,
  pace: PostPace = {},
): Promise<{ world: TestApp; admin: SignedInBrowser } & AsyncDisposable> {
  const world = await testApp({
    ports: { posts: postSources(services.settings) },
    options: { posts: { ...SOON, ...pace } },
  })
  const admin = await signedIn(world)
  return { world, admin, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

async function add(
  admin: SignedInBrowser,
  urls: string | string[],
  process = true,
): Promise<z.infer<typeof addToTweetQueue.reply>> {
  const { status, body } = await admin.call('POST', '/api/tweet-queue', { urls, process })
  expect([status, body]).toMatchObject([200, { success: true }])
  return addToTweetQueue.reply.parse(body)
}

async function list(admin: SignedInBrowser): Promise<z.infer<typeof tweetQueue.reply>> {
  return tweetQueue.reply.parse((await admin.call('GET', '/api/tweet-queue')).body)
}

async function process(
  admin: SignedInBrowser,
  id: number | string,
): Promise<z.infer<typeof processTweetQueueItem.reply>> {
  const { body } = await admin.call('POST', '/api/process-tweet-queue-item', { id })
  return processTweetQueueItem.reply.parse(body)
}

describe('the queue', () => {
  it('the queue takes links out of a text, and says which it has already and which it cannot use', async () => {
    await using services = await startPostServices()
    await using here = await site(services)
    await add(here.admin, urlOf(1))
    const text = `1. ${urlOf(1)}?s=20\n${urlOf(2)},${urlOf(2)}/photo/1\n<https://evil-x.com/a/status/5>\n- x.com/i/status/${idOf(3)}`
    const { added, duplicates, refused } = await add(here.admin, text)
    expect(added.map((one) => one.tweet_url)).toEqual([
      urlOf(2),
      `https://x.com/i/status/${idOf(3)}`,
    ])
    expect(added[0]).toMatchObject({ status: 'pending', step: 'Waiting for its turn', attempts: 0 })
    expect(duplicates).toEqual([
      { url: urlOf(1), id: 1 },
      { url: `${urlOf(2)}/photo/1`, id: added[0]?.id },
    ])
    const reason = 'Please enter a valid Twitter/X.com URL'
    expect(refused).toEqual([{ url: 'https://evil-x.com/a/status/5', reason }])
    const { queue, counts } = await list(here.admin)
    expect(queue.map((one) => one.id)).toEqual(queue.map((one) => one.id).toSorted((a, b) => b - a))
    expect(counts).toEqual({ total: 3, pending: 3, processing: 0, completed: 0, failed: 0 })
    const { rows } = await here.world.database.pool.query(
      `select username, action from audit_log where action = 'links added'`,
    )
    expect(rows).toHaveLength(2)
  })

  it('the queue says what is wrong with a text without links', async () => {
    await using services = await startPostServices()
    await using here = await site(services)
    const { refused } = await add(here.admin, 'no link at all')
    expect(refused).toMatchObject([{ url: 'no link at all' }])
    const blank = await here.admin.call('POST', '/api/tweet-queue', { urls: ' \n ' })
    expect([blank.status, blank.body]).toMatchObject([400, { error: 'Please enter a tweet URL' }])
  })

  it('the queue refuses more than 500 links, and takes none of them', async () => {
    await using services = await startPostServices()
    await using here = await site(services)
    const urls = Array.from({ length: 501 }, (_, i) => urlOf(i)).join('\n')
    const answer = await here.admin.call('POST', '/api/tweet-queue', { urls })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error: 'Please add at most 500 links at once.' },
    ])
    expect((await list(here.admin)).counts.total).toBe(0)
  })

  it('the queue reads links in the background', async () => {
    await using services = await startPostServices()
    services.posts.set(idOf(1), { text: TEXT })
    services.posts.set(idOf(2), { text: 'Good morning.', name: 'Second' })
    services.posts.set(idOf(3), { text: '', state: 'protected' })
    await using here = await site(services)
    here.world.posts.start()
    await add(here.admin, [urlOf(1), urlOf(2), urlOf(3), urlOf(4)])
    await shows(async () => {
      expect((await list(here.admin)).counts).toMatchObject({ completed: 2, failed: 2 })
    })
    const { queue } = await list(here.admin)
    expect(queue.toReversed()).toMatchObject([
      { status: 'completed', expert_name: 'Jane Doe', step: 'Read', attempts: 1 },
      { status: 'completed', expert_name: 'Second', step: 'Read: no prediction' },
      { status: 'failed', error_message: expect.stringContaining('protected'), attempts: 1 },
      { status: 'failed', error_message: expect.stringContaining('does not exist'), attempts: 1 },
    ])
    const first = queue.at(-1)
    expect(JSON.parse(first?.result_data ?? '')).toMatchObject({ price_target: 150_000 })
    const light = await here.admin.call('GET', '/api/tweet-queue?results=none')
    expect(tweetQueue.reply.parse(light.body).queue.at(-1)).toEqual({ ...first, result_data: null })
    const one = await here.admin.call('GET', `/api/tweet-queue/${String(first?.id)}`)
    expect(one.body).toEqual({ success: true, item: first, submissions: [] })
    // Deleted and protected posts are not asked for again.
    expect(services.calls).toHaveLength(4)
  })

  it('the queue tries again what may pass, and keeps the reason when it does not', async () => {
    await using services = await startPostServices({ off: ['syndication', 'oembed'] })
    services.posts.set(idOf(1), { text: TEXT })
    services.posts.set(idOf(2), { text: TEXT })
    services.faults.set('x', 'server error')
    await using here = await site(services)
    here.world.posts.start()
    await add(here.admin, urlOf(1))
    await shows(async () => {
      expect((await list(here.admin)).queue[0]).toMatchObject({
        status: 'pending',
        step: 'Will be tried again',
        error_message: expect.stringContaining('X answered HTTP 503.'),
        next_try_at: expect.stringContaining('T'),
      })
    })
    services.faults.delete('x')
    await shows(async () => {
      expect((await list(here.admin)).queue[0]).toMatchObject({
        status: 'completed',
        error_message: null,
      })
    })
    services.faults.set('x', 'refused')
    await add(here.admin, urlOf(2))
    await shows(async () => {
      expect((await list(here.admin)).queue[0]).toMatchObject({
        status: 'failed',
        attempts: 1,
        error_message: expect.stringContaining('X does not take our key'),
      })
    })
    // The key was put right, and an administrator presses Retry.
    services.faults.delete('x')
    const retried = await process(here.admin, String((await list(here.admin)).queue[0]?.id))
    expect(retried).toMatchObject({
      success: true,
      status: 'completed',
      extracted_data: { tweet_id: idOf(2), price_target: 150_000 },
    })
  })

  it('the queue takes the text that is pasted for a link, and counts what is submitted of it', async () => {
    await using services = await startPostServices({ off: ['syndication', 'oembed'] })
    services.faults.set('x', 'server error')
    await using here = await site(services)
    const { added } = await add(here.admin, urlOf(1))
    const id = added[0]?.id ?? 0
    const text = { text: TEXT, posted: '2026-03-10' }
    const { body } = await here.admin.call('POST', '/api/process-tweet-queue-item', { id, ...text })
    const read = processTweetQueueItem.reply.parse(body)
    expect(read).toMatchObject({
      status: 'completed',
      extracted_data: { tweet_url: urlOf(1), price_target: 150_000, source: { name: 'pasted' } },
    })
    expect((await list(here.admin)).queue[0]).toMatchObject({ status: 'completed', submitted: 0 })
    const { version } = await list(here.admin)
    const submission = {
      expert_name: 'Jane Doe',
      prediction_type: 'target',
      price_prediction: '$150,000',
      target_time: '2026-12-31',
      source_url: urlOf(1),
      extraction_id: read.extracted_data?.extraction_id,
    }
    const submitted = await here.admin.call('POST', '/api/submissions', submission)
    expect(submitted.body).toMatchObject({ success: true })
    const after = await list(here.admin)
    expect(after.queue[0]).toMatchObject({ submitted: 1 })
    expect(after.version).toBeGreaterThan(version)
    const one = await here.admin.call('GET', `/api/tweet-queue/${String(id)}`)
    expect(one.body).toMatchObject({ submissions: [{ card: 0 }] })
    // The same post by way of the extractor, with a wrong day and another name.
    const asked = await here.admin.call('POST', '/api/submissions', {
      ...submission,
      expert_name: 'J. Doe',
    })
    expect(asked.status).toBe(409)
  })

  it('the queue waits for Process where that is wanted, and gives what is done as it is', async () => {
    await using services = await startPostServices()
    services.posts.set(idOf(1), { text: TEXT })
    await using here = await site(services)
    here.world.posts.start()
    const { added } = await add(here.admin, [urlOf(1), urlOf(2)], false)
    expect(added[0]?.step).toBe('Waiting for Process')
    const [one, two] = added
    const done = await process(here.admin, one?.id ?? 0)
    expect(done).toMatchObject({ success: true, status: 'completed' })
    expect(await process(here.admin, one?.id ?? 0)).toEqual(done)
    expect(services.calls).toHaveLength(1)
    expect(await process(here.admin, two?.id ?? 0)).toMatchObject({
      success: false,
      status: 'failed',
      extracted_data: null,
      error: expect.stringContaining('does not exist'),
    })
    const missing = await here.admin.call('POST', '/api/process-tweet-queue-item', { id: 99 })
    expect(missing.status).toBe(404)
  })

  it('the queue answers Process with the state when reading takes long', async () => {
    await using services = await startPostServices()
    services.posts.set(idOf(1), { text: TEXT })
    await using here = await site(services, { answerWithinMs: 400 })
    here.world.posts.start()
    let release = (): void => {}
    services.hold = new Promise((done) => {
      release = done
    })
    const { added } = await add(here.admin, urlOf(1))
    await shows(() => expect(services.calls).toHaveLength(1))
    const answer = await process(here.admin, added[0]?.id ?? 0)
    expect(answer).toEqual({ success: true, status: 'processing', extracted_data: null })
    release()
    await shows(async () => {
      expect((await list(here.admin)).counts.completed).toBe(1)
    })
  })

  it('the queue gives back what it is reading when it is asked to stop, and fails what breaks off each time', async () => {
    await using services = await startPostServices()
    services.posts.set(idOf(1), { text: TEXT })
    await using here = await site(services)
    here.world.posts.start()
    services.hold = new Promise(() => {})
    await add(here.admin, urlOf(1))
    await shows(() => expect(services.calls).toHaveLength(1))
    await here.world.posts.stop()
    expect((await list(here.admin)).queue).toMatchObject([
      { status: 'pending', step: 'Will be tried again', attempts: 0 },
    ])
    // Four processes have died over it.
    await here.world.database.pool.query(
      `update tweet_queue set status = 'processing', attempts = 4, version = version + 1`,
    )
    const { kit } = here.world
    const other = await openSite(kit, testPorts(kit), { posts: SOON })
    other.posts.start()
    await shows(async () => {
      expect((await list(here.admin)).queue).toMatchObject([
        { status: 'failed', error_message: 'Reading it was interrupted 4 times.' },
      ])
    })
    await other.stop()
  })

  it('the queue deletes and restores, but not what has been added again', async () => {
    await using services = await startPostServices()
    await using here = await site(services)
    const { added } = await add(here.admin, [urlOf(1), urlOf(2)], false)
    const [one, two] = added.map(({ id }) => id)
    const of = (id: number | undefined, rest = ''): string =>
      `/api/tweet-queue/${String(id)}${rest}`
    expect((await here.admin.call('DELETE', of(one))).body).toEqual({ success: true })
    expect((await here.admin.call('DELETE', of(one))).status).toBe(404)
    expect((await list(here.admin)).queue.map(({ id }) => id)).toEqual([two])
    const restored = await here.admin.call('POST', of(one, '/restore'))
    expect(restored.body).toMatchObject({ success: true, item: { id: one, status: 'pending' } })
    await here.admin.call('DELETE', of(one))
    const again = await add(here.admin, urlOf(1), false)
    expect(again.added[0]?.id).not.toBe(one)
    // Found by looking, not by running into the index, which PostgreSQL would note as an error.
    await here.world.database.pool.query('drop index tweet_queue_once')
    expect(await here.admin.call('POST', of(one, '/restore'))).toMatchObject({
      status: 409,
      body: { error: 'This post has been added again in the meantime; nothing was restored.' },
    })
    expect((await here.admin.call('POST', of(999, '/restore'))).status).toBe(404)
  })

  it('the queue forgets what was read for an item that was deleted meanwhile', async () => {
    await using services = await startPostServices()
    services.posts.set(idOf(1), { text: TEXT })
    await using here = await site(services)
    here.world.posts.start()
    let release = (): void => {}
    services.hold = new Promise((done) => {
      release = done
    })
    const { added } = await add(here.admin, urlOf(1))
    await shows(() => expect(services.calls).toHaveLength(1))
    await here.admin.call('DELETE', `/api/tweet-queue/${String(added[0]?.id)}`)
    release()
    services.posts.set(idOf(2), { text: TEXT })
    await add(here.admin, urlOf(2))
    await shows(async () => {
      expect((await list(here.admin)).queue).toMatchObject([{ status: 'completed' }])
    })
    const { rows } = await here.world.database.pool.query(
      'select status from tweet_queue where deleted_at is not null',
    )
    expect(rows).toEqual([{ status: 'processing' }])
  })

  it('the queue sends its changes to open pages', async () => {
    await using services = await startPostServices()
    services.posts.set(idOf(1), { text: TEXT })
    await using here = await site(services)
    const address = await here.world.app.listen({ port: 0, host: '127.0.0.1' })
    const leaving = new AbortController()
    const response = await fetch(`${address}/api/tweet-queue/events`, {
      headers: here.admin.headers,
      signal: leaving.signal,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events: QueueEvent[] = []
    const listening = (async () => {
      let text = ''
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString()
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) {
          const data = /^data: (.*)$/.exec(line)?.[1]
          if (data !== undefined) events.push(QueueEvent.parse(JSON.parse(data)))
        }
      }
    })().catch(() => {})
    await shows(() => expect(events.at(-1)?.counts.total).toBe(0))
    await add(here.admin, urlOf(1))
    await shows(() => expect(events.at(-1)?.counts.pending).toBe(1))
    here.world.posts.start()
    await shows(() => expect(events.at(-1)?.counts.completed).toBe(1))
    expect((await list(here.admin)).version).toBe(events.at(-1)?.version)
    const { queue } = await list(here.admin)
    await here.admin.call('DELETE', `/api/tweet-queue/${String(queue[0]?.id)}`)
    await shows(() => expect(events.at(-1)?.counts.total).toBe(0))
    leaving.abort()
    await listening
  })
})
