import { type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
// An independent client's signer.
import {
  OAuth1Helper,
  type OAuth1AuthInfo,
} from 'twitter-api-v2/dist/cjs/client-mixins/oauth1.helper.js'
import { faultyServer, type Behaviour } from './faulty-server.ts'

type XRequest = {
  readonly method: string
  /** Path in X's own API description, with `{id}`. */
  readonly operation: string
  readonly query: URLSearchParams
  readonly type: string
  /** JSON, or the fields of a form with the bytes of its files as Buffer. */
  readonly body: unknown
  /** Whether an independent signer confirms the signature. */
  readonly isSigned: boolean
}

export const X_KEYS = {
  key: 'application-key',
  secret: 'application-secret',
  token: '4711-account-token',
  tokenSecret: 'account-secret',
}

const problem = (status: number, title: string, detail = title, type = 'about:blank') => {
  return { status, body: { title, detail, type, status } }
}
const DUPLICATE = 'You are not allowed to create a Tweet with duplicate content.'
const CREDITS = 'Your enrolled account does not have any credits to fulfill this request.'
export const X_PROBLEMS = {
  duplicate: problem(403, 'Forbidden', DUPLICATE),
  notPermitted: problem(403, 'Forbidden', 'You are not permitted to perform this action.'),
  unauthorized: problem(401, 'Unauthorized'),
  credits: problem(402, 'CreditsDepleted', CREDITS, 'https://api.x.com/2/problems/credits'),
}

export type XServer = Awaited<ReturnType<typeof xServer>>

/** X as documented; it stores requests and misbehaves on demand. */
export async function xServer(keys = X_KEYS) {
  const posts: { id: string; text: string; media: string[]; at: number }[] = []
  const media = new Map<string, { bytes: Buffer; alt: string | null; isFinal: boolean }>()
  const requests: XRequest[] = []
  const behaviour: Record<'post' | 'upload' | 'metadata' | 'read', Behaviour> = {
    post: 'well',
    upload: 'well',
    metadata: 'well',
    read: 'well',
  }
  /** Delay of the response about a created post, in ms. */
  const pause = { answerMs: 0 }
  const limits = { limit: 100, remaining: 100, reset: 2_000_000_000 }
  let next = 1_900_000_000_000_000_000n

  const newId = (): string => {
    next += 1n
    return String(next)
  }
  const answer = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? '' : JSON.stringify(body))
  }

  const server = await faultyServer(async ({ method, url, headers, raw, response }) => {
    const type = headers['content-type'] ?? ''
    const body = await bodyOf(raw, type)
    const path = url.pathname
    const operation = path.replace(/\d{2,}(?=\/(append|finalize|tweets)$)/, '{id}')
    const isSigned = isSignedWell(keys, method, url, headers.authorization ?? '')
    requests.push({ method, operation, query: url.searchParams, type, body, isSigned })
    if (!isSigned) return answer(response, 401, X_PROBLEMS.unauthorized.body)
    const id = /\/(\d+)\/(?:append|finalize)$/.exec(path)?.[1] ?? ''

    if (method === 'POST' && path === '/2/tweets') {
      const { text = '', media: attached } = (body ?? {}) as {
        text?: string
        media?: { media_ids: string[] }
      }
      limits.remaining = Math.max(limits.remaining - 1, 0)
      response.setHeader('x-rate-limit-limit', String(limits.limit))
      response.setHeader('x-rate-limit-remaining', String(limits.remaining))
      response.setHeader('x-rate-limit-reset', String(limits.reset))
      const store = () => {
        const post = { id: newId(), text, media: attached?.media_ids ?? [], at: Date.now() }
        posts.push(post)
        return post
      }
      if (server.faulty(response, behaviour.post, store)) return
      const post = store()
      if (pause.answerMs > 0) await wait(pause.answerMs)
      return answer(response, 201, {
        data: { id: post.id, text, edit_history_tweet_ids: [post.id] },
      })
    }
    if (operation.startsWith('/2/media/upload')) {
      if (server.faulty(response, behaviour.upload)) return
      if (path.endsWith('/initialize')) {
        const made = newId()
        media.set(made, { bytes: Buffer.alloc(0), alt: null, isFinal: false })
        const data = { id: made, media_key: `3_${made}`, expires_after_secs: 86_400 }
        return answer(response, 200, { data })
      }
      const one = media.get(id)
      if (path.endsWith('/append') && one) {
        one.bytes = Buffer.concat([one.bytes, (body as { media: Buffer }).media])
        return answer(response, 200, { data: { expires_at: 2_000_000_000 } })
      }
      if (path.endsWith('/finalize') && one) {
        one.isFinal = true
        const processing_info = { state: 'pending', check_after_secs: 0 }
        return answer(response, 200, { data: { id, media_key: `3_${id}`, processing_info } })
      }
      const request = url.searchParams.get('media_id') ?? ''
      return answer(response, 200, {
        data: { id: request, processing_info: { state: 'succeeded' } },
      })
    }
    if (path === '/2/media/metadata') {
      if (server.faulty(response, behaviour.metadata)) return
      const { id: of, metadata } = body as { id: string; metadata: { alt_text: { text: string } } }
      const one = media.get(of)
      if (one) one.alt = metadata.alt_text.text
      return answer(response, 200, { data: { id: of } })
    }
    if (server.faulty(response, behaviour.read)) return
    if (path === '/2/users/me') {
      return answer(response, 200, { data: { id: '4711', name: 'The site', username: 'the_site' } })
    }
    if (path === '/2/users/4711/tweets') {
      const newest = posts.toReversed().slice(0, Number(url.searchParams.get('max_results')))
      const data = newest.map((post) => ({
        id: post.id,
        text: `${post.text.replaceAll('&', '&amp;').replaceAll(/https:\/\/\S+/g, 'https://t.co/abc')}${post.media.length > 0 ? ' https://t.co/pic' : ''}`,
      }))
      const meta = { result_count: data.length }
      return answer(response, 200, { ...(data.length > 0 ? { data } : {}), meta })
    }
    return answer(response, 404, { title: 'Not Found', type: 'about:blank', status: 404 })
  })
  return { ...server, behaviour, posts, media, requests, pause, limits }
}

async function bodyOf(raw: Buffer, type: string): Promise<unknown> {
  if (type.startsWith('application/json')) return JSON.parse(raw.toString('utf8')) as unknown
  if (!type.startsWith('multipart/form-data')) return null
  const form = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': type },
  }).formData()
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    fields[name] = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer())
  }
  return fields
}

function isSignedWell(keys: typeof X_KEYS, method: string, url: URL, header: string): boolean {
  const fields = Object.fromEntries(
    [...header.matchAll(/(oauth_\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeURIComponent(value),
    ]),
  )
  const { oauth_signature: signature, ...oauth } = fields
  if (oauth['oauth_consumer_key'] !== keys.key || oauth['oauth_token'] !== keys.token) {
    return false
  }
  const judge = new Judge({ consumerKeys: { key: keys.key, secret: keys.secret } })
  return judge.signatureOf({ url: url.href, method, data: {} }, oauth) === signature
}

/** Signing with a given nonce and time, which that signer keeps private. */
class Judge extends OAuth1Helper {
  signatureOf(request: { url: string; method: string; data: object }, oauth: object): string {
    return this.getSignature(request, X_KEYS.tokenSecret, oauth as OAuth1AuthInfo)
  }
}
