/** What a prediction is published with: our own words, or what the person said, word for word. */
export const PUBLIC_TEXT_KINDS = ['summary', 'said'] as const
export type PublicTextKind = (typeof PUBLIC_TEXT_KINDS)[number]

export type PublicText =
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'said'; readonly text: string; readonly speaker: string }

/** How a text is headed on the page of its prediction; without one, only its sources are shown. */
export const PUBLIC_TEXT_HEADINGS: Readonly<Record<PublicTextKind | 'none', string>> = {
  summary: 'Our summary',
  said: 'As it was said',
  none: 'Where it was said',
}

/** The most characters of each kind; a quotation is as short as one of a source. */
export const LONGEST_PUBLIC_TEXT: Readonly<Record<PublicTextKind, number>> = {
  summary: 2_000,
  said: 400,
}

/**
 * A text as it is stored, signed and sent: a quotation is between quotation marks, with its speaker, so that it is one
 * wherever it is shown.
 */
export function writePublicText(given: PublicText): string {
  const text = given.text.trim()
  if (text === '' || given.kind === 'summary') return text
  const words = text.replace(/^[“”„"«»]+\s*/, '').replace(/\s*[“”„"«»]+$/, '')
  return `“${words.replaceAll(/[“„]/g, '‘').replaceAll('”', '’')}” – ${given.speaker}`
}

/** Reads a stored text; null where there is none. */
export function readPublicText(stored: string): PublicText | null {
  if (stored === '') return null
  const [, text, speaker] = /^“([^“”]+)” – ([^\n]+)$/.exec(stored) ?? []
  return text === undefined || speaker === undefined
    ? { kind: 'summary', text: stored }
    : { kind: 'said', text, speaker }
}
