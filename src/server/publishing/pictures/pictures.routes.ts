import { sendBytes } from '#server/http/send-bytes.ts'
import { type ChartPictures } from './chart-pictures.service.ts'
import { type PeoplePictures } from './people-pictures.service.ts'
import { type FastifyInstance } from 'fastify'
import { z } from 'zod'

const Prediction = z.object({ id: z.string().min(1).max(200) })
const Person = z.object({ slug: z.string().min(1).max(200) })

const ANSWER = { type: 'image/png', maxAgeSeconds: 300 }
const LIMITED = { rateLimit: { max: 60, timeWindow: '1 minute' } }

/** The pictures of predictions and people, for previews of links and for posts. */
export function pictureRoutes(
  app: FastifyInstance,
  { pictures, people }: { pictures: ChartPictures; people: PeoplePictures },
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
}
