/** What a text holds as JSON; null where it is none, which no schema of an object takes. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
