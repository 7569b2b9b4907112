import { createHash } from 'node:crypto'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { doesAuthMatchRequest } from 'blossom-client-sdk/auth'
import { verifyEvent } from 'nostr-tools/pure'
import { z } from 'zod'
import { SentEvent } from './faulty-relay.ts'
import { bodyOf, serving } from './serving.ts'

export type BlossomBehaviour =
  | 'takes'
  /** Accepts only one encoding of permissions. */
  | 'base64-only'
  | 'base64url-only'
  /** Stores a smaller picture, as some servers do. */
  | 'shrinks'
  | 'html'
  | 'huge'
  | 'hangs'
  | 'redirects'
  | { readonly status: number; readonly reason?: string }

const Permit = SentEvent.extend({ kind: z.literal(24_242), content: z.string().min(1) })

/** A Blossom server (BUD-01, BUD-02, BUD-11); permissions are verified by the reference client's own rules. */
export async function blossomServer(behaviour: BlossomBehaviour = 'takes') {
  const { origin, [Symbol.asyncDispose]: close } = await serving((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const server = {
    url: origin,
    behaviour,
    stored: new Map<string, { bytes: Buffer; type: string }>(),
    /** The number of uploads, successful or not. */
    puts: 0,
    [Symbol.asyncDispose]: close,
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, reason: string): void => {
      response.writeHead(status, { 'x-reason': reason }).end()
    }
    if (request.method === 'GET') {
      const found = server.stored.get(/^\/([0-9a-f]{64})/.exec(request.url ?? '')?.[1] ?? '')
      if (!found) return refuse(404, 'no such blob')
      response.writeHead(200, { 'content-type': found.type }).end(found.bytes)
      return
    }
    if (request.method !== 'PUT' || request.url !== '/upload') return refuse(404, 'no such call')
    const bytes = await bodyOf(request)
    server.puts += 1
    const { behaviour: now } = server
    if (now === 'hangs') return
    if (now === 'html') return void response.writeHead(200).end('<html>Welcome</html>')
    if (now === 'huge') return void response.writeHead(200).end(' '.repeat(1_000_000))
    if (now === 'redirects') return void response.writeHead(307, { location: '/upload' }).end()
    if (typeof now === 'object') {
      if (now.reason === undefined) return void response.writeHead(now.status).end()
      return refuse(now.status, now.reason)
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const permit = readPermit(request.headers.authorization ?? '', now)
    if (!permit) return refuse(401, 'the permission cannot be read')
    const matches = await doesAuthMatchRequest(permit, {
      server: server.url,
      type: 'upload',
      blob: sha256,
    })
    if (!verifyEvent(permit) || !matches) return refuse(401, 'the permission is not for this')
    if (request.headers['x-sha-256'] !== sha256) return refuse(409, 'another picture was announced')
    if (request.headers['content-length'] !== String(bytes.length)) return refuse(411, 'no length')
    const stored = now === 'shrinks' ? bytes.subarray(0, -1) : bytes
    const name = createHash('sha256').update(stored).digest('hex')
    const isNew = !server.stored.has(name)
    const type = request.headers['content-type'] ?? 'application/octet-stream'
    server.stored.set(name, { bytes: stored, type })
    response.writeHead(isNew ? 201 : 200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        url: `${server.url}/${name}.png`,
        sha256: name,
        size: stored.length,
        type,
        uploaded: permit.created_at,
      }),
    )
  }

  return server
}

function readPermit(header: string, behaviour: BlossomBehaviour): z.infer<typeof Permit> | null {
  const written = header.replace(/^Nostr /, '')
  if (behaviour === 'base64-only' && !/^[A-Za-z0-9+/]+={0,2}$/.test(written)) return null
  if (behaviour === 'base64-only' && written.length % 4 !== 0) return null
  if (behaviour === 'base64url-only' && !/^[\w-]+$/.test(written)) return null
  try {
    return Permit.parse(JSON.parse(Buffer.from(written, 'base64').toString('utf8')))
  } catch {
    return null
  }
}
