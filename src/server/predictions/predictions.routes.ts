import { apiPage } from '#contracts/page-call.ts'
import {
  assets,
  introMetrics,
  oneExpert,
  onePrediction,
  predictionsOf,
} from '#contracts/predictions.ts'
import { btcPrices, livePrice, mstrPrices, nakaPrices, rootPrices } from '#contracts/prices.ts'
import { dashboardPart, listedCalls, people, targets } from '#contracts/dashboard.ts'
import { judgedBars } from '#contracts/judged-bars.ts'
import { past } from '#contracts/past.ts'
import { ranges } from '#contracts/ranges.ts'
import { search } from '#contracts/search.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { day, type Day } from '#domain/day.ts'
import { sendHot } from '#server/http/send-hot.ts'
import { MOVING, PRIVATE } from '#server/http/cache-control.ts'
import { serveReady, serveShared } from '#server/http/serve.ts'
import { type HotName } from './catalog.service.ts'
import { type Dashboards } from './dashboard.service.ts'
import { type Pages } from './pages.service.ts'
import { type Past } from './past.service.ts'
import { type Records } from './predictions.service.ts'
import { predictionPages } from './prediction-pages.ts'
import { rangesService } from './ranges.service.ts'
import { searchRecord } from './search.service.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type z } from 'zod'

/** A slider that plays asks for nearly as many. */
const PAST_CALLS_A_MINUTE = 240
/** A list of highs and lows that was not asked for before takes a few milliseconds. */
const RANGES_A_MINUTE = 240

/** Who types or drags asks for nearly as many, and each takes some milliseconds. */
const PARTS_A_MINUTE = 240

/** Up to some thousand bars each. */
const BARS_A_MINUTE = 60

/** The public calls. */
export function publicRoutes(
  app: FastifyInstance,
  {
    records,
    pages,
    past: pastDays,
    dashboards,
    origin,
    caughtUp,
  }: {
    records: Records
    pages: Pages
    past: Past
    dashboards: Dashboards
    origin: string
    caughtUp: (version: string) => Promise<boolean>
  },
): void {
  /** Before an answer that must not be older than a version of the record; one that may be is kept by no cache. */
  const noOlderThan = async (version: string | undefined, reply: FastifyReply): Promise<void> => {
    if (version && !(await caughtUp(version))) reply.header('cache-control', PRIVATE)
  }

  const hot = (name: HotName) => async (request: FastifyRequest, reply: FastifyReply) =>
    sendHot(request, reply, await records.snapshot().hot(name))

  serveReady(app, btcPrices, hot('btc prices'))
  serveReady(app, rootPrices, hot('btc prices'))
  serveReady(app, mstrPrices, hot('mstr prices'))
  serveReady(app, nakaPrices, hot('naka prices'))
  const pagesOf = predictionPages(records)
  for (const asset of ASSET_KEYS) {
    const route = predictionsOf[asset]
    serveReady(app, route, async (request, reply) => {
      const { v, ...part } = request.query as z.output<NonNullable<typeof route.query>>
      await noOlderThan(v, reply)
      if (part.limit === undefined && part.cursor === undefined)
        return hot(`${asset} predictions`)(request, reply)
      const { list, links } = await pagesOf(asset, part)
      const at = (query: string) => `${origin}${route.path}?${query}`
      const link = links.map(({ query, rel }) => `<${at(query)}>; rel="${rel}"`).join(', ')
      return sendHot(request, reply.header('link', link), list)
    })
  }
  dashboardRoutes(app, dashboards, noOlderThan)
  serveReady(app, introMetrics, hot('metrics'))
  const rangeList = rangesService(records)
  serveReady(
    app,
    ranges,
    async (request, reply) => {
      const { asset } = request.params as z.output<NonNullable<typeof ranges.params>>
      const { from, to, as_of } = request.query as z.output<NonNullable<typeof ranges.query>>
      const asOf = as_of === undefined ? null : day(as_of)
      return sendHot(request, reply, await rangeList(asset, day(from), day(to), asOf))
    },
    RANGES_A_MINUTE,
  )
  serveShared(app, livePrice, ({ query, reply }) => {
    reply.header('cache-control', MOVING)
    return records.lastPrice(query.asset)
  })
  serveShared(app, onePrediction, ({ params }) => records.prediction(params.id))
  serveReady(
    app,
    judgedBars,
    async (request, reply) => {
      const { id } = request.params as z.output<NonNullable<typeof judgedBars.params>>
      return sendHot(request, reply, await records.bars(id))
    },
    BARS_A_MINUTE,
  )
  serveShared(app, oneExpert, ({ params }) => records.expert(params.slug))
  serveShared(app, assets, () => records.assets())
  serveShared(app, search, ({ query }) => searchRecord(records.snapshot(), query))
  serveReady(
    app,
    past,
    async (request, reply) => {
      const { asset } = request.params as z.output<NonNullable<typeof past.params>>
      const { day: date, ...known } = request.query as z.output<NonNullable<typeof past.query>>
      return sendHot(request, reply, await pastDays.answer(asset, date, known))
    },
    PAST_CALLS_A_MINUTE,
  )
  serveShared(app, apiPage, async ({ query: { url, v }, reply }) => {
    await noOlderThan(v, reply)
    const { input, isPrivate } = await pages.page(url)
    if (isPrivate) reply.header('cache-control', PRIVATE)
    return input
  })
}

/** What dashboards of large records ask for. */
function dashboardRoutes(
  app: FastifyInstance,
  dashboards: Dashboards,
  noOlderThan: (version: string | undefined, reply: FastifyReply) => Promise<void>,
): void {
  type Params = z.output<NonNullable<typeof dashboardPart.params>>
  serveReady(
    app,
    dashboardPart,
    async (request, reply) => {
      const { v, ...query } = request.query as z.output<NonNullable<typeof dashboardPart.query>>
      await noOlderThan(v, reply)
      const { asset } = request.params as Params
      return sendHot(request, reply, await dashboards.part(asset, paramOf(query)))
    },
    PARTS_A_MINUTE,
  )
  serveReady(
    app,
    listedCalls,
    async (request, reply) => {
      const { v, skip, ...query } = request.query as z.output<NonNullable<typeof listedCalls.query>>
      await noOlderThan(v, reply)
      const { asset } = request.params as Params
      return sendHot(request, reply, await dashboards.calls(asset, paramOf(query), skip ?? 0))
    },
    PARTS_A_MINUTE,
  )
  serveReady(
    app,
    targets,
    async (request, reply) => {
      const { v, judge, day: past } = request.query as z.output<NonNullable<typeof targets.query>>
      await noOlderThan(v, reply)
      const { asset } = request.params as Params
      return sendHot(request, reply, await dashboards.targets(asset, judge ?? 'touch', dayOf(past)))
    },
    PARTS_A_MINUTE,
  )
  serveReady(
    app,
    people,
    async (request, reply) => {
      const { v, q, day: past } = request.query as z.output<NonNullable<typeof people.query>>
      await noOlderThan(v, reply)
      const { asset } = request.params as Params
      return sendHot(request, reply, await dashboards.people(asset, q ?? '', dayOf(past)))
    },
    PARTS_A_MINUTE,
  )
}

function dayOf(date: string | undefined): Day | null {
  return date === undefined ? null : day(date)
}

function paramOf(query: Readonly<Record<string, string | undefined>>) {
  return (name: string): string | null => query[name] ?? null
}
