import { type AssetMention } from './asset-words.ts'
import { type DateMention } from './dates.ts'
import { type Level } from './levels.ts'
import { firstEndingAfter, type Span, type Sentence } from './plain.ts'

/** Cost of a gap between a level and a mention: its length plus this for each level or separator crossed. */
const COST_OF_LEVEL = 200
const COST_OF_SEPARATOR = 40
const SEPARATOR = /[,;:()|\n\u2022]|\b(?:and|but|then|while|or|after|before)\b/gi
/** Separators are counted in gaps up to this length; beyond it only the length counts, for linear time. */
const MOST_GAP = 400
/** Neighbours compared on either side, limited for linear time. */
const LOOK = 2

/** The mention in the sentence nearest to a level; on a tie, the one on the sentence's usual side. */
export function nearest<T extends Span>(
  plain: string,
  level: Level,
  mentions: readonly T[],
  levels: readonly Level[],
  sentence: Sentence,
): T | null {
  const at = firstEndingAfter(mentions, level.start)
  const around = mentions
    .slice(Math.max(0, at - LOOK), at + LOOK)
    .filter((one) => one.start >= sentence.start && one.end <= sentence.end + 1)
  // "BTC 40k ETH 2k" or "40k BTC 2k ETH": the first item shows which side names are on.
  const firstLevel = levels[firstEndingAfter(levels, sentence.start)]
  const firstOne = mentions[firstEndingAfter(mentions, sentence.start)]
  const leads = (firstOne?.start ?? 0) < (firstLevel?.start ?? 0)
  let best: T | null = null
  let least = Infinity
  for (const one of around) {
    const cost = costOf(plain, level, one, levels)
    if (cost < least || (cost === least && !leads)) [best, least] = [one, cost]
  }
  return best
}

function costOf(plain: string, level: Level, other: Span, levels: readonly Level[]): number {
  const [from, to] = other.start < level.start ? [other.end, level.start] : [level.end, other.start]
  // "BTC EOY: $150k | ETH EOY: $5k": a colon before a level does not separate.
  const read = plain.slice(from, Math.min(to, from + MOST_GAP))
  const gap = read.replace(/\([^()]*\)/g, '').replace(/:\s*$/, other.start < level.start ? '' : ':')
  const length = to - from - read.length + gap.length
  const at = firstEndingAfter(levels, from)
  const crossed = levels
    .slice(at, at + 4)
    .filter((one) => one.start >= from && one.end <= to).length
  return length + COST_OF_SEPARATOR * (gap.match(SEPARATOR)?.length ?? 0) + COST_OF_LEVEL * crossed
}

const LIST_ITEM =
  /^(?:[-\u2022*\u2192]|\p{Extended_Pictographic}|(?:bear|base|bull|low|mid|high)(?:ish)?\b)\s?/iu
/** More items than any list in a post. */
const MOST_ITEMS = 12

/** The heading of a list of predictions: "My 2027 predictions:". */
function headOf(sentences: readonly Sentence[], at: number): Sentence | undefined {
  for (let i = at; i > at - MOST_ITEMS; i -= 1) {
    if (!LIST_ITEM.test(sentences[i]?.text ?? '')) return i === at ? undefined : sentences[i]
  }
  return undefined
}

/** Words besides a date that still only set the time. */
const SETTING_WORDS =
  /\b(?:(?:we|it|i|you)'ll|the|it|it's|its|is|year|my|our|this|that|that's|for|by|in|on|at|of|to|a|an|and|within|timeline|timeframe|time|frame|deadline|target|targets|price|prediction|predictions|call|calls|forecast|forecasts|outlook|here|are|be|will|happen|happens|happening|expected|term|before|latest|period|eta|date|scenario|bet|now|fast|forward|imagine|bold|new|official|reminder|update|still|we|get|there|reach|when|btc|bitcoin|mstr|microstrategy|strategy|naka|how|high|where|what|give|just|only|another|screenshot|screenshotted|bookmark|mark|remember|write|down|go|answer|do|you|i|see|level|all|both|each|these|those|numbers?|figures|plan|views?|mine|will|going|expect|think|predict|doubles?|doubling|triples?|tripling)\b/gi

/**
 * A date in the sentence before or after that sets the time for a level: "The year is 2035.", "My call for 2027:",
 * "Deadline: March." Other dates there belong to something else.
 */
export function timeSettingFor(
  sentences: readonly Sentence[],
  sentence: Sentence,
  dates: readonly DateMention[],
  levels: readonly Level[],
  assets: readonly AssetMention[],
): DateMention | null {
  const at = sentences.indexOf(sentence)
  for (const other of [sentences[at - 1], sentences[at + 1], headOf(sentences, at)]) {
    if (!other || other.text.length > 160) continue
    // "Bitcoin in five years? $300k": a question sets the time for its answer.
    if (other.asks && other.start > sentence.start) continue
    const date = dates[firstEndingAfter(dates, other.start)]
    if (!date || date.start < other.start || date.end > other.end + 1) continue
    if (
      date.kind !== 'deadline' ||
      levels.some((one) => one.start >= other.start && one.end <= other.end)
    ) {
      continue
    }
    const rest =
      other.text.slice(0, date.start - other.start) + other.text.slice(date.end - other.start)
    const foreign = assets.some(
      (one) => one.asset === 'other' && one.start >= other.start && one.end <= other.end,
    )
    const left = rest.replace(SETTING_WORDS, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
    if (!foreign && left === 0) return date
  }
  return null
}

/** The subject of the preceding sentences, then of the following ones. */
export function subjectAround(
  plain: string,
  assets: readonly AssetMention[],
  sentences: readonly Sentence[],
  sentence: Sentence,
): AssetMention | null {
  const last = assets.findLast((one) => one.end <= sentence.start)
  if (last) {
    const home = sentences.find((one) => one.start <= last.start && last.start < one.end)
    return assets.find((one) => home !== undefined && one.start >= home.start) ?? last
  }
  // A following name counts if it is ours, or looks like a label: "$500 by May. $XYZ".
  const next = assets.filter((one) => one.start >= sentence.end)
  const isLabel = (one: AssetMention): boolean => /[$#]/.test(plain.charAt(one.start))
  return next.find((one) => one.asset !== 'other' || isLabel(one)) ?? null
}
