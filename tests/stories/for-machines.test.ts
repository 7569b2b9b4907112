import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import { JSDOM } from 'jsdom'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { PredictionEnvelope } from '#contracts/predictions.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { appOfFile, emptied } from '#tests/support/once-for-file.ts'
import { callsOf } from '#tests/support/openapi.ts'
import { type TestApp } from '#tests/support/test-app.ts'

const inject = (world: TestApp, url: string, headers: Record<string, string> = {}) =>
  world.app.inject({ url, headers })

const site = appOfFile()

/** The site with only these predictions. */
async function siteWith(entries: readonly object[]): Promise<TestApp> {
  const world = site()
  await emptied(world)
  await world.imports.prices('btc', closesFile('2024-01-01', [100, 110, 160]), 'mine')
  await world.publish(...entries)
  return world
}

const message = (id: string, made: string) => entry(id, { prediction_made: made })

it('a paged list has the envelope of the whole list, and invalid paging is refused with a message', async () => {
  const world = site()
  const { body } = await world.get('/api/mstr/predictions?limit=1')
  expect(PredictionEnvelope.parse(body).data).toEqual([])
  for (const [query, error] of [
    ['limit=0', 'limit: Please ask for at least 1.'],
    ['limit=501', 'limit: Please ask for at most 500 at once.'],
    ['limit=x', 'limit: Please give a number.'],
    ['cursor=x', 'cursor: Please take it from the link to the next page.'],
  ] as const) {
    const answer = await world.get(`/api/predictions?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { error } })
  }
})

/** Not in the first second, in which the response could still change. Requested less often than the rate limit. */
function timeOf(world: TestApp, url: string): Promise<string> {
  const check = async () => z.string().parse((await inject(world, url)).headers['last-modified'])
  return vi.waitFor(check, { timeout: 60_000, interval: 600 })
}

it('a response that was sent before answers 304 by ETag or by time', async () => {
  const world = await siteWith([message('a', '2024-01-01')])
  const first = await inject(world, '/api/predictions')
  expect(first.headers.etag).toMatch(/^"[\w-]{22}"$/)
  const time = await timeOf(world, '/api/predictions')
  const status = async (headers: Record<string, string>) =>
    (await inject(world, '/api/predictions', headers)).statusCode
  expect(await status({ 'if-none-match': String(first.headers.etag) })).toBe(304)
  expect(await status({ 'if-modified-since': time })).toBe(304)
  expect(await status({ 'if-modified-since': new Date(0).toUTCString() })).toBe(200)
  expect(await status({ 'if-modified-since': 'yesterday' })).toBe(200)
  // A tag takes precedence over a time.
  expect(await status({ 'if-none-match': '"other"', 'if-modified-since': time })).toBe(200)

  const before = await timeOf(world, '/api/mstr/predictions')
  await world.publish(message('b', '2024-01-01'))
  expect(await status({ 'if-modified-since': time })).toBe(200)
  // Another list is unchanged.
  expect(await timeOf(world, '/api/mstr/predictions')).toBe(before)
})

it("other sites' pages may read our data, also conditionally, and nothing else", async () => {
  const world = site()
  for (const [url, allowed] of [
    ['/api/predictions', '*'],
    ['/api/predictions?limit=0', '*'],
    ['/api/v1/predictions/nothing', '*'],
    ['/api/v1/experts', '*'],
    ['/api/v1/scores', '*'],
    ['/feed.json', '*'],
    ['/btc.csv', '*'],
    ['/btc', undefined],
    ['/api/prices', undefined],
    ['/api/v1/predictions/a/bars', undefined],
    ['/api/v1/receipts/abcdefghijklmnopqrstuvwxyz', undefined],
    ['/api/admin/session', undefined],
  ] as const) {
    const { headers } = await inject(world, url, { origin: 'https://example.org' })
    expect([url, headers['access-control-allow-origin']]).toEqual([url, allowed])
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  }
  const headers = { origin: 'https://example.org', 'access-control-request-method': 'GET' }
  const ask = (url: string) => world.app.inject({ method: 'OPTIONS', url, headers })
  const open = await ask('/api/v1/predictions/a')
  const allowed = open.headers['access-control-allow-methods']
  expect([open.statusCode, allowed]).toEqual([204, 'GET, HEAD'])
  expect(open.headers['access-control-allow-headers']).toContain('if-none-match')
  for (const url of ['/api/prices', '/api/payments/create-invoice', '/api/admin/login']) {
    expect((await ask(url)).headers['access-control-allow-origin']).toBeUndefined()
  }
})

/** Strict: an unchecked field, above all `content_html`, is a fault. */
const Feed = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  description: z.string(),
  home_page_url: z.url(),
  feed_url: z.url(),
  favicon: z.url(),
  language: z.literal('en'),
  items: z.array(
    z.strictObject({
      id: z.string(),
      url: z.url(),
      title: z.string(),
      content_text: z.string(),
      date_published: z.iso.datetime(),
      tags: z.array(z.string()),
    }),
  ),
})

const HOSTILE = `"><img src=x onerror=alert(1)></script><script>alert('x')</script>]]> &amp;`

describe('feeds', () => {
  it('of an asset and of a person contain only their items', async () => {
    const world = await siteWith([
      message('a', '2024-01-01'),
      entry('b', { asset_type: 'mstr', expert_name: 'Expert B & Sons' }),
    ])
    const feed = async (url: string) => Feed.parse((await world.get(url)).body)
    const ids = ({ items }: z.infer<typeof Feed>) => items.map(({ url }) => url.split('/').at(-1))
    expect(ids(await feed('/feed.json'))).toHaveLength(2)
    expect(ids(await feed('/btc/feed.json'))).toEqual(['a'])
    expect(ids(await feed('/naka/feed.json'))).toEqual([])
    const person = await feed('/experts/expert-b-sons/feed.json')
    expect(ids(person)).toEqual(['b'])
    expect(person).toMatchObject({
      title: 'Proof of Price: Expert B & Sons',
      home_page_url: 'http://localhost:3001/experts/expert-b-sons',
      feed_url: 'http://localhost:3001/experts/expert-b-sons/feed.json',
    })
    const rss = await inject(world, '/experts/expert-b-sons/feed.xml')
    expect(rss.body).toContain('<title>Proof of Price: Expert B &amp; Sons</title>')
    const again = await inject(world, '/experts/expert-b-sons/feed.xml', {
      'if-none-match': String(rss.headers.etag),
    })
    expect(again.statusCode).toBe(304)
    expect(await world.get('/experts/no-one/feed.json')).toMatchObject({
      status: 404,
      body: { error: 'There is no expert at this address.' },
    })
  })

  it('a feed item never changes; its outcome is an item of its own', async () => {
    const world = site()
    await emptied(world)
    await world.imports.predictions(JSON.stringify([entry('a', { expert_name: 'A & <b>B</b>' })]))
    const items = async () => {
      await world.refresh()
      return Feed.parse((await world.get('/feed.json')).body).items
    }
    const [added] = await items()
    const title = 'A & <b>B</b>: Bitcoin at $150 by 10/01/2024'
    const url = 'http://localhost:3001/predictions/a'
    expect(added).toMatchObject({ title: `New: ${title}`, url })
    await world.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test')
    const [hit, ...before] = await items()
    expect(before).toEqual([added])
    expect(hit).toMatchObject({ title: `SUCCESS: ${title}`, url })
    const rss = await world.app.inject('/feed.xml')
    expect(rss.headers['content-type']).toContain('application/rss+xml')
    expect(rss.body).toContain('A &amp; &lt;b&gt;B&lt;/b&gt;')
    expect(rss.body).not.toContain('<b>B</b>')
    const calm = { text: closesFile('2024-01-01', Array(15).fill(100)), source: 'test' }
    await world.imports.priceFiles('btc', [calm], true)
    const [missed, ...earlier] = await items()
    expect(missed).toMatchObject({ title: expect.stringMatching(/^MISS: /) })
    expect(earlier).toEqual([hit, added])
  })

  it('a feed is valid even with texts stored before validation', async () => {
    const world = await siteWith([entry('a')])
    await world.sql(`update influencers set name = E'Expert \\x08A\\uFFFE'`)
    await world.refresh()
    for (const url of ['/feed.xml', '/experts/expert-a/feed.xml', '/sitemap.xml']) {
      const { body } = await world.app.inject(url)
      expect(() => new JSDOM(body, { contentType: 'text/xml' })).not.toThrow()
    }
  })

  it('markup of a submitter is text in both feeds', async () => {
    const world = await siteWith([entry('a', { asset_type: 'mstr', summary: HOSTILE })])
    const feed = Feed.parse((await world.get('/feed.json')).body)
    expect(feed.items[0]?.content_text).toContain(HOSTILE)
    const rss = (await world.app.inject('/feed.xml')).body
    expect(rss).not.toMatch(/[^\P{Cc}\t\n\r]/u)
    // A reader parses the XML first, and the rest as HTML, which must not contain an element.
    const html =
      /<description><!\[CDATA\[("|&quot;)(.*?)\]\]><\/description>/su.exec(rss)?.[0] ?? ''
    const inside = html.slice('<description><![CDATA['.length, -']]></description>'.length)
    expect(inside).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;')
    expect(inside).toContain(']]&gt; &amp;amp;')
    expect(inside).not.toMatch(/[<>]/)
  })

  it('the sitemap lists every page, escaped, and robots.txt names it', async () => {
    const world = await siteWith([entry("a&b<'>")])
    const { body } = await world.app.inject('/sitemap.xml')
    const pages =
      '/ /btc /today /experts /years /data /methodology /corrections /reports /about /terms'
    for (const path of [...pages.split(' '), '/predictions/a%26b%3C&#39;%3E', '/experts/expert-a'])
      expect(body).toContain(`<loc>http://localhost:3001${path}</loc>`)
    expect((await world.app.inject('/robots.txt')).body).toContain(
      'Sitemap: http://localhost:3001/sitemap.xml',
    )
  })
})

const Described = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        security: z.unknown().optional(),
        parameters: z
          .array(z.looseObject({ name: z.string(), example: z.unknown().optional() }))
          .default([]),
        requestBody: z.object({ content: Content() }).optional(),
        responses: z.record(z.string(), z.looseObject({ content: Content().optional() })),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})
function Content() {
  return z.record(
    z.string(),
    z.looseObject({ schema: z.unknown().optional(), example: z.unknown().optional() }),
  )
}

describe('the description of the calls', () => {
  it('the description is an OpenAPI document, for everyone and for administrators', async () => {
    const world = await siteWith([message('a', '2024-01-01')])
    for (const url of ['/api/openapi.json', '/api/openapi.admin.json']) {
      const { valid, errors } = await new Validator().validate((await inject(world, url)).json())
      expect([url, valid, errors]).toEqual([url, true, undefined])
    }
  })

  it("the public OpenAPI document has no administrator calls; the administrators' one has all", async () => {
    const world = await siteWith([message('a', '2024-01-01')])
    const callsIn = async (url: string) =>
      Object.entries(
        Described.shape.paths
          .or(z.record(z.string(), z.record(z.string(), z.looseObject({}))))
          .parse((await inject(world, url)).json<{ paths: unknown }>().paths),
      ).flatMap(([path, calls]) =>
        Object.entries(calls).map(([method, one]) => ({
          call: `${method} ${path}`,
          isGuarded: 'security' in one,
        })),
      )
    const open = await callsIn('/api/openapi.json')
    const theirs = await callsIn('/api/openapi.admin.json')
    expect(open.filter(({ isGuarded }) => isGuarded)).toEqual([])
    expect(open.filter(({ call }) => call.includes('/admin/'))).toEqual([])
    expect(open.map(({ call }) => call)).toContain('get /api/v1/predictions/{id}')
    const all = callsOf(world.app).map(({ method, path }) => `${method.toLowerCase()} ${path}`)
    expect([...open, ...theirs].map(({ call }) => call).toSorted()).toEqual(all.toSorted())
  })

  it('each public call has a working example, its refusals and a unique name', async () => {
    const world = await siteWith([message('a', '2024-01-01')])
    const document = Described.parse((await inject(world, '/api/openapi.json')).json())
    const ajv = new Ajv({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components: document.components })
    const fits = (schema: unknown, value: unknown) => {
      const text = JSON.stringify(schema).replaceAll('#/components', 'document#/components')
      return ajv.validate(z.record(z.string(), z.unknown()).parse(JSON.parse(text)), value)
    }
    const names = new Set<string>()
    const faults: string[] = []
    for (const [path, calls] of Object.entries(document.paths)) {
      for (const [method, one] of Object.entries(calls)) {
        const check = (isGood: boolean, what: string) => {
          if (!isGood) faults.push(`${method} ${path}: ${what}`)
        }
        names.add(one.operationId)
        for (const { name, example, required, schema, in: place } of one.parameters) {
          check(required !== true || typeof example === 'string', `no example of ${name}`)
          check(place !== 'path' || fits(schema, example), `its ${name} does not fit`)
        }
        const body = one.requestBody?.content['application/json']
        if (body) check(body.example !== undefined, 'no example of its body')
        if (body) check(fits(body.schema, body.example), 'its body does not fit')
        const [media] = Object.entries(one.responses['200']?.content ?? {})
        check(media?.[1].example !== undefined, 'no example of its answer')
        if (media?.[0] === 'application/json')
          check(fits(media[1].schema, media[1].example), 'its answer does not fit')
        check(one.responses['503'] !== undefined, 'no refusal')
      }
    }
    expect(faults).toEqual([])
    expect(Object.keys(document.paths['/oembed']?.['get']?.responses ?? {})).toEqual(
      expect.arrayContaining(['400', '404', '501']),
    )
    expect(document.components.schemas).toHaveProperty('AssetPrediction')
    expect(names.size).toBe(Object.values(document.paths).flatMap(Object.keys).length)
  })
})
