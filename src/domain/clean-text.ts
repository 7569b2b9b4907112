/** What no text that is kept may hold: PostgreSQL refuses some of it, XML nearly all, and nobody sees any. */
const NO_TEXT = /[^\P{Cc}\t\n\r]|\p{Cs}|\p{Noncharacter_Code_Point}/gu

/** Without control characters beside tab and line ends, halves of surrogate pairs and noncharacters. */
export function onlyText(text: string): string {
  return text.replaceAll(NO_TEXT, '')
}

/** What came from outside as JSON, with `onlyText` of each text in it. @returns the same value where all of it was text */
export function onlyTexts<T>(given: T): T {
  // The same shape with fewer characters.
  return texts(given, 0) as T
}

/** Nothing that is kept is nested so deep; a stack is not deep enough for what strangers can nest. */
const DEEPEST = 100

function texts(given: unknown, depth: number): unknown {
  if (typeof given === 'string') return onlyText(given)
  if (typeof given !== 'object' || given === null) return given
  if (depth > DEEPEST) return null
  const entries = Object.entries(given)
  const kept = entries.map(([name, value]) => [onlyText(name), texts(value, depth + 1)] as const)
  if (kept.every(([name, value], i) => name === entries[i]?.[0] && value === entries[i][1])) {
    return given
  }
  return Array.isArray(given) ? kept.map(([, value]) => value) : Object.fromEntries(kept)
}

/** Without invisible characters, which hide what is meant; lines end with `\n`. */
export function cleanText(text: string | null | undefined): string {
  return onlyText(text ?? '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .trim()
}

/** The same on one line. */
export function cleanLine(text: string | null | undefined): string {
  return cleanText(text).replaceAll('\n', ' ')
}
