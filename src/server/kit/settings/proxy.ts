import { isIP } from 'node:net'

/** Whose X-Forwarded-For is believed: no one's, that of a number of proxies in a row, or of proxies at these addresses. */
export type TrustProxy = false | number | string[]

const MOST_HOPS = 10

export const PROXY_HELP =
  'must be off, the number of proxies in front of the site, such as 1, or their addresses or networks with commas between them, such as 127.0.0.1, 10.0.0.0/8'

/** With `on` any visitor could set their own address in the header, and it would be believed. */
export const PROXY_ON_HELP =
  'may not be on where PUBLIC_URL is set, as every visitor could choose an address then: give the number of proxies in front, such as 1, or their addresses, such as 127.0.0.1'

/** @returns undefined for what makes no sense; `'on'` for a value that would believe anyone */
export function readTrustProxy(text: string): TrustProxy | 'on' | undefined {
  const given = text.trim().toLowerCase()
  if (given === 'off') return false
  if (given === 'on') return 'on'
  if (/^\d+$/.test(given)) {
    const hops = Number(given)
    return hops >= 1 && hops <= MOST_HOPS ? hops : undefined
  }
  const parts = given.split(',').map((part) => part.trim())
  return parts.every(isNetwork) ? parts : undefined
}

/** `127.0.0.1`, `10.0.0.0/8`, `fd00::/8` */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
