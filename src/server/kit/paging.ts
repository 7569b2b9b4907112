/** Rows per page of an administrators' list. */
export const PAGE_SIZE = 50

/** Search words as `like` patterns that match anywhere, with wildcards escaped. */
export function wordsOf(q: string): string[] {
  return q
    .replaceAll('\0', '')
    .toWellFormed()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 8)
    .map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
}
