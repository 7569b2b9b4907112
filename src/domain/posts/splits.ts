import { type Level } from './levels.ts'
import { type Sentence } from './plain.ts'
import { firstEndingAfter } from './span.ts'

/** Prices of a share from before a split, beside what they are after it. */

const FORMER = String.raw`(?:pre[- ]?split|before the (?:stock )?split|un-?adjusted|not (?:split[- ])?adjusted)`
const LATER = String.raw`(?:post[- ]?split|after the (?:stock )?split|split[- ]adjusted(?! from))`
const behind = (words: string): RegExp =>
  new RegExp(String.raw`^[^;.!?\n$\d]{0,24}\b${words}\b(?! *(?:that is|[:=(])? *\$?\d)`, 'i')
const ahead = (words: string): RegExp =>
  new RegExp(String.raw`\b${words}\b(?:(?!\b(?:so|now|i\.?e)\b)[^;.!?\n$\d,)=→]){0,20}$`, 'i')
const SIDES = {
  pre: [behind(FORMER), ahead(`(?:${FORMER}|split[- ]adjusted from)`)],
  post: [behind(LATER), ahead(LATER)],
} as const

const KINDS = ['pre', 'post'] as const

/**
 * The levels that are from before a split.
 *
 * @param blotted the words of a sentence without the digits of its dates
 */
export function beforeSplit(
  sentences: readonly Sentence[],
  levels: readonly Level[],
  blotted: (sentence: Sentence) => string,
): ReadonlySet<Level> {
  const former = sentences.flatMap((sentence) => {
    if (!/split|adjusted/i.test(sentence.text)) return []
    const first = firstEndingAfter(levels, sentence.start)
    const own = levels.slice(first, firstEndingAfter(levels, sentence.end))
    const kinds = kindsOf(blotted(sentence), sentence.start, own)
    const isToldApart = kinds.includes('post')
    return own.filter((_, at) => kinds[at] === 'pre' || (isToldApart && kinds[at] === undefined))
  })
  return new Set(former)
}

function kindsOf(words: string, start: number, levels: readonly Level[]) {
  let isTaken = false
  return levels.map((level, index) => {
    const last = levels[index - 1]?.end ?? start
    const lead = words.slice(Math.max(last - start, level.start - start - 80), level.start - start)
    const rest = words.slice(level.end - start, level.end - start + 80)
    const behindIt = KINDS.find((one) => SIDES[one][0].test(rest))
    // What stands right behind the level before is said of that one.
    const kind = behindIt ?? (isTaken ? undefined : KINDS.find((one) => SIDES[one][1].test(lead)))
    isTaken = behindIt !== undefined
    return kind
  })
}
