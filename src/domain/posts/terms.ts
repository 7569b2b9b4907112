import { type ClaimType, type StatedDirection, type Timing } from '#domain/claim/claim.ts'
import { ENDING, MONTH_WORDS, WEEKDAY_WORDS } from './date-words.ts'
import { type Span } from './plain.ts'

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
const UP = new RegExp(String.raw`\b(?:${UP_VERB})${WAY}`, 'i')
const DOWN = new RegExp(String.raw`\b(?:${DOWN_VERB})${WAY}`, 'i')

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
  const up = hasWay ? UP.exec(segment.slice(-60)) : null
  const down = hasWay ? DOWN.exec(segment.slice(-60)) : null
  const found = down ?? up
  const shift = from + segment.length - Math.min(60, segment.length)
  return {
    timing: quotedTiming(around),
    direction:
      found === null ? null : { value: down ? 'down' : 'up', words: trimmed(found, shift) },
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
  if (ends) return { value: 'at_end', words: trimmed(ends, from) }
  const behind = /^[^.;,\d]{0,16}/.exec(after)?.[0] ?? ''
  const endsBehind = ENDS.exec(`${behind}${after.slice(behind.length, behind.length + 32)}`)
  if (endsBehind && endsBehind.index < 16) {
    return { value: 'at_end', words: trimmed(endsBehind, to) }
  }
  if (deadline !== null) {
    if (AT_THE_END.test(deadline.words) && !TOUCHES.test(segment)) {
      return { value: 'at_end', words: deadline }
    }
    const state = IS_AT.exec(segment)
    if (state && ON_A_DAY.test(deadline.words)) {
      return { value: 'at_end', words: trimmed(state, from) }
    }
  }
  if (type === 'top' || type === 'bottom') {
    return typeWords === null ? null : { value: 'throughout', words: typeWords }
  }
  if (type === 'target') return null
  const stays = type === 'range' ? STAYS.exec(segment) : null
  if (stays) return { value: 'throughout', words: trimmed(stays, from) }
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

function trimmed({ index, 0: words }: RegExpExecArray, from: number): Span {
  const start = from + index + (words.length - words.trimStart().length)
  return { start, end: start + words.trim().length }
}
