import { isIP, type LookupFunction } from 'node:net'
import { publicLookup } from './public-address.ts'

/** Which addresses a caller may call. */
export type Reach = {
  readonly isAllowed: (url: URL) => boolean
  /** Ends the sentence about an address that is not allowed. */
  readonly refusal?: string
  /**
   * Which addresses a name may resolve to. The connection goes to what it gives, and each call makes its own: one that is kept
   * open does not ask again where the name leads.
   */
  readonly lookup?: LookupFunction
}

export const NOT_ASKED = 'has an address that we may not call.'

/** Addresses of the settings, which have checked them. */
export const AS_SET: Reach = { isAllowed: () => true }

/** Outside this machine only encrypted connections. */
export const ENCRYPTED: Reach = { isAllowed: isEncrypted, refusal: 'has an address without https.' }

/** Pages of the open web: by name on the usual port, at public addresses. */
export const PUBLIC_WEB: Reach = {
  lookup: publicLookup(),
  isAllowed: (url) => (url.protocol === 'https:' || url.protocol === 'http:') && isPlainName(url),
}

function isPlainName(url: URL): boolean {
  return (
    // Any other port is more likely a service of a private network.
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    // A number is never looked up, so it has to be refused here.
    isIP(hostOf(url)) === 0 &&
    // A name without a dot, or under one of these, belongs to a private network.
    hostOf(url).includes('.') &&
    !/\.(?:internal|local|localhost|localdomain|lan|home|corp|home\.arpa|intranet)\.?$/i.test(
      hostOf(url),
    )
  )
}

/** Addresses that strangers choose for a call of ours: pages of the open web, by https. */
export const STRANGERS: Reach = {
  ...PUBLIC_WEB,
  isAllowed: (url) => url.protocol === 'https:' && PUBLIC_WEB.isAllowed(url),
}

/** Relays that strangers choose: encrypted, by name on the usual port, at public addresses. */
export const STRANGE_RELAYS: Reach = {
  ...PUBLIC_WEB,
  isAllowed: (url) => url.protocol === 'wss:' && isPlainName(url),
}

/** For services of the open internet, unless the settings name a machine by its number or this one. */
export function publicReach(base: URL): Reach {
  const host = hostOf(base)
  return host === 'localhost' || isIP(host) !== 0
    ? ENCRYPTED
    : { ...ENCRYPTED, lookup: publicLookup() }
}

/** Whether a connection there is encrypted, or stays on this machine. */
export function isEncrypted(url: URL): boolean {
  if (url.protocol === 'https:' || url.protocol === 'wss:') return true
  const isLoopback = url.hostname === 'localhost' || /^(127\.|\[::1\]$)/.test(url.hostname)
  return isLoopback && (url.protocol === 'http:' || url.protocol === 'ws:')
}

/** Why an address may not be called, as the end of a sentence; null when it may. */
export function whyNotReached({ isAllowed, refusal }: Reach, url: URL): string | null {
  return isAllowed(url) ? null : (refusal ?? NOT_ASKED)
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}
