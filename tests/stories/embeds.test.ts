import { parse } from 'csv-parse/sync'
import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import { oembed } from '#contracts/open-data.ts'
import { type ScoresReply } from '#contracts/scores.ts'
import { entry } from '#tests/support/builders.ts'
import { correctedSite } from '#tests/support/corrected.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'
import { TEST_ORIGIN } from '#tests/support/test-site.ts'
import { words } from '#tests/support/words.ts'

const EMBEDS = [
  '/embed/btc',
  '/embed/btc?status=miss&on=miss&frame=1y&theme=dark',
  '/embed/btc?day=2021-03-12',
  '/embed/naka',
  '/embed/predictions/mcafee-1m-2020',
  '/embed/experts/planb',
  '/embed/experts?asset=btc&sort=luck',
]

const NO_EMBEDS = [
  ['/embed', 404, 'No page at this address can be embedded.'],
  ['/embed/about', 404, 'No page at this address can be embedded.'],
  ['/embed/predictions/nothing', 404, 'There is no prediction at this address.'],
  ['/embed/experts/nobody-here', 404, 'There is no expert at this address.'],
  ['/embed/btc?stauts=miss', 400, 'This view has no filter “stauts”.'],
  ['/embed/btc?experts=nobody-here', 400, 'names “nobody-here”, who has no call here.'],
  ['/embed/experts?sort=height', 400, 'The filter sort is “height”'],
  ['/embed/experts/planb?theme=pink', 400, 'The theme is “pink”, but has to be light or dark.'],
] as const

const world = onceForFile(starterSite)
const inject = (url: string, remoteAddress = '127.0.0.1') =>
  world().app.inject({ url, remoteAddress })

async function documentAt(url: string, of: Pick<TestApp, 'app'> = world()): Promise<Document> {
  return new JSDOM((await of.app.inject(url)).body).window.document
}

function textOf(of: Element | null | undefined): string {
  return (of?.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}

describe('the frame policy', () => {
  it('lets any site frame embed addresses only', async () => {
    const policyOf = async (url: string, method: 'GET' | 'POST' = 'GET') => {
      const { headers } = await world().app.inject({ url, method })
      const { 'content-security-policy': policy, 'x-frame-options': old } = headers
      return [url, /frame-ancestors ([^;]+)/.exec(String(policy))?.[1], old]
    }
    for (const url of [...NO_EMBEDS.map(([one]) => one), '/embed/height.js']) {
      expect(await policyOf(url)).toEqual([url, '*', undefined])
    }
    for (const url of words(`
      / /btc /btc.csv /btc/picture.svg /predictions/mcafee-1m-2020 /embedded /oembed /nowhere
      /api/predictions /api/nothing
    `)) {
      expect(await policyOf(url)).toEqual([url, "'none'", 'DENY'])
    }
    expect(await policyOf('/embed/btc', 'POST')).toEqual(['/embed/btc', "'none'", 'DENY'])
  })

  it('lets any site frame an embed, which runs one script, sets no cookie and sends nothing', async () => {
    for (const url of [...EMBEDS, '/embed/nothing']) {
      const { headers, body } = await inject(url)
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none';style-src 'sha256-[\w+/]+=';script-src 'self';base-uri 'none';form-action 'none';frame-ancestors \*$/,
      )
      expect(headers['x-frame-options']).toBeUndefined()
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['set-cookie']).toBeUndefined()
      expect(body).not.toMatch(/\sstyle="|\son\w+="|<(?:form|input|button|iframe|img)\b/)
      const { document } = new JSDOM(body).window
      expect([...document.scripts].map(({ outerHTML }) => outerHTML)).toEqual([
        '<script src="/embed/height.js" defer=""></script>',
      ])
      for (const link of document.querySelectorAll('a')) {
        expect(link.getAttribute('href')).toMatch(/^https?:\/\//)
        expect(link.getAttribute('target')).toBe('_blank')
        expect(link.getAttribute('rel')).toMatch(/^noopener\b/)
      }
    }
    const script = await inject('/embed/height.js')
    expect([script.statusCode, script.headers['cross-origin-resource-policy']]).toEqual([
      200,
      'cross-origin',
    ])
  })

  it('explains in a small page why there is nothing to show, even for too many requests', async () => {
    for (const [url, status, says] of NO_EMBEDS) {
      const { statusCode, headers, body } = await inject(url)
      expect([url, statusCode, headers['content-type']]).toEqual([
        url,
        status,
        'text/html; charset=utf-8',
      ])
      expect(textOf(new JSDOM(body).window.document.querySelector('main'))).toContain(says)
      expect(body.length).toBeLessThan(6_000)
      expect(headers['cache-control']).toBe('no-store')
    }
    const ask = () => inject('/embed/height.js', '192.0.2.1')
    for (let i = 0; i < 240; i += 1) await ask()
    const { statusCode, headers, body } = await ask()
    expect(statusCode).toBe(429)
    expect(headers['content-security-policy']).toContain('frame-ancestors *')
    expect(body).toContain('Too many requests. Please wait a minute.')
  })
})

describe('an embed', () => {
  const corrected = onceForFile(correctedSite)

  it('shows the same as the page at the same address', async () => {
    const filters = 'status=miss&on=miss&experts=planb experts=planb&judge=close day=2021-03-12'
    for (const query of ['', ...words(filters)]) {
      const file = (await inject(`/btc.csv?${query}`)).body
      const rows: readonly Readonly<Record<string, string>>[] = parse(file, { columns: true })
      const drawn = rows.filter(({ on_chart: on }) => on === 'true')
      const page = await documentAt(`/embed/btc?${query}`)
      const links = [...page.querySelectorAll('details a')]
      const listed = links.map((link) => link.getAttribute('href'))
      expect([query, new Set(listed)]).toEqual([query, new Set(drawn.map(({ url }) => url))])
      expect(listed.length).toBeGreaterThan(0)

      const hits = drawn.filter((row) => row['outcome'] === 'hit').length
      const title = textOf(page.querySelector('h1'))
      expect(title).toMatch(new RegExp(`^${String(drawn.length)} Bitcoin price predictions?: `))
      const hasNote = hits > 0 && hits < drawn.length
      expect([query, title.includes(` ${String(hits)} came true`)]).toEqual([query, hasNote])
    }
    // A filter only narrows a page's panel; an embed can only narrow its chart.
    for (const [query, title] of [
      ['status=miss', /^276 Bitcoin price predictions: all missed$/],
      ['q=saylor', /^\d{1,2} Bitcoin price predictions?: /],
    ] as const) {
      const rows = parse((await inject(`/btc.csv?${query}`)).body, { bom: true, columns: true })
      const page = await documentAt(`/embed/btc?${query}`)
      const left = rows.length > 60 ? [`and ${String(rows.length - 60)} more`] : []
      expect([...page.querySelectorAll('details li')].slice(60).map(textOf)).toEqual(left)
      expect(textOf(page.querySelector('h1'))).toMatch(title)
      expect(textOf(page.querySelector('h1'))).toMatch(new RegExp(`^${String(rows.length)} `))
    }
    const textAt = async (url: string, selector: string) =>
      textOf((await documentAt(url)).querySelector(selector))
    expect(await textAt('/embed/btc?status=miss&on=all', '.quiet')).not.toContain('Miss')
    expect(await textAt('/embed/btc?day=2021-03-12', 'footer')).toMatch(
      /As of 12 Mar 2021 · Rule set 2 · CC BY 4\.0 Prices: .+ localhost:3001\/btc\?day=2021-03-12$/,
    )

    const themeOf = async (query: string) =>
      (await documentAt(`/embed/btc${query}`)).documentElement.dataset['theme']
    const themes = [await themeOf(''), await themeOf('?theme=dark'), await themeOf('?theme=light')]
    expect(themes).toEqual([undefined, 'dark', 'light'])

    // A view of weeks has the days of its address, with known highs and lows.
    const weeks = await documentAt('/embed/btc?from=2024-01-01&to=2024-03-01&low=30000&high=60000')
    const written = [...weeks.querySelectorAll('.picture > svg:last-child text')].map(textOf)
    expect(written).toEqual(expect.arrayContaining(['$30k', '$40k', '$50k']))
    expect(written.join()).not.toContain('$100k')

    expect(await textAt('/embed/predictions/mcafee-1m-2020', 'main')).toMatch(
      /John McAfee: Bitcoin at \$1,000,000 by 31\/12\/2020 MISS .* 97% short/,
    )
    expect(await textAt('/embed/experts/planb', 'dl')).toBe(
      'Deadline passed 3 of 14 came true, luck expects 1.8',
    )
    const board = await documentAt('/embed/experts')
    const scores = (await inject('/api/v1/scores')).json<ScoresReply>()
    expect(textOf(board.querySelector('h1'))).toBe(scores.finding)
    const names = (page: ParentNode) => [...page.querySelectorAll('th a')].map(textOf)
    expect(names(board)).toEqual(scores.people.slice(0, 8).map(({ name }) => name))
    // People with too few calls to be ranked can be found by name.
    expect(names(await documentAt('/embed/experts?find=mcafee'))).toEqual(['John McAfee'])
  })

  it('of a withdrawn prediction states that and why, without a verdict, and offers no code', async () => {
    const on = corrected()
    const embed = '/embed/predictions/a'
    expect(textOf((await documentAt(embed, on.world)).querySelector('.badge'))).toBe('MISS')
    await on.change('POST', '/withdraw', { reason: 'He never said it' })
    const { statusCode, body } = await on.world.app.inject(embed)
    const page = new JSDOM(body).window.document
    expect(statusCode).toBe(200)
    expect(textOf(page.querySelector('.note'))).toBe(
      'Withdrawn on 20/11/2026. It counts in no list, chart or track record. He never said it',
    )
    expect(body).not.toMatch(/MISS|class="badge/)
    const response = await on.world.app.inject(
      `/oembed?url=${encodeURIComponent(`${TEST_ORIGIN}/predictions/a`)}`,
    )
    expect([response.statusCode, response.json<{ error: string }>().error]).toEqual([
      404,
      'This prediction was withdrawn, so it is not offered any more.',
    ])
  })

  it('shows markup in a name as text', async () => {
    const name = '<img src=x onerror=alert(1)> "& שלום'
    const own = corrected().world
    await own.publish(entry('c', { expert_name: name }))
    const rows = (await own.get('/api/predictions')).body as {
      id: string
      influencer: { slug: string }
    }[]
    const slug = rows.find(({ id }) => id === 'c')?.influencer.slug ?? ''
    for (const path of ['/btc?on=all', '/predictions/c', `/experts/${slug}`]) {
      const page = await documentAt(`/embed${path}`, own)
      expect(page.querySelector('img')).toBeNull()
      expect(page.body.textContent).toContain('<img src=x onerror=alert(1)>')
    }
    const { body } = await own.app.inject(
      `/oembed?format=xml&url=${encodeURIComponent(`${TEST_ORIGIN}/predictions/c`)}`,
    )
    const { document } = new JSDOM(body, { contentType: 'text/xml' }).window
    expect(textOf(document.querySelector('author_name'))).toBe(name)
    const frame = new JSDOM(textOf(document.querySelector('html'))).window.document.body
    expect(frame.children).toHaveLength(1)
    // Direction marks around a name are for screens.
    const file = (await own.get('/predictions/c.json')).body as { readonly title: string }
    for (const title of [frame.querySelector('iframe')?.title, file.title])
      expect(title?.startsWith(`${name}: `)).toBe(true)
  })
})

it('at most 120 embeds a minute are drawn for one network, and drawn ones are served', async () => {
  const { headers } = await inject('/embed/btc')
  const statuses: number[] = []
  for (let i = 0; i < 121; i += 1) {
    const { statusCode } = await inject(`/embed/predictions/none-${String(i)}`, '192.0.2.2')
    statuses.push(statusCode)
  }
  expect(statuses.indexOf(429)).toBe(120)
  const known = { 'if-none-match': String(headers['etag']) }
  const request = { url: '/embed/btc', remoteAddress: '192.0.2.2', headers: known }
  expect((await world().app.inject(request)).statusCode).toBe(304)
})

describe('oEmbed', () => {
  const request = (url: string, more = ''): string =>
    `/oembed?url=${encodeURIComponent(TEST_ORIGIN + url)}${more}`

  it('answers for each embeddable page, with its filters, as JSON and XML', async () => {
    for (const [url, title, author] of [
      ['/btc?status=miss&on=miss', / Bitcoin price predictions: all missed$/, undefined],
      ['/predictions/mcafee-1m-2020', /^John McAfee: .* – MISS$/, 'John McAfee'],
      ['/experts/planb', /^PlanB: 3 of 14 came true$/, 'PlanB'],
      ['/experts?asset=btc', /luck/, undefined],
    ] as const) {
      const { statusCode, headers, body } = await inject(request(url))
      expect([url, statusCode, headers['content-type']]).toEqual([
        url,
        200,
        'application/json; charset=utf-8',
      ])
      expect(headers['access-control-allow-origin']).toBe('*')
      const reply = oembed.reply.parse(JSON.parse(body))
      expect(reply).toMatchObject({ provider_url: TEST_ORIGIN, width: 640, thumbnail_width: 1200 })
      expect(reply.title).toMatch(title)
      expect(reply.author_name).toBe(author)

      const frame = new JSDOM(reply.html).window.document.querySelector('iframe')
      expect(frame?.src).toBe(`${TEST_ORIGIN}/embed${url}`)
      expect([frame?.title, Number(frame?.width), Number(frame?.height)]).toEqual([
        reply.title,
        reply.width,
        reply.height,
      ])
      expect((await inject(frame?.src ?? '')).statusCode).toBe(200)
      const picture = await world().app.inject({ url: reply.thumbnail_url ?? '', method: 'HEAD' })
      expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png'])

      const xml = await inject(request(url, '&format=xml'))
      expect(xml.headers['content-type']).toBe('text/xml; charset=utf-8')
      const { document } = new JSDOM(xml.body, { contentType: 'text/xml' }).window
      expect(document.documentElement.tagName).toBe('oembed')
      expect(
        Object.fromEntries(
          [...document.documentElement.children].map((one) => [one.tagName, one.textContent]),
        ),
      ).toEqual(
        Object.fromEntries(Object.entries(reply).map(([key, value]) => [key, String(value)])),
      )
    }
  })

  it('finds a page by its address in capitals', async () => {
    for (const url of ['/BTC', '/Experts/PlanB', '/Embed/Predictions/mcafee-1m-2020']) {
      expect([url, (await inject(request(url))).statusCode]).toEqual([url, 200])
    }
  })

  it('is never larger than requested, and drops tracking parameters', async () => {
    const { body } = await inject(
      request('/btc/?status=miss&utm_source=x#call-a', '&maxwidth=320&maxheight=300'),
    )
    const reply = oembed.reply.parse(JSON.parse(body))
    expect(reply).toMatchObject({ width: 320, height: 300 })
    expect(reply.html).toContain(`src="${TEST_ORIGIN}/embed/btc?status=miss"`)
    expect(reply.thumbnail_url).toBeUndefined()
    const low = await inject(request('/btc', '&maxheight=300'))
    expect(low.json()).not.toHaveProperty('thumbnail_url')
  })

  it('rejects unsupported requests with the proper status', async () => {
    for (const [url, status, says] of [
      ['/oembed?url=javascript%3Aalert(1)', 404, 'Please give the whole address of a page'],
      ['/oembed?url=ftp%3A%2F%2Flocalhost%3A3001%2Fbtc', 404, 'Please give the whole address'],
      [
        '/oembed?url=https%3A%2F%2Fexample.com%2Fbtc',
        404,
        'example.com is another site: only pages of localhost:3001 can be embedded from here.',
      ],
      ['/oembed?url=btc', 404, 'Please give the whole address of a page'],
      [request('/about'), 404, 'No page at this address can be embedded.'],
      [request('/predictions/nothing'), 404, 'There is no prediction at this address.'],
      [request('/experts/nobody-here'), 404, 'There is no expert at this address.'],
      [request('/btc?status=wrong'), 400, 'The filter status is “wrong”'],
      [request('/btc', '&format=yaml'), 501, 'only json and xml are offered'],
      [request('/btc', '&maxwidth=wide'), 400, ''],
      [request('/btc', '&maxwidth=0'), 400, ''],
      [request('/btc', '&maxheight=-5'), 400, ''],
      ['/oembed', 400, ''],
    ] as const) {
      const { statusCode, headers, body } = await inject(url)
      expect([url, statusCode, headers['access-control-allow-origin']]).toEqual([url, status, '*'])
      expect(body).toContain(says)
    }
  })
})
