import { LONGEST_PAGE_PATH } from '#contracts/page-call.ts'
import { PAST_PARAM } from '#contracts/past.paths.ts'
import { type PageAddress, type PageInput, type RenderPage } from '#contracts/page.ts'
import { failureBody } from '#server/kit/failure.ts'
import { atOnce } from '#server/kit/at-once.ts'
import { hotList, weightOf, type HotList } from '#server/http/hot-list.ts'
import { keepRecent } from '#server/kit/kept.ts'
import { type Pages } from './pages.service.ts'
import fastifyStatic from '@fastify/static'
import '@fastify/rate-limit'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { FOR_EVER, PRIVATE, SHARED } from '#server/http/cache-control.ts'
import { leadOn } from '#server/http/without-capitals.ts'
import { serveNamedFiles } from '#server/http/named-files.ts'
import { sendHot } from '#server/http/send-hot.ts'

/** The built web app: a template with three holes, a folder of files, and the renderer that fills `#root`. */
export type BuiltPages = {
  /** Holds `<!--head-->`, `<!--body-->` and `<!--data-->`. */
  readonly template: string
  /** Absolute path of the folder with scripts, styles and pictures. */
  readonly folder: string
  readonly render: RenderPage
  readonly address: PageAddress
}

type SentPage = {
  readonly status: number
  readonly isPrivate: boolean
  readonly isKept: boolean
  readonly movedTo: string | null
  readonly body: HotList
}

/** Rendered pages kept, by address; one of an asset weighs half a megabyte with its packed forms. */
const KEPT_PAGES = 500
const KEPT_BYTES = 64_000_000
/** An address longer than people share is drawn, but not kept. */
const LONGEST_KEPT = 500
/** Drawing takes the server's one thread; packing takes others. */
const RENDERS_AT_ONCE = 2
const RENDERS_WAITING = 40
const PAST_WAITING = 10
const BUSY_SECONDS = 5
/** Pages not kept, for one address of a visitor: each takes up to a fifth of a second of the processor. */
const RENDERS_A_MINUTE = 120
const HTML = 'text/html; charset=utf-8'
/** Of files of the built app: what is not its template, nor a list for the renderer. */
const OTHER_ADDRESSES = {
  'api-docs.html': '/api/docs',
  'index.html': null,
  'page-chunks.json': null,
}

/** Serves pages, rendered with their data, and the files they need. Unknown paths get a page too, with status 404. */
export async function serveSite(
  app: FastifyInstance,
  { site, pages, version }: { site: BuiltPages; pages: Pages; version: () => unknown },
): Promise<void> {
  let keptFor: unknown = null
  const kept = keepRecent<SentPage>({
    most: KEPT_PAGES,
    mostBytes: KEPT_BYTES,
    bytesOf: ({ body }) => weightOf(body),
  })
  const rendering = new Map<string, Promise<SentPage | null>>()
  const inTurn = atOnce({ most: RENDERS_AT_ONCE, mostWaiting: RENDERS_WAITING })
  // There are thousands of past days, and nobody else waits behind those that one visitor asks for.
  const pastInTurn = atOnce({ most: 1, mostWaiting: PAST_WAITING })
  const limitOfRenders = app.createRateLimit({ max: RENDERS_A_MINUTE, timeWindow: '1 minute' })

  /** The page of an address, drawn once for all who ask for it meanwhile; null when too many wait. */
  function rendered(address: string): Promise<SentPage | null> {
    const begun = rendering.get(address)
    if (begun) return begun
    const now = version()
    const isPast = new URLSearchParams(queryOf(address)).has(PAST_PARAM)
    const work = (isPast ? pastInTurn : inTurn)(async () => {
      const made = await render(address)
      if (made.isKept && keptFor === now) kept.set(address, made)
      return made
    }).finally(() => {
      if (rendering.get(address) === work) rendering.delete(address)
    })
    rendering.set(address, work)
    return work
  }

  async function render(address: string): Promise<SentPage> {
    const { status, input, movedTo, isPrivate } = await pages.page(address)
    // Reports come and are decided without another state of the record.
    const isLive = input.data.page === 'reports' || input.data.page === 'report'
    const isKept =
      status === 200 && movedTo === null && !isPrivate && !isLive && address.length <= LONGEST_KEPT
    // Who is sent on to another address sees nothing of this one.
    const html = movedTo === null ? fill(site, input) : ''
    return { status, isPrivate, isKept, movedTo, body: await hotList(html) }
  }

  async function pageAt(
    request: FastifyRequest,
  ): Promise<SentPage | { refused: 429 | 503; seconds: number }> {
    const now = version()
    if (keptFor !== now) {
      kept.clear()
      rendering.clear()
      keptFor = now
    }
    const address = site.address(request.url)
    const found = kept.get(address)
    if (found) return found
    if (!rendering.has(address)) {
      const limit = await limitOfRenders(request)
      if (!limit.isAllowed && limit.isExceeded) {
        return { refused: 429, seconds: limit.ttlInSeconds }
      }
    }
    return (await rendered(address)) ?? { refused: 503, seconds: BUSY_SECONDS }
  }

  await app.register(fastifyStatic, {
    root: `${site.folder}/assets`,
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    // The wildcard would take every unknown path; listed files leave those to the pages.
    wildcard: false,
    setHeaders: (reply) => {
      reply.header('cache-control', FOR_EVER)
    },
  })
  await serveNamedFiles(app, site.folder, OTHER_ADDRESSES)

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
      if (request.url.length - queryOf(request.url).length > LONGEST_PAGE_PATH) {
        return reply.code(404).type(HTML).send(NO_SUCH_PAGE)
      }
      const page = await pageAt(request)
      if ('refused' in page) {
        reply.code(page.refused).header('retry-after', page.seconds)
        return reply.type(HTML).send(BUSY_PAGES[page.refused])
      }
      const { status, isPrivate, movedTo, body } = page
      if (status === 404 && leadOn(request, reply)) return reply.send()
      reply.header('cache-control', isPrivate ? PRIVATE : SHARED)
      if (movedTo !== null) return reply.redirect(movedTo + queryOf(request.url), 301)
      return sendHot(request, reply.code(status), body, HTML)
    },
  )
}

/** Without scripts and styles, so that it costs nothing to send. */
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

const BUSY_PAGES = {
  429: barePage(
    'Too many pages at once',
    'Your network has requested many pages in the last minute. Please wait a minute and reload this one.',
  ),
  503: barePage(
    'The site is busy',
    'Many people are asking for pages right now. Please reload this one in a few seconds.',
  ),
}

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

function fill(site: BuiltPages, input: PageInput): string {
  const { head, body } = site.render(input)
  // Inside a script element only `<` could end it; the replacers are functions, as `$&` in a text means itself.
  const data = JSON.stringify(input).replaceAll('<', '\\u003c')
  return site.template
    .replace('<!--head-->', () => head)
    .replace('<!--body-->', () => body)
    .replace('<!--data-->', () => `<script type="application/json" id="page-data">${data}</script>`)
}
