/** A part of a text, in UTF-16 units: `start` belongs to it, `end` does not. */
export type Span = { readonly start: number; readonly end: number }

/** A part of a post with its exact words. */
export type Quote = Span & { readonly words: string }

export function quote(text: string, { start, end }: Span): Quote {
  return { start, end, words: text.slice(start, end) }
}

/** The smallest span that contains both. */
export function spanning(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) }
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}

/** The index of the first span that ends after `at`; spans are in order and do not overlap. */
export function firstEndingAfter(spans: readonly Span[], at: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Spans in the order of the text; of those that overlap, the one that starts first, then the longer one. */
export function apart<T extends Span>(spans: readonly T[]): readonly T[] {
  const kept: T[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (!last || span.start >= last.end) kept.push(span)
  }
  return kept
}
