import { hexOfBytes, utf8 } from './bytes.ts'
import { sha256 } from './sha256.ts'

/** A signed event of the record, as Nostr has it (NIP-01). */
export type SignedEvent = {
  readonly id: string
  readonly pubkey: string
  readonly created_at: number
  readonly kind: number
  readonly tags: readonly (readonly string[])[]
  readonly content: string
  readonly sig: string
}

/**
 * The one spelling of a complete event that is proved: compact JSON, keys in the order of NIP-01, the signature last, UTF-8. Its
 * SHA-256 is the leaf in the tree of its day.
 */
export function eventBytes(event: SignedEvent): Uint8Array {
  const { id, pubkey, created_at, kind, tags, content, sig } = event
  return utf8(JSON.stringify({ id, pubkey, created_at, kind, tags, content, sig }))
}

/** What the id of an event has to be. */
export function idOf({
  pubkey,
  created_at,
  kind,
  tags,
  content,
}: Omit<SignedEvent, 'id' | 'sig'>): string {
  return hexOfBytes(sha256(utf8(JSON.stringify([0, pubkey, created_at, kind, tags, content]))))
}

/** @returns null where it is none */
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
