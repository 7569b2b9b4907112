import { COUNT_WORDS, UNIT_WORDS } from './date-words.ts'

/** "in 18 months", "within the next 90 days", "12-18 months from now", "in a year and a half", "12-month target", "give it a year". */
export const SPAN_FORMS = {
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

export const PAST_WORDS =
  /\b(?<!since )(?:yesterday|last\s+(?:night|week|month|year|quarter|summer|winter|spring|fall|autumn|cycle|halving|time|bull|yr)|(?:\d{1,3}|a|an|one|two|three|four|five|six|ten|couple of|few|several)\s+(?:hours?|days?|weeks?|months?|years?|yrs?)\s+ago|(?:past|last|previous)\s+(?:\d{1,3}|two|three|four|five|six|ten|few|couple of)\s+(?:hours?|days?|weeks?|months?|years?)|ago|earlier\s+(?:this|today)|so far this year|this morning)\b/gi
