/** Without invisible characters: they hide what is meant, and PostgreSQL refuses some. */
export function cleanText(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ''))
    .join('\n')
    .toWellFormed()
    .trim()
}
