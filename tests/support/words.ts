/** The words of a text: many short values in few lines. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
