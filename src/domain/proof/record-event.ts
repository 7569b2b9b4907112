import { sha256 } from '@noble/hashes/sha2.js'
import { hexOfBytes, utf8 } from './bytes.ts'

/** A signed Nostr event on the wire (NIP-01). */
export type SignedEvent = {
  /** Hex SHA-256 of the event without its signature. */
  readonly id: string
  /** The signer's public key, hex. */
  readonly pubkey: string
  /** Seconds since 1970. */
  readonly created_at: number
  readonly kind: number
  readonly tags: readonly (readonly string[])[]
  readonly content: string
  readonly sig: string
}

/** Compact JSON in UTF-8, keys in NIP-01 order with the signature last; its SHA-256 is the leaf. */
export function eventBytes(event: SignedEvent): Uint8Array {
  const { id, pubkey, created_at, kind, tags, content, sig } = event
  return utf8(JSON.stringify({ id, pubkey, created_at, kind, tags, content, sig }))
}

export function idOf({ pubkey, created_at, kind, tags, content }: Omit<SignedEvent, 'id' | 'sig'>) {
  return hexOfBytes(sha256(utf8(JSON.stringify([0, pubkey, created_at, kind, tags, content]))))
}

export function readEvent(value: unknown): SignedEvent | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, pubkey, created_at, kind, tags, content, sig } = value as Partial<
    Record<keyof SignedEvent, unknown>
  >
  const areTexts = [id, pubkey, content, sig].every((one) => typeof one === 'string')
  const areNumbers = Number.isSafeInteger(created_at) && Number.isSafeInteger(kind)
  const areTags =
    Array.isArray(tags) &&
    tags.every((tag) => Array.isArray(tag) && tag.every((one) => typeof one === 'string'))
  return areTexts && areNumbers && areTags ? (value as SignedEvent) : null
}
