import { onlyText } from '#domain/clean-text.ts'

/** Parses JSON; null if it is invalid, which no object schema accepts. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Decodes a part of an address; null if it is invalid. */
export function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

export function messageOf(error: unknown): string {
  return onlyText(error instanceof Error ? error.message : String(error))
}

/** A query with its question mark; commas stay readable. */
export function queryOf(params: URLSearchParams): string {
  const query = params.toString().replaceAll('%2C', ',')
  return query === '' ? '' : `?${query}`
}

/** Decodes a file without its byte order mark, which also identifies UTF-16, as written by Windows. */
export function fileText(text: string | Uint8Array): string {
  if (typeof text === 'string') return text.replace(/^\uFEFF/, '')
  const [first, second] = text
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(text)
}
