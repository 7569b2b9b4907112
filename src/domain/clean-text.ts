/** Characters not allowed in stored text: invisible, and rejected by PostgreSQL or XML. */
const NO_TEXT = /[^\P{Cc}\t\n\r]|\p{Cs}|\p{Noncharacter_Code_Point}/gu

export function onlyText(text: string): string {
  return text.replaceAll(NO_TEXT, '')
}

/** Applies `onlyText` to every string of a JSON value. @returns the same object if nothing changed */
export function onlyTexts<T>(value: T): T {
  // Same shape, fewer characters.
  return texts(value, 0) as T
}

/** Deeper nesting is never stored, and could overflow the stack. */
const DEEPEST = 100

function texts(node: unknown, depth: number): unknown {
  if (typeof node === 'string') return onlyText(node)
  if (typeof node !== 'object' || node === null) return node
  if (depth > DEEPEST) return null
  const entries = Object.entries(node)
  const cleaned = entries.map(([name, value]) => [onlyText(name), texts(value, depth + 1)] as const)
  if (cleaned.every(([name, value], i) => name === entries[i]?.[0] && value === entries[i][1])) {
    return node
  }
  return Array.isArray(node) ? cleaned.map(([, value]) => value) : Object.fromEntries(cleaned)
}

/** Removes invisible characters and normalizes line ends to `\n`. */
export function cleanText(text: string | null | undefined): string {
  return onlyText(text ?? '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .trim()
}

/** As `cleanText`, on one line. */
export function cleanLine(text: string | null | undefined): string {
  return cleanText(text).replaceAll('\n', ' ')
}

/** The first `most` characters, with `…` where more follow. */
export function truncate(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Escapes text for XML and HTML elements and attributes. */
export function escapeMarkup(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? '')
}
