/* What the columns of data files mean; the page about the data shows it. */

/**
 * What a column holds: `day` as 2026-10-01, `moment` as 2026-10-01T12:00:00.000Z, `usd` in US dollars, `share` from 0 to 1
 * (an error may be negative or above 1), `number`, `yes-no` as true or false, `text`.
 */
export const COLUMN_KINDS = ['text', 'day', 'moment', 'usd', 'share', 'number', 'yes-no'] as const

/** A column of a data file, described for those who read it without the site. */
export type DataColumn = {
  readonly name: string
  readonly kind: (typeof COLUMN_KINDS)[number]
  readonly about: string
}

/** A cell; null where the record does not know it, which is an empty cell in CSV. */
export type DataCell = string | number | boolean | null

/** The columns of a list of predictions; see also the table on /data. */
export const CALL_COLUMNS = [
  { name: 'id', kind: 'text', about: 'The prediction, as in the address of its page.' },
  { name: 'url', kind: 'text', about: 'Its page.' },
  { name: 'asset', kind: 'text', about: 'btc, mstr or naka.' },
  { name: 'person', kind: 'text', about: 'Who made it: a person or a firm.' },
  { name: 'person_id', kind: 'text', about: 'The last part of the address of their page.' },
  { name: 'statement', kind: 'text', about: 'What was said, in our words.' },
  {
    name: 'kind',
    kind: 'text',
    about:
      'target (reaches the level), range (is inside it), by-date (is above the level), top (never above), bottom (never below).',
  },
  {
    name: 'timing',
    kind: 'text',
    about:
      'When it must be true: by (at any time until the deadline), at_end (at the last close), throughout (the whole time).',
  },
  {
    name: 'direction',
    kind: 'text',
    about: 'up or down where the source says which way; else the price on that day decides.',
  },
  {
    name: 'level_low',
    kind: 'usd',
    about: 'The level as said, in the units of that day; of a range its lower end.',
  },
  { name: 'level_high', kind: 'usd', about: 'The upper end of a range; else the level again.' },
  {
    name: 'split_factor',
    kind: 'number',
    about: 'How many of today’s units one unit of that day is: 10 after a ten-for-one split.',
  },
  { name: 'made', kind: 'day', about: 'The day it was made.' },
  {
    name: 'made_known_to',
    kind: 'text',
    about: 'day, month or year: how precisely that is known; then the last day of it.',
  },
  {
    name: 'price_when_made',
    kind: 'usd',
    about: 'The last close on or before that day, in the units of that day.',
  },
  { name: 'counts_from', kind: 'day', about: 'The first day that counts.' },
  { name: 'deadline', kind: 'day', about: 'The last day that counts.' },
  { name: 'deadline_known_to', kind: 'text', about: 'day, month or year: what the source said.' },
  {
    name: 'deadline_assumed',
    kind: 'yes-no',
    about: 'True where the source named no deadline and this is our default one.',
  },
  {
    name: 'judged_by',
    kind: 'text',
    about: 'touch: intraday highs and lows decide; close: daily closes only.',
  },
  { name: 'outcome', kind: 'text', about: 'hit, miss, pending, or void (counts in nothing).' },
  { name: 'reason', kind: 'text', about: 'How the rule came to it; see /methodology.' },
  { name: 'decided', kind: 'day', about: 'The day that decided it; empty while pending.' },
  {
    name: 'deciding_low',
    kind: 'usd',
    about:
      'The low of the day that decided it, adjusted for splits; its close where only that is known.',
  },
  { name: 'deciding_high', kind: 'usd', about: 'The high of that day, in the same way.' },
  { name: 'deciding_close', kind: 'usd', about: 'The close of that day.' },
  {
    name: 'nearest_price',
    kind: 'usd',
    about: 'The price of its window that came nearest to the level, adjusted for splits.',
  },
  { name: 'nearest_on', kind: 'day', about: 'The day of that price.' },
  {
    name: 'error',
    kind: 'share',
    about:
      'How far the level was from the close of the deadline, as a share of that close: 0.5 for 50 % too high, -0.3 for 30 % too low, 0 where the price was on the right side. Before the deadline from the last close.',
  },
  { name: 'error_so_far', kind: 'yes-no', about: 'True before the deadline.' },
  {
    name: 'luck',
    kind: 'share',
    about: 'The chance of a hit when it was made, by what was known of the price then.',
  },
  { name: 'public_text', kind: 'text', about: 'A short quotation, or our summary.' },
  { name: 'source', kind: 'text', about: 'The best source that can be read.' },
  { name: 'recorded', kind: 'moment', about: 'When it came to this record, in UTC.' },
  { name: 'on_chart', kind: 'yes-no', about: 'Whether the chart of this view draws it.' },
] as const satisfies readonly DataColumn[]
export type CallColumn = (typeof CALL_COLUMNS)[number]['name']

/** The columns of a History table that shows years. */
export const YEAR_COLUMNS = [
  { name: 'year', kind: 'number', about: 'The year in which the calls were made.' },
  { name: 'calls', kind: 'number', about: 'Calls made in it.' },
  { name: 'decided', kind: 'number', about: 'Hits and misses among them.' },
  { name: 'hits', kind: 'number', about: 'Hits among them.' },
  {
    name: 'median_error',
    kind: 'share',
    about: 'The middle error of those whose deadline has passed; see the column error of calls.',
  },
] as const satisfies readonly DataColumn[]

/** The columns of all years in which calls were or are due. */
export const DUE_COLUMNS = [
  { name: 'asset', kind: 'text', about: 'btc, mstr or naka.' },
  { name: 'year', kind: 'number', about: 'The year of their deadline.' },
  { name: 'due', kind: 'number', about: 'Calls due in it, also those that do not count.' },
  { name: 'compared_calls', kind: 'number', about: 'Calls whose time is up and that have luck.' },
  { name: 'hits', kind: 'number', about: 'How many of these came true.' },
  { name: 'luck_expects', kind: 'number', about: 'How many of these luck expects.' },
  {
    name: 'replayed',
    kind: 'share',
    about: 'The chance that luck does as well in the replayed histories; empty below five calls.',
  },
  { name: 'open_calls', kind: 'number', about: 'Calls whose last day has not ended.' },
] as const satisfies readonly DataColumn[]

/** The columns of the board of people. */
export const PERSON_COLUMNS = [
  {
    name: 'place',
    kind: 'number',
    about: 'Their place in the order of this view; empty below five decided calls.',
  },
  { name: 'person', kind: 'text', about: 'A person or a firm.' },
  { name: 'person_id', kind: 'text', about: 'The last part of the address of their page.' },
  { name: 'url', kind: 'text', about: 'Their page.' },
  {
    name: 'decided_calls',
    kind: 'number',
    about: 'Calls whose time is up; those that repeat an earlier one do not count.',
  },
  { name: 'hits', kind: 'number', about: 'How many of them came true.' },
  {
    name: 'hit_rate_low',
    kind: 'share',
    about: 'The lower end of the 95 % Wilson interval of the hit rate.',
  },
  { name: 'hit_rate_high', kind: 'share', about: 'Its upper end.' },
  { name: 'compared_calls', kind: 'number', about: 'Those of them that are compared with luck.' },
  { name: 'compared_hits', kind: 'number', about: 'How many of these came true.' },
  { name: 'luck_expects', kind: 'number', about: 'How many of these luck expects to.' },
  {
    name: 'replayed',
    kind: 'share',
    about:
      'The chance that luck does as well in replayed histories; empty below five decided calls.',
  },
  {
    name: 'band',
    kind: 'text',
    about: 'above, below or unclear: whether they can be told from luck.',
  },
  { name: 'skill', kind: 'number', about: 'Odds compared with those of luck: 1 is luck.' },
  { name: 'boldness', kind: 'share', about: '1 less the mean luck of all calls.' },
  { name: 'open_calls', kind: 'number', about: 'Calls whose window has not ended.' },
  { name: 'last_call', kind: 'day', about: 'The last day on which a call was made.' },
] as const satisfies readonly DataColumn[]
export type PersonColumn = (typeof PERSON_COLUMNS)[number]['name']

/** The columns of all calls as threads: from the price of the day they were made to their level at the deadline. */
export const SAID_COLUMNS = [
  { name: 'id', kind: 'text', about: 'The prediction, as in the address of its page.' },
  { name: 'url', kind: 'text', about: 'Its page.' },
  { name: 'person', kind: 'text', about: 'Who made it.' },
  { name: 'person_id', kind: 'text', about: 'The last part of the address of their page.' },
  { name: 'made', kind: 'day', about: 'The day it was made.' },
  { name: 'price_when_made', kind: 'usd', about: 'The close of that day, adjusted for splits.' },
  { name: 'deadline', kind: 'day', about: 'Its last day.' },
  { name: 'level', kind: 'usd', about: 'Its level, adjusted for splits; of a range the middle.' },
  { name: 'outcome', kind: 'text', about: 'hit, miss, pending, or void; by intraday prices.' },
  {
    name: 'error',
    kind: 'share',
    about:
      'How far the level was from the close of the last day, as a share of that close; empty while it is open.',
  },
  {
    name: 'stands_out',
    kind: 'yes-no',
    about: 'Whether this view shows it in front of the others.',
  },
] as const satisfies readonly DataColumn[]
export type SaidColumn = (typeof SAID_COLUMNS)[number]['name']

/** The columns of the corrections. */
export const CORRECTION_COLUMNS = [
  { name: 'number', kind: 'number', about: 'Its number; later changes have higher ones.' },
  { name: 'at', kind: 'moment', about: 'When it happened, in UTC.' },
  {
    name: 'kind',
    kind: 'text',
    about:
      'edited (the entry was corrected), changed (the rule decides otherwise), overridden (a verdict was set by hand), withdrawn, restored, frozen (its verdicts stay as they are), thawed.',
  },
  { name: 'id', kind: 'text', about: 'The prediction, as in the address of its page.' },
  { name: 'url', kind: 'text', about: 'Its page.' },
  { name: 'asset', kind: 'text', about: 'btc, mstr or naka.' },
  { name: 'person', kind: 'text', about: 'Who made it: a person or a firm.' },
  { name: 'person_id', kind: 'text', about: 'The last part of the address of their page.' },
  { name: 'statement', kind: 'text', about: 'What was said, in our words, as corrected by now.' },
  { name: 'what', kind: 'text', about: 'What changed, from what to what.' },
  { name: 'why', kind: 'text', about: 'The reason; empty where none was given.' },
  {
    name: 'judged_by',
    kind: 'text',
    about: 'touch or close, of a change of a verdict; else empty, like the two columns after it.',
  },
  { name: 'outcome_before', kind: 'text', about: 'The outcome before.' },
  { name: 'outcome_after', kind: 'text', about: 'The outcome since.' },
  {
    name: 'report',
    kind: 'number',
    about:
      'The public report that led to it, of several the first; empty for what we found ourselves.',
  },
] as const satisfies readonly DataColumn[]
export type CorrectionColumn = (typeof CORRECTION_COLUMNS)[number]['name']

/** The columns of the reported errors. */
export const REPORT_COLUMNS = [
  { name: 'number', kind: 'number', about: 'Its number, as in the address of its page.' },
  { name: 'url', kind: 'text', about: 'Its page.' },
  { name: 'at', kind: 'moment', about: 'When it came, in UTC.' },
  {
    name: 'kind',
    kind: 'text',
    about: 'What is wrong: words, date, person, price, rule, double (on record twice) or other.',
  },
  { name: 'state', kind: 'text', about: 'open, accepted (the record was corrected) or declined.' },
  { name: 'id', kind: 'text', about: 'The prediction, as in the address of its page.' },
  { name: 'prediction_url', kind: 'text', about: 'Its page.' },
  { name: 'asset', kind: 'text', about: 'btc, mstr or naka.' },
  { name: 'person', kind: 'text', about: 'Who made the prediction: a person or a firm.' },
  { name: 'person_id', kind: 'text', about: 'The last part of the address of their page.' },
  { name: 'statement', kind: 'text', about: 'What was said, in our words.' },
  { name: 'other', kind: 'text', about: 'Of a double: the id of the other prediction.' },
  {
    name: 'source',
    kind: 'text',
    about: 'The page that shows it; its site alone until the report is decided.',
  },
  {
    name: 'explanation',
    kind: 'text',
    about: 'The words of the report; empty until it is decided, and where they are withheld.',
  },
  { name: 'decided_at', kind: 'moment', about: 'When it was decided, in UTC.' },
  { name: 'reason', kind: 'text', about: 'Why it was declined.' },
  { name: 'answer', kind: 'text', about: 'What an administrator answered.' },
  {
    name: 'corrections',
    kind: 'text',
    about: 'The numbers of the corrections that it led to, separated by spaces.',
  },
] as const satisfies readonly DataColumn[]
export type ReportColumn = (typeof REPORT_COLUMNS)[number]['name']
