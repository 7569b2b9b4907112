import { predictionType } from '#domain/claim/fields.ts'
import { type DataColumn } from './data-columns.ts'
import { type SnapshotTable } from './snapshots.paths.ts'

/*
 * What the files of a snapshot hold. A column of CSV is named by its path in the JSON: `bar.high` is `high` inside `bar`, and
 * is empty where `bar` is null.
 */

const PREDICTION = {
  name: 'prediction_id',
  kind: 'text',
  about: 'The prediction: the column id of predictions.',
} as const

const MODE = {
  name: 'mode',
  kind: 'text',
  about: 'touch: intraday highs and lows decide; close: daily closes only.',
} as const

/** A price with its day, somewhere inside a verdict. */
function point(name: string, about: string): DataColumn[] {
  return [
    { name: `${name}.date`, kind: 'day', about },
    { name: `${name}.usd`, kind: 'usd', about: 'That price, adjusted for splits.' },
    {
      name: `${name}.moving`,
      kind: 'yes-no',
      about: 'true where that day was not over when the snapshot was made; else empty.',
    },
  ]
}

/** Some calls, somewhere inside the figures of a person. */
function tally(name: string, about: string): DataColumn[] {
  return [
    { name: `${name}.time_is_up.hits`, kind: 'number', about: `${about}: hits.` },
    { name: `${name}.time_is_up.n`, kind: 'number', about: `${about}: decided calls.` },
    {
      name: `${name}.time_is_up.low`,
      kind: 'share',
      about: 'The lower end of their 95 % Wilson interval.',
    },
    { name: `${name}.time_is_up.high`, kind: 'share', about: 'Its upper end.' },
    { name: `${name}.calls`, kind: 'number', about: 'Those that are compared with luck.' },
    { name: `${name}.observed`, kind: 'number', about: 'Hits among these.' },
    { name: `${name}.expected`, kind: 'number', about: 'Hits that luck expects of them.' },
  ]
}

/** The columns of each table. */
export const SNAPSHOT_COLUMNS: Readonly<Record<SnapshotTable, readonly DataColumn[]>> = {
  predictions: [
    { name: 'id', kind: 'text', about: 'The prediction, as in the address of its page.' },
    { name: 'url', kind: 'text', about: 'Its page.' },
    { name: 'asset_type', kind: 'text', about: 'btc, mstr or naka.' },
    {
      name: 'influencer.slug',
      kind: 'text',
      about: 'Who made it: the last part of the address of their page.',
    },
    { name: 'influencer.name', kind: 'text', about: 'Their name.' },
    { name: 'influencer.is_firm', kind: 'yes-no', about: 'True for a firm.' },
    { name: 'influencer.x_handle', kind: 'text', about: 'Their name on X.' },
    { name: 'price_prediction', kind: 'text', about: 'What was said, in our words.' },
    {
      name: 'prediction_type',
      kind: 'text',
      about: `target (reaches price_target), range (comes into price_min to price_max), ${predictionType('by-date')} (is at or above price_min), top (never above price_max), bottom (never below price_min).`,
    },
    {
      name: 'price_target',
      kind: 'usd',
      about: 'The level of a target as said, in the units of that day.',
    },
    {
      name: 'price_min',
      kind: 'usd',
      about: 'The lower end of a range, the minimum, or the level of a bottom.',
    },
    {
      name: 'price_max',
      kind: 'usd',
      about: 'The upper end of a range, or the level of a top; of a minimum that level again.',
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
      name: 'split_factor',
      kind: 'number',
      about:
        'How many of today’s units one unit of that day is: levels are divided by it before they are compared.',
    },
    { name: 'prediction_made', kind: 'day', about: 'The day it was made.' },
    {
      name: 'made_precision',
      kind: 'text',
      about: 'day, month or year: how precisely that is known; then the last day of it.',
    },
    { name: 'start_date', kind: 'day', about: 'The first day that was said to count, if one was.' },
    { name: 'target_time', kind: 'day', about: 'The deadline: the last day that counts.' },
    { name: 'target_precision', kind: 'text', about: 'day, month or year: what the source said.' },
    {
      name: 'deadline_assumed',
      kind: 'yes-no',
      about: 'True where the source named no deadline and this is our default one.',
    },
    { name: 'quote', kind: 'text', about: 'A short quotation, or our summary.' },
    { name: 'created_at', kind: 'moment', about: 'When it came to this record, in UTC.' },
    {
      name: 'frozen',
      kind: 'yes-no',
      about: 'True while an administrator keeps its verdicts as they are, whatever prices come.',
    },
    {
      name: 'withdrawn.at',
      kind: 'moment',
      about: 'When it was taken off the lists; empty for all others.',
    },
    {
      name: 'withdrawn.reason',
      kind: 'text',
      about: 'Why. It counts in no score, and its verdicts stay as they are.',
    },
  ],
  sources: [
    PREDICTION,
    { name: 'place', kind: 'number', about: 'The order of its sources, the best first, from 1.' },
    { name: 'kind', kind: 'text', about: 'What it is: a post, an interview, a report and so on.' },
    { name: 'url', kind: 'text', about: 'Its address.' },
    {
      name: 'date',
      kind: 'text',
      about: 'Its date as far as it is known: 2024-08-08, 2024-08 or 2024.',
    },
    { name: 'archived_url', kind: 'text', about: 'A copy of it in an archive.' },
    { name: 'quotation', kind: 'text', about: 'Its words; they belong to the speaker.' },
    { name: 'speaker', kind: 'text', about: 'Who said them.' },
    {
      name: 'dead_since',
      kind: 'day',
      about: 'The day since which the address no longer answers.',
    },
  ],
  verdicts: [
    PREDICTION,
    MODE,
    {
      name: 'rule',
      kind: 'number',
      about: 'The number of the rule set that decided; see /methodology.',
    },
    { name: 'outcome', kind: 'text', about: 'hit, miss, pending, or void (counts in nothing).' },
    {
      name: 'reason',
      kind: 'text',
      about:
        'How the rule came to it: reached, closed-inside, held (hit); not-reached, closed-outside, broken (miss); not-started, open, awaiting-prices, needs-range (pending); already-true, already-broken, depends-on-day (void); overridden (set by an administrator, see corrections).',
    },
    {
      name: 'date',
      kind: 'day',
      about: 'The day that decided it; of a void one the day it was made.',
    },
    { name: 'level_min', kind: 'usd', about: 'The level compared, adjusted for splits.' },
    { name: 'level_max', kind: 'usd', about: 'The upper end of a range; else the level again.' },
    {
      name: 'direction',
      kind: 'text',
      about:
        'Where the price had to go from the reference: up, down, inside, never-above or never-below.',
    },
    ...point('reference', 'The last day with a close on or before the day it was made.'),
    { name: 'window_from', kind: 'day', about: 'The first day that counts.' },
    { name: 'window_to', kind: 'day', about: 'The last day that counts.' },
    {
      name: 'bar.date',
      kind: 'day',
      about: 'The day whose prices decided; empty where no single day did.',
    },
    { name: 'bar.open', kind: 'usd', about: 'Its first price.' },
    { name: 'bar.high', kind: 'usd', about: 'Its high; empty where only closes are known.' },
    { name: 'bar.low', kind: 'usd', about: 'Its low, in the same way.' },
    {
      name: 'bar.close',
      kind: 'usd',
      about: 'Its close; while the day is not over, the last price.',
    },
    {
      name: 'bar.source',
      kind: 'text',
      about: 'Whose prices these are; see price_sources in metadata.json.',
    },
    {
      name: 'bar.moving',
      kind: 'yes-no',
      about: 'true where that day was not over when the snapshot was made; else empty.',
    },
    ...point(
      'nearest',
      'The day of the price that came nearest to the level, or went farthest beyond it.',
    ),
    ...point(
      'unconfirmed',
      'The day of a price that one venue alone reported and that would have decided.',
    ),
    {
      name: 'close_only',
      kind: 'yes-no',
      about: 'The day shown has a close only, which counted as its high and low.',
    },
    {
      name: 'some_closes_only',
      kind: 'yes-no',
      about: 'No day decided, and days of which only the close is known may have come nearer.',
    },
  ],
  scores: [
    MODE,
    { name: 'slug', kind: 'text', about: 'The person, as influencer.slug of predictions.' },
    { name: 'name', kind: 'text', about: 'Their name.' },
    {
      name: 'band',
      kind: 'text',
      about: 'above, below or unclear: whether they can be told from luck; empty below five calls.',
    },
    {
      name: 'time_is_up.hits',
      kind: 'number',
      about:
        'Hits among calls whose window has ended; those that repeat an earlier one do not count.',
    },
    { name: 'time_is_up.n', kind: 'number', about: 'Calls whose window has ended.' },
    {
      name: 'time_is_up.low',
      kind: 'share',
      about: 'The lower end of the 95 % Wilson interval of the hit rate.',
    },
    { name: 'time_is_up.high', kind: 'share', about: 'Its upper end.' },
    { name: 'decided.calls', kind: 'number', about: 'Those of them that have luck.' },
    { name: 'decided.hits', kind: 'number', about: 'Hits among these.' },
    { name: 'decided.expected', kind: 'number', about: 'Hits that luck expects of these.' },
    {
      name: 'undated.calls',
      kind: 'number',
      about: 'Decided calls that are dated to a month or a year only.',
    },
    { name: 'undated.low', kind: 'number', about: 'The fewest hits that luck may expect of all.' },
    { name: 'undated.high', kind: 'number', about: 'The most.' },
    {
      name: 'against_luck.calls',
      kind: 'number',
      about: 'Calls compared with luck, also open ones.',
    },
    { name: 'against_luck.observed', kind: 'number', about: 'Hits among them by now.' },
    {
      name: 'against_luck.expected',
      kind: 'number',
      about: 'Hits that luck expects of them by now.',
    },
    { name: 'against_luck.variance', kind: 'number', about: 'The variance of that number.' },
    { name: 'against_luck.excess', kind: 'number', about: 'Observed less expected.' },
    { name: 'against_luck.z', kind: 'number', about: 'The excess in standard deviations.' },
    {
      name: 'skill.mean',
      kind: 'number',
      about: 'The logarithm of odds compared with those of luck: 0 is luck.',
    },
    { name: 'skill.low', kind: 'number', about: 'Its 5 % quantile.' },
    { name: 'skill.high', kind: 'number', about: 'Its 95 % quantile.' },
    { name: 'skill.odds', kind: 'number', about: 'The same as odds: 1 is luck.' },
    { name: 'skill.positive', kind: 'share', about: 'The chance that it is above that of luck.' },
    {
      name: 'shrunk.mean',
      kind: 'share',
      about: 'The hit rate, drawn towards that of all people where there are few calls.',
    },
    { name: 'shrunk.low', kind: 'share', about: 'The lower end of its 90 % interval.' },
    { name: 'shrunk.high', kind: 'share', about: 'Its upper end.' },
    { name: 'open.calls', kind: 'number', about: 'Calls whose window has not ended.' },
    { name: 'open.hits', kind: 'number', about: 'Those of them that came true already.' },
    {
      name: 'open.expected',
      kind: 'number',
      about: 'What luck said of them on the day they were made.',
    },
    { name: 'boldness', kind: 'share', about: '1 less the mean luck of all calls.' },
    {
      name: 'median_days_to_hit',
      kind: 'number',
      about: 'The middle number of days from a call to its hit.',
    },
    { name: 'sats', kind: 'number', about: 'What 100 sats a call at the odds of luck became.' },
    {
      name: 'replayed',
      kind: 'share',
      about: 'The chance that luck does as well in the replayed histories.',
    },
    ...tally('recorded.before', 'Calls that were open when they were recorded here'),
    ...tally('recorded.after', 'Calls looked up after their outcome'),
    { name: 'last_call', kind: 'day', about: 'The last day on which a call was made.' },
  ],
  'scored-calls': [
    MODE,
    { name: 'slug', kind: 'text', about: 'The person, as influencer.slug of predictions.' },
    { name: 'id', kind: 'text', about: 'The prediction: the column id of predictions.' },
    { name: 'asset_type', kind: 'text', about: 'btc, mstr or naka.' },
    { name: 'label', kind: 'text', about: 'Its kind, in words.' },
    { name: 'text', kind: 'text', about: 'What it says, in today’s units.' },
    { name: 'level_min', kind: 'usd', about: 'The level, adjusted for splits.' },
    { name: 'level_max', kind: 'usd', about: 'The upper end of a range; else the level again.' },
    { name: 'direction', kind: 'text', about: 'As in verdicts.' },
    { name: 'made', kind: 'day', about: 'The day it was made.' },
    { name: 'window_from', kind: 'day', about: 'The first day that counts.' },
    { name: 'deadline', kind: 'day', about: 'The last day that counts.' },
    { name: 'reference', kind: 'usd', about: 'The price when it was made, adjusted for splits.' },
    { name: 'outcome', kind: 'text', about: 'hit, miss, pending or void, by complete days alone.' },
    { name: 'decided', kind: 'day', about: 'The day that decided it.' },
    {
      name: 'repeats',
      kind: 'text',
      about: 'The earlier prediction that says the same: this one then counts nowhere.',
    },
    {
      name: 'sigma',
      kind: 'number',
      about: 'Volatility of the logarithm of the price a year, as known when it was made.',
    },
    { name: 'drift', kind: 'number', about: 'Its drift, in the same way.' },
    { name: 'seen_once', kind: 'yes-no', about: 'Luck takes its price as seen once a day.' },
    { name: 'luck', kind: 'share', about: 'The chance of a hit by luck.' },
    { name: 'no_luck', kind: 'text', about: 'Why it has no luck.' },
    { name: 'no_luck_text', kind: 'text', about: 'The same in a sentence.' },
    {
      name: 'observed',
      kind: 'number',
      about:
        '1 where it came true by now, 0 where it did not; empty where it cannot be compared yet.',
    },
    { name: 'expected', kind: 'share', about: 'What luck expected up to the same day.' },
    { name: 'time_is_up', kind: 'yes-no', about: 'Its window has ended.' },
    {
      name: 'since_recorded.made',
      kind: 'day',
      about:
        'The day it was recorded here, of a call that was open then. What follows counts from it.',
    },
    { name: 'since_recorded.direction', kind: 'text', about: 'As in verdicts.' },
    { name: 'since_recorded.outcome', kind: 'text', about: 'As outcome.' },
    { name: 'since_recorded.decided', kind: 'day', about: 'As decided.' },
    { name: 'since_recorded.luck', kind: 'share', about: 'As luck.' },
    { name: 'since_recorded.no_luck', kind: 'text', about: 'As no_luck.' },
    { name: 'since_recorded.observed', kind: 'number', about: 'As observed.' },
    { name: 'since_recorded.expected', kind: 'share', about: 'As expected.' },
    { name: 'since_recorded.time_is_up', kind: 'yes-no', about: 'As time_is_up.' },
  ],
  corrections: [
    PREDICTION,
    { name: 'at', kind: 'moment', about: 'When it happened, in UTC.' },
    {
      name: 'kind',
      kind: 'text',
      about:
        'changed (a verdict was replaced by another), overridden (set by hand), edited, frozen, thawed, withdrawn, restored.',
    },
    { name: 'text', kind: 'text', about: 'What happened and why, in a sentence.' },
  ],
}
