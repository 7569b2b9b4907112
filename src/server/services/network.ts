import { isIPv6 } from 'node:net'

/** An address as tries are counted by: whoever has one IPv6 address has the whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const rest = tail === undefined ? [] : tail.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':')
}
