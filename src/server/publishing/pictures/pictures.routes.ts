import { sendBytes } from '#server/http/send-bytes.ts'
import { type ChartPictures } from './chart-pictures.service.ts'
import { type FastifyInstance } from 'fastify'
import { z } from 'zod'

const Params = z.object({ id: z.string().min(1).max(200) })

/** The pictures of predictions, for previews of links and for posts. */
export function pictureRoutes(
  app: FastifyInstance,
  { pictures }: { pictures: ChartPictures },
): void {
  app.get(
    '/predictions/:id/picture.png',
    {
      schema: { hide: true, params: Params },
      config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
    },
    async (request, reply) => {
      const { id } = Params.parse(request.params)
      const answer = { type: 'image/png', maxAgeSeconds: 300 }
      const etag = pictures.etagOf(id)
      return sendBytes(
        request,
        reply,
        { ...answer, etag },
        async () => (await pictures.of(id)).bytes,
      )
    },
  )
}
