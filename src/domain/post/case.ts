/**
 * A post of our own wording; what a careful reader takes from it, as `readingLine` writes it; and when it was posted
 * (2026-03-10 unless told).
 */
export type Case = readonly [text: string, expected: string, posted?: string | null]

export const CASE_POSTED = '2026-03-10'
