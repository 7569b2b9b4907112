import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { type FastifyInstance } from 'fastify'
import { FOR_OTHER_SITES, pack } from './answer-cache.ts'
import '@fastify/rate-limit'

export type AdminSite = {
  /** The HTML served at all its addresses. */
  readonly page: string
  /** Absolute path of the folder with its scripts and styles. */
  readonly folder: string
}

const FILES = '/admin/assets/'
const RATE_LIMIT = { max: 600, timeWindow: '1 minute' }

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
  const config = { rateLimit: RATE_LIMIT }
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

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Serves the few files without a content hash in their name: icons, the service worker. They are in memory and have a
 * strong tag, equal in every process and build.
 * @param folder absolute path
 * @param addresses addresses that differ from the file name; null for a file that is not served
 * @throws Error for a file of unknown media type
 */
export async function serveNamedFiles(
  app: FastifyInstance,
  folder: string,
  addresses: Readonly<Record<string, string | null>>,
): Promise<void> {
  const names = globSync('**/*.*', { cwd: folder }).filter((name) => !/^assets[\\/]/.test(name))
  for (const name of names) {
    const url = name in addresses ? addresses[name] : `/${name.replaceAll('\\', '/')}`
    if (url == null) continue
    const type = TYPES[extname(name)]
    if (type === undefined) throw new Error(`no media type is known for ${name}`)
    const body = await readFile(join(folder, name))
    const headers = type === 'image/png' ? FOR_OTHER_SITES : {}
    const answer = await pack({ body, type, headers })
    const options = { schema: { hide: true }, config: { rateLimit: RATE_LIMIT } }
    app.get(url, options, (request, reply) => app.answers.send(request, reply, answer))
  }
}
