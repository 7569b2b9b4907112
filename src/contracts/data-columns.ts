/**
 * Column types: `day` is 2026-10-01, `moment` 2026-10-01T12:00:00.000Z, `usd` US dollars, `share` 0 to 1 (errors may be
 * negative or above 1), `yes-no` true or false.
 */
export const COLUMN_KINDS = ['text', 'day', 'moment', 'usd', 'share', 'number', 'yes-no'] as const

/** A column of a data file, described for those who read it without the site. */
export type DataColumn = {
  readonly name: string
  readonly kind: (typeof COLUMN_KINDS)[number]
  readonly about: string
}

/** A cell; null if unknown, which is empty in CSV. */
export type DataCell = string | number | boolean | null

type Described = Omit<DataColumn, 'name'>

const column =
  (kind: DataColumn['kind']) =>
  (about: string): Described => ({ kind, about })

export const text = column('text')
export const day = column('day')
export const moment = column('moment')
export const usd = column('usd')
export const share = column('share')
export const number = column('number')
export const yesNo = column('yes-no')

export function columns<Name extends string>(
  all: Readonly<Record<Name, Described>>,
): readonly (DataColumn & { readonly name: Name })[] {
  return (Object.keys(all) as Name[]).map((name) => ({ name, ...all[name] }))
}

export const ASSET = text('btc, mstr or naka.')
const WHO = text('Who made it: a person or a firm.')
const PERSON_ID = text('The last part of the address of their page.')

export const PREDICTION = {
  id: text('The prediction, as in the address of its page.'),
  url: text('Its page.'),
}
export const TERMS = {
  timing: text(
    'When it must be true: by (at any time until the deadline), at_end (at the last close), throughout (the whole time).',
  ),
  direction: text('up or down if the source says so; otherwise the price on that day decides.'),
}
const CALL = { ...PREDICTION, asset: ASSET, person: WHO, person_id: PERSON_ID }

export const CALL_COLUMNS = columns({
  ...CALL,
  statement: text('What was said, in our words.'),
  kind: text(
    'target (reaches the level), range (is inside it), by-date (is above the level), top (never above), bottom (never below).',
  ),
  ...TERMS,
  level_low: usd('The level as said, in the units of that day; for a range, its lower end.'),
  level_high: usd('The upper end of a range; otherwise the same level.'),
  split_factor: number(
    'How many of today’s units one unit of that day is: 10 after a ten-for-one split.',
  ),
  made: day('The day it was made.'),
  made_known_to: text(
    'day, month or year: how precisely the day is known; a month or year counts as its last day.',
  ),
  price_when_made: usd('The last close on or before that day, in the units of that day.'),
  counts_from: day('The first day that counts.'),
  deadline: day('The last day that counts.'),
  deadline_known_to: text('day, month or year: what the source said.'),
  deadline_assumed: yesNo('True if the source named no deadline and this is our default.'),
  judged_by: text('touch: intraday highs and lows decide; close: daily closes only.'),
  outcome: text('hit, miss, pending, or void (counts in nothing).'),
  reason: text('How the rule decided; see /methodology.'),
  decided: day('The day that decided it; empty while pending.'),
  deciding_low: usd(
    'The low of the deciding day, adjusted for splits; its close if only that is known.',
  ),
  deciding_high: usd('The high of that day, likewise.'),
  deciding_close: usd('The close of that day.'),
  nearest_price: usd(
    'The price of its window that came nearest to the level, adjusted for splits.',
  ),
  nearest_on: day('The day of that price.'),
  error: share(
    'How far the level was from the close of the deadline, as a share of that close: 0.5 for 50% too high, -0.3 for 30% too low, 0 if the price was on the right side. Before the deadline, from the last close.',
  ),
  error_so_far: yesNo('True before the deadline.'),
  luck: share('The chance of a hit when it was made, from the prices known then.'),
  repeats: text('The earlier prediction that this one repeats; repeats do not count.'),
  public_text: text('A short quotation, or our summary.'),
  source: text('The best accessible source.'),
  recorded: moment('When it was recorded here, in UTC.'),
  on_chart: yesNo('Whether it is on the chart of this view.'),
})
export type CallColumn = (typeof CALL_COLUMNS)[number]['name']

export const YEAR_COLUMNS = columns({
  year: number('The year in which the calls were made.'),
  calls: number('Calls made that year.'),
  decided: number('Hits and misses among those calls.'),
  hits: number('Hits among them.'),
  median_error: share('The median error of ended calls; see the column error of calls.'),
})

export const DUE_COLUMNS = columns({
  asset: ASSET,
  year: number('The year in which the calls were due.'),
  due: number('Calls due that year, including those that do not count.'),
  compared_calls: number('Ended calls with luck.'),
  hits: number('How many of these came true.'),
  luck_expects: number('How many of these luck expects.'),
  replayed: share(
    'The chance that luck does as well in the replayed histories; empty below five calls.',
  ),
  open_calls: number('Calls not yet ended.'),
})

export const PERSON_COLUMNS = columns({
  person: text('A person or a firm.'),
  person_id: PERSON_ID,
  url: text('Their page.'),
  decided_calls: number('Ended calls without repeats.'),
  hits: number('How many of those came true.'),
  hit_rate_low: share('The lower end of the 95% Wilson interval of the hit rate.'),
  hit_rate_high: share('Its upper end.'),
  compared_calls: number('Ended calls compared with luck.'),
  compared_hits: number('How many of these came true.'),
  luck_expects: number('How many of these luck expects to come true.'),
  replayed: share(
    'The chance that luck does as well in replayed histories; empty below five comparable calls.',
  ),
  band: text(
    'above, below or unclear: whether they can be told from luck; untested in a view of some calls.',
  ),
  skill: number('Odds relative to luck, which is 1.'),
  boldness: share('1 less the mean luck of all calls.'),
  open_calls: number('Calls whose window has not ended.'),
  last_call: day('The last day on which a call was made.'),
})
export type PersonColumn = (typeof PERSON_COLUMNS)[number]['name']

export const SAID_COLUMNS = columns({
  ...PREDICTION,
  person: text('Who made it.'),
  person_id: PERSON_ID,
  made: day('The day it was made.'),
  price_when_made: usd('The close of that day, adjusted for splits.'),
  deadline: day('Its last day.'),
  level: usd('Its level, adjusted for splits; the middle of a range.'),
  outcome: text('hit, miss, pending, or void; by intraday prices.'),
  error: share(
    'How far the level was from the close of the last day, as a share of that close; empty while it is open.',
  ),
  stands_out: yesNo('Whether this view highlights it.'),
})
export type StatementColumn = (typeof SAID_COLUMNS)[number]['name']

export const CORRECTION_COLUMNS = columns({
  number: number('Its id; ids increase over time.'),
  at: moment('When it happened, in UTC.'),
  kind: text(
    'edited (the entry was corrected), changed (the rule decides otherwise), overridden (a verdict was set by hand), withdrawn, restored, frozen (its verdicts stay as they are), thawed.',
  ),
  ...CALL,
  statement: text('What was said, in our words, as corrected by now.'),
  what: text('What changed, from what to what.'),
  why: text('The reason; may be empty.'),
  judged_by: text(
    'touch or close, if a verdict changed; otherwise empty, like the next two columns.',
  ),
  outcome_before: text('The outcome before the change.'),
  outcome_after: text('The outcome after the change.'),
  report: number('The first public report that led to it; empty for errors we found ourselves.'),
})
export type CorrectionColumn = (typeof CORRECTION_COLUMNS)[number]['name']

export const TODAY_COLUMNS = columns({
  section: text(
    'call, verdict, correction or reply (what happened), deadline (of the next 30 days), closest (to being decided by price).',
  ),
  at: text(
    'When it happened, in UTC; the deadline; for closest, the day of the close used. Only a day on past days.',
  ),
  ...CALL,
  statement: text('What was said, in our words.'),
  outcome: text('hit, miss, pending or void, by intraday prices.'),
  note: text('The note on the page.'),
  detail: text('What a correction changed and why; the text of a reply.'),
  daily_moves: number(
    'For closest: the log distance from the last close to the level, divided by the daily volatility of the asset.',
  ),
})
export type TodayColumn = (typeof TODAY_COLUMNS)[number]['name']

export const REPORT_COLUMNS = columns({
  number: number('Its number, as in the address of its page.'),
  url: text('Its page.'),
  at: moment('When it was received, in UTC.'),
  kind: text('What is wrong: words, date, person, price, rule, double (on record twice) or other.'),
  state: text('open, accepted (the record was corrected) or declined.'),
  id: text('The prediction, as in the address of its page.'),
  prediction_url: text('Its page.'),
  asset: ASSET,
  person: text('Who made the prediction: a person or a firm.'),
  person_id: PERSON_ID,
  statement: text('What was said, in our words.'),
  other: text('For a double: the id of the other prediction.'),
  source: text('The page that proves it; only its domain until the report is decided.'),
  explanation: text('The text of the report; empty until it is decided, and if it is withheld.'),
  decided_at: moment('When it was decided, in UTC.'),
  reason: text('Why it was declined.'),
  answer: text('The administrator’s answer.'),
  corrections: text('The numbers of the corrections that it led to, separated by spaces.'),
})
export type ReportColumn = (typeof REPORT_COLUMNS)[number]['name']
