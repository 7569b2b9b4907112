import { setTimeout as wait } from 'node:timers/promises'
import { decrypt, encodings } from '@apeleghq/rfc8188'
import { z } from 'zod'
import { bodyOf, serving } from './serving.ts'

const { subtle } = globalThis.crypto

/**
 * A push service with its browsers: it decrypts and verifies the signature (RFC 8188, 8291 and 8292) without the
 * package that sends.
 *
 * @param siteKey the key of the site with which the browser has subscribed
 */
export async function pushService(siteKey: () => string) {
  const browsers = new Map<string, { pair: CryptoKeyPair; auth: Uint8Array<ArrayBuffer> }>()
  /** Decrypted push messages, each with its topic. */
  const notes: { note: unknown; topic: string | undefined; ttl: string | undefined }[] = []
  const behaviour = { status: 201, retryAfter: null as string | null, silent: false, answerMs: 0 }
  let asked = 0
  const { origin, [Symbol.asyncDispose]: close } = await serving((request, response) => {
    void bodyOf(request).then((body) => {
      asked += 1
      if (behaviour.silent) return
      const browser = browsers.get(request.url ?? '')
      const header = (name: string) => {
        const value = request.headers[name]
        return typeof value === 'string' ? value : undefined
      }
      const answer = async (): Promise<number> => {
        if (!browser) return 404
        if (behaviour.status !== 201) return behaviour.status
        if (header('content-encoding') !== 'aes128gcm' || header('ttl') === undefined) return 400
        const isOurs = await isSigned(header('authorization') ?? '', siteKey(), origin)
        if (!isOurs) return 403
        const note: unknown = JSON.parse(await decrypted(body, browser))
        notes.push({ note, topic: header('topic'), ttl: header('ttl') })
        if (behaviour.answerMs > 0) await wait(behaviour.answerMs)
        return 201
      }
      void answer().then(
        (status) => {
          const wait = behaviour.retryAfter === null ? {} : { 'retry-after': behaviour.retryAfter }
          response.writeHead(status, wait).end()
        },
        () => response.writeHead(400).end(),
      )
    })
  })
  return {
    notes,
    behaviour,
    asked: () => asked,
    clear: () => {
      notes.length = 0
      asked = 0
      Object.assign(behaviour, { status: 201, retryAfter: null, silent: false, answerMs: 0 })
    },
    /** @returns a browser's subscription, as given to a page */
    async subscribe() {
      const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
        'deriveBits',
      ])
      const auth = globalThis.crypto.getRandomValues(new Uint8Array(16))
      const path = `/push/${String(browsers.size + 1)}`
      browsers.set(path, { pair, auth })
      const raw = Buffer.from(await subtle.exportKey('raw', pair.publicKey))
      return {
        endpoint: origin + path,
        keys: {
          p256dh: raw.toString('base64url'),
          auth: Buffer.from(auth).toString('base64url'),
        },
      }
    },
    [Symbol.asyncDispose]: close,
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)

/** The longest body accepted by push services, one record. */
const LONGEST_RECORD = 4_096

/** The keys of RFC 8291; the rest is decrypted by a package for RFC 8188 that the sender does not use. */
async function decrypted(
  body: Buffer,
  { pair, auth }: { pair: CryptoKeyPair; auth: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const ikmOf = async (keyId: ArrayBufferLike): Promise<ArrayBuffer> => {
    const senderKey = new Uint8Array(keyId).slice()
    const curve = { name: 'ECDH', namedCurve: 'P-256' }
    const sender = await subtle.importKey('raw', senderKey, curve, false, [])
    const shared = await subtle.deriveBits({ name: 'ECDH', public: sender }, pair.privateKey, 256)
    const own = await subtle.exportKey('raw', pair.publicKey)
    const info = Buffer.concat([utf8('WebPush: info\0'), Buffer.from(own), senderKey])
    const key = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveBits'])
    return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: auth, info }, key, 256)
  }
  const sent = new Blob([Uint8Array.from(body)]).stream()
  const read: Buffer[] = []
  for await (const part of decrypt(encodings.aes128gcm, sent, ikmOf, LONGEST_RECORD)) {
    read.push(Buffer.from(part))
  }
  return Buffer.concat(read).toString()
}

const Claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string() })

/** RFC 8292: an ES256 token for this push service, by the subscribed key. */
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
