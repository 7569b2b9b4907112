import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Which addresses a caller may call. */
export type Reach = {
  readonly isAllowed: (url: URL) => boolean
  /** End of the sentence about a refused address. */
  readonly refusal?: string
  /**
   * Restricts the addresses a name may resolve to. Each call connects anew to the resolved address: a reused
   * connection would skip the look-up.
   */
  readonly lookup?: LookupFunction
}

export const NOT_ASKED = 'has an address that we may not call.'

/** Addresses from the settings, already validated. */
export const AS_SET: Reach = { isAllowed: () => true }

/** Encrypted connections only, except on this machine. */
export const ENCRYPTED: Reach = { isAllowed: isEncrypted, refusal: 'has an address without https.' }

/** Public web pages: by name on the usual port, at public addresses. */
export const PUBLIC_WEB: Reach = {
  lookup: publicLookup(),
  isAllowed: (url) => (url.protocol === 'https:' || url.protocol === 'http:') && isPlainName(url),
}

function isPlainName(url: URL): boolean {
  return (
    // Other ports are more likely services of a private network.
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    // IP addresses are never resolved, so they are refused here.
    isIP(hostOf(url)) === 0 &&
    // Names without a dot, or under one of these, are private.
    hostOf(url).includes('.') &&
    !/\.(?:internal|local|localhost|localdomain|lan|home|corp|home\.arpa|intranet)\.?$/i.test(
      hostOf(url),
    )
  )
}

/** Addresses chosen by strangers: public web pages over https. */
export const STRANGERS: Reach = {
  ...PUBLIC_WEB,
  isAllowed: (url) => url.protocol === 'https:' && PUBLIC_WEB.isAllowed(url),
}

/** Relays chosen by strangers: encrypted, by name on the usual port, at public addresses. */
export const STRANGE_RELAYS: Reach = {
  ...PUBLIC_WEB,
  isAllowed: (url) => url.protocol === 'wss:' && isPlainName(url),
}

/** Public addresses only, unless the setting names an IP address or this machine. */
export function publicReach(base: URL): Reach {
  const host = hostOf(base)
  return host === 'localhost' || isIP(host) !== 0
    ? ENCRYPTED
    : { ...ENCRYPTED, lookup: publicLookup() }
}

/** Whether a connection there is encrypted, or stays on this machine. */
export function isEncrypted(url: URL): boolean {
  if (url.protocol === 'https:' || url.protocol === 'wss:') return true
  return isThisMachine(url) && (url.protocol === 'http:' || url.protocol === 'ws:')
}

/** Excludes names such as `127.example.org`. */
export function isThisMachine(url: URL): boolean {
  const host = hostOf(url)
  return host === 'localhost' || isLoopback(host)
}

/** Why an address is not allowed, as the end of a sentence; null if it is. */
export function whyNotReached({ isAllowed, refusal }: Reach, url: URL): string | null {
  return isAllowed(url) ? null : (refusal ?? NOT_ASKED)
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Parses an IP address; null if invalid. IPv4-mapped IPv6, which dual-stack sockets report, becomes IPv4. */
function readAddress(text: string) {
  // The package rejects zones of link-local addresses such as `%br-lan` and `%eth0.100`.
  return isIP(text) === 0 ? null : ipaddr.process(text.replace(/%.*$/, ''))
}

export function isPublicAddress(address: string): boolean {
  const read = readAddress(address)
  if (read?.range() !== 'unicast') return false
  // All IPv6 space outside of 2000::/3 is special-purpose (RFC 4291).
  return !('parts' in read) || (read.parts[0] ?? 0) >> 13 === 1
}

/** Error code for a name that resolves to a private address. */
export const NOT_PUBLIC = 'ENOTPUBLIC'

type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * Resolves a name to public addresses only. The connection goes to the checked address, so that DNS rebinding gains nothing.
 */
export function publicLookup(resolve: Resolve = systemLookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) {
        callback(error, '')
        return
      }
      const open = found.filter(({ address }) => isPublicAddress(address))
      const [first] = open
      if (!first || open.length < found.length) {
        callback(Object.assign(new Error('not a public address'), { code: NOT_PUBLIC }), '')
      } else if (options.all) callback(null, open)
      else callback(null, first.address, first.family)
    })
  }
}

/** Unit of rate limits: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const read = readAddress(address)
  return read && 'parts' in read ? groupsOf(read, 4) : (read?.toString() ?? address)
}

/** Roughly one customer or data centre: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function prefixOf(address: string): string {
  const read = readAddress(address)
  if (!read) return address
  return 'parts' in read ? `${groupsOf(read, 3)}::/48` : `${read.octets.slice(0, 3).join('.')}.0/24`
}

/** Behind a proxy missing in TRUST_PROXY all visitors have this address. */
export function isLoopback(address: string): boolean {
  return readAddress(address)?.range() === 'loopback'
}

function groupsOf({ parts }: ipaddr.IPv6, count: number): string {
  return parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':')
}
