import { type PageInput, type RenderPage } from '#contracts/page.ts'
import { failureBody } from '#server/errors.ts'
import { hotList, type HotList } from '#server/services/hot-list.ts'
import { type Pages } from '#server/services/pages.ts'
import fastifyStatic from '@fastify/static'
import { type FastifyInstance } from 'fastify'
import { sendHot } from './send-hot.ts'

/** The built web app: a template with three holes, a folder of files, and the renderer that fills `#root`. */
export type Site = {
  /** Holds `<!--head-->`, `<!--body-->` and `<!--data-->`. */
  readonly template: string
  /** Absolute path of the folder with scripts, styles and pictures. */
  readonly folder: string
  readonly render: RenderPage
}

type SentPage = {
  readonly status: number
  readonly isPrivate: boolean
  readonly movedTo: string | null
  readonly body: HotList
}

/** Rendered pages kept; an address with a query is rendered anew each time. */
const KEPT_PAGES = 500
const HTML = 'text/html; charset=utf-8'

/** Serves pages, rendered with their data, and the files they need. Unknown paths get a page too, with status 404. */
export async function serveSite(
  app: FastifyInstance,
  { site, pages, version }: { site: Site; pages: Pages; version: () => unknown },
): Promise<void> {
  let keptFor: unknown = null
  const kept = new Map<string, SentPage>()

  async function pageAt(url: string): Promise<SentPage> {
    const now = version()
    if (keptFor !== now) {
      kept.clear()
      keptFor = now
    }
    const found = kept.get(url)
    if (found) return found
    const { status, input, movedTo } = await pages.page(url)
    const isPrivate = input.data.page === 'receipt'
    const made = { status, isPrivate, movedTo, body: await hotList(fill(site, input)) }
    const isKept = status === 200 && !isPrivate && !url.includes('?') && keptFor === now
    if (isKept && kept.size < KEPT_PAGES) kept.set(url, made)
    return made
  }

  await app.register(fastifyStatic, {
    root: site.folder,
    index: false,
    preCompressed: true,
    // The wildcard would take every unknown path; listed files leave those to the pages.
    wildcard: false,
    setHeaders: (reply, path) => {
      const isNamedByContent = path.includes('/assets/')
      reply.header(
        'cache-control',
        isNamedByContent
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=0, must-revalidate',
      )
    },
  })

  app.setNotFoundHandler(
    { preHandler: app.rateLimit({ max: 600, timeWindow: '1 minute' }) },
    async (request, reply) => {
      if (/^\/(?:api|ws)(?:[/?]|$)/.test(request.url)) {
        return reply.code(404).send(failureBody('not_found', 'There is no such call.'))
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return reply
          .code(404)
          .send(failureBody('not_found', 'Nothing can be sent to this address.'))
      }
      const { status, isPrivate, movedTo, body } = await pageAt(request.url)
      if (movedTo !== null) return reply.redirect(movedTo + queryOf(request.url), 301)
      if (isPrivate) reply.header('cache-control', 'no-store')
      return sendHot(request, reply.code(status), body, HTML)
    },
  )
}

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

function fill(site: Site, input: PageInput): string {
  const { head, body } = site.render(input)
  // Inside a script element only `<` could end it; the replacers are functions, as `$&` in a text means itself.
  const data = JSON.stringify(input).replaceAll('<', '\\u003c')
  return site.template
    .replace('<!--head-->', () => head)
    .replace('<!--body-->', () => body)
    .replace('<!--data-->', () => `<script type="application/json" id="page-data">${data}</script>`)
}
