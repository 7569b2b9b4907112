import { rewritten, type Mapped } from '#domain/fold-text.ts'
import { COUNT_WORDS, MONTH_WORDS, WEEKDAY_WORDS } from './date-words.ts'
import { type Span, plainPost } from './plain.ts'

const DATE = String.raw`(?:(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?[\s-]+${MONTH_WORDS}\b|${MONTH_WORDS}\b\.?\s+(?:the\s+)?\d|20\d\d[-\/.]\d|\d{1,2}[\/.-]\d{1,2}\b)`
const TARGET = String.raw`(?:price )?(?:targets?|pts?|tp|objective|forecast|prediction|outlook|estimate|call)\b`
const MONTHS = String.raw`(?<count>${COUNT_WORDS})[ -]?(?<unit>m|mos?|mths?|months?|y|yrs?|years?)\b\.?`
const TIME_UNIT = '(?:hours?|days?|weeks?|months?|years?|minutes?)'

type Form = readonly [pattern: RegExp, words: string | ((match: RegExpExecArray) => string | null)]

/** Short and decorated forms with their plain equivalents. */
const FORMS: readonly Form[] = [
  [/<\/?(?:p|b|i|u|br|em|strong|span|div|a)\b[^<>]{0,200}>/gi, ' '],
  // "2) MSTR", "(2) MSTR", "#2 MSTR", "No. 2 MSTR", "2.) MSTR", "[2] MSTR" and "2/ MSTR" are items of a list.
  [
    /(?<=(?:^|\n)[^\S\n]{0,4}(?:[-*\u2022>"] ?)?)(?:#|no\.? ?|nr\.? ?)?[[(]?\d{1,2}(?:(?:[.)\]:/>|\u300B]{1,2}(?=\s|[\p{L}$#])|[.)]?-(?=\s))|\/[\dn]{1,2}[.)\]:]?(?=\s)| [|-](?=\s*[\p{L}$#])|(?<=(?:#|no\.? ?|nr\.? ?)\d{1,2})(?=\s))/giu,
    '\u2022',
  ],
  [
    new RegExp(
      String.raw`(?<=[\s,;:])(?:\(\d{1,2}\)|\[\d{1,2}\]|(?<!\([^()\n]{0,40})\d{1,2}\)|[#]\d{1,2})(?=\s*(?!${TIME_UNIT}\b)[\p{L}$#])`,
      'giu',
    ),
    '\u2022',
  ],
  [new RegExp(String.raw`\s\(\d{1,3}\)(?=\s${TIME_UNIT}\b)`, 'gi'), ''],
  [/\bprice objective\b/gi, 'price target'],
  [/🐻(?=[\s:=]{0,3}\$?\d)/gu, 'bear '],
  [/[🐂🐃](?=[\s:=]{0,3}\$?\d)/gu, 'bull '],
  [/(?<=\b(?:prediction|call|pick|point|number|no\.?) )#?\d{1,2}(?=\s?[:.)-]\s)/gi, ''],
  // "1.5 Mio. USD", "min. $150k", "ca. 150k": the full stop does not end the sentence.
  [/(?<=\d ?(?:mio|mrd|tsd|mln|mn|mill?|bn|bil|tn|thous))\.(?=\s|$|[),;])/gi, ''],
  [/\b(?:approx|appr|abt|circa|ca|c)\.?(?=\s+\$?\d)/gi, '~'],
  [/(?<=\b(?:min|max|est|incl|resp|avg))\.(?=\s+\$?\d)/gi, ''],
  // "Friday, March 13" and "end of day Friday, March 13" are the 13th.
  [
    new RegExp(
      String.raw`\b(?:(?:this|next|coming)\s+){0,2}${WEEKDAY_WORDS}\.?(?:\s(?:morning|noon|afternoon|evening|night|close))?(?:\s?[,:(-]\s?|\s+)(?=${DATE})`,
      'gi',
    ),
    '',
  ],
  [
    new RegExp(
      String.raw`\b(?:end of (?:the )?day|eod|(?:the )?close)(?:\s+(?:of|on))?,?\s+(?=(?:${DATE}|${WEEKDAY_WORDS}\b))`,
      'gi',
    ),
    '',
  ],
  // "12m PT", "year-ahead target", "$450 (12 months)", "on a 12-month view": analysts' horizons.
  [new RegExp(String.raw`\byear[- ]ahead(?=\s+${TARGET})`, 'gi'), '12-month'],
  [
    new RegExp(String.raw`\b(?:NTM|next[ -](?:12|twelve)[ -]months?)(?=\s+${TARGET})`, 'gi'),
    '12-month',
  ],
  [
    new RegExp(
      String.raw`(?<![$\w.,])(?:next[ -])?${MONTHS}(?:[ -](?:ahead|forward))?(?=\s+${TARGET})`,
      'gi',
    ),
    (match) => `${spanOf(match).replace(/ (\w+?)s?$/, '-$1')}`,
  ],
  [
    new RegExp(String.raw`(?<=\b(?:targets?|pts?|tp|objective))\s+${MONTHS}(?=\s*[:=])`, 'gi'),
    (match) => ` in ${spanOf(match)}`,
  ],
  [
    new RegExp(
      String.raw`(?:\(|\/ ?|, |\b(?:on|with|over) an? )${MONTHS}(?:\s+(?:horizon|view|basis|time ?frame|outlook))?(?:\)|(?=\s*(?:$|[\n.,;)])))`,
      'gi',
    ),
    (match) => {
      const before = match.input.slice(Math.max(0, match.index - 60), match.index)
      return BEHIND_TARGET.test(before) ? ` in ${spanOf(match)} ` : null
    },
  ],
]

const BEHIND_TARGET = new RegExp(String.raw`\b${TARGET}[^\n;]*$`, 'i')

function spanOf({ groups }: RegExpExecArray): string {
  return `${groups?.['count'] ?? ''} ${/^y/i.test(groups?.['unit'] ?? '') ? 'years' : 'months'}`
}

/** A post rewritten in words that the rules know. */
export type ReadableText = {
  readonly plain: string
  /** Maps a span of `plain` to the post. */
  readonly inPost: (span: Span) => Span
  /** Maps a span of the post to `plain`. */
  readonly inPlain: (span: Span) => Span
}

export function readable(text: string): ReadableText {
  const { plain, starts, ends } = FORMS.reduce<Mapped>(
    (post, [pattern, words]) =>
      rewritten(post, pattern, typeof words === 'string' ? () => words : words),
    plainPost(text),
  )
  return {
    plain,
    inPost: ({ start, end }) => ({
      start: starts[start] ?? text.length,
      end: Math.max(starts[start] ?? 0, ends[end - 1] ?? text.length),
    }),
    inPlain: ({ start, end }) => {
      const from = ends.findIndex((one) => one > start)
      const to = starts.findLastIndex((one, i) => one < end && (ends[i] ?? 0) > start)
      return from < 0 || to < from
        ? { start: plain.length, end: plain.length }
        : { start: from, end: to + 1 }
    },
  }
}
