import { BlockList, isIP, type LookupFunction } from 'node:net'
import { lookup as systemLookup, type LookupAddress } from 'node:dns'

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
/** Where addresses of the open internet begin to be given out (RFC 4291); all else has a purpose of its own. */
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

/** Whether an address is one of the open internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return !PRIVATE.check(mapped, 'ipv4')
  if (family === 4) return !PRIVATE.check(address, 'ipv4')
  return GIVEN_OUT.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6')
}

/** The code of the error of a name that leads to a private address. */
export const NOT_PUBLIC = 'ENOTPUBLIC'

/**
 * Resolves a name for a connection, to public addresses only. As the connection goes to the very address that was
 * checked, a name that changes its meaning in between gains nothing.
 */
export function publicLookup(resolve: typeof systemLookup = systemLookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
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
