import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { type PageInput } from '#contracts/page.ts'
import { MOVING, PRIVATE, SHARED } from '#server/http/answer-cache.ts'
import { openSite } from '#server/site.ts'
import { entry } from '#tests/support/builders.ts'
import { correctedSite } from '#tests/support/corrected.ts'
import { closedDatabase } from '#tests/support/databases.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { plainPages } from '#tests/support/test-app.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'
import { shows } from '#tests/support/waiting.ts'
import { words } from '#tests/support/words.ts'

const FOR_EVERYONE = words(`
  / /btc /btc?day=2024-01-05 /predictions/a /experts/expert-a /experts /corrections /reports
  /methodology /btc.csv /btc.json /predictions/a.json /feed.xml /btc/feed.json /sitemap.xml
  /robots.txt /theme.js /favicon.svg /manifest.webmanifest /icons/share.png
  /predictions/a/picture.png /btc/picture.svg /embed/predictions/a /embed/height.js /proofs.json
  /api/openapi.json /api/openapi.admin.json /api/prices /prices /api/mstr/prices /api/naka/prices
  /api/predictions /api/predictions?limit=1 /api/mstr/predictions /api/naka/predictions
  /api/intro/metrics /api/v1/ranges/btc?from=2024-01-01&to=2024-01-05 /api/v1/predictions/a
  /api/v1/predictions/a/bars /api/v1/experts/expert-a /api/v1/assets
  /api/v1/assets/btc/dashboard?status=miss /api/v1/assets/btc/calls?status=miss
  /api/v1/assets/btc/targets?judge=close /api/v1/assets/btc/people?q=expert
  /api/v1/search?q=expert /api/v1/predictions/a/past?day=2024-01-05 /api/v1/assets/btc/closes /api/v1/page?url=/btc /api/v1/scores
  /api/v1/experts /.well-known/nostr.json /api/v1/record/a /api/v1/record/a/proofs
  /oembed?url=http://localhost:3001/predictions/a /api/v1/snapshots
`)

/** Calls whose responses are personal, cost or move money, are as of this moment, or are missing. */
const FOR_ONE = words(`
  /receipt/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx /confirm/token /following/token
  /api/v1/page?url=/receipt/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx /api/v1/page?url=/following/token
  /healthz /readyz /metrics /api/none /none.csv /api/v1/status /api/v1/live?asset=doge
  /api/v1/payments/options /api/v1/payments/none/receipt /api/payments/check-payment/none
  /api/v1/receipts/none /api/v1/receipts/none/events /api/v1/follow?asset=btc
  /api/v1/following/none /.well-known/lnurlp/tips /api/v1/lnurlp/tips/callback?amount=1000
  /api/v1/lnurlp/tips/verify/none /api/v1/replies/own/none /api/v1/replies/none/withdrawal
`)

describe('a cache', () => {
  const on = onceForFile(async () => {
    const settings = { nostr: { privateKey: randomBytes(32).toString('hex') } }
    const made = await correctedSite({ settings, options: { pages: plainPages() } })
    await made.world.nostr.record.sign()
    return made
  })

  it('declares for every public call whether it is private or redirects', async () => {
    const document = (await on().world.app.inject('/api/openapi.json')).json<{
      paths: Record<string, { get?: object }>
    }>()
    const calls = Object.entries(document.paths)
      .filter(([, { get }]) => get)
      .map(([path]) => path)
    expect(calls.length).toBeGreaterThan(30)
    const decided = ['/live-price', ...FOR_EVERYONE, ...FOR_ONE].map(
      (url) => url.split('?')[0] ?? '',
    )
    const isDecided = (path: string): boolean => {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return decided.some((url) => pattern.test(url))
    }
    expect(calls.filter((path) => !isDecided(path))).toEqual([])
  })

  it('may store public responses, which have a strong ETag and no cookie', async () => {
    const { app } = on().world
    // Signed-in users get the same from the same cache.
    const cookies = { session: 'x'.repeat(40) }
    for (const url of FOR_EVERYONE) {
      const { statusCode, headers } = await app.inject({ url, cookies })
      expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, SHARED])
      const { etag, vary } = headers
      expect([url, etag]).toEqual([url, expect.stringMatching(/^"[^"]+"$/)])
      expect(headers['set-cookie']).toBeUndefined()
      expect(['accept-encoding', undefined]).toContain(vary)
      const known = await app.inject({ url, headers: { 'if-none-match': String(etag) } })
      const { 'cache-control': stored, etag: same } = known.headers
      expect([url, known.statusCode, known.body, stored, same]).toEqual([
        url,
        304,
        '',
        SHARED,
        etag,
      ])
    }
  })

  it('stores the last price for a second, and only if it is shared', async () => {
    const { headers } = await on().world.app.inject('/live-price')
    expect(headers['cache-control']).toBe(MOVING)
  })

  it('must not store private responses', async () => {
    for (const url of FOR_ONE) {
      const { headers } = await on().world.app.inject(url)
      expect([url, headers['cache-control']]).toEqual([url, PRIVATE])
    }
  })

  it("lets no cache store errors, POST responses and administrators' data", async () => {
    const { app } = on().world
    for (const answer of [
      await app.inject('/api/v1/predictions/none'),
      await app.inject('/api/predictions?limit=many'),
      await app.inject('/api/admin/submissions'),
      await app.inject({ method: 'POST', url: '/api/auth/login', payload: {} }),
      await app.inject({ method: 'POST', url: '/api/v1/reports', payload: {} }),
      await app.inject({ method: 'POST', url: '/btc' }),
    ]) {
      expect(answer.headers['cache-control']).toBe(PRIVATE)
    }
    const audit = await app.inject({ url: '/api/v1/admin/audit', headers: on().admin.headers })
    expect([audit.statusCode, audit.headers['cache-control']]).toEqual([200, PRIVATE])
  })

  it('gets a different ETag for each encoding', async () => {
    const request = (headers: Record<string, string>) =>
      on().world.app.inject({ url: '/api/predictions', headers })
    const plain = await request({ 'accept-encoding': 'identity' })
    const gzip = await request({ 'accept-encoding': 'gzip' })
    const br = await request({ 'accept-encoding': 'br, gzip' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
    const tags = [plain, gzip, br].map(({ headers }) => String(headers['etag']))
    expect(new Set(tags).size).toBe(3)
    const other = await request({ 'accept-encoding': 'br', 'if-none-match': String(tags[1]) })
    expect(other.statusCode).toBe(200)
  })

  it('may store missing pages, and redirects no longer than those', async () => {
    const { app } = on().world
    const missing = await app.inject('/predictions/none')
    expect([missing.statusCode, missing.headers['cache-control']]).toEqual([404, SHARED])
    const moved = await app.inject('/years/2024/btc')
    expect([moved.statusCode, moved.headers['cache-control']]).toEqual([301, SHARED])
  })

  it('drops corrected data within ten seconds through a shared and a browser cache', () => {
    const seconds = (name: string): number =>
      Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(SHARED)?.[1])
    const inShared = seconds('s-maxage') + seconds('stale-while-revalidate')
    const inBrowser = seconds('max-age') + seconds('stale-while-revalidate')
    expect(inShared + inBrowser).toBeLessThan(10)
    expect(SHARED).not.toMatch(/revalidate(?!=)|private|no-/)
  })
})

const AGE: unknown = expect.stringMatching(/^\d+$/)

describe('a response at least as recent as the news', () => {
  /** Two processes on one database; neither receives signals of the other. */
  const processes = onceForFile(async () => {
    const on = await correctedSite({ options: { pages: plainPages() } })
    const kit = testKit(on.world.database.url)
    const caughtUp = vi.fn<() => void>()
    const second = await openSite({ ...kit, catchUp: caughtUp }, testPorts(kit), {
      pages: plainPages(),
    })
    return {
      on,
      second,
      caughtUp,
      [Symbol.asyncDispose]: async () => {
        await second.stop({ linger: () => Promise.resolve() })
        await kit[Symbol.asyncDispose]()
        await on.world[Symbol.asyncDispose]()
      },
    }
  })

  /** The first process has read a change that the second has not: `a` is withdrawn. */
  async function twoSites() {
    const { on, second, caughtUp } = processes()
    if ((await on.readDetail()).withdrawn_at !== null) {
      await on.change('POST', '/restore', { reason: 'He did say it' })
    }
    await second.record.refresh()
    await second.app.inject('/api/predictions')
    await on.change('POST', '/withdraw', { reason: 'He never said it' })
    return { on, second, caughtUp, version: on.world.record.version() }
  }

  it('comes neither from a process without the news nor from a lagging replica', async () => {
    const { second, caughtUp, version } = await twoSites()
    const list = (query: string) => second.app.inject(`/api/predictions${query}`)
    expect((await list('')).json()).toHaveLength(2)
    caughtUp.mockClear()
    const newer = await list(`?v=${version}`)
    expect(newer.json()).toHaveLength(1)
    expect(newer.headers['cache-control']).toBe(SHARED)
    expect(second.record.version()).toBe(version)
    expect(caughtUp).toHaveBeenCalled()
    expect((await list('')).json()).toHaveLength(1)
    const page = await second.app.inject(`/api/v1/page?url=/btc&v=${version}`)
    expect(page.json<PageInput>().version).toBe(version)
    // Rows missing for a moment or forever must not make a response cacheable.
    for (const v of [String(Number(version) + 99), 'made up', '-1e400', 'NaN']) {
      const { statusCode, headers } = await list(`?v=${encodeURIComponent(v)}`)
      const stored = v.startsWith('-') ? SHARED : PRIVATE
      expect([v, statusCode, headers['cache-control']]).toEqual([v, 200, stored])
    }
  })

  it('is read from the primary once any response knows a later version', async () => {
    const { second, caughtUp } = await twoSites()
    caughtUp.mockClear()
    await second.record.prices()
    expect(caughtUp).toHaveBeenCalledOnce()
  })

  it('also applies to page and dashboard data', async () => {
    const page = await twoSites()
    const path = `/api/v1/page?url=/predictions/a&v=${page.version}`
    const { data } = (await page.second.app.inject(path)).json<PageInput>()
    expect(data).toMatchObject({ page: 'prediction', withdrawn: { reason: 'He never said it' } })
    for (const call of ['dashboard', 'calls', 'people', 'targets']) {
      const { second, version } = await twoSites()
      const { statusCode } = await second.app.inject(`/api/v1/assets/btc/${call}?v=${version}`)
      expect([call, statusCode, second.record.version()]).toEqual([call, 200, version])
    }
  })

  it('is the last good one with its age while the database is down, and is not cached; others fail', async () => {
    const { on, second, version } = await twoSites()
    const known = ['/api/predictions', '/btc', '/api/v1/assets/btc/calls?status=miss']
    for (const url of known) await second.app.inject(url)
    const request = async (url: string) => {
      const { statusCode, headers } = await second.app.inject(url)
      return [url, statusCode, headers['age'] ?? headers['retry-after'], headers['cache-control']]
    }
    {
      await using _ = await closedDatabase(on.world.database)
      const newer = String(Number(version) + 1)
      expect((await request(`/api/predictions?v=${newer}`)).slice(1)).toEqual([200, AGE, PRIVATE])
      for (const url of known.slice(0, 2))
        expect((await request(url)).slice(1, 3)).toEqual([200, AGE])
      for (const url of ['/api/predictions?limit=7', '/mstr', '/api/v1/page?url=/mstr']) {
        expect(await request(url)).toEqual([url, 503, '5', PRIVATE])
      }
      const { headers, body } = await second.app.inject('/mstr')
      expect(headers['content-type']).toContain('text/html')
      expect(body).toContain('The database of this site does not answer.')
    }
    await shows(async () => expect((await second.app.inject('/mstr')).statusCode).toBe(200))
  })

  it('has the version with which its page starts its stream, in every process', async () => {
    const { on, second, version } = await twoSites()
    await second.record.refresh()
    const at = async (site: typeof second) =>
      (await site.app.inject('/api/v1/page?url=/')).json<PageInput>().version
    expect([await at(on.world), await at(second)]).toEqual([version, version])
    await on.world.imports.predictions(JSON.stringify([entry('another')]))
    await on.world.record.refresh()
    expect(await at(on.world)).not.toBe(version)
  })
})
