import { ASSET_KEYS } from '#domain/asset.ts'
import { readYearParts } from '#contracts/year.ts'
import { failure } from '#server/kit/failure.ts'
import { sendBytes } from '#server/http/send-bytes.ts'
import { type ChartPictures } from './chart-pictures.service.ts'
import { type HedgehogPictures } from './hedgehog-pictures.service.ts'
import { type PeoplePictures } from './people-pictures.service.ts'
import { type YearPictures } from './year-pictures.service.ts'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { z } from 'zod'

const Prediction = z.object({ id: z.string().min(1).max(200) })
const Person = z.object({ slug: z.string().min(1).max(200) })
const Asset = z.object({ asset: z.enum(ASSET_KEYS) })
const Said = z.object({ year: z.coerce.number().int().min(1_000).max(2_999).optional() })
const Year = z.object({ year: z.string().max(10), asset: z.string().max(10).optional() })

const ANSWER = { type: 'image/png', maxAgeSeconds: 300 }
const LIMITED = { rateLimit: { max: 60, timeWindow: '1 minute' } }

/** The pictures of predictions, people and years, for previews of links and for posts. */
export function pictureRoutes(
  app: FastifyInstance,
  {
    pictures,
    people,
    years,
    hedgehogs,
  }: {
    pictures: ChartPictures
    people: PeoplePictures
    years: YearPictures
    hedgehogs: HedgehogPictures
  },
): void {
  app.get(
    '/predictions/:id/picture.png',
    { schema: { hide: true, params: Prediction }, config: LIMITED },
    async (request, reply) => {
      const { id } = Prediction.parse(request.params)
      const etag = pictures.etagOf(id)
      return sendBytes(
        request,
        reply,
        { ...ANSWER, etag },
        async () => (await pictures.of(id)).bytes,
      )
    },
  )

  app.get(
    '/experts/picture.png',
    { schema: { hide: true }, config: LIMITED },
    async (request, reply) => {
      const drawing = people.board()
      const { etag } = drawing
      return sendBytes(request, reply, { ...ANSWER, etag }, () => people.png('', drawing))
    },
  )

  app.get(
    '/experts/:slug/picture.png',
    { schema: { hide: true, params: Person }, config: LIMITED },
    async (request, reply) => {
      const { slug } = Person.parse(request.params)
      const drawing = people.person(slug)
      const { etag } = drawing
      return sendBytes(request, reply, { ...ANSWER, etag }, () => people.png(slug, drawing))
    },
  )

  for (const url of ['/years/:year/picture.png', '/years/:year/:asset/picture.png']) {
    app.get(url, { schema: { hide: true, params: Year }, config: LIMITED }, (request, reply) => {
      const { year, asset } = Year.parse(request.params)
      const asked = readYearParts(year, asset)
      if (!asked) throw failure('not_found', 'There is no year at this address.')
      const drawing = years.of(asked.asset, asked.year)
      const name = `${asked.asset} ${String(asked.year)}`
      return sendBytes(request, reply, { ...ANSWER, etag: drawing.etag }, () =>
        years.png(name, drawing),
      )
    })
  }

  const said = { schema: { hide: true, params: Asset, querystring: Said }, config: LIMITED }
  const saidOf = (request: FastifyRequest) => {
    const { asset } = Asset.parse(request.params)
    const { year = null } = Said.parse(request.query)
    return { drawing: hedgehogs.of(asset, year), name: `${asset} ${String(year)}` }
  }
  app.get('/history/:asset/picture.png', said, (request, reply) => {
    const { drawing, name } = saidOf(request)
    return sendBytes(request, reply, { ...ANSWER, etag: drawing.etag }, () =>
      hedgehogs.png(name, drawing),
    )
  })
  app.get('/history/:asset/picture.svg', said, (request, reply) => {
    const { drawing } = saidOf(request)
    const answer = { ...ANSWER, type: 'image/svg+xml; charset=utf-8', etag: drawing.etag }
    return sendBytes(request, reply, answer, async () => Buffer.from(drawing.svg()))
  })
}
