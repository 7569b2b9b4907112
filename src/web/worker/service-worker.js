// Keeps the site readable without a network: the files of this version, and the latest answers seen on this device.
// vite.config.ts fills in the version and the list of files; the browser then sees a new worker for each new version.

const VERSION = __VERSION__
const FILES = __FILES__

const SHELL = `shell-${VERSION}`
const PAGES = 'pages'
/** The subscription to push messages that the site sends to, and the key it was made with; see src/web/api/push.ts. */
const PUSH = 'push'
const SUBSCRIPTION = '/subscription'
/** Where the installed site opens; always kept. */
const START = '/btc'
/** Shown for a page that was never opened on this device. */
const OFFLINE = '/offline.html'
/** Pages and lists kept for reading offline. */
const MOST_PAGES = 40
/** The header with the time of a kept answer; see src/web/api/reach.ts. */
const CACHED_SINCE = 'x-kept-since'
/** After this long without an answer the last one seen is used. */
const PATIENCE_MS = 6_000

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(SHELL)
      await cache.addAll([...FILES, START])
      const start = await (await cache.match(START)).text()
      const data = /<link rel="preload" as="fetch" crossorigin href="([^"]+)"/.exec(start)
      if (data) await cache.add(data[1])
    })(),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys()
      // Pages kept by an older version need files that are gone with it.
      const old = names.filter((name) => name !== SHELL && name !== PUSH)
      await Promise.all(old.map((name) => caches.delete(name)))
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting()
})

/** Shows news about what this browser follows; a repeated message replaces its first notification. */
self.addEventListener('push', (event) => {
  event.waitUntil(
    (async () => {
      const { title, body, path, tag } = await readPush(event.data)
      const icon = '/icons/icon-192.png'
      await self.registration.showNotification(title, { body, tag, icon, data: { path } })
    })(),
  )
})

/** A browser expects a notification for each message, also for one that cannot be read. */
async function readPush(data) {
  const nothing = { title: 'Proof of Price', body: 'News about what you follow.', path: '/' }
  try {
    const message = await data.json()
    const isNews = typeof message.title === 'string' && typeof message.path === 'string'
    return isNews ? { ...nothing, ...message } : nothing
  } catch {
    return nothing
  }
}

/** The push service has changed this browser's address: tells the site to send there. */
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(PUSH)
      const stored = await (await cache.match(SUBSCRIPTION))?.json()
      if (!stored) return
      const subscription =
        event.newSubscription ??
        (await self.registration.pushManager.subscribe({
          userVisibleOnly: true,
          applicationServerKey: stored.key,
        }))
      const renewed = { before: stored.subscription, subscription: subscription.toJSON() }
      const answer = await fetch('/api/v1/follow/browser/renew', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(renewed),
      })
      if (!answer.ok) return
      await cache.put(
        SUBSCRIPTION,
        Response.json({ ...stored, subscription: renewed.subscription }),
      )
    })(),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { href, origin } = new URL(event.notification.data?.path ?? '/', self.location.origin)
  if (origin === self.location.origin) event.waitUntil(self.clients.openWindow(href))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (FILES.includes(url.pathname)) event.respondWith(fromShell(request))
  else if (request.mode === 'navigate' || isData(url)) event.respondWith(newest(request, url))
})

/** Public pages. Receipts, administration and anything added later are not kept on the device. */
const PUBLIC_PAGE =
  /^\/(?:intro|btc|mstr|naka|methodology|data|corrections|about|terms|predictions\/[^/]+|experts\/[^/]+|history(?:\/[a-z]+)?|years(?:\/\d+(?:\/[a-z]+)?)?)?\/?$/

/** The calls of those pages. */
function isData(url) {
  if (url.pathname === '/api/v1/page') {
    return PUBLIC_PAGE.test((url.searchParams.get('url') ?? '').split('?')[0])
  }
  const [, list] = /^\/api\/v1\/assets\/\w+\/(closes|dashboard)$/.exec(url.pathname) ?? []
  // Of what a visitor may choose on a dashboard, what it opens with.
  return list === 'closes' || (list === 'dashboard' && [...url.searchParams.keys()].join() === 'v')
}

async function fromShell(request) {
  return (await caches.match(request)) ?? fetch(request)
}

/** The response of the network, or else the last cached one, whose header says how old it is. */
async function newest(request, url) {
  const cache = await caches.open(PAGES)
  const key = cacheKey(request, url)
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) })
    // A redirected answer is not ours, such as the login page of a public network.
    if (response.ok && !response.redirected && (isData(url) || PUBLIC_PAGE.test(url.pathname))) {
      await cache.put(key, response.clone())
      await trim(cache)
    }
    return response
  } catch (error) {
    const seen = (await cache.match(key)) ?? (await cachedInShell(key))
    if (seen) return marked(seen, seen)
    const offline = request.mode === 'navigate' && (await caches.match(OFFLINE))
    // That page links to the start page, so it says how old the copy of that one is.
    if (offline) return marked(offline, (await cache.match(START)) ?? (await cachedInShell(START)))
    throw error
  }
}

/** A kept answer with its time: in a header, and for a page in a meta element, as a page cannot read its headers. */
async function marked(cached, dated) {
  const date = new Date(dated?.headers.get('date') ?? NaN)
  if (Number.isNaN(date.getTime())) return cached
  const since = date.toISOString()
  const headers = new Headers(cached.headers)
  headers.set(CACHED_SINCE, since)
  headers.delete('content-length')
  const isPage = headers.get('content-type')?.startsWith('text/html')
  const body = isPage
    ? (await cached.text()).replace('<head>', `<head><meta name="kept-since" content="${since}" />`)
    : cached.body
  return new Response(body, { status: cached.status, headers })
}

async function cachedInShell(key) {
  return (await caches.open(SHELL)).match(key)
}

/** The cache key: without the query of a page, which only holds the visitor's choices, and the version of the record. */
function cacheKey(request, url) {
  const isWhole = request.mode !== 'navigate' && !url.pathname.endsWith('/dashboard')
  return isWhole ? url.pathname + url.search : url.pathname
}

async function trim(cache) {
  const keys = await cache.keys()
  await Promise.all(
    keys.slice(0, Math.max(0, keys.length - MOST_PAGES)).map((key) => cache.delete(key)),
  )
}
