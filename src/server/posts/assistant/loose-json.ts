import { jsonOrNull } from '#server/kit/json-or-null.ts'

/** Longer answers, and more brackets that never close, are given up on. */
const LONGEST = 200_000
const MOST_STARTS = 60

/**
 * The complete JSON objects that follow each other in a text, among words and fences, in their order. Commas before
 * a closing bracket, which many models write, are left out.
 */
export function objectsIn(text: string): readonly unknown[] {
  if (text.length > LONGEST) return []
  const found: unknown[] = []
  let from = text.indexOf('{')
  for (let starts = 0; from >= 0 && starts < MOST_STARTS; starts += 1) {
    const object = objectAt(text, from)
    const value = object === null ? null : jsonOrNull(object.json)
    if (value !== null) found.push(value)
    from = text.indexOf('{', value === null || object === null ? from + 1 : object.end)
  }
  return found
}

/** The object that begins there, without trailing commas; null where it does not end. */
function objectAt(text: string, from: number): { json: string; end: number } | null {
  let json = ''
  let taken = from
  let depth = 0
  // Outside of texts, with nothing but space since.
  let commaAt = -1
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '"') {
      at = endOfText(text, at)
      if (at < 0) return null
    } else if (sign === '{' || sign === '[') {
      depth += 1
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      if (commaAt >= 0) {
        json += text.slice(taken, commaAt)
        taken = commaAt + 1
      }
      if (depth === 0) return { json: json + text.slice(taken, at + 1), end: at + 1 }
    }
    if (sign === ',') commaAt = at
    else if (!/\s/.test(sign)) commaAt = -1
  }
  return null
}

/** The index of the quotation mark that ends a text; -1 where there is none. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return -1
}
