import {
  type Claim,
  type ClaimType,
  type StatedDirection,
  type Timing,
} from '#domain/claim/claim.ts'
import { ENDING, MONTH_WORDS, WEEKDAY_WORDS } from './date-words.ts'
import { type Level } from './levels.ts'
import { type Span } from './plain.ts'

/** A claim with the words that gave its type; null if it is implied by the price alone. */
export type QuotedClaim = { readonly claim: Claim; readonly words: Span | null }

/** Negations, possibly some words before the verb. Idioms that negate nothing are removed first. */
const NEGATION =
  /\b(?:won'?t|will not|will never|not going to|never|(?:isn'?t|aren'?t|is not|are not) (?:\w+ly |ever )?\w+ing|ain'?t|no way|no chance|hard to (?:see|imagine|believe)|unlikely|doubt(?:ful)?|don'?t (?:see|think|expect|believe)|do not (?:see|think|expect|believe)|(?:can'?t|cannot|can not) (?:see|imagine)|can'?t|cannot|can not|not|fails? to|wouldn'?t|shouldn'?t|doesn'?t|impossible|no(?: more)?(?=\s+$))\b(?<between>[^,;.]{0,60}?)$/i
const DENIES_A_CLAUSE =
  /^(?:no way|no chance|hard to|unlikely|doubt|impossible|(?:don'?t|do not|can'?t|cannot|can not) (?:see|think|expect|believe|imagine))\b/i
const DENIES_NOTHING =
  /\b(?:(?:surprised|shocked|amazed|stunned|disappointed) if (?:we|btc|bitcoin|it|i|price|this) (?:don'?t|doesn'?t|do not|does not|isn'?t|aren'?t|(?:is |are )?not)|(?:no way|no chance|impossible|doubt|hard to (?:see|imagine|believe))(?: that| how| why)? [^,;.]{0,24}?(?:n'?t|not)\b|can(?:no|')?t not|no doubt(?: that)?|without (?:a )?doubt|not (?:only|just|even close to done|out of the question|a matter of if|impossible|far|long|too late|kidding|joking|crazy|financial advice|surprised|be surprised|sure if)|(?:don'?t|won'?t|wouldn'?t|not|never) be (?:surprised|shocked|long)(?: (?:if|to see|before|when))?|won'?t (?:stop|take|believe|be (?:long|surprised|easy|cheap))[^,;.]{0,24}|(?:not|isn'?t|aren'?t) (?:stop|slow)[^,;.]{0,24}|can'?t (?:wait|believe|stop)[^,;.]{0,16}|never been[^,;.]{0,24}|why not|if not|or not|whether or not|not (?:financial|investment) advice|can(?:no|')?t rule out|doesn'?t stop|never (?:stop|sell|selling|bet against|short|doubt)[^,;.]{0,16}|don'?t (?:sleep|fade|miss|forget|say|get|let|know|worry|care|need)[^,;.]{0,24}|not (?:yet|priced|bearish|bullish|selling)[^,;.]{0,16})\b/gi
const REACHES =
  /\b(?:reach|hit|see|exceed|go|get|be|touch|cross|break|pass|climb|rise|surpass|top|make|trade|close|come|fall|drop|dip|sink|crash|revisit|return|retest|happen|move|test|tag|above|over|below|under|beyond|higher|lower|at|to|sub|anywhere near|near|back|lose|visit)\w{0,3}\b/i
const DOWN =
  /\b(?:below|under|less than|lower than|sub|fall|drop|dip|sink|crash|dump|lose|down to|retest|revisit|back (?:to|at|down)|return to)|[<≤]/i
const STAYS_BELOW = /\b(?:stay|remain|keep)\w* (?:below|under)/i
const STAYS_ABOVE = /\b(?:stay|remain|hold|keep)\w* (?:above|over)/i
const AGAIN = /^[^.,;]{0,12}\b(?:ever again|again)\b/i
const CHEAP = /\b(?:last chance|cheap|ever again|never|goodbye|say bye|last time)\b/i
/** "Will never get back to 20k again": it has been higher. */
const REGAINS = /\b(?:get(?:s|ting)? back|recover|reclaim|regain|climb back|make it back)/i
const DOOM =
  /\b(?<!(?:not|n't|isn't|never|is no|not a) )(?:dead|over for|scam|ponzi|worthless|bubble|tulips?|fraud|going to zero|rat poison)\b/i
const HAPPENS_NOT =
  /^[^.,;]{0,40}?\b(?:(?:won'?t|will not|will never|never) happen|not (?:going to )?happen(?:ing)?|is(?:n'?t| not) (?:going to happen|happening|realistic|possible)|is (?:very |highly |extremely )?unlikely|off the table|no way|not a chance|is impossible|is out of reach)\b/i

const AT = String.raw`(?:\s*(?:_|at|of|is|are|in|to be|will be|should be|would be|comes in|around|near|about|:|=|for (?:(?:the|this) (?:year|cycle)|[$#]?(?:btc|bitcoin|mstr|naka)|(?:the )?(?:rest|remainder)(?: of)?)|this (?:year|cycle)|price|level|should|will|be|the|my|a|out|comes?|around|between|somewhere|likely|probably|~))*[\s(]*$`
/** "The lowest we go is 92k." */
const WE_GO = String.raw`(?: price| level| point)?(?: (?:that|btc|bitcoin|mstr|naka|we|it|you|price|i think|i see|we'll|it'll|you'll|will|can|ever))* (?:go|goes|gets?|see|going)`
const BOTTOM_BEFORE = new RegExp(
  String.raw`\b(?:(?:the |my |hard |price |cycle |bear |market |macro )*(?:(?:floor|bottom)(?:s|ed|ing)?(?! model)|low(?= (?:(?:is|was|will|for|at|in)\b|_))|(?:lowest|worst)${WE_GO})${AT}|(?<!\b(?:reclaim|break|recover)s? and )(?:stay|remain|hold|keep)(?:s|ing)?\s+(?:well\s+|comfortably\s+|safely\s+)?(?:above|over|north of)\s*(?:the\s+)?$|(?:hold|defend)s?\s+(?:the\s+)?[~$]?$)`,
  'i',
)
const BOTTOM_AFTER =
  /^\s*(?:will hold|holds)\s*(?:_|for\b|through\b|until\b|this\b|all\b|as\b|[.,!;]|$)|^\s*(?:(?:is|as|was|(?:will|should|must) (?:be|mark|hold as|act as|serve as|become)|marks|marked|holds as|being)\s+)?(?:(?:the|a|my|our)\s+)?(?:[\w-]+\s+){0,2}?(?:floor|bottom|low(?= (?:of|for|in|this|_)|[.!,]|\s*$))\b(?! model)/i
const TOP_BEFORE = new RegExp(
  String.raw`\b(?:(?:cycle |market |local |macro |the |bull market |bull run |my )*(?:top(?:s|ping)?(?! (?:out|model|\d|target))|ceiling|max(?:imum)?|upper (?:limit|bound)|(?:highest|best|most)${WE_GO})(?:${AT})|cap(?:s|ped)?(?: out)? at\s*$|(?:at (?:the )?most|no (?:more|higher) than|not? (?:higher|more) than|up to a max(?:imum)? of|the under (?:on|at)|maxe?s? out at)\s*(?:~\s*)?$|(?:stay|remain|keep|capped|stuck|hold|trade|be|is|us|it|price|btc|bitcoin|mstr|naka|range)(?:s|ing)?\s+(?:\w+\s+)?(?:below|under|beneath)\s*(?:the\s+)?$)`,
  'i',
)
/** "will top $200k" means to pass it. */
const EXCEEDS =
  /\b(?:will|to|could|should|may|might|can|would|'ll|gonna)\s+(?:\w+ly\s+)?top\s*(?:the\s+)?~?\s*$|\btops\s*$/i
const TOP_AFTER =
  /^\s*(?:(?:is|as|was|(?:will|should|must) (?:be|mark)|marks|marked|being)\s+(?:the\s+|a\s+|my\s+)?(?:cycle\s+|market\s+|local\s+|absolute\s+|final\s+|bull market\s+)?(?:top|peak|ceiling|max(?:imum)?|limit|high(?= (?:of|for|this|_)))\b|(?:the )?(?:cycle |market |local )?(?:top|ceiling|max)\b|at (?:the )?(?:very )?most\b|tops\b(?! out)|[^.;]{0,40}?\bbut (?:not|no) (?:higher|more|above)\b)/i
const BELOW = /(?:\b(?:below|under|beneath|less than|lower than)|=?[<≤]=?)\s*(?:the\s+)?~?\s*$/i
const MOVES_BELOW =
  /\b(?:fall|drop|crash|dip|go|goes|going|sink|dump|break|slide|plunge|tank|correct|retrace|pull ?back|head|headed|heading|get|move|see|come|back|collapse|wick|decline|bleed|down|lose|flush|revisit)(?:s|es|ing|ped|ping)?\s+(?:[\w']+\s+){0,3}?(?:(?:below|under|beneath|less than|lower than)\b|=?[<≤]=?)\s*(?:the\s+)?~?\s*$|(?<!\b(?:ris|climb|surg|soar|rall|pump|jump|grow|up|advanc|recover|limit|cap|confin|restrict)\w*(?: up| back)? )\bto\s+(?:below|under|less than|lower than|=?[<≤]=?)\s*~?\s*$/i
const LEAST_BEFORE =
  /(?:\b(?:at (?:the )?(?:very )?(?:least|minimum)|a minimum of|minimum(?: of)?|no less than|not less than|nothing less than|the over (?:on|at)|above|over|north of|upwards? of|in excess of|more than|greater than|exceed(?:s|ing)?|surpass(?:es|ing)?|higher than|beyond|well into)|(?<![->])[>≥]=?)\s*(?:the\s+|a\s+)?~?\s*$/i
const LEAST_AFTER =
  /^\s*(?:_+\s*)?(?:or (?:more|higher|above|better|beyond|greater|up)\b|and (?:above|beyond|up|higher|more)\b|(?:at )?(?:the |a )?(?:bare )?min(?:imum)?\b|at (?:the )?(?:very )?least\b|plus\b|or so and)/i

/** "Anything below 90k would surprise me": it will not be below. */
const ANYTHING =
  /\banything (?<side>less than|below|under|lower than|above|over|more than|higher than|beyond)\s*(?:the\s+)?$/i
const WOULD_SHOCK =
  /^[^.;\n]{0,48}?\bwould (?:really |honestly )?(?:shock|surprise|disappoint|stun|be (?:a |very )?(?:shock|surpris|disappoint|failure))\w*/i

/**
 * The claim that a sentence makes about a price. Dates are replaced with `_`.
 *
 * @param before the words of the sentence before the price; `from` is their start in the post
 * @param after the words after it
 * @see public-site.md §9, "Prediction types"
 */
export function claimOf(level: Level, before: string, after: string): QuotedClaim {
  const near = before.slice(-72)
  const from = level.start - near.length
  const quoted = (claim: Claim, found: RegExpExecArray | null): QuotedClaim => ({
    claim,
    words: found && trimmed(near.slice(found.index), from + found.index),
  })
  const behind = (claim: Claim, found: RegExpExecArray): QuotedClaim => ({
    claim,
    words: trimmed(found[0], level.end),
  })
  const top: Claim = { type: 'top', usd: level.max }
  const bottom: Claim = { type: 'bottom', usd: level.min }
  const least: Claim = { type: 'by-date', usd: level.min }
  const price: Claim =
    level.min < level.max
      ? { type: 'range', min: level.min, max: level.max }
      : { type: 'target', usd: level.min }

  const shock = WOULD_SHOCK.exec(after)
  const short = shock ? ANYTHING.exec(near)?.groups?.['side'] : undefined
  if (shock && short !== undefined) {
    return behind(/less|below|under|lower/i.test(short) ? least : top, shock)
  }
  const denied = deniedBy(near)
  if (denied && STAYS_BELOW.test(denied[0])) return quoted(least, denied)
  if (denied && STAYS_ABOVE.test(denied[0]))
    return quoted({ type: 'target', usd: level.min }, denied)
  if (denied) {
    const again = AGAIN.test(after)
    if (again && (REGAINS.test(denied[0]) || DOOM.test(`${before}${after}`)))
      return quoted({ type: 'top', usd: level.min }, denied)
    const cheap = again && CHEAP.test(`${near}${after}`)
    const down = DOWN.test(denied[0]) || cheap
    return quoted(down ? bottom : { type: 'top', usd: level.min }, denied)
  }
  const never = HAPPENS_NOT.exec(after)
  if (never) return behind(BELOW.test(near) ? bottom : { type: 'top', usd: level.min }, never)
  const isOne = level.min === level.max
  const floor = isOne ? BOTTOM_BEFORE.exec(near) : null
  if (floor) return quoted(bottom, floor)
  const floorBehind = isOne ? BOTTOM_AFTER.exec(after) : null
  if (floorBehind) return behind(bottom, floorBehind)
  const ceiling = isOne && !EXCEEDS.test(near) ? TOP_BEFORE.exec(near) : null
  if (ceiling && !MOVES_BELOW.test(near)) return quoted(top, ceiling)
  const ceilingBehind = TOP_AFTER.exec(after)
  if (ceilingBehind && (isOne || !/\btops?\b/i.test(ceilingBehind[0]))) {
    return behind(top, ceilingBehind)
  }
  const more = LEAST_BEFORE.exec(near)
  if (more) return quoted(least, more)
  const below = BELOW.exec(near)
  if (below) return quoted(MOVES_BELOW.test(near) ? price : top, below)
  const moreBehind = LEAST_AFTER.exec(after)
  if (moreBehind) return behind(least, moreBehind)
  if (level.orMore && isOne)
    return { claim: least, words: { start: level.high.start, end: level.end } }
  return { claim: price, words: null }
}

/** The span of some words without the space around them. @param at where they start in the post */
function trimmed(words: string, at: number): Span {
  const start = at + words.length - words.trimStart().length
  return { start, end: start + words.trim().length }
}

/** The negation that applies to a price: "will not reach", "unlikely to come even close to". */
export function deniedBy(near: string): RegExpExecArray | null {
  const plain = near.replace(DENIES_NOTHING, (words) => '_'.repeat(words.length))
  const found = NEGATION.exec(plain)
  if (!found || denies(found)) return found
  // "Is not dead and will never see 60k again": the second one applies.
  const rest = plain.slice(found.index).replace(/^\S+/, (word) => '_'.repeat(word.length))
  const second = NEGATION.exec('_'.repeat(found.index) + rest)
  return second && denies(second) ? second : null
}

function denies(found: RegExpExecArray): boolean {
  const between = found.groups?.['between'] ?? ''
  // "I doubt that it will": the whole clause is negated.
  const isWhole = DENIES_A_CLAUSE.test(found[0]) && !/\band\b/i.test(between)
  const splits =
    /\b(?:but|and then|because|so|yet|until|before|if)\b/i.test(between) ||
    (!isWhole && /\bwill\b/i.test(between))
  const says =
    REACHES.test(`${found[0].split(' ').slice(1).join(' ')}`) || /^[\s<>≤≥=~]*$/.test(between)
  return says && !splits
}

/** Timing and direction of a claim, each with the words that state it. */
export type QuotedTerms = {
  readonly timing: Quoted<Timing> | null
  readonly direction: Quoted<StatedDirection> | null
}
type Quoted<T> = { readonly value: T; readonly words: Span }

const UNIT = '(?:year|month|quarter|week|decade)'
const TARGET =
  '(?:targets?|pts?|price|level|estimates?|forecasts?|predictions?|calls?|figure|number|close)'
const CLOSES = String.raw`\b${ENDING}`
/** "Ends the year at", "finish March above", "month-end close", "my year-end target". */
const ENDS = new RegExp(
  [
    String.raw`${CLOSES}\s+(?:(?:the|this|next|out)\s+)*(?:${UNIT}|20\d\d|${MONTH_WORDS}|${WEEKDAY_WORDS}|[qh][1-4]|summer|winter|spring|autumn)\b`,
    String.raw`\b(?:${UNIT}|20\d\d|${MONTH_WORDS})\s+(?:closes|ends|finishes)\b`,
    String.raw`\b(?:${MONTH_WORDS}|${WEEKDAY_WORDS})(?:'s)?\s+(?:(?:daily|weekly|monthly)\s+)?clos(?:e|es|ing)\b`,
    String.raw`\b(?:(?:daily|weekly|monthly|quarterly|yearly|annual)(?:\s+candle)?(?:\s+of\s+\w+)?(?:\s+to)?\s+clos(?:e|es|ing))\b`,
    String.raw`\b(?:20\d\d|\d{1,2}(?:st|nd|rd|th)?)\s+clos(?:e|ing)\b`,
    String.raw`(?<!\b(?:by|before)\s+(?:the\s+|my\s+)?)\b(?:${UNIT}'?s?[- ]?end|eo[ymq]|end[- ]of[- ](?:the[- ])?(?:${UNIT}|20\d\d))(?:\s+20\d\d)?(?:\s+[\w$#]+){0,2}?\s+${TARGET}\b`,
  ].join('|'),
  'i',
)
const AT_THE_END =
  /^(?:at|for|as of)\b.*(?:\b(?:end|close)\b|\beo[ymqd]\b)|^on (?:the )?(?:last|final) day\b/i
/** Words for touching a price at any time. */
const TOUCHES =
  /\b(?:hit|reach|touch|tag|tap|test|cross|break|breach|smash|take out|get|go|run|peak|top out)(?:s|es|ing)?\b[^,;]{0,32}$/i
/** "Will be worth", "ends at": a state on a certain day. */
const IS_AT = new RegExp(
  String.raw`(?:\bbe|\bis|\bbecome|'s)\s+(?:back |trading |sitting |valued |priced |standing |well )?(?:at|worth|around|near|about|above|over|below|under)\b[^,;]{0,16}$|\b(?:(?:trades?\s+)?at|costs?)\s*[~$]?$|${CLOSES}\s+(?:at|above|below|over|under|around|near)\b[^,;]{0,16}$`,
  'i',
)
const ON_A_DAY = new RegExp(
  String.raw`^(?:on|at|come)\b|^(?:(?:this|next)\s+)?${WEEKDAY_WORDS}$`,
  'i',
)

const STAYS =
  /\b(?:stay|remain|hold|keep|spend|chop|consolidat|bounc|fluctuat|oscillat|hover|crab|stick|stuck|rang(?=(?:es|ing)\b|e between\b)|sideways|range[- ]?bound|trad\w* in (?:an? |the )?(?:[\w-]+ )?range)\w*\b[^.;]{0,32}$/i
const TRADES = /\btrad(?:e|es|ing)\b[^.;]{0,24}$/i
const RANGE_AFTER = /^[^.;,]{0,12}\b(?:range|band|channel)\b/i
const WHOLE = /^(?:through|throughout|thru|until|till|during|all|for)\b|\b(?:rest|remainder) of\b/i
const ALL_OF_IT = /^(?:through|throughout|until|till|all)\b|\b(?:rest|remainder) of\b/i
const ALL_OF = /\b(?:all|whole|entire|rest|remainder)(?: of)?(?: the)? ?$/i

const UP_VERB =
  'ris(?:e|es|ing)|climb\\w*|rall(?:y|ies|ying)|soar\\w*|surg(?:e|es|ing)|jump\\w*|rocket\\w*|moons?|pump\\w*|rip(?:s|ping)?|rebound\\w*|bounc(?:e|es|ing)|recover\\w*|grow(?:s|ing)?|spik(?:e|es|ing)|shoot(?:s|ing)?|skyrocket\\w*|(?:go|goes|going|head|heads|headed|heading|move|moves|moving|up) up|(?:go|goes|going|head|heads|heading|melts?|grinds?|grinding) (?:up|higher)'
const DOWN_VERB =
  'drop\\w*|fall(?:s|ing)?|crash\\w*|dip(?:s|ping)?|sink(?:s|ing)?|dump\\w*|declin(?:e|es|ing)|slid(?:e|es|ing)|slip(?:s|ping)?|plung(?:e|es|ing)|tank(?:s|ing)?|correct(?:s|ing|ion)?|retrac(?:e|es|ing|ement)|collaps(?:e|es|ing)|bleed(?:s|ing)?|tumbl(?:e|es|ing)|nuk(?:e|es|ing)|flush\\w*|pull(?:s|ing)? ?back|(?:go|goes|going|head|heads|headed|heading|move|moves|moving) (?:down|lower)|down(?= to)'
const WAY = String.raw`(?:\s+(?:back|up|down|higher|lower|all|the|way|straight|hard|first|further|again|as|high|low|a|bit|move))*(?:\s+(?:to|toward|towards|above|below|under|over|past|beyond|into|through|near|around|at|of|at least|less than|more than|about))*\s*[~<>$(]*\s*$`
const MOVES_UP = new RegExp(String.raw`\b(?:${UP_VERB})${WAY}`, 'i')
const MOVES_DOWN = new RegExp(String.raw`\b(?:${DOWN_VERB})${WAY}`, 'i')

/** The text around a level, including its dates. */
export type AroundLevel = {
  readonly type: ClaimType
  /** The words between the previous level, or the start of the sentence, and this level; `from` is their start. */
  readonly segment: string
  readonly from: number
  readonly after: string
  /** Start of `after`. */
  readonly to: number
  /** The words that gave the type, unless the price alone implies it. */
  readonly typeWords: Span | null
  readonly deadline: (Span & { readonly words: string }) | null
}

export function termsOf(around: AroundLevel): QuotedTerms {
  const { type, segment, from } = around
  const hasWay = type === 'target' || type === 'range' || type === 'by-date'
  const up = hasWay ? MOVES_UP.exec(segment.slice(-60)) : null
  const down = hasWay ? MOVES_DOWN.exec(segment.slice(-60)) : null
  const found = down ?? up
  const shift = from + segment.length - Math.min(60, segment.length)
  return {
    timing: quotedTiming(around),
    direction:
      found === null
        ? null
        : { value: down ? 'down' : 'up', words: trimmed(found[0], shift + found.index) },
  }
}

function quotedTiming({
  type,
  segment,
  from,
  after,
  to,
  typeWords,
  deadline,
}: AroundLevel): Quoted<Timing> | null {
  const ends = ENDS.exec(segment)
  if (ends) return { value: 'at_end', words: trimmed(ends[0], from + ends.index) }
  const behind = /^[^.;,\d]{0,16}/.exec(after)?.[0] ?? ''
  const endsBehind = ENDS.exec(`${behind}${after.slice(behind.length, behind.length + 32)}`)
  if (endsBehind && endsBehind.index < 16) {
    return { value: 'at_end', words: trimmed(endsBehind[0], to + endsBehind.index) }
  }
  if (deadline !== null) {
    if (AT_THE_END.test(deadline.words) && !TOUCHES.test(segment)) {
      return { value: 'at_end', words: deadline }
    }
    const state = IS_AT.exec(segment)
    if (state && ON_A_DAY.test(deadline.words)) {
      return { value: 'at_end', words: trimmed(state[0], from + state.index) }
    }
  }
  if (type === 'top' || type === 'bottom') {
    return typeWords === null ? null : { value: 'throughout', words: typeWords }
  }
  if (type === 'target') return null
  const stays = type === 'range' ? STAYS.exec(segment) : null
  if (stays) return { value: 'throughout', words: trimmed(stays[0], from + stays.index) }
  const isBand = TRADES.test(segment) || RANGE_AFTER.test(after)
  const whole = type === 'range' && isBand ? WHOLE : ALL_OF_IT
  if (deadline === null) return null
  const lead =
    deadline.start < to
      ? segment.slice(0, Math.max(0, deadline.start - from))
      : after.slice(0, deadline.start - to)
  return whole.test(deadline.words) || ALL_OF.test(lead)
    ? { value: 'throughout', words: deadline }
    : null
}
