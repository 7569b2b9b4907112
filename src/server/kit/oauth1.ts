import { createHmac } from 'node:crypto'
import { type PublishSettings } from './settings/networks.ts'

/** Of an application and an account; all but the first and third are secrets. */
export type OAuth1Keys = NonNullable<PublishSettings['x']>['keys']

/**
 * The Authorization header of OAuth 1.0a with HMAC-SHA1. Signs method, address and query, but not JSON and multipart bodies.
 * @param nonce unique
 * @param seconds Unix time; X rejects clocks that are minutes off
 * @see https://www.rfc-editor.org/rfc/rfc5849
 */
export function oauth1Header(
  keys: OAuth1Keys,
  { method, url }: { readonly method: string; readonly url: URL },
  { nonce, seconds }: { readonly nonce: string; readonly seconds: number },
): string {
  const oauth: readonly (readonly [string, string])[] = [
    ['oauth_consumer_key', keys.key],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(seconds)],
    ['oauth_token', keys.token],
    ['oauth_version', '1.0'],
  ]
  const parameters = [...oauth, ...url.searchParams]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const base = [method.toUpperCase(), `${url.origin}${url.pathname}`, parameters]
    .map(encode)
    .join('&')
  const signature = createHmac('sha1', `${encode(keys.secret)}&${encode(keys.tokenSecret)}`)
    .update(base)
    .digest('base64')
  const fields = [...oauth, ['oauth_signature', signature] as const]
  return `OAuth ${fields.map(([name, value]) => `${name}="${encode(value)}"`).join(', ')}`
}

/** RFC 3986 percent-encoding, which unlike `encodeURIComponent` also encodes `!*'()`. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
