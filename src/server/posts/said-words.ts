import { LEVEL_FIELDS } from '#domain/claim/fields.ts'
import { type ExtractionSpans } from '#contracts/extraction.ts'

/** A quotation is of one piece; one that is longer says too much else. */
const LONGEST_QUOTATION = 140

/**
 * The words of the post from the first to the last that a reading rests on: a level alone would say less than was said,
 * and of a range only half.
 *
 * @returns null where they are too far apart
 */
export function saidWords(text: string, spans: ExtractionSpans): string | null {
  const core = [
    spans.prediction_type,
    ...LEVEL_FIELDS.map((field) => spans[field]),
    spans.target_time,
  ]
  for (const held of [Object.values(spans), core]) {
    const places = held.filter((one) => one !== undefined)
    if (places.length === 0) return null
    const start = Math.min(...places.map((one) => one.start))
    const end = Math.max(...places.map((one) => one.end))
    if (end - start <= LONGEST_QUOTATION) return text.slice(start, end)
  }
  return null
}
