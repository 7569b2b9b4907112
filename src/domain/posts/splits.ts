import { type Level } from './levels.ts'
import { firstEndingAfter, type Sentence } from './plain.ts'

/** Pre-split share prices beside their post-split values. */

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
 * The levels from before a split.
 *
 * @param blotted the sentence with the digits of its dates removed
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
    const isMarked = kinds.includes('post')
    return own.filter((_, at) => kinds[at] === 'pre' || (isMarked && kinds[at] === undefined))
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
    // Text right after the previous level belongs to that level.
    const kind = behindIt ?? (isTaken ? undefined : KINDS.find((one) => SIDES[one][1].test(lead)))
    isTaken = behindIt !== undefined
    return kind
  })
}

/** Bear, base and bull case of one forecast: only the base case is the author's forecast. */

const CASE =
  '(?<case>bear|base|bull|optimistic|pessimistic|conservative|aggressive|stress|neutral|realistic|(?:low|mid|high|central|worst|best|upside|downside)(?=[ -](?:case|scenario)|\\s*[:=]|\\s*$|\\s+[~$\\d]))(?:ish)?'
const SURELY = String.raw`[ -](?:case|scenario|target|pt|estimate)`
const BEFORE = new RegExp(
  String.raw`\b${CASE}(?:${SURELY})?\s*(?:is|at|of|to|btc|bitcoin|mstr|naka|[-=:→@()])*\s*~?\s*$|\b${CASE.replace('case>', 'far>')}[ -](?:case|scenario)\b[^,;|\n]{0,40}$`,
  'i',
)
const AFTER = new RegExp(
  String.raw`^(?:[^;,.\n$]{0,20}\(|[\s([=:-]{0,4})(?:in )?(?:the |my |a |our )?${CASE}\b`,
  'i',
)
const FIRST = new RegExp(String.raw`\b${CASE}\b`, 'i')
const BASE = /^(?:base|mid|central|neutral|realistic)$/i

/** Levels of outer cases beside another level, which are not predictions of their own. */
export function outerCases(
  plain: string,
  sentences: readonly Sentence[],
  levels: readonly Level[],
): ReadonlySet<Level> {
  const named = levels.flatMap((level, index) => {
    const word = caseOf(plain, sentences, levels, index)
    return word === null ? [] : [{ level, isBase: BASE.test(word) }]
  })
  const outer = named.filter((one) => !one.isBase).map((one) => one.level)
  return new Set(named.length > 1 ? outer : [])
}

/** The case word of a level, on the side where the sentence puts them. */
function caseOf(
  plain: string,
  sentences: readonly Sentence[],
  levels: readonly Level[],
  index: number,
): string | null {
  const level = levels[index]
  const sentence = level && sentences[firstEndingAfter(sentences, level.start)]
  if (!level || !sentence) return null
  const first = levels[firstEndingAfter(levels, sentence.start)] ?? level
  const leads = FIRST.test(plain.slice(sentence.start, first.start))
  const from = Math.max(sentence.start, levels[index - 1]?.end ?? 0)
  const found = leads
    ? BEFORE.exec(plain.slice(Math.max(from, level.start - 120), level.start))
    : AFTER.exec(plain.slice(level.end, Math.min(sentence.end, level.end + 40)))
  return found?.groups?.['case'] ?? found?.groups?.['far'] ?? null
}
