import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction, BlockList } from 'node:net'

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
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Why an address is not allowed, as the end of a sentence; null if it is. */
export function whyNotReached({ isAllowed, refusal }: Reach, url: URL): string | null {
  return isAllowed(url) ? null : (refusal ?? NOT_ASKED)
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(net, bits, 'ipv4')
}
/** Globally allocated address space (RFC 4291); everything else is special-purpose. */
const GIVEN_OUT = new BlockList()
GIVEN_OUT.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  PRIVATE.addSubnet(net, bits, 'ipv6')
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return !PRIVATE.check(mapped, 'ipv4')
  if (family === 4) return !PRIVATE.check(address, 'ipv4')
  return GIVEN_OUT.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6')
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
  return isIP(address) === 6 ? (ipv4In(address) ?? groupsOf(address, 4)) : address
}

/** Roughly one customer or data centre: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function prefixOf(address: string): string {
  const family = isIP(address)
  const v4 = family === 4 ? address : family === 6 ? ipv4In(address) : null
  if (v4 !== null) return `${v4.split('.').slice(0, 3).join('.')}.0/24`
  return family === 6 ? `${groupsOf(address, 3)}::/48` : address
}

/** Behind a proxy missing in TRUST_PROXY all visitors have this address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/** Dual-stack sockets report IPv4 addresses as IPv6. */
function ipv4In(address: string): string | null {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? null
}

function groupsOf(address: string, count: number): string {
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back]
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
