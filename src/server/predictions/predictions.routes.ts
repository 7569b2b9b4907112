import { Readable } from 'node:stream'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type z } from 'zod'
import { closes, dashboardPart, listedCalls, people, targets } from '#contracts/dashboard.ts'
import { apiPage } from '#contracts/page.ts'
import * as calls from '#contracts/predictions.ts'
import * as priceCalls from '#contracts/prices.ts'
import { REPORTS_PATH, CORRECTIONS_PATH } from '#contracts/public-logs.ts'
import { type Route } from '#contracts/route.ts'
import { search } from '#contracts/search.ts'
import { TODAY_PATH } from '#contracts/today.ts'
import { ASSETS, ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { type Day, day, isoDay } from '#domain/day.ts'
import { FOR_EVER, MOVING, PRIVATE } from '#server/http/answer-cache.ts'
import { openToAll } from '#server/http/cross-origin.ts'
import { LIMITED_FILE } from '#server/http/limits.ts'
import { serveShared } from '#server/http/serve.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { listPage } from '#server/record/list-page.ts'
import { BY_DAY } from '#server/record/list-query.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import * as boards from './dashboard.service.ts'
import { FEED_FILES, FEED_TYPES, type FeedTopic, feedOf, sitemapOf } from './feeds.service.ts'
import { pageOf } from './pages.service.ts'
import * as service from './predictions.service.ts'
import { searchRecord } from './search.service.ts'
import { pageMetrics } from './today.service.ts'
import { assetPredictionRow, predictionRow } from './wire.ts'

const READY = { isChecked: false }

export function publicRoutes(app: FastifyInstance, site: service.PublicSite): void {
  const { record } = site

  const closesOf = async (asset: AssetKey) =>
    (await record.prices())[asset].closed.map(({ day, close }) => ({ date: isoDay(day), close }))
  for (const route of [priceCalls.btcPrices, priceCalls.rootPrices]) {
    serveShared(app, route, () => closesOf('btc'), READY)
  }
  for (const [route, asset] of [
    [priceCalls.mstrPrices, 'mstr'],
    [priceCalls.nakaPrices, 'naka'],
  ] as const) {
    const enveloped = async () => ({ success: true as const, data: await closesOf(asset) })
    serveShared(app, route, enveloped, READY)
  }
  listRoutes(app, site)
  dashboardRoutes(app, record)
  const metrics = async () => ({ success: true as const, data: await pageMetrics(record) })
  serveShared(app, calls.introMetrics, metrics, READY)
  serveShared(app, priceCalls.ranges, async ({ params: { asset }, query: { from, to, as_of } }) =>
    service.rangesOf(await record.prices(), asset, [day(from), day(to)], dayOf(as_of)),
  )
  serveShared(
    app,
    priceCalls.livePrice,
    ({ query, about }) => {
      about.headers['cache-control'] = MOVING
      return service.lastPrice(site, query.asset)
    },
    { isCached: false },
  )
  serveShared(app, calls.onePrediction, ({ params }) => service.predictionReply(site, params.id))
  serveShared(app, priceCalls.judgedBars, ({ params }) => service.barsReply(record, params.id))
  serveShared(app, calls.oneExpert, ({ params }) => service.expertReply(site, params.slug))
  serveShared(app, calls.assets, () => service.assetsReply(record))
  serveShared(app, search, ({ query }) => searchRecord(record, query))
  serveShared(app, calls.pastPrediction, ({ params, query }) =>
    service.pastPredictionOf(record, params.id, day(query.day)),
  )
  serveShared(
    app,
    apiPage,
    async ({ query: { url }, about }) => {
      const { input, isPrivate } = await pageOf(site, url)
      if (isPrivate) about.headers['cache-control'] = PRIVATE
      return input
    },
    { isCached: false },
  )
}

/** Longer lists are streamed. */
const MOST_CACHED = 5_000
/** Batch size of streamed lists. */
const PART = 1_000

function listRoutes(app: FastifyInstance, { record, config }: service.PublicSite): void {
  for (const asset of ASSET_KEYS) {
    // Bitcoin's lists are plain arrays, all others have an envelope (public-site.md §7).
    const isBare = asset === 'btc'
    const rowOf = isBare ? predictionRow : assetPredictionRow
    const route: AnyList = calls.predictionsOf[asset]
    serveShared(
      app,
      route,
      async ({ query: { limit, cursor }, about }) => {
        const isWhole = limit === undefined && cursor === undefined
        if (isWhole && (await record.count({ asset })) > MOST_CACHED) {
          return () => Readable.from(listText(record, asset, rowOf))
        }
        const answer = (listed: readonly JudgedPrediction[]) =>
          isBare ? listed.map(rowOf) : { success: true, data: listed.map(rowOf) }
        if (isWhole) return answer(await record.list({ asset }, { order: BY_DAY }))
        const most = limit ?? calls.MOST_LISTED
        const { listed: rows, next } = await listPage(record, { asset }, { limit: most, cursor })
        const first = `${config.origin}${route.path}?limit=${String(most)}`
        const links = [`<${first}>; rel="first"`]
        if (next !== null) links.push(`<${first}&cursor=${next}>; rel="next"`)
        about.headers['link'] = links.join(', ')
        return answer(rows)
      },
      READY,
    )
  }
}

type List = (typeof calls.predictionsOf)['btc']
type AnyList = Route<z.ZodType, NonNullable<List['query']>, z.ZodType>

async function* listText(
  record: PublicRecord,
  asset: AssetKey,
  rowOf: (one: JudgedPrediction) => unknown,
): AsyncGenerator<string> {
  yield asset === 'btc' ? '[' : '{"success":true,"data":['
  for (let last: JudgedPrediction | null = null; ;) {
    const query = { asset, ...(last && { after: last }) }
    const ids: string[] = await record.ids(query, { order: BY_DAY, limit: PART })
    const listed: JudgedPrediction[] = await record.byIds(ids)
    const rows = JSON.stringify(listed.map(rowOf)).slice(1, -1)
    if (rows !== '') yield `${last ? ',' : ''}${rows}`
    last = listed.at(-1) ?? null
    if (ids.length < PART) break
  }
  yield asset === 'btc' ? ']' : ']}'
}

function dashboardRoutes(app: FastifyInstance, record: PublicRecord): void {
  serveShared(app, dashboardPart, ({ params, query: { v: _v, ...query } }) =>
    boards.dashboardPart(record, params.asset, paramOf(query)),
  )
  serveShared(app, closes, async ({ params, query: { version, day: past }, about }) => {
    const found = await boards.packedCloses(record, params.asset, dayOf(past))
    if (version === found.version) about.headers['cache-control'] = FOR_EVER
    return found.packed
  })
  serveShared(app, listedCalls, ({ params, query: { v: _v, cursor, ...query } }) =>
    boards.listedPage(record, params.asset, paramOf(query), cursor),
  )
  serveShared(app, targets, ({ params, query: { judge, day: past } }) =>
    boards.openTargetsOf(record, params.asset, judge ?? 'touch', dayOf(past)),
  )
  serveShared(app, people, ({ params, query: { q, day: past } }) =>
    boards.peopleNamed(record, params.asset, q ?? '', dayOf(past)),
  )
}

function dayOf(date: string | undefined): Day | null {
  return date === undefined ? null : day(date)
}

function paramOf(query: Readonly<{ [name: string]: string | undefined }>) {
  return (name: string): string | null => query[name] ?? null
}

export function fileRoutes(app: FastifyInstance, site: service.PublicSite): void {
  const { record } = site
  const { origin } = site.config
  for (const format of ['rss', 'json'] as const) {
    const [file, type] = [FEED_FILES[format], FEED_TYPES[format]]
    const send = (topic: FeedTopic, request: FastifyRequest, reply: FastifyReply) =>
      app.answers.answer(
        request,
        openToAll(reply),
        JSON.stringify([file, topic]),
        // Reports may arrive without a new version of the record.
        async () => ({
          body: await feedOf(site, topic, format),
          type,
          isCached: topic !== 'reports',
        }),
        { queue: 'call' },
      )
    for (const [path, topic] of [
      ['', null],
      [CORRECTIONS_PATH, 'corrections'],
      [TODAY_PATH, 'today'],
      [REPORTS_PATH, 'reports'],
      ...ASSET_KEYS.map((asset) => [ASSETS[asset].route, asset] as const),
    ] as const) {
      app.get(`${path}/${file}`, LIMITED_FILE, (request, reply) => send(topic, request, reply))
    }
    app.get<{ Params: { slug: string } }>(
      `/experts/:slug/${file}`,
      LIMITED_FILE,
      (request, reply) => send({ slug: request.params.slug }, request, reply),
    )
  }
  app.get('/sitemap.xml', LIMITED_FILE, (request, reply) =>
    app.answers.answer(request, reply, 'sitemap', async () => ({
      body: await sitemapOf(origin, record),
      type: 'application/xml; charset=utf-8',
    })),
  )
  app.get('/robots.txt', { schema: { hide: true } }, (request, reply) =>
    app.answers.answer(request, reply, 'robots', async () => ({
      body: `User-agent: *\nDisallow: /api/\nDisallow: /admin\n\nSitemap: ${origin}/sitemap.xml\n`,
      type: 'text/plain; charset=utf-8',
    })),
  )
}
