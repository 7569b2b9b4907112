/** A text parsed as JSON; null where it is not JSON, which no schema of an object takes. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
