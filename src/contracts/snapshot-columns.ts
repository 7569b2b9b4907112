import { predictionType } from '#domain/claim/fields.ts'
import {
  ASSET,
  PREDICTION,
  TERMS,
  type DataColumn,
  columns,
  day,
  moment,
  number,
  share,
  text,
  usd,
  yesNo,
} from './data-columns.ts'
import { type SnapshotTable } from './data-files.ts'

/*
 * Columns of a snapshot's files. A CSV column is named by its path in the JSON: `bar.high` is `high` inside `bar`, and
 * is empty if `bar` is null.
 */

const ITS_PREDICTION = { prediction_id: text('The prediction: the column id of predictions.') }

const MODE = { mode: text('touch: intraday highs and lows decide; close: daily closes only.') }

function point(name: string, about: string) {
  return {
    [`${name}.date`]: day(about),
    [`${name}.usd`]: usd('The price on that day, adjusted for splits.'),
    [`${name}.moving`]: yesNo(
      'True if that day was not over when the snapshot was made; otherwise empty.',
    ),
  }
}

function tally(name: string, about: string) {
  return {
    [`${name}.time_is_up.hits`]: number(`${about}: hits.`),
    [`${name}.time_is_up.n`]: number(`${about}: decided calls.`),
    [`${name}.time_is_up.low`]: share('The lower end of their 95% Wilson interval.'),
    [`${name}.time_is_up.high`]: share('Its upper end.'),
    [`${name}.calls`]: number('Calls that are compared with luck.'),
    [`${name}.observed`]: number('Hits among these.'),
    [`${name}.expected`]: number('Hits that luck expects of them.'),
  }
}

export const SNAPSHOT_COLUMNS: Readonly<Record<SnapshotTable, readonly DataColumn[]>> = {
  predictions: columns({
    ...PREDICTION,
    asset_type: ASSET,
    'influencer.slug': text('Who made it: the last part of the address of their page.'),
    'influencer.name': text('Their name.'),
    'influencer.is_firm': yesNo('True for a firm.'),
    'influencer.x_handle': text('Their name on X.'),
    price_prediction: text('What was said, in our words.'),
    prediction_type: text(
      `target (reaches price_target), range (comes into price_min to price_max), ${predictionType('by-date')} (is at or above price_min), top (never above price_max), bottom (never below price_min).`,
    ),
    price_target: usd('The level of a target as said, in the units of that day.'),
    price_min: usd('The lower end of a range, the minimum, or the level of a bottom.'),
    price_max: usd(
      'The upper end of a range, or the level of a top; for a minimum, the same level.',
    ),
    ...TERMS,
    split_factor: number(
      'How many of today’s units one unit of that day is: levels are divided by it before they are compared.',
    ),
    prediction_made: day('The day it was made.'),
    made_precision: text(
      'day, month or year: how precisely the day is known; a month or year counts as its last day.',
    ),
    start_date: day('The stated first day of the window, if any.'),
    target_time: day('The deadline: the last day that counts.'),
    target_precision: text('day, month or year: what the source said.'),
    deadline_assumed: yesNo('True if the source named no deadline and this is our default.'),
    quote: text('A short quotation, or our summary.'),
    created_at: moment('When it was recorded here, in UTC.'),
    frozen: yesNo('True while an administrator has frozen its verdicts.'),
    'withdrawn.at': moment('When it was withdrawn; otherwise empty.'),
    'withdrawn.reason': text(
      'Why it was withdrawn. It counts in no score, and its verdicts no longer change.',
    ),
  }),
  sources: columns({
    ...ITS_PREDICTION,
    place: number('The order of its sources, the best first, from 1.'),
    kind: text('Its type: a post, an interview, a report and so on.'),
    url: text('Its address.'),
    date: text('Its date with its precision: 2024-08-08, 2024-08 or 2024.'),
    archived_url: text('An archived copy.'),
    quotation: text('A quotation; the rights are the speaker’s.'),
    speaker: text('Who said it.'),
    dead_since: day('The day since which the address has been unreachable.'),
  }),
  verdicts: columns({
    ...ITS_PREDICTION,
    ...MODE,
    rule: number('The number of the rule set that decided; see /methodology.'),
    outcome: text('hit, miss, pending, or void (counts in nothing).'),
    reason: text(
      'How the rule decided: reached, closed-inside, held (hit); not-reached, closed-outside, broken (miss); not-started, open, awaiting-prices, needs-range (pending); already-true, already-broken, depends-on-day (void); overridden (set by an administrator, see corrections).',
    ),
    date: day('The deciding day; for a void prediction the day it was made.'),
    level_min: usd('The level compared, adjusted for splits.'),
    level_max: usd('The upper end of a range; otherwise the same level.'),
    direction: text(
      'What decides: up, down (reach the level), above, below, inside (the last close), never-above, never-below, stays (the whole time).',
    ),
    ...point('reference', 'The last day with a close on or before the day it was made.'),
    window_from: day('The first day that counts.'),
    window_to: day('The last day that counts.'),
    'bar.date': day('The deciding day’s prices follow; empty if no single day decided.'),
    'bar.open': usd('Its opening price.'),
    'bar.high': usd('Its high; empty if only closes are known.'),
    'bar.low': usd('Its low, likewise.'),
    'bar.close': usd('Its close; while the day is not over, the last price.'),
    'bar.source': text('Whose prices these are; see price_sources in metadata.json.'),
    'bar.moving': yesNo(
      'True if that day was not over at the time of the snapshot; otherwise empty.',
    ),
    ...point(
      'nearest',
      'The day of the price that came nearest to the level, or went farthest beyond it.',
    ),
    ...point(
      'unconfirmed',
      'The day of a price, reported by a single venue, that would have decided.',
    ),
    close_only: yesNo('Only the close of that day is known; it counted as high and low.'),
    some_closes_only: yesNo('No day decided, and days with only a close may have come nearer.'),
  }),
  scores: columns({
    ...MODE,
    slug: text('The person, as influencer.slug of predictions.'),
    name: text('Their name.'),
    band: text(
      'above, below or unclear: whether they can be told from luck; empty below five calls.',
    ),
    'time_is_up.hits': number('Hits among ended calls without repeats.'),
    'time_is_up.n': number('Calls whose window has ended.'),
    'time_is_up.low': share('The lower end of the 95% Wilson interval of the hit rate.'),
    'time_is_up.high': share('Its upper end.'),
    'decided.calls': number('Ended calls with luck.'),
    'decided.hits': number('Hits among these.'),
    'decided.expected': number('Hits that luck expects of these.'),
    'undated.calls': number('Decided calls dated only to a month or year.'),
    'undated.low': number('The fewest hits that luck may expect of all.'),
    'undated.high': number('The most.'),
    'against_luck.calls': number('Calls compared with luck, including open ones.'),
    'against_luck.observed': number('Hits among them so far.'),
    'against_luck.expected': number('Hits that luck expects of them so far.'),
    'against_luck.variance': number('The variance of that number.'),
    'against_luck.excess': number('Observed less expected.'),
    'against_luck.z': number('The excess in standard deviations.'),
    'skill.mean': number('The logarithm of the odds relative to luck, which is 0.'),
    'skill.low': number('Its 5% quantile.'),
    'skill.high': number('Its 95% quantile.'),
    'skill.odds': number('The same as odds relative to luck, which is 1.'),
    'skill.positive': share('The chance that the odds are above luck’s.'),
    'shrunk.mean': share('The hit rate, shrunk towards that of all people.'),
    'shrunk.low': share('The lower end of its 90% interval.'),
    'shrunk.high': share('Its upper end.'),
    'open.calls': number('Calls whose window has not ended.'),
    'open.hits': number('Open calls that have already come true.'),
    'open.expected': number('Their luck on the day they were made.'),
    boldness: share('1 less the mean luck of all calls.'),
    median_days_to_hit: number('The median number of days from a call to its hit.'),
    sats: number('The result of betting 100 sats per call at luck’s odds.'),
    replayed: share('The chance that luck does as well in the replayed histories.'),
    ...tally('recorded.before', 'Calls that were open when they were recorded here'),
    ...tally('recorded.after', 'Calls looked up after their outcome'),
    last_call: day('The last day on which a call was made.'),
  }),
  'scored-calls': columns({
    ...MODE,
    slug: text('The person, as influencer.slug of predictions.'),
    id: text('The prediction: the column id of predictions.'),
    asset_type: ASSET,
    label: text('Its type, in words.'),
    text: text('What it says, in today’s units.'),
    level_min: usd('The level, adjusted for splits.'),
    level_max: usd('The upper end of a range; otherwise the same level.'),
    direction: text('As in verdicts.'),
    made: day('The day it was made.'),
    window_from: day('The first day that counts.'),
    deadline: day('The last day that counts.'),
    reference: usd('The price when it was made, adjusted for splits.'),
    outcome: text('hit, miss, pending or void, by complete days alone.'),
    decided: day('The day that decided it.'),
    repeats: text('The earlier prediction that this one repeats; repeats do not count.'),
    sigma: number('Annual volatility of the log price, as known when it was made.'),
    drift: number('Its drift, likewise.'),
    seen_once: yesNo('True if luck assumes that the price is seen once a day.'),
    luck: share('The chance of a hit by luck alone.'),
    no_luck: text('Why it has no luck.'),
    no_luck_text: text('The same in a sentence.'),
    observed: number(
      '1 if it came true by now, 0 if it did not; empty if it cannot be compared yet.',
    ),
    expected: share('What luck expected up to the same day.'),
    time_is_up: yesNo('True once its window has ended.'),
    'since_recorded.made': day(
      'The day it was recorded here, if it was open then; the following columns count from it.',
    ),
    'since_recorded.direction': text('As in verdicts.'),
    'since_recorded.outcome': text('As outcome.'),
    'since_recorded.decided': day('As decided.'),
    'since_recorded.luck': share('As luck.'),
    'since_recorded.no_luck': text('As no_luck.'),
    'since_recorded.observed': number('As observed.'),
    'since_recorded.expected': share('As expected.'),
    'since_recorded.time_is_up': yesNo('As time_is_up.'),
  }),
  corrections: columns({
    ...ITS_PREDICTION,
    at: moment('When it happened, in UTC.'),
    kind: text(
      'changed (a verdict was replaced by another), overridden (set by hand), edited, frozen, thawed, withdrawn, restored.',
    ),
    text: text('What happened and why, in a sentence.'),
  }),
}
