import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { vi } from 'vitest'
import { type z } from 'zod'
import { postSources } from '#server/composition/ports.ts'
import { xPublisher } from '#server/publishing/x.ts'
import { pageAddress } from '#web/public/page-address.ts'
import { renderPage } from '#web/render/render-page.tsx'
import { stillPartsReady } from '#web/ui/still.tsx'
import { disposals, type Disposals } from './disposals.ts'
import { PNG } from './pictures.ts'
import { signedIn } from './sign-in.ts'
import { form } from './social-world.ts'
import { blossomServer } from './stand-ins/blossom-server.ts'
import { faultyRelay } from './stand-ins/faulty-relay.ts'
import { ledgerWallet } from './stand-ins/ledger-wallet.ts'
import { standInLedger } from './stand-ins/ledger.ts'
import { idAt, startPostServices } from './stand-ins/post-services.ts'
import { X_KEYS, xServer } from './stand-ins/x-server.ts'
import { starterSite } from './starter-site.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const NOSTR_KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'

/** The post that the site can read, and its address. */
const POST = {
  text: 'My call: Bitcoin hits $150k by the end of 2027.',
  id: idAt('2026-03-10T08:00:00.000Z'),
}
export const POST_URL = `https://x.com/janedoe/status/${POST.id}`

type Answer = { readonly status: number; readonly body: unknown }

/** A site as seen by visitors and administrators: only calls and pages. */
export type ContractSite = AsyncDisposable & {
  /** @param call `GET /api/prices` */
  readonly visitor: (call: string, body?: object) => Promise<Answer>
  readonly administrator: (call: string, body?: object) => Promise<Answer>
  /** A call with a picture, as a multipart form. */
  readonly withPicture: (
    call: string,
    field: string,
    text: string,
    pictures?: number,
  ) => Promise<Answer>
  /** A page as drawn by the server: its text with single spaces, and its markup. */
  readonly page: (path: string) => Promise<{ status: number; text: string; html: string }>
  readonly pay: (bolt11: string) => void
  /** A venue trades Bitcoin at this price. */
  readonly trade: (usd: number) => void
  /** Advances the clock by some seconds and runs due jobs. */
  readonly later: () => Promise<void>
  /** Listens, for sockets. @returns its origin */
  readonly listen: () => Promise<string>
}

/**
 * The site with the starter record, a wallet, an account on X, two relays (one refuses notes), and one post to
 * read.
 */
export async function contractSite(): Promise<ContractSite> {
  const opened = disposals()
  try {
    return await openAll(opened)
  } catch (error) {
    await opened[Symbol.asyncDispose]()
    throw error
  }
}

async function openAll(opened: Disposals): Promise<ContractSite> {
  // The stand-ins use the same clock.
  vi.setSystemTime(NOW)
  opened.defer(() => void vi.useRealTimers())
  const clock = { now: () => Date.now() }
  const ledger = standInLedger(clock.now)
  const posts = opened.use(await startPostServices())
  posts.posts.set(POST.id, { text: POST.text, verified: true, media: true })
  const x = opened.use(await xServer())
  const relays = [
    opened.use(await faultyRelay('takes')),
    opened.use(await faultyRelay('refuses-notes')),
  ]
  const pictures = opened.use(await blossomServer())
  const publisher = xPublisher({ url: x.url, keys: X_KEYS, clock, callLimit: x.callLimit })
  await stillPartsReady()
  const site = opened.use(
    await starterSite({
      clock,
      settings: {
        contacts: {
          social: 'https://x.com/site_example',
          email: 'mail@example.org',
          nostr: 'https://njump.me/npub1example',
        },
        nostr: {
          privateKey: NOSTR_KEY,
          relays: relays.map(({ url }) => url),
          pictureServers: [pictures.url],
        },
      },
      ports: {
        wallet: ledgerWallet(ledger),
        posts: postSources(posts.settings),
        x: { publisher, keyHash: 'keys' },
      },
      options: {
        jobs: { superviseSeconds: 1, retrySeconds: 1 },
        pages: {
          template: readFileSync('index.html', 'utf8'),
          folder: resolve('public'),
          render: (input) => renderPage(input, {}),
          address: pageAddress,
        },
      },
    }),
  )
  // Jobs run as they are sent; repeating ones, such as signing the record, cost seconds.
  site.publishing.start()
  let draining = Promise.resolve()
  const silence = site.kit.signals.listen('jobs', () => {
    draining = draining.then(() => site.jobs.drain())
  })
  opened.defer(() => {
    silence()
    return draining
  })
  const { headers } = await signedIn(site)
  let callers = 0

  const ask = async (
    call: string,
    body: object | undefined,
    as: Record<string, string>,
  ): Promise<Answer> => {
    const [method = '', url = ''] = call.split(' ')
    // Limits by address are not tested here.
    callers += 1
    const remoteAddress = `10.${String(callers >> 8)}.${String(callers & 255)}.1`
    const answer = await site.app.inject({
      method: method as 'GET',
      url,
      headers: as,
      remoteAddress,
      ...(body && { payload: body }),
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    return { status: answer.statusCode, body: isJson ? answer.json<unknown>() : answer.body }
  }
  const pages = new Map<string, ReturnType<ContractSite['page']>>()
  const draw = async (path: string): ReturnType<ContractSite['page']> => {
    const { statusCode, body } = await site.app.inject(path)
    // The title in the head is not text of the page; pictures have none.
    const text = textOf(body.replace(/<head>[^]*<\/head>/, ''))
    return { status: statusCode, html: body, text }
  }
  return {
    visitor: (call, body) => ask(call, body, {}),
    administrator: (call, body) => ask(call, body, headers),
    withPicture: async (call, field, text, pictures = 1) => {
      const files = Array.from({ length: pictures }, () => ['images[]', PNG, 'a.png'] as const)
      const sent = await form([[field, text], ...files])
      return ask(call, sent.payload, { ...headers, ...sent.headers })
    },
    page: (path) => {
      const request = pages.get(path) ?? draw(path)
      pages.set(path, request)
      return request
    },
    pay: (bolt11) => ledger.pay(bolt11),
    trade: (usd) => {
      site.live.offer({ asset: 'btc', price: usd, at: Date.now(), source: 'kraken' })
    },
    later: async () => {
      vi.setSystemTime(Date.now() + 3_000)
      await site.jobs.drain()
      await site.refresh()
    },
    listen: () => site.app.listen({ port: 0, host: '127.0.0.1' }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
}

/** The visible text of some markup, with single spaces. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<(script|style|template)\b[^]*?<\/\1>/g, ' ')
    .replaceAll('<!-- -->', '')
    .replaceAll(/<\/?(?:b|bdi|strong|span|a|em)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#x27|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
}

/** Fields of a schema missing from a response, with the response; empty if complete. */
export function lacks(schema: z.ZodType, answer: unknown): string[] {
  const issues = schema.safeParse(answer).error?.issues ?? []
  const all = JSON.stringify(answer)?.slice(0, 1_000)
  return issues.map(({ path, message }) => `${path.join('.')}: ${message} in ${all}`)
}
