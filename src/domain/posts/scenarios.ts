import { type Level } from './levels.ts'
import { type Sentence } from './plain.ts'
import { firstEndingAfter } from './span.ts'

/** Bear, base and bull case of one forecast: only the base case is what its author expects. */

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

/** The levels of a post that are outer cases beside another: they are no predictions of their own. */
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

/** The word for the case of a level, on the side where the sentence has them. */
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
