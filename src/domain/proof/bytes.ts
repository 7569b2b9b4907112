import { concatBytes } from '@noble/hashes/utils.js'
import { hex, utf8 as text } from '@scure/base'

export const hexOfBytes: (bytes: Uint8Array) => string = hex.encode
export const joined: (...parts: Uint8Array[]) => Uint8Array = concatBytes
export const utf8: (text: string) => Uint8Array = text.decode

/** @returns null if the text is not lower-case hex, or not `length` bytes long */
export function bytesOfHex(text: string, length: number | null = null): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null
  return length === null || text.length === 2 * length ? hex.decode(text) : null
}

export function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** Decodes UTF-8; null if invalid. */
export function textOfUtf8(bytes: Uint8Array): string | null {
  try {
    return decodeURIComponent(hexOfBytes(bytes).replaceAll(/../g, '%$&'))
  } catch {
    return null
  }
}
