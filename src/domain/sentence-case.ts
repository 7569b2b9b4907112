/** `the highest close` as a sentence or a title begins: `The highest close`. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
