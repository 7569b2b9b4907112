import { expect, open, test } from './support/site.ts'

test.use({ serviceWorkers: 'allow', permissions: ['notifications'] })

test('the worker shows what a push message says, something plain for one that cannot be read, and hands in a new subscription', async ({
  page,
  context,
}) => {
  await open(page, '/methodology')
  const devTools = await context.newCDPSession(page)
  const registered = new Promise<string>((done) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => {
      if (one) done(one.registrationId)
    })
  })
  await devTools.send('ServiceWorker.enable')
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  const of = { origin: new URL(page.url()).origin, registrationId: await registered }
  const deliver = (data: string) =>
    devTools.send('ServiceWorker.deliverPushMessage', { ...of, data })
  /** What is shown, by the time since when. */
  const byTime = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).map((one) => {
        const { title, body, tag, data, timestamp } = one as Notification & { timestamp: number }
        return [timestamp, { title, body, tag, data: data as unknown }] as const
      })
    })
  const shown = async () => (await byTime()).map(([, one]) => one)
  const note = { title: 'HIT: Bitcoin at $150', body: 'It did.', path: '/predictions/a' }
  await deliver(JSON.stringify({ ...note, body: 'It will.', tag: 'news-1' }))
  await expect.poll(shown).toHaveLength(1)
  // The same once more, as after a kill, takes its place.
  await deliver(JSON.stringify({ ...note, tag: 'news-1' }))
  const { title, body, path } = note
  const first = { title, body, tag: 'news-1', data: { path } }
  await expect.poll(shown).toEqual([first])
  const plain = {
    title: 'Proof of Price',
    body: 'There is news of what you follow.',
    tag: '',
    data: { path: '/' },
  }
  for (const data of ['no JSON', 'null', '[]', '{"title":5}', '{"title":"x","path":{}}', '']) {
    // Chromium takes those down by itself that have been shown for some seconds.
    const known = new Map(await byTime())
    await deliver(data)
    const come = async () => (await byTime()).flatMap(([at, one]) => (known.has(at) ? [] : [one]))
    await expect.poll(come).toEqual([plain])
  }

  const before = { endpoint: 'https://push.example.org/1', keys: { p256dh: 'AA', auth: 'BB' } }
  const after = { ...before, endpoint: 'https://push.example.org/2' }
  await page.evaluate(async (subscription) => {
    const cache = await caches.open('push')
    await cache.put('/subscription', Response.json({ key: 'AA', subscription }))
  }, before)
  const asked = await context.serviceWorkers()[0]?.evaluate(async (subscription) => {
    const calls: unknown[] = []
    const { fetch: real } = globalThis
    globalThis.fetch = (url, given) => {
      calls.push([url, JSON.parse(typeof given?.body === 'string' ? given.body : '')])
      return Promise.resolve(Response.json({ follows: true }))
    }
    let work: Promise<void> = Promise.resolve()
    const event = Object.assign(new Event('pushsubscriptionchange'), {
      newSubscription: { toJSON: () => subscription },
      waitUntil: (given: Promise<void>) => {
        work = given
      },
    })
    globalThis.dispatchEvent(event)
    await work
    globalThis.fetch = real
    return calls
  }, after)
  expect(asked).toEqual([['/api/v1/follow/browser/renew', { before, subscription: after }]])
  const kept = await page.evaluate(async () => {
    const found = await caches.match('/subscription')
    return (await found?.json()) as unknown
  })
  expect(kept).toEqual({ key: 'AA', subscription: after })
})
