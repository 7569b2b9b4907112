import { bytesOfBech32 } from './bolt11.ts'

export type Contact =
  | { readonly kind: 'email'; readonly address: string }
  /** `name@domain`, in the form of an email address. */
  | { readonly kind: 'lightning-address'; readonly address: string }
  /** The https address behind an LNURL. */
  | { readonly kind: 'lnurl'; readonly address: string }

export const BAD_EMAIL = 'Please enter a valid email address.'
const BAD_CONTACT = 'Please enter an email address, a Lightning address or an LNURL.'
const NO_PAY_LNURL = 'Please enter an LNURL that can be paid.'
const LONGEST_EMAIL = 254

/** A single bare address: nothing that could form a header or a list. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i

/** @returns the address, trimmed; null if it is not one bare address */
export function readEmail(text: string): string | null {
  const bare = text.trim()
  const isFine = bare.length <= LONGEST_EMAIL && EMAIL.test(bare) && !/^\.|\.\.|\.@/.test(bare)
  return isFine ? bare : null
}

/** Mail hosts that ignore dots in the local part. */
const WITHOUT_DOTS: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
}

/** Normalizes an address to its mailbox, as far as known: one mailbox may have many addresses. */
export function mailboxOf(address: string): string {
  const [name = '', host = ''] = address.toLowerCase().split('@')
  const bare = name.replace(/(?<=.)\+.*$/, '')
  const same = WITHOUT_DOTS[host]
  return same === undefined ? `${bare}@${host}` : `${bare.replaceAll('.', '')}@${same}`
}

/**
 * `name@domain` is email unless marked by `lightning:` or `⚡`, or `isLightning` (LUD-01, 16, 17). @returns the contact,
 * or a message
 */
export function readContact(text: string, isLightning = false): Contact | string {
  const trimmed = text.trim()
  if (trimmed.length > 2_500) return BAD_CONTACT
  const marked = /^(?:lightning:|⚡\uFE0F?\s*)/iu
  const bare = trimmed.replace(marked, '')
  if (bare.includes('@') && !/^[a-z]+:\/\//i.test(bare)) {
    return isLightning || marked.test(trimmed) ? lightningAddress(bare) : emailContact(bare)
  }
  if (/^(?:lnurlc|lnurlw|keyauth):/i.test(bare)) return NO_PAY_LNURL
  const inQuery = /^https:\/\/[^?]+\?(?:[^#]*&)?lightning=(lnurl1[a-z0-9]+)/i.exec(bare)?.[1]
  const address = /^lnurlp:\/\//i.test(bare)
    ? bare.replace(/^lnurlp:/i, 'https:')
    : lnurlOf(inQuery ?? bare)
  return address !== null && isWebAddress(address) ? { kind: 'lnurl', address } : BAD_CONTACT
}

function emailContact(text: string): Contact | string {
  const address = readEmail(text)
  return address === null ? BAD_EMAIL : { kind: 'email', address }
}

function lightningAddress(text: string): Contact | string {
  const address = text.toLowerCase()
  return /^[a-z0-9._+-]{1,64}@/.test(address) && readEmail(address) !== null
    ? { kind: 'lightning-address', address }
    : 'Please enter a valid Lightning address.'
}

function lnurlOf(text: string): string | null {
  const bytes = bytesOfBech32('lnurl', text)
  return bytes?.every((byte) => byte > 0x20 && byte < 0x7f) ? String.fromCharCode(...bytes) : null
}

/** Only https addresses with a domain name, no password and the default port. */
function isWebAddress(text: string): boolean {
  return /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*(?:[/?][^\s#]*)?$/i.test(
    text,
  )
}

/** The LNURL-pay address of a Lightning contact. */
export function payAddressOf(contact: Exclude<Contact, { kind: 'email' }>): string {
  if (contact.kind === 'lnurl') return contact.address
  const [name = '', domain = ''] = contact.address.split('@')
  return `https://${domain}/.well-known/lnurlp/${name}`
}

/** Just enough to recognize one's own contact: `j…@example.org`. */
export function maskContact({ kind, address }: Contact): string {
  if (kind === 'lnurl') return `LNURL at ${/^https:\/\/([^/?]+)/.exec(address)?.[1] ?? 'a wallet'}`
  const [name = '', domain = ''] = address.split('@')
  return `${name.slice(0, 1)}…@${domain}`
}
