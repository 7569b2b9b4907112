import { addDays, dayOf, endOfPrecision, partsOf, type Day } from '#domain/day.ts'
import { DATE_FORMS } from './date-forms.ts'
import {
  addMonths,
  dayPeriod,
  partOf,
  type Part,
  type Period,
  type PostDate,
  type DateForm,
  countOf,
  ENDING,
  unitOf,
  type SpanUnit,
  COUNT_WORDS,
  UNIT_WORDS,
} from './date-words.ts'
import { apart, type Span } from './plain.ts'

/** A date in a post, with the words around it that give its meaning. */
export type DateMention = Span & {
  /** A deadline, a time after which something happens, or a time before the post. */
  readonly kind: 'deadline' | 'after' | 'past'
  /** The last day that counts. */
  readonly by: Day
  /** The first day that counts, if stated: "between now and March". */
  readonly from: Day | null
  /** The first day of the period named. */
  readonly begins: Day
  /** Start of the calendar words themselves, after "by the end of". */
  readonly core: number
  /** Possible ambiguity: day and month swapped in 03/04/2027, or "March 27" as a month of 2027. */
  readonly unsure?: 'date-order' | 'day-or-year' | null
}

const LEAD = new RegExp(
  String.raw`(?:\b(?<prep>by|between|on or before|by or before|before|prior to|ahead of|until|till|til|in|during|within|on|at|for|after|since|from|past|post|through|thru|throughout|into|around|come|beyond|following|over|around the|of|as of|${ENDING})\s+)?(?:(?:the|of|about|around|approximately|~)\s+){0,2}(?:(?:the\s+)?\b(?<part>very end|tail end|(?:last|final) day|end|close|late|later|latter part|early|mid(?:dle)?|start|beginning|turn|first half|second half|back half)(?:\s+(?:of|in))?(?:\s+the)?\s*-?\s*)?$`,
  'i',
)
const FROM_NOW = /\b(?:between|from) now (?:and|to|until|till|through) (?:[\w']{1,20} ){0,4}\(?$/i
const BETWEEN = /\b(?:between|from)\s+$/i
/** "May>91K", "Mar: $80k": a list of months. */
const LISTED = /^\s?(?:[>:=~\u2265]|-\s)\s?\$?\d?|^ \$?\d{1,4}k\b/
/** "Friday's close". */
const OF_ITS_CLOSE = /^(?:'s)?\s+(?:(?:daily|weekly|monthly)\s+)?close\b/i
/** The day of an event is not a deadline. */
const EVENT =
  /\b(?:webinar|conference|join (?:us|me)|livestream|live stream|podcast|episode|event|ama|register|tickets?|interview|published|posted|recorded|meet-?up|expir(?:es|ing|y)|keynote|summit|see you|born)\b[^.;!?$]{0,24}$/i
/** Slightly less than a year in days. */
const LONG_AHEAD = 270
/** "For the first time in eight years" looks back. */
const RECORD =
  /\b(?:(?:first|last|only|second|third) time|highest|lowest|best|worst|biggest|largest|cheapest)(?: \w+)?\s+$/i
/** Connectors of two dates that form one period. */
const JOINED = /^\s?(?:-|to|or|and|\/|through|until)\s?(?:the\s+)?(?:end of |early |late |mid-?)?$/i

const PARTS: readonly (readonly [RegExp, Part])[] = [
  [/^(?:very end|tail end|(?:last|final) day|end|close)$/i, 'end'],
  [/^(?:late|later|latter part)$/i, 'late'],
  [/^early$/i, 'early'],
  [/^mid(?:dle)?$/i, 'middle'],
  [/^(?:start|beginning|turn)$/i, 'start'],
  [/^first half$/i, 'first-half'],
  [/^(?:second|back) half$/i, 'second-half'],
]

/**
 * All dates of a post. Relative ones ("in 18 months", "this year", a month without its year) are dropped if the day of
 * the post is unknown, and counted from the last day of its month if only the month is known.
 */
export function datesIn(plain: string, posted: PostDate | null): readonly DateMention[] {
  // Dates do not continue on the next line: "by June", then "2) ETH".
  const lines = plain.replaceAll('\n', '\0')
  const calendar = DATE_FORMS.flatMap((one) => mentionsOf(lines, one, posted))
  const past = [...lines.matchAll(PAST_WORDS)].map((match) => pastMention(match, posted))
  const all = apart([...spansOfTime(lines, posted), ...calendar, ...past])
  return joined(lines, all)
}

function mentionsOf(plain: string, one: DateForm, posted: PostDate | null): readonly DateMention[] {
  return [...plain.matchAll(one.pattern)].flatMap((match) => {
    const period = one.read(match, posted)
    if (period === null) return []
    const mention = withLead(plain, match, period, one, posted)
    return mention === null ? [] : [mention]
  })
}

function withLead(
  plain: string,
  match: RegExpExecArray,
  period: Period,
  one: DateForm,
  posted: PostDate | null,
): DateMention | null {
  const ahead = plain.slice(Math.max(0, match.index - 48), match.index)
  const lead = LEAD.exec(ahead)
  const prep = lead?.groups?.['prep']?.toLowerCase().replace(/\s+/g, ' ') ?? null
  const partWord = lead?.groups?.['part'] ?? null
  const which = match.groups?.['which'] ?? match.groups?.['year'] ?? null
  const bare = prep === null && partWord === null && which === null
  const following = plain.slice(match.index + match[0].length, match.index + match[0].length + 24)
  const listed = LISTED.test(following.slice(0, 8))
  const isSure = (listed && match[0].startsWith('M')) || OF_ITS_CLOSE.test(following)
  if (bare && (one.needsLead === true || isVerb(match[0])) && !isSure) return null
  if (isVerb(match[0]) && (prep === 'to' || prep === 'at')) return null
  const part =
    partWord === null ? null : (PARTS.find(([those]) => those.test(partWord))?.[1] ?? null)
  const narrowed = part === null ? period : partOf(period, part)
  const isEnd = one.isEnd === true || part === 'end' || part === 'late'
  const leadLength = prep === null && partWord === null ? 0 : (lead?.[0].trimStart().length ?? 0)
  const by = deadlineOf(narrowed, prep, isEnd)
  // "Rejected at the August high" is a place on the chart.
  const named = plain.slice(match.index + match[0].length, match.index + match[0].length + 8)
  const isPlace = /^ (?:high|low|top|bottom|peak|range)/i.test(named)
  if (isPlace && /\b(?:at|from|above|below|to|of) the $/i.test(ahead)) return null
  if (EVENT.test(ahead)) return null
  const fromNow = posted && FROM_NOW.test(plain.slice(Math.max(0, match.index - 90), match.index))
  // "February close: $84k", said in March, does not mean next year.
  const end = match.index + match[0].length
  const closed =
    bare &&
    posted !== null &&
    narrowed.from - posted.day > LONG_AHEAD &&
    /^\s+(?:monthly\s+)?clos(?:e|ing)\b/i.test(plain.slice(end, end + 20))
  const over = posted !== null && by < posted.day
  return {
    start: match.index - leadLength,
    end: match.index + match[0].trimEnd().length,
    core: match.index,
    kind: isAfter(prep) ? 'after' : over || closed ? 'past' : 'deadline',
    by,
    begins: narrowed.from,
    from: fromNow ? posted.day : null,
    unsure: isEitherWay(match) ? 'date-order' : isDayOrYear(match, posted) ? 'day-or-year' : null,
  }
}

function isEitherWay({ groups }: RegExpExecArray): boolean {
  const { a, b } = groups ?? {}
  const [first, second] = [Number(a), Number(b)]
  return first >= 1 && second >= 1 && first <= 12 && second <= 12 && first !== second
}

/** "Sep 28" may be a month of 2028. Years further ahead are rarely written this way. */
function isDayOrYear(match: RegExpExecArray, posted: PostDate | null): boolean {
  const { month, day, year } = match.groups ?? {}
  if (month === undefined || day === undefined || year !== undefined || posted === null)
    return false
  const ahead = 2000 + Number(day) - partsOf(posted.day).year
  return ahead >= 1 && ahead <= 2 && match[0].endsWith(` ${day}`)
}

function isVerb(words: string): boolean {
  return /^(?:may|march|mar|fall|spring|sun|sat|mon|wed)$/i.test(words)
}

function isAfter(prep: string | null): boolean {
  return prep !== null && /^(?:after|since|from|past|post|beyond|following|as of)$/.test(prep)
}

/**
 * The last day that counts. A deadline word means the last day of its period; "before" a year or a named day means the
 * previous day. "Before December" means the same as "by December".
 */
function deadlineOf(period: Period, prep: string | null, isEnd: boolean): Day {
  // "Until 2027" ends when 2027 begins; "until July" mostly means through July.
  const untilYear =
    period.precision === 'year' && prep !== null && /^(?:until|till|til)$/.test(prep)
  const before = untilYear || (prep !== null && /^(?:before|prior to|ahead of)$/.test(prep))
  const isMonth = period.precision === 'month' && period.to - period.from < 31
  if (!before || isEnd || isMonth) return period.to
  // "Before December 31" also means the whole year.
  const isLast = period.from === period.to && partsOf(addDays(period.to, 1)).date === 1
  return isLast ? period.to : addDays(period.from, -1)
}

function spansOfTime(plain: string, posted: PostDate | null): readonly DateMention[] {
  if (posted === null || posted.precision === 'year') return []
  return Object.entries(SPAN_FORMS).flatMap(([name, pattern]) =>
    [...plain.matchAll(pattern)].flatMap((match) => {
      const by = endOfSpan(match, posted)
      if (by === null) return []
      const { index: start } = match
      const end = start + match[0].length
      const isAgo = /^\s+ago\b/i.test(plain.slice(end, end + 6))
      if (isAgo || RECORD.test(plain.slice(Math.max(0, start - 24), start))) return []
      return [
        {
          start,
          end,
          core: start,
          from: null,
          // "A year from now" is a day, "within a year" the time until then.
          begins: name === 'tail' ? by : posted.day,
          kind: 'deadline' as const,
          by,
        },
      ]
    }),
  )
}

/** The end of "12-18 months", by its upper count, from the day of the post or the last day of its month. */
function endOfSpan(match: RegExpExecArray, posted: PostDate): Day | null {
  const { low = '', high, unit = '', half } = match.groups ?? {}
  const counted = countOf(high ?? low)
  // "over the next year" is one year; "in years" is not a date.
  const one = low === '' && !/s$/i.test(unit) && /\b(?:next|coming|following)\s/i.test(match[0])
  const count = low === '' ? (one ? 1 : null) : counted
  const kind = unitOf(unit)
  if (count === null || kind === null) return null
  const total = count + (half === undefined ? 0 : 0.5)
  return later(endOfPrecision(posted.day, posted.precision), total, kind)
}

const MONTHS_IN: Readonly<Partial<Record<SpanUnit, number>>> = {
  month: 1,
  quarter: 3,
  year: 12,
  decade: 120,
}
const DAYS_IN: Readonly<Partial<Record<SpanUnit, number>>> = {
  hour: 1 / 24,
  day: 1,
  week: 7,
  fortnight: 14,
}

function later(day: Day, count: number, unit: SpanUnit): Day | null {
  const months = MONTHS_IN[unit]
  if (months === undefined) return addDays(day, Math.ceil(count * (DAYS_IN[unit] ?? 1)))
  const whole = Math.floor(count * months)
  if (whole > 1_500) return null
  return addDays(addMonths(day, whole), Math.round((count * months - whole) * 30))
}

function pastMention(match: RegExpExecArray, posted: PostDate | null): DateMention {
  const by = posted ? addDays(posted.day, -1) : dayPeriod(dayOf(2009, 1, 3)).to
  return {
    start: match.index,
    end: match.index + match[0].length,
    core: match.index,
    kind: 'past',
    by,
    begins: by,
    from: null,
  }
}

/** Joins "between 2026 and 2028", "Q3 or Q4", "from March to June" into one date; its end is the deadline. */
function joined(plain: string, mentions: readonly DateMention[]): readonly DateMention[] {
  const found: DateMention[] = []
  for (const mention of mentions) {
    const last = found.at(-1)
    const between = last ? plain.slice(last.end, mention.start) : ''
    const joins = last !== undefined && between.length < 20 && JOINED.test(between)
    if (!joins || mention.kind === 'past' || last.kind === 'past') {
      found.push(mention)
      continue
    }
    const opened = BETWEEN.test(plain.slice(Math.max(0, last.core - 10), last.core))
    found[found.length - 1] = {
      ...mention,
      start: last.start,
      core: last.core,
      kind: 'deadline',
      from: opened ? last.begins : mention.from,
    }
  }
  return found
}

/** "in 18 months", "within the next 90 days", "12-18 months from now", "in a year and a half", "12-month target", "give it a year". */
const SPAN_FORMS = {
  lead: new RegExp(
    String.raw`\b(?<prep>in|within|over|during|inside|for|give (?:it|me|us|this|btc|bitcoin))\s+(?:(?:the|just|only|exactly|precisely|at most|about|around|approx(?:imately|\.)?|roughly|under|less than|no more than|as little as|~)\s*){0,3}(?:(?:next|coming|following)\s+)?(?<low>${COUNT_WORDS}|(?=hour|day|week|month|quarter|year|decade))(?:\s?(?:-|to|or)\s?(?<high>${COUNT_WORDS}))?\s?-?(?<unit>${UNIT_WORDS}|d|mo|y)\b(?<half>\s+and\s+a\s+half)?(?!-|\s+(?:high|low|moving|sma|ema|ma|chart|candle|support|old|ago|now|already|straight|so far|streak|row|cooling|period|cycle)\b)`,
    'gi',
  ),
  next: new RegExp(
    String.raw`\b(?:next|coming|following)\s+(?<low>${COUNT_WORDS})(?:\s?(?:-|to|or)\s?(?<high>${COUNT_WORDS}))?\s?-?(?<unit>${UNIT_WORDS}|d|mo|y)\b(?<half>\s+and\s+a\s+half)?(?!-|\s+(?:high|low|moving|sma|ema|ma|chart|old|ago)\b)`,
    'gi',
  ),
  tail: new RegExp(
    String.raw`(?<![\w.,$-])(?<low>${COUNT_WORDS})(?:\s?(?:-|to|or)\s?(?<high>${COUNT_WORDS}))?\s?-?(?<unit>${UNIT_WORDS})(?<half>\s+and\s+a\s+half)?(?:'s?\s+time|\s+(?:from\s+(?:now|today|here)|out|away|ahead|hence|max|tops|at most)\b|(?=\s+(?:[$#]?\w{2,12}\s+){0,2}(?:target|prediction|forecast|pt|outlook|estimate|(?:base|bear|bull) case)\b)|(?=:))`,
    'gi',
  ),
  /** A sentence of its own: "Bitcoin $1M. Ten years." */
  alone: new RegExp(
    String.raw`(?<=(?:^|[.!?:\0])\s{0,2})(?<low>${COUNT_WORDS})\s(?<unit>${UNIT_WORDS})(?<high>(?!))?(?<half>\s+and\s+a\s+half)?(?=\s?(?:$|[.!\0]))`,
    'gi',
  ),
} as const

const PAST_WORDS =
  /\b(?<!since )(?:yesterday|last\s+(?:night|week|month|year|quarter|summer|winter|spring|fall|autumn|cycle|halving|time|bull|yr)|(?:\d{1,3}|a|an|one|two|three|four|five|six|ten|couple of|few|several)\s+(?:hours?|days?|weeks?|months?|years?|yrs?)\s+ago|(?:past|last|previous)\s+(?:\d{1,3}|two|three|four|five|six|ten|few|couple of)\s+(?:hours?|days?|weeks?|months?|years?)|ago|earlier\s+(?:this|today)|so far this year|this morning)\b/gi
