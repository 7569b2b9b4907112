import fastifyStatic from '@fastify/static'
import { type FastifyInstance } from 'fastify'

/** The built administrators' app. */
export type AdminSite = {
  /** The HTML served at all its addresses. */
  readonly page: string
  /** Absolute path of the folder with its scripts and styles. */
  readonly folder: string
}

const FILES = '/admin/assets/'

/** Serves the administrators' app. The page holds no data: its calls ask for authentication. */
export async function serveAdminSite(app: FastifyInstance, site: AdminSite): Promise<void> {
  await app.register(fastifyStatic, {
    root: `${site.folder}/assets`,
    prefix: FILES,
    decorateReply: false,
    index: false,
    preCompressed: true,
    wildcard: false,
    // Names contain a content hash.
    immutable: true,
    maxAge: 31_536_000_000,
  })
  const config = { rateLimit: { max: 600, timeWindow: '1 minute' } }
  for (const url of ['/admin', '/admin/', '/admin/*']) {
    app.get(url, { schema: { hide: true }, config }, (request, reply) => {
      if (request.url.startsWith(FILES)) return reply.callNotFound()
      return reply
        .type('text/html; charset=utf-8')
        .header('x-robots-tag', 'noindex')
        .send(site.page)
    })
  }
}
