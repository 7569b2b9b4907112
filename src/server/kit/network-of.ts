import { isIP } from 'node:net'

/** The unit by which calls are counted: an IPv4 address, or the /64 of an IPv6 one. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? (ipv4In(address) ?? groupsOf(address, 4)) : address
}

/** What one customer or data centre usually has: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function prefixOf(address: string): string {
  const family = isIP(address)
  const v4 = family === 4 ? address : family === 6 ? ipv4In(address) : null
  if (v4 !== null) return `${v4.split('.').slice(0, 3).join('.')}.0/24`
  return family === 6 ? `${groupsOf(address, 3)}::/48` : address
}

/** Behind a proxy that is not named in TRUST_PROXY all visitors have the address of this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/** A socket for both families writes IPv4 addresses as IPv6 ones. */
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
