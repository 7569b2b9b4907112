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

const ASSET = text('btc, mstr or naka.')
const WHO = text('Who made it: a person or a firm.')
const PERSON_ID = text('The last part of the address of their page.')

const PREDICTION = {
  id: text('The prediction, as in the address of its page.'),
  url: text('Its page.'),
}
const CALL = { ...PREDICTION, asset: ASSET, person: WHO, person_id: PERSON_ID }

export const CALL_COLUMNS = columns({
  ...CALL,
  statement: text('What was said, in our words.'),
  kind: text(
    'target (reaches the level), range (is inside it), by-date (is above the level), top (never above), bottom (never below).',
  ),
  timing: text(
    'When it must be true: by (at any time until the deadline), at_end (at the last close), throughout (the whole time).',
  ),
  direction: text(
    'up or down where the source says which way; else the price on that day decides.',
  ),
  level_low: usd('The level as said, in the units of that day; of a range its lower end.'),
  level_high: usd('The upper end of a range; else the level again.'),
  split_factor: number(
    'How many of today’s units one unit of that day is: 10 after a ten-for-one split.',
  ),
  made: day('The day it was made.'),
  made_known_to: text('day, month or year: how precisely that is known; then the last day of it.'),
  price_when_made: usd('The last close on or before that day, in the units of that day.'),
  counts_from: day('The first day that counts.'),
  deadline: day('The last day that counts.'),
  deadline_known_to: text('day, month or year: what the source said.'),
  deadline_assumed: yesNo('True where the source named no deadline and this is our default one.'),
  judged_by: text('touch: intraday highs and lows decide; close: daily closes only.'),
  outcome: text('hit, miss, pending, or void (counts in nothing).'),
  reason: text('How the rule came to it; see /methodology.'),
  decided: day('The day that decided it; empty while pending.'),
  deciding_low: usd(
    'The low of the day that decided it, adjusted for splits; its close where only that is known.',
  ),
  deciding_high: usd('The high of that day, in the same way.'),
  deciding_close: usd('The close of that day.'),
  nearest_price: usd(
    'The price of its window that came nearest to the level, adjusted for splits.',
  ),
  nearest_on: day('The day of that price.'),
  error: share(
    'How far the level was from the close of the deadline, as a share of that close: 0.5 for 50% too high, -0.3 for 30% too low, 0 where the price was on the right side. Before the deadline from the last close.',
  ),
  error_so_far: yesNo('True before the deadline.'),
  luck: share('The chance of a hit when it was made, by what was known of the price then.'),
  repeats: text('The earlier prediction that says the same: this one then counts nowhere.'),
  public_text: text('A short quotation, or our summary.'),
  source: text('The best source that can be read.'),
  recorded: moment('When it came to this record, in UTC.'),
  on_chart: yesNo('Whether the chart of this view draws it.'),
})
export type CallColumn = (typeof CALL_COLUMNS)[number]['name']

export const YEAR_COLUMNS = columns({
  year: number('The year in which the calls were made.'),
  calls: number('Calls made in it.'),
  decided: number('Hits and misses among them.'),
  hits: number('Hits among them.'),
  median_error: share(
    'The middle error of those whose deadline has passed; see the column error of calls.',
  ),
})

export const DUE_COLUMNS = columns({
  asset: ASSET,
  year: number('The year of their deadline.'),
  due: number('Calls due in it, also those that do not count.'),
  compared_calls: number('Calls whose time is up and that have luck.'),
  hits: number('How many of these came true.'),
  luck_expects: number('How many of these luck expects.'),
  replayed: share(
    'The chance that luck does as well in the replayed histories; empty below five calls.',
  ),
  open_calls: number('Calls whose last day has not ended.'),
})

export const PERSON_COLUMNS = columns({
  person: text('A person or a firm.'),
  person_id: PERSON_ID,
  url: text('Their page.'),
  decided_calls: number('Calls whose time is up; those that repeat an earlier one do not count.'),
  hits: number('How many of them came true.'),
  hit_rate_low: share('The lower end of the 95% Wilson interval of the hit rate.'),
  hit_rate_high: share('Its upper end.'),
  compared_calls: number('Those of them that are compared with luck.'),
  compared_hits: number('How many of these came true.'),
  luck_expects: number('How many of these luck expects to.'),
  replayed: share(
    'The chance that luck does as well in replayed histories; empty below five comparable calls.',
  ),
  band: text(
    'above, below or unclear: whether they can be told from luck; untested in a view of some calls.',
  ),
  skill: number('Odds compared with those of luck: 1 is luck.'),
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
  level: usd('Its level, adjusted for splits; of a range the middle.'),
  outcome: text('hit, miss, pending, or void; by intraday prices.'),
  error: share(
    'How far the level was from the close of the last day, as a share of that close; empty while it is open.',
  ),
  stands_out: yesNo('Whether this view shows it in front of the others.'),
})
export type StatementColumn = (typeof SAID_COLUMNS)[number]['name']

export const CORRECTION_COLUMNS = columns({
  number: number('Its number; later changes have higher ones.'),
  at: moment('When it happened, in UTC.'),
  kind: text(
    'edited (the entry was corrected), changed (the rule decides otherwise), overridden (a verdict was set by hand), withdrawn, restored, frozen (its verdicts stay as they are), thawed.',
  ),
  ...CALL,
  statement: text('What was said, in our words, as corrected by now.'),
  what: text('What changed, from what to what.'),
  why: text('The reason; empty where none was given.'),
  judged_by: text(
    'touch or close, of a change of a verdict; else empty, like the two columns after it.',
  ),
  outcome_before: text('The outcome before.'),
  outcome_after: text('The outcome since.'),
  report: number(
    'The public report that led to it, of several the first; empty for what we found ourselves.',
  ),
})
export type CorrectionColumn = (typeof CORRECTION_COLUMNS)[number]['name']

export const TODAY_COLUMNS = columns({
  section: text(
    'call, verdict, correction or reply (what happened), deadline (of the next 30 days), closest (to being decided by price).',
  ),
  at: text(
    'When it happened, in UTC; the deadline; of closest, the day of the close it is measured from. A day alone on past days.',
  ),
  ...CALL,
  statement: text('What was said, in our words.'),
  outcome: text('hit, miss, pending or void, by intraday prices.'),
  note: text('What the page says beside it.'),
  detail: text('What a correction changed and why; the text of a reply.'),
  daily_moves: number(
    'Of closest: the log distance from the last close to the level, divided by the daily volatility of the asset.',
  ),
})
export type TodayColumn = (typeof TODAY_COLUMNS)[number]['name']

export const REPORT_COLUMNS = columns({
  number: number('Its number, as in the address of its page.'),
  url: text('Its page.'),
  at: moment('When it came, in UTC.'),
  kind: text('What is wrong: words, date, person, price, rule, double (on record twice) or other.'),
  state: text('open, accepted (the record was corrected) or declined.'),
  id: text('The prediction, as in the address of its page.'),
  prediction_url: text('Its page.'),
  asset: ASSET,
  person: text('Who made the prediction: a person or a firm.'),
  person_id: PERSON_ID,
  statement: text('What was said, in our words.'),
  other: text('Of a double: the id of the other prediction.'),
  source: text('The page that shows it; its site alone until the report is decided.'),
  explanation: text(
    'The words of the report; empty until it is decided, and where they are withheld.',
  ),
  decided_at: moment('When it was decided, in UTC.'),
  reason: text('Why it was declined.'),
  answer: text('What an administrator answered.'),
  corrections: text('The numbers of the corrections that it led to, separated by spaces.'),
})
export type ReportColumn = (typeof REPORT_COLUMNS)[number]['name']
