import { createServer } from 'node:http'
import { z } from 'zod'

const { subtle } = globalThis.crypto

export type PushService = AsyncDisposable & {
  /** A browser that subscribes, as it gives its subscription to a page. */
  readonly subscribe: () => Promise<Subscription>
  /** What browsers got, decrypted, with the topic under which the push service keeps the newest one. */
  readonly notes: {
    readonly note: unknown
    readonly topic: string | undefined
    readonly ttl: string | undefined
  }[]
  /** Requests of all kinds. */
  readonly asked: () => number
  readonly mood: { status: number; retryAfter: string | null; silent: boolean }
}

type Subscription = {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/**
 * A push service with its browsers: it decrypts by RFC 8291 and checks the signature by RFC 8292, written after the
 * documents and with nothing of the package that sends.
 *
 * @param siteKey the key of the site, which the browser has subscribed with
 */
export async function pushService(siteKey: () => string): Promise<PushService> {
  const browsers = new Map<string, { pair: CryptoKeyPair; auth: Uint8Array<ArrayBuffer> }>()
  const notes: { note: unknown; topic: string | undefined; ttl: string | undefined }[] = []
  const mood = { status: 201, retryAfter: null as string | null, silent: false }
  let asked = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked += 1
      if (mood.silent) return
      const browser = browsers.get(request.url ?? '')
      const header = (name: string) => {
        const value = request.headers[name]
        return typeof value === 'string' ? value : undefined
      }
      const answer = async (): Promise<number> => {
        if (!browser) return 404
        if (mood.status !== 201) return mood.status
        if (header('content-encoding') !== 'aes128gcm' || header('ttl') === undefined) return 400
        const isOurs = await isSigned(header('authorization') ?? '', siteKey(), origin())
        if (!isOurs) return 403
        const note: unknown = JSON.parse(await decrypted(Buffer.concat(chunks), browser))
        notes.push({ note, topic: header('topic'), ttl: header('ttl') })
        return 201
      }
      void answer().then(
        (status) => {
          const wait = mood.retryAfter === null ? {} : { 'retry-after': mood.retryAfter }
          response.writeHead(status, wait).end()
        },
        () => response.writeHead(400).end(),
      )
    })
  })
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const origin = () => `http://127.0.0.1:${String(port)}`
  return {
    notes,
    mood,
    asked: () => asked,
    async subscribe() {
      const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
        'deriveBits',
      ])
      const auth = globalThis.crypto.getRandomValues(new Uint8Array(16))
      const path = `/push/${String(browsers.size + 1)}`
      browsers.set(path, { pair, auth })
      const raw = Buffer.from(await subtle.exportKey('raw', pair.publicKey))
      return {
        endpoint: origin() + path,
        keys: {
          p256dh: raw.toString('base64url'),
          auth: Buffer.from(auth).toString('base64url'),
        },
      }
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)

async function hkdf(
  salt: Uint8Array<ArrayBuffer>,
  secret: ArrayBuffer | Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const bits = await subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    key,
    8 * length,
  )
  return new Uint8Array(bits)
}

/** RFC 8188 with the keys of RFC 8291: one record. */
async function decrypted(
  body: Buffer,
  { pair, auth }: { pair: CryptoKeyPair; auth: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const bytes = Uint8Array.from(body)
  const salt = bytes.slice(0, 16)
  const keyLength = bytes[20] ?? 0
  const senderKey = bytes.slice(21, 21 + keyLength)
  const record = bytes.slice(21 + keyLength)
  const sender = await subtle.importKey(
    'raw',
    senderKey,
    { name: 'ECDH', namedCurve: 'P-256' },
    false,
    [],
  )
  const shared = await subtle.deriveBits({ name: 'ECDH', public: sender }, pair.privateKey, 256)
  const own = new Uint8Array(await subtle.exportKey('raw', pair.publicKey))
  const info = Uint8Array.from([...utf8('WebPush: info\0'), ...own, ...senderKey])
  const ikm = await hkdf(auth, shared, info, 32)
  const cek = await hkdf(salt, ikm, utf8('Content-Encoding: aes128gcm\0'), 16)
  const nonce = await hkdf(salt, ikm, utf8('Content-Encoding: nonce\0'), 12)
  const key = await subtle.importKey('raw', cek, 'AES-GCM', false, ['decrypt'])
  const plain = new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv: nonce }, key, record))
  const end = plain.findLastIndex((byte) => byte !== 0)
  if (plain[end] !== 2) throw new Error('no last record')
  return new TextDecoder().decode(plain.slice(0, end))
}

const Claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string() })

/** RFC 8292: an ES256 token for this push service, by the key that the browser has subscribed with. */
async function isSigned(
  authorization: string,
  siteKey: string,
  audience: string,
): Promise<boolean> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', payload = '', signature = ''] = token.split('.')
  if (key !== siteKey) return false
  const decode = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
  const publicKey = await subtle.importKey(
    'raw',
    decode(key),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  )
  const isGood = await subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    publicKey,
    decode(signature),
    utf8(`${header}.${payload}`),
  )
  const claims = Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  const seconds = claims.exp - Date.now() / 1_000
  const isTimely = seconds > 0 && seconds <= 86_400
  return isGood && isTimely && claims.aud === audience && /^(?:mailto|https):/.test(claims.sub)
}
