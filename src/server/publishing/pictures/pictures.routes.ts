import { type FastifyInstance, type FastifyRequest, type FastifySchema } from 'fastify'
import { z } from 'zod'
import { DASHBOARD_LAYOUTS } from '#chart/view-picture.ts'
import { PAST_PARAM, readPastDay } from '#contracts/paths.ts'
import { readYearParts } from '#contracts/year.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { FOR_OTHER_SITES } from '#server/http/answer-cache.ts'
import { failure } from '#server/kit/failure.ts'
import { type Drawing, type DrawnPictures } from './drawn-pictures.ts'
import { type recordPictures, type scorePictures } from './record-pictures.service.ts'

const Prediction = z.object({ id: z.string().min(1).max(200) })
const Person = z.object({ slug: z.string().min(1).max(200) })
const Asset = z.object({ asset: z.enum(ASSET_KEYS) })
const HistoryQuery = z.object({ year: z.coerce.number().int().min(1_000).max(2_999).optional() })
const Dashboard = z.object({
  size: z.enum(DASHBOARD_LAYOUTS).optional(),
  [PAST_PARAM]: z.string().max(10).optional(),
})
const Year = z.object({ year: z.string().max(10), asset: z.string().max(10).optional() })

const LIMITED = { rateLimit: { max: 60, timeWindow: '1 minute' } }
const TYPES = { png: 'image/png', svg: 'image/svg+xml; charset=utf-8' } as const

export type SitePictures = ReturnType<typeof recordPictures> &
  ReturnType<typeof scorePictures> & { readonly drawn: DrawnPictures }

/** Pictures for link previews and sharing, and of dashboards for browsers without scripts. */
export function pictureRoutes(app: FastifyInstance, pictures: SitePictures): void {
  const serve = (
    url: string,
    schema: FastifySchema,
    drawingOf: (request: FastifyRequest) => Promise<Drawing>,
  ): void => {
    const options = { schema: { hide: true, ...schema }, config: LIMITED }
    for (const type of ['png', 'svg'] as const) {
      app.get(`${url}/picture.${type}`, options, async (request, reply) => {
        const body = await pictures.drawn[type](await drawingOf(request))
        const answer = { body, type: TYPES[type], headers: FOR_OTHER_SITES }
        return app.answers.once(request, reply, answer)
      })
    }
  }

  serve('/predictions/:id', { params: Prediction }, ({ params }) =>
    pictures.prediction(Prediction.parse(params).id),
  )
  serve('/experts', {}, pictures.board)
  serve('/experts/:slug', { params: Person }, ({ params }) =>
    pictures.person(Person.parse(params).slug),
  )
  for (const place of ['/years/:year', '/years/:year/:asset']) {
    serve(place, { params: Year }, async ({ params }) => {
      const { year, asset } = Year.parse(params)
      const parts = readYearParts(year, asset)
      if (!parts) throw failure('not_found', 'There is no year at this address.')
      return pictures.year(parts.asset, parts.year)
    })
  }
  serve('/history/:asset', { params: Asset, querystring: HistoryQuery }, ({ params, query }) =>
    pictures.hedgehog(Asset.parse(params).asset, HistoryQuery.parse(query).year ?? null),
  )
  for (const key of ASSET_KEYS) {
    serve(ASSETS[key].route, { querystring: Dashboard }, ({ query }) => {
      const { size = 'wide', [PAST_PARAM]: past = null } = Dashboard.parse(query)
      return pictures.dashboard(key, size, readPastDay(past))
    })
  }
}
