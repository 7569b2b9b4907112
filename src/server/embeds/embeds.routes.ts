import '@fastify/rate-limit'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Failure } from '#contracts/errors.ts'
import { oembed, OEmbedQuery } from '#contracts/oembed.ts'
import { strongTag } from '#server/http/hot-list.ts'
import { serveReady } from '#server/http/serve.ts'
import { sendBytes } from '#server/http/send-bytes.ts'
import { sendHot } from '#server/http/send-hot.ts'
import { sendShared, sendSharedJson } from '#server/http/send-shared.ts'
import { failure, failureBody } from '#server/kit/failure.ts'
import { embedFailure, HEIGHT_SCRIPT_PATH } from './embed-page.ts'
import { EMBED_STYLE_HASH } from './embed-style.ts'
import { type Embeds } from './embeds.service.ts'
import { HEIGHT_SCRIPT } from './height-script.ts'
import { oembedService, oembedXml } from './oembed.service.ts'

const HTML = 'text/html; charset=utf-8'
const HEIGHT_SCRIPT_BYTES = Buffer.from(HEIGHT_SCRIPT)
/** A page may frame many, and one network have many readers. */
const CALLS_A_MINUTE = 240
/** Those that have to be drawn first, each of which takes up to a fifth of a second of the processor. */
const DRAWN_A_MINUTE = 120
const OEMBED_CALLS_A_MINUTE = 120

/** Any site may frame these pages; they run nothing but the one script, send no form, and set no cookie. */
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
  // A browser that knows the site already would say in the console that it cannot follow it.
  originAgentCluster: false,
} as const

/** `/embed/…` for frames of other sites, and `/oembed`, by which their programs find them. */
export async function embedRoutes(
  app: FastifyInstance,
  { embeds, origin }: { embeds: Embeds; origin: string },
): Promise<void> {
  const limitOfDrawn = app.createRateLimit({ max: DRAWN_A_MINUTE, timeWindow: '1 minute' })
  const beforeDrawing = async (request: FastifyRequest): Promise<void> => {
    const limit = await limitOfDrawn(request)
    if (limit.isAllowed || !limit.isExceeded) return
    const text = 'Too many requests. Please wait a minute.'
    throw failure('too_many', text, null, limit.ttlInSeconds)
  }
  await app.register((scope, _, done) => {
    // A frame shows its failures to people.
    scope.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload !== 'string' || !/json/.test(String(reply.getHeader('content-type')))) {
        return payload
      }
      reply.type(HTML)
      return embedFailure(origin, Failure.parse(JSON.parse(payload)).error)
    })
    const options = {
      schema: { hide: true },
      helmet: FRAMED,
      config: { rateLimit: { max: CALLS_A_MINUTE, timeWindow: '1 minute' } },
    }
    scope.get(HEIGHT_SCRIPT_PATH, options, (request, reply) =>
      sendBytes(
        request,
        reply,
        { type: 'text/javascript; charset=utf-8', etag: strongTag(HEIGHT_SCRIPT_BYTES) },
        async () => HEIGHT_SCRIPT_BYTES,
      ),
    )
    scope.get('/embed/*', options, async (request, reply) => {
      const [path = '', query = ''] = request.url.slice('/embed'.length).split('?')
      const page = await embeds.page(path, query, () => beforeDrawing(request))
      return sendHot(request, reply, page, HTML)
    })
    scope.get('/embed', options, () => {
      throw failure('not_found', 'No page at this address can be embedded.')
    })
    done()
  })

  const replyTo = oembedService({ embeds, origin })
  await app.register((scope, _, done) => {
    // Pages of other sites may ask, and read why they get nothing.
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('access-control-allow-origin', '*')
    })
    serveReady(
      scope,
      oembed,
      async (request, reply) => {
        const asked = OEmbedQuery.parse(request.query)
        const { format = 'json' } = asked
        if (format !== 'json' && format !== 'xml') {
          const text = `The format is “${format}”, but only json and xml are offered.`
          return reply.code(501).send(failureBody('invalid', text))
        }
        const found = await replyTo(asked)
        return format === 'xml'
          ? sendShared(request, reply, oembedXml(found), 'text/xml; charset=utf-8')
          : sendSharedJson(request, reply, found)
      },
      OEMBED_CALLS_A_MINUTE,
    )
    done()
  })
}
