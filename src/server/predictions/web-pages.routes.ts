import fastifyStatic from '@fastify/static'
import { type FastifyInstance } from 'fastify'
import * as contract from '#contracts/page.ts'
import { PAST_PARAM } from '#contracts/paths.ts'
import { type Outages } from '#server/database/outages.ts'
import { type Made, FOR_EVER, PRIVATE, SHARED } from '#server/http/answer-cache.ts'
import { leadOn } from '#server/http/app.ts'
import '@fastify/rate-limit'
import { limitOf } from '#server/http/limits.ts'
import { serveNamedFiles } from '#server/http/static-files.ts'
import { AppError, failureBody } from '#server/kit/failure.ts'
import { pageOf } from './pages.service.ts'
import { type PublicSite } from './predictions.service.ts'

export type BuiltPages = {
  /** Contains `<!--head-->`, `<!--body-->` and `<!--data-->`. */
  readonly template: string
  /** Absolute path of the folder with scripts, styles and pictures. */
  readonly folder: string
  readonly render: contract.RenderPage
  readonly address: contract.PageAddress
}

/** Longer addresses are rendered but not cached. */
const LONGEST_CACHED = 500
/** Limit of uncached pages per address, each of which takes up to 0.2 s of CPU time. */
const RENDERS_A_MINUTE = 120
/** A database is usually back at once. */
const AWAY_SECONDS = 5
const HTML = 'text/html; charset=utf-8'
/** Built files except the template and the renderer's manifest. */
const OTHER_ADDRESSES = {
  'api-docs.html': '/api/docs',
  'index.html': null,
  'page-chunks.json': null,
}

/** Serves rendered pages and their files. Unknown paths get a page with status 404. */
export async function serveSite(
  app: FastifyInstance,
  built: BuiltPages,
  site: PublicSite,
  outages: Pick<Outages, 'notice'>,
): Promise<void> {
  const checkLimit = limitOf(app, RENDERS_A_MINUTE, 'Too many pages at once.')

  async function render(address: string): Promise<Made> {
    const { status, input, movedTo, isPrivate } = await pageOf(site, address)
    // Reports may arrive and be decided without a new version of the record.
    const isLive = input.data.page === 'reports' || input.data.page === 'report'
    const about = {
      type: HTML,
      isCached: status === 200 && !isPrivate && !isLive && address.length <= LONGEST_CACHED,
    }
    // Redirected visitors never see this page.
    if (movedTo !== null) return { ...about, body: '', status: 301, headers: { location: movedTo } }
    const headers = isPrivate ? { 'cache-control': PRIVATE } : {}
    return { ...about, body: fill(built, input), status, headers }
  }

  await app.register(fastifyStatic, {
    root: `${built.folder}/assets`,
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    // A wildcard would match every unknown path, which pages must handle.
    wildcard: false,
    setHeaders: (reply) => {
      reply.header('cache-control', FOR_EVER)
    },
  })
  await serveNamedFiles(app, built.folder, OTHER_ADDRESSES)

  app.setNotFoundHandler(
    { preHandler: app.rateLimit({ max: 600, timeWindow: '1 minute' }) },
    async (request, reply) => {
      if (/^\/(?:api|ws)(?:[/?]|$)/.test(request.url)) {
        return reply.code(404).send(failureBody('not_found', 'There is no such call.'))
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return reply.code(404).send(failureBody('not_found', 'This address takes no data.'))
      }
      if (/\.(?:csv|json)(?:\?|$)/.test(request.url)) {
        return reply.code(404).send(failureBody('not_found', 'No page at this address has a file.'))
      }
      if (request.url.length - queryOf(request.url).length > contract.LONGEST_PAGE_PATH) {
        return reply.code(404).type(HTML).send(NO_SUCH_PAGE)
      }
      const address = built.address(request.url)
      const isPast = new URLSearchParams(queryOf(address)).has(PAST_PARAM)
      const page = await app.answers
        .get(address, () => render(address), {
          queue: isPast ? 'past' : 'page',
          before: () => checkLimit(request),
        })
        .catch((error: unknown): Refusal => {
          if (outages.notice(error) !== null) return { why: 'away', seconds: AWAY_SECONDS }
          if (!(error instanceof AppError) || error.retryAfterS === null) throw error
          const why = error.code === 'too_many' ? 'too many' : 'busy'
          return { why, seconds: error.retryAfterS }
        })
      if ('why' in page) {
        reply.code(page.why === 'too many' ? 429 : 503).header('retry-after', page.seconds)
        return reply.type(HTML).send(REFUSALS[page.why])
      }
      if (page.status === 404 && leadOn(request, reply)) return reply.send()
      const { location } = page.headers
      if (location === undefined) return app.answers.send(request, reply, page)
      reply.header('cache-control', SHARED)
      return reply.redirect(location + queryOf(request.url), 301)
    },
  )
}

/** Without scripts and styles, so that it is cheap to send. */
function barePage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Proof of Price</title>
<h1>${title}</h1>
<p>${text}</p>
`
}

const NO_SUCH_PAGE = barePage(
  'No such page',
  'There is no page at this address. It may have been cut off or run together with another one.',
)

type Refusal = { readonly why: keyof typeof REFUSALS; readonly seconds: number }

const REFUSALS = {
  away: barePage(
    'This page cannot be read right now',
    'The database of this site does not answer. Please reload this page in a few seconds.',
  ),
  'too many': barePage(
    'Too many pages at once',
    'Your network has requested many pages in the last minute. Please wait a minute and reload this one.',
  ),
  busy: barePage(
    'The site is busy',
    'Many people are asking for pages right now. Please reload this one in a few seconds.',
  ),
}

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

function fill(built: BuiltPages, input: contract.PageInput): string {
  const { head, body } = built.render(input)
  // In a script element only `<` needs escaping; replacers are functions, as `$&` in a string is special.
  const data = JSON.stringify(input).replaceAll('<', '\\u003c')
  return built.template
    .replace('<!--head-->', () => head)
    .replace('<!--body-->', () => body)
    .replace('<!--data-->', () => `<script type="application/json" id="page-data">${data}</script>`)
}
