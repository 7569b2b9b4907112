import '@fastify/rate-limit'
import { type FastifyInstance } from 'fastify'
import { Failure } from '#contracts/fields.ts'
import { oembed, OEmbedQuery } from '#contracts/open-data.ts'
import { FOR_OTHER_SITES, jsonOf } from '#server/http/answer-cache.ts'
import { limitOf } from '#server/http/limits.ts'
import { servePlain } from '#server/http/serve.ts'
import { failure, failureBody } from '#server/kit/failure.ts'
import { type PublicSite } from '#server/predictions/predictions.service.ts'
import { EMBED_STYLE_HASH, embedFailure, HEIGHT_SCRIPT, HEIGHT_SCRIPT_PATH } from './embed-page.ts'
import { embedPageOf, oembedReply, oembedXml } from './embeds.service.ts'

const HTML = 'text/html; charset=utf-8'
/** A page may have many frames, and a network many readers. */
const CALLS_A_MINUTE = 240
/** Limit of uncached embeds, each of which takes up to 0.2 s of CPU time. */
const DRAWN_A_MINUTE = 120

/** Any site may frame these pages: they run only one script, send no form and set no cookie. */
const FRAMED = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: [EMBED_STYLE_HASH],
      scriptSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ['*'],
    },
  },
  xFrameOptions: false,
  // Browsers that already know the site would log a warning about this header.
  originAgentCluster: false,
} as const

/** `/embed/…` for frames on other sites, and `/oembed` to discover them. */
export async function embedRoutes(app: FastifyInstance, site: PublicSite): Promise<void> {
  const text = 'Too many requests. Please wait a minute.'
  const beforeDrawing = limitOf(app, DRAWN_A_MINUTE, text)
  await app.register((scope, _, done) => {
    // Failures in a frame are shown as a page.
    scope.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload !== 'string' || !/json/.test(String(reply.getHeader('content-type')))) {
        return payload
      }
      reply.type(HTML)
      return embedFailure(site.config.origin, Failure.parse(JSON.parse(payload)).error)
    })
    const options = {
      schema: { hide: true },
      helmet: FRAMED,
      config: { rateLimit: { max: CALLS_A_MINUTE, timeWindow: '1 minute' } },
    }
    scope.get(HEIGHT_SCRIPT_PATH, options, (request, reply) =>
      app.answers.once(request, reply, {
        body: HEIGHT_SCRIPT,
        type: 'text/javascript; charset=utf-8',
        headers: FOR_OTHER_SITES,
      }),
    )
    scope.get('/embed/*', options, async (request, reply) => {
      const [path = '', query = ''] = request.url.slice('/embed'.length).split('?')
      const { address, draw } = embedPageOf(site, path, query)
      const make = async () => ({ body: await draw(), type: HTML })
      return app.answers.answer(request, reply, address, make, {
        queue: 'page',
        before: () => beforeDrawing(request),
      })
    })
    scope.get('/embed', options, () => {
      throw failure('not_found', 'No page at this address can be embedded.')
    })
    done()
  })

  await app.register((scope, _, done) => {
    // Lets pages of other sites read refusals, too.
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('access-control-allow-origin', '*')
    })
    servePlain(scope, oembed, async (request, reply) => {
      const query = OEmbedQuery.parse(request.query)
      const { format = 'json' } = query
      if (format !== 'json' && format !== 'xml') {
        const text = `The format is “${format}”, but only json and xml are offered.`
        return reply.code(501).send(failureBody('invalid', text))
      }
      const found = await oembedReply(site, query)
      const made =
        format === 'xml'
          ? { body: oembedXml(found), type: 'text/xml; charset=utf-8' }
          : jsonOf(JSON.stringify(oembed.reply.parse(found)))
      return app.answers.once(request, reply, made)
    })
    done()
  })
}
