const HEX = /^(?:[0-9a-f]{2})*$/

export function hexOfBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @returns null where the text is not hex in small letters, or of another length than `length` bytes */
export function bytesOfHex(text: string, length: number | null = null): Uint8Array | null {
  if (!HEX.test(text) || (length !== null && text.length !== 2 * length)) return null
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  )
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

export function utf8(text: string): Uint8Array {
  return Uint8Array.from(encodeURIComponent(text).matchAll(/%(..)|./g), ([letter, hex]) =>
    hex === undefined ? (letter.codePointAt(0) ?? 0) : Number.parseInt(hex, 16),
  )
}

/** Bytes read as UTF-8; null for bytes that are not UTF-8. */
export function textOfUtf8(bytes: Uint8Array): string | null {
  try {
    return decodeURIComponent(hexOfBytes(bytes).replaceAll(/../g, '%$&'))
  } catch {
    return null
  }
}
