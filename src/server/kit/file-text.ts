/** What a file says, without the byte order mark before it; one of UTF-16, as Windows writes, says its encoding by it. */
export function fileText(given: string | Uint8Array): string {
  if (typeof given === 'string') return given.replace(/^\uFEFF/, '')
  const [first, second] = given
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(given)
}
