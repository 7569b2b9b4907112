import { z } from 'zod'
import { bytesOfBech32 } from '#domain/money/bolt11.ts'
import { withoutEndSlashes } from '#domain/site.ts'
import { isEncrypted } from '#server/kit/reach.ts'
import { matching } from './fields.ts'

export type NostrSettings = z.output<typeof NostrEnvironment>

const RELAYS = 'wss://relay.damus.io, wss://nos.lol, wss://relay.primal.net'
const PICTURE_SERVERS = 'https://blossom.primal.net'
const MOST_RELAYS = 20
/** The order of secp256k1: a private key lies between 1 and this. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const privateKey = z.string().transform((text, context) => {
  const key = readPrivateKey(text)
  if (key !== null) return key
  context.addIssue({ code: 'custom', message: 'NOSTR_PRIVATE_KEY' })
  return z.NEVER
})

/** @param instead replaces an invalid entry, given its position; without it every entry must be valid */
const list = (
  read: (text: string) => string | null,
  most: number,
  instead: (place: number) => string | null = () => null,
) =>
  z.string().transform((text, context) => {
    const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
    const isAnyGood = parts.some((part) => read(part) !== null)
    const listed = parts
      .map((part, at) => read(part) ?? instead(at + 1))
      .filter((one) => one !== null)
    const unique = [...new Set(listed)]
    if (isAnyGood && listed.length === parts.length && unique.length <= most) return unique
    context.addIssue({ code: 'custom', message: 'list' })
    return z.NEVER
  })

/** One invalid address must not disable the others. It is not quoted, as it may be a key or contain a password. */
const badRelay = (place: number): string => `entry ${String(place)} of NOSTR_RELAYS`

/** Nostr settings. The key is a secret: never log it. */
export const NostrEnvironment = z
  .object({
    NOSTR_PRIVATE_KEY: privateKey.optional(),
    NOSTR_RELAYS: list(relayUrl, MOST_RELAYS, badRelay).prefault(RELAYS),
    BLOSSOM_SERVERS: list(serviceUrl, MOST_RELAYS).prefault(PICTURE_SERVERS),
    NOSTR_NAME: matching(/^[a-z0-9._-]{1,64}$/).optional(),
    NOSTR_RECORD: z.enum(['on', 'off']).default('off'),
  })
  .transform((env) => ({
    /** Hex; null disables Nostr. */
    privateKey: env.NOSTR_PRIVATE_KEY ?? null,
    /** Normalized, distinct relay addresses; an invalid one is listed by position only: see `realRelays`. */
    relays: env.NOSTR_RELAYS,
    /** Where pictures of notes are uploaded, without a trailing slash. */
    pictureServers: env.BLOSSOM_SERVERS,
    /** A name of the site on Nostr in addition to `_` (NIP-05); null for none. */
    name: env.NOSTR_NAME ?? null,
    /** Whether the signed record is sent to relays; with a key it is signed and shown in any case. */
    publishRecord: env.NOSTR_RECORD === 'on',
  }))

export const NOSTR_HELP: Readonly<Record<string, string>> = {
  NOSTR_PRIVATE_KEY:
    'must be a secret Nostr key: nsec1… or 64 hexadecimal digits; check that it was copied whole',
  NOSTR_RELAYS: `must list 1 to ${String(MOST_RELAYS)} relays such as wss://relay.example.org, separated by commas; ws:// is accepted for this machine only`,
  BLOSSOM_SERVERS:
    'must list the https addresses of Blossom servers, such as https://blossom.example.org, separated by commas',
  NOSTR_NAME:
    'must be the part of a name before the @, such as news: lower-case letters, digits and ._-',
  NOSTR_RECORD: 'must be on or off',
}

/** A secret key as hex, from `nsec1…` or hex; null for other texts. */
function readPrivateKey(text: string): string | null {
  const bare = text.trim()
  const bytes = /^[0-9a-f]{64}$/i.test(bare)
    ? Buffer.from(bare, 'hex')
    : bytesOfBech32('nsec', bare)
  if (bytes?.length !== 32) return null
  const key = Buffer.from(bytes).toString('hex')
  const number = BigInt(`0x${key}`)
  return number > 0n && number < CURVE_ORDER ? key : null
}

/**
 * Canonical form of a relay address: lower case, without default port or trailing slash.
 * @returns null if it may not be called
 */
export function relayUrl(text: string): string | null {
  const url = urlOf(text)
  if (!url?.protocol.startsWith('ws') || !isEncrypted(url)) return null
  const path = withoutEndSlashes(url.pathname)
  return `${url.protocol}//${url.host}${path}${url.search}`
}

/** Relays in a list that may be called. */
export function realRelays(relays: readonly string[]): string[] {
  return relays.filter((relay) => relayUrl(relay) !== null)
}

/** An https or local address without a trailing slash; null for others. */
function serviceUrl(text: string): string | null {
  const url = urlOf(text)
  if (!url?.protocol.startsWith('http') || !isEncrypted(url) || url.search !== '') return null
  return `${url.protocol}//${url.host}${withoutEndSlashes(url.pathname)}`
}

function urlOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && url.username === '' && url.password === '' && url.hash === ''
  return isPlain && url.hostname !== '' ? url : null
}

export type ProofSettings = z.output<typeof ProofEnvironment>

const MOST_CALENDARS = 10

export const ProofEnvironment = z
  .object({
    OTS_CALENDARS: list(serviceUrl, MOST_CALENDARS).optional(),
    BLOCK_HEADERS_URL: list(serviceUrl, 1).optional(),
  })
  .transform((env) => ({
    /** Calendars of OpenTimestamps, without a trailing slash; empty disables stamping. */
    calendars: env.OTS_CALENDARS ?? [],
    /** An Esplora-compatible explorer for block headers; null disables it. */
    headersUrl: env.BLOCK_HEADERS_URL?.[0] ?? null,
  }))

export const PROOF_HELP: Readonly<Record<string, string>> = {
  OTS_CALENDARS: `must list 1 to ${String(MOST_CALENDARS)} https addresses of OpenTimestamps calendars, such as https://alice.btc.calendar.opentimestamps.org, separated by commas; http:// is accepted for this machine only`,
  BLOCK_HEADERS_URL:
    'must be the https address of an Esplora-compatible explorer, such as https://blockstream.info/api; http:// is accepted for this machine only',
}
