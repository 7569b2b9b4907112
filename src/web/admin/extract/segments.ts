import { LEVEL_FIELDS } from '#domain/claim/fields.ts'
import { type ExtractionSpans } from '#contracts/extraction.ts'

export type SpanField = keyof ExtractionSpans

/** A piece of a text with the fields that were read from it; none for plain text. */
export type Segment = {
  readonly text: string
  readonly fields: readonly SpanField[]
  /** The fields whose words end with it. */
  readonly ends: readonly SpanField[]
}

/** The text cut wherever the words of a field begin or end, so that fields may share words. */
export function segmentsOf(text: string, spans: ExtractionSpans): readonly Segment[] {
  const found = entriesOf(spans).filter(
    ([, { start, end }]) => start >= 0 && end > start && end <= text.length,
  )
  const cuts = new Set([0, text.length, ...found.flatMap(([, { start, end }]) => [start, end])])
  const places = [...cuts].toSorted((a, b) => a - b)
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1] ?? text.length
    const here = found.filter(([, { start, end }]) => start <= from && end >= to)
    return {
      text: text.slice(from, to),
      fields: here.map(([field]) => field),
      ends: here.filter(([, { end }]) => end === to).map(([field]) => field),
    }
  })
}

/** In the order in which they are shown and numbered. */
export const SPAN_FIELDS: readonly SpanField[] = [
  'asset_type',
  'prediction_type',
  ...LEVEL_FIELDS,
  'target_time',
  'prediction_start_date',
  'timing',
  'direction',
]

export function entriesOf(spans: ExtractionSpans) {
  return SPAN_FIELDS.flatMap((field) => {
    const words = spans[field]
    return words ? [[field, words] as const] : []
  })
}
