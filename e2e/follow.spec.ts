import { expectAccessible, expectNothingCutOff, PHONE } from './support/accessible.ts'
import { expect, open, test } from './support/site.ts'

test('a person is followed from their page, and every way says whether it can be used', async ({
  page,
}) => {
  await open(page, '/experts/tom-lee')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Follow Tom Lee' })
  // The site of the tests has no mail server, and no worker is let in.
  await expect(dialog).toContainText('no mail server has been set up')
  await expect(dialog.getByRole('link', { name: 'Feed of Tom Lee' })).toHaveAttribute(
    'href',
    '/experts/tom-lee/feed.xml',
  )
  await expectAccessible(page, 'Follow', { within: '[role="dialog"]' })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('an address is entered by keyboard, and the page of its mail stops all with one press', async ({
  page,
}) => {
  const ways = { title: 'Bitcoin', mail: true, push: null, npub: null, person_npub: null }
  const feeds = [{ name: 'Bitcoin', path: '/btc/feed.xml' }]
  await page.route('**/api/v1/follow?*', (route) => route.fulfill({ json: { ...ways, feeds } }))
  const asked: unknown[] = []
  await page.route('**/api/v1/follow', async (route) => {
    asked.push(route.request().postDataJSON())
    const error = 'Please enter a valid email address.'
    const refusal = { success: false, code: 'invalid', error, fields: { email: error } }
    await (asked.length === 1
      ? route.fulfill({ status: 400, json: refusal })
      : route.fulfill({ json: { asked: true } }))
  })
  await open(page, '/btc')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Follow Bitcoin' })
  const field = dialog.getByRole('textbox', { name: 'E-mail address' })
  await field.fill('nobody')
  await field.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Please enter a valid email address.')
  await expectAccessible(page, 'Follow by e-mail', { within: '[role="dialog"]' })
  await field.fill('reader@example.org')
  await dialog.getByRole('combobox', { name: 'How often' }).selectOption('Once a week')
  await field.press('Enter')
  await expect(dialog.getByRole('status').first()).toContainText(
    'We have sent a mail to reader@example.org',
  )
  const of = { kind: 'asset', subject: 'btc', every: 'week' }
  expect(asked[1]).toEqual({ ...of, email: 'reader@example.org' })

  const follows = [{ kind: 'asset', subject: 'btc', title: 'Bitcoin', path: '/btc' }]
  const state = { confirmed: true, shown: 'r…@example.org', every: 'week', follows }
  await page.route('**/api/v1/following/*', (route) => route.fulfill({ json: state }))
  await page.route('**/api/v1/following/*/end', (route) =>
    route.fulfill({ json: { deleted: true } }),
  )
  await page.setViewportSize(PHONE)
  await open(page, '/following/q8Zk3vYd2nXw7sLbRt5Jm9Pc')
  await expect(page.getByRole('button', { name: 'Unfollow Bitcoin' })).toBeVisible()
  await expectAccessible(page, 'What you follow')
  await expectNothingCutOff(page, 'What you follow')
  await page.getByRole('button', { name: 'Stop all and delete my address' }).click()
  await expect(page.getByText('your address and all it followed are deleted')).toBeVisible()
})

test.describe('the worker', () => {
  test.use({ serviceWorkers: 'allow', permissions: ['notifications'] })

  test('shows what a push message says, something plain for one that cannot be read, and hands in a new subscription', async ({
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
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({
          title,
          body,
          tag,
          data: data as unknown,
        }))
      })
    const note = { title: 'HIT: Bitcoin at $150', body: 'It did.', path: '/predictions/a' }
    await deliver(JSON.stringify({ ...note, body: 'It will.', tag: 'news-1' }))
    await expect.poll(shown).toHaveLength(1)
    // The same once more, as after a kill, takes its place.
    await deliver(JSON.stringify({ ...note, tag: 'news-1' }))
    const { title, body, path } = note
    const first = { title, body, tag: 'news-1', data: { path } }
    await expect.poll(shown).toEqual([first])
    const bad = ['no JSON', 'null', '[]', '{"title":5}', '{"title":"x","path":{}}', '']
    for (const data of bad) await deliver(data)
    await expect.poll(shown).toHaveLength(1 + bad.length)
    const plain = {
      title: 'Proof of Price',
      body: 'There is news of what you follow.',
      tag: '',
      data: { path: '/' },
    }
    expect((await shown()).filter(({ tag }) => tag === '')).toEqual(bad.map(() => plain))

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
})
