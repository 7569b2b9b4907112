import { expect, open, test } from '../support/site.ts'

test.use({ serviceWorkers: 'allow', permissions: ['notifications'] })

test('the worker shows push messages, a fallback for unreadable ones, and renews its subscription', async ({
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
  const worker = context.serviceWorkers()[0]
  if (!worker) throw new Error('no service worker')
  // Chromium removes notifications after some seconds: each is read as soon as it is shown.
  const seen = await worker.evaluateHandle(() => {
    const registration = Reflect.get(globalThis, 'registration') as ServiceWorkerRegistration
    const show = registration.showNotification.bind(registration)
    const all: { readonly at: number; readonly note: unknown }[][] = []
    registration.showNotification = async (...args) => {
      await show(...args)
      const now = (await registration.getNotifications()) as (Notification & {
        timestamp: number
      })[]
      all.push(
        now.map(({ title, body, tag, data, timestamp: at }) => {
          return { at, note: { title, body, tag, data: data as unknown } }
        }),
      )
    }
    return all
  })
  /** The notification on the screen after a further message, with its time. */
  const deliver = async (data: string) => {
    const { length } = await seen.jsonValue()
    await devTools.send('ServiceWorker.deliverPushMessage', { ...of, data })
    await expect.poll(async () => (await seen.jsonValue()).length).toBe(length + 1)
    return (await seen.jsonValue())[length] ?? []
  }
  const [title, body, path] = ['HIT: Bitcoin at $150', 'It did.', '/predictions/a']
  const news = { title, path, tag: 'news-1' }
  expect(await deliver(JSON.stringify({ ...news, body: 'It will.' }))).toHaveLength(1)
  // The same message sent again, as after a kill, replaces it.
  let known = await deliver(JSON.stringify({ ...news, body }))
  expect(known.map(({ note }) => note)).toEqual([{ title, body, tag: 'news-1', data: { path } }])
  const plain = {
    title: 'Proof of Price',
    body: 'News about what you follow.',
    tag: '',
    data: { path: '/' },
  }
  for (const data of ['no JSON', 'null', '[]', '{"title":5}', '{"title":"x","path":{}}', '']) {
    const now = await deliver(data)
    const come = now.filter(({ at }) => !known.some((one) => one.at === at))
    expect(come.map(({ note }) => note)).toEqual([plain])
    known = now
  }

  const before = { endpoint: 'https://push.example.org/1', keys: { p256dh: 'AA', auth: 'BB' } }
  const after = { ...before, endpoint: 'https://push.example.org/2' }
  await page.evaluate(async (subscription) => {
    const cache = await caches.open('push')
    await cache.put('/subscription', Response.json({ key: 'AA', subscription }))
  }, before)
  const response = await worker.evaluate(async (subscription) => {
    const calls: unknown[] = []
    const { fetch: real } = globalThis
    globalThis.fetch = (url, init) => {
      calls.push([url, JSON.parse(typeof init?.body === 'string' ? init.body : '')])
      return Promise.resolve(Response.json({ follows: true }))
    }
    let work: Promise<void> = Promise.resolve()
    const event = Object.assign(new Event('pushsubscriptionchange'), {
      newSubscription: { toJSON: () => subscription },
      waitUntil: (promise: Promise<void>) => {
        work = promise
      },
    })
    globalThis.dispatchEvent(event)
    await work
    globalThis.fetch = real
    return calls
  }, after)
  expect(response).toEqual([['/api/v1/follow/browser/renew', { before, subscription: after }]])
  const stored = await page.evaluate(async () => {
    const found = await caches.match('/subscription')
    return (await found?.json()) as unknown
  })
  expect(stored).toEqual({ key: 'AA', subscription: after })
})
