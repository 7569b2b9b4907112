import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  type AnyPgColumn,
  type ExtraConfigColumn,
} from 'drizzle-orm/pg-core'
import { type CorrectionKind } from '#contracts/public-logs.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type StatedDirection, type Timing } from '#domain/claim/claim.ts'
import { type PredictionType } from '#domain/claim/fields.ts'
import { type DatePrecision } from '#domain/day.ts'
import { BAR_STATES, type BarState } from '#domain/judging/settle.ts'
import {
  type JudgeMode,
  type Outcome,
  type Verdict,
  type VerdictReason,
} from '#domain/judging/verdict.ts'
import { calendarDay, id, moment, oneOf, unixMs } from '#server/database/columns.ts'

/** Time of insertion by default. */
const madeAt = () => moment().notNull().defaultNow()

/** The code's asset registry, for foreign keys. */
export const assets = pgTable('assets', {
  key: text().$type<AssetKey>().primaryKey(),
  symbol: text().notNull(),
  name: text().notNull(),
})

export const assetKey = () =>
  text()
    .$type<AssetKey>()
    .notNull()
    .references(() => assets.key)

/** Daily prices in USD, adjusted for splits: one row per source and day. */
export const bars = pgTable(
  'bars',
  {
    asset: assetKey(),
    day: calendarDay().notNull(),
    source: text().notNull(),
    open: doublePrecision(),
    high: doublePrecision(),
    low: doublePrecision(),
    close: doublePrecision().notNull(),
    /** Imported bars are final; those of live sources settle (docs/decisions/0004-prices.md). */
    state: text().$type<BarState>().notNull().default('final'),
    recordedAt: madeAt(),
  },
  (table) => [
    primaryKey({ columns: [table.asset, table.day, table.source] }),
    index('bars_unsettled')
      .on(table.asset, table.day)
      .where(sql`${table.state} <> 'final'`),
    check('bars_state', sql.raw(`"state" in (${BAR_STATES.map((one) => `'${one}'`).join(', ')})`)),
    check('bars_close_positive', sql`${table.close} > 0`),
    check('bars_high_and_low', sql`(${table.high} is null) = (${table.low} is null)`),
    check(
      'bars_order',
      sql`${table.low} is null or (${table.low} > 0 and ${table.low} <= ${table.high})`,
    ),
  ],
)

/** Splits known to the site beyond those in the code. */
export const corporateActions = pgTable(
  'corporate_actions',
  {
    asset: assetKey(),
    day: calendarDay().notNull(),
    ratio: doublePrecision().notNull(),
    note: text().notNull().default(''),
    recordedAt: madeAt(),
  },
  (table) => [
    primaryKey({ columns: [table.asset, table.day] }),
    check('corporate_actions_ratio', sql`${table.ratio} > 0`),
  ],
)

/** Health of price sources, one row per source and asset, written by the process that called it last. */
export const priceSources = pgTable(
  'price_sources',
  {
    asset: assetKey(),
    source: text().notNull(),
    /** All days up to this one have been fetched. */
    askedThrough: calendarDay(),
    lastSuccessAt: unixMs(),
    /** The last failure, as a sentence without secrets. */
    lastError: text(),
    lastErrorAt: unixMs(),
    /** Start of the current run of failures. */
    failingSince: unixMs(),
    failures: integer().notNull().default(0),
    nextRunAt: unixMs(),
    /** The source asked us to wait until then. */
    notBefore: unixMs(),
  },
  (table) => [primaryKey({ columns: [table.asset, table.source] })],
)

/** Unexplained price jumps, held back until an administrator decides. */
export const priceQuestions = pgTable(
  'price_questions',
  {
    asset: assetKey(),
    day: calendarDay().notNull(),
    /** The sources that reported it, joined by ` + `. */
    sources: text().notNull(),
    beforeDay: calendarDay().notNull(),
    beforeUsd: doublePrecision().notNull(),
    afterUsd: doublePrecision().notNull(),
    askedAt: madeAt(),
    /**
     * `real`: the price really moved; `split`: see corporate_actions; `withdrawn`: its source corrected itself;
     * null: unanswered.
     */
    answer: text().$type<'real' | 'split' | 'withdrawn'>(),
    answeredAt: moment(),
  },
  (table) => [primaryKey({ columns: [table.asset, table.day] })],
)

/** People and firms on record. */
export const influencers = pgTable('influencers', {
  id: id(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  isFirm: boolean().notNull().default(false),
  /** The firm that a person speaks for. */
  firm: text(),
  score: doublePrecision().notNull().default(0),
  /** The row that this duplicate was merged into. */
  mergedInto: bigint({ mode: 'number' }).references((): AnyPgColumn => influencers.id),
  /** Number of changes by administrators; edits of an older version are refused. */
  version: integer().notNull().default(0),
  createdAt: madeAt(),
})

export const influencerKey = () =>
  bigint({ mode: 'number' })
    .notNull()
    .references(() => influencers.id)

/** `npub`: a Nostr key confirmed by an administrator. */
export type NameKind = 'name' | 'handle' | 'npub'

/** Names, handles and keys of influencers, folded for comparison. */
export const influencerNames = pgTable(
  'influencer_names',
  {
    kind: text().$type<NameKind>().notNull(),
    folded: text().notNull(),
    text: text().notNull(),
    influencerId: influencerKey(),
    /** Shown on screens. */
    main: boolean().notNull().default(false),
    /** False for a handle from a submission until an administrator confirms it: it proves nothing. */
    confirmed: boolean().notNull().default(true),
  },
  (table) => [
    // People may share a name; a handle is one account's. people.service.ts keeps keys unique.
    primaryKey({ columns: [table.kind, table.folded, table.influencerId] }),
    uniqueIndex('influencer_names_handle')
      .on(table.folded)
      .where(sql`${table.kind} = 'handle'`),
    index('influencer_names_of').on(table.influencerId),
    uniqueIndex('influencer_names_main')
      .on(table.influencerId, table.kind)
      .where(sql`${table.main}`),
  ],
)

const falling = (column: ExtraConfigColumn) => column.desc().nullsFirst()

/** Published predictions, with levels as stated. */
export const predictions = pgTable(
  'predictions',
  {
    id: text().primaryKey(),
    asset: assetKey(),
    influencerId: influencerKey(),
    type: text().$type<PredictionType>().notNull(),
    priceTarget: doublePrecision(),
    priceMin: doublePrecision(),
    priceMax: doublePrecision(),
    timing: text().$type<Timing>().notNull().default('by'),
    direction: text().$type<StatedDirection>(),
    made: date({ mode: 'string' }).notNull(),
    madePrecision: text().$type<DatePrecision>().notNull(),
    startDate: date({ mode: 'string' }),
    targetDate: date({ mode: 'string' }).notNull(),
    targetPrecision: text().$type<DatePrecision>().notNull(),
    deadlineAssumed: boolean().notNull().default(false),
    summary: text().notNull().default(''),
    remarks: text(),
    chartValue: doublePrecision(),
    excludeFromChart: boolean().notNull().default(false),
    voteScore: integer().notNull().default(0),
    /** Number of changes by administrators; edits of an older version are refused. */
    version: integer().notNull().default(0),
    /** Its verdicts no longer follow prices. */
    frozenAt: moment(),
    /** Unlisted; its page gives the reason. */
    withdrawnAt: moment(),
    withdrawnReason: text(),
    /** Verdicts in force (newest rows of `verdicts`); null before the first. */
    touchVerdict: bigint({ mode: 'number' }),
    touchOutcome: text().$type<Outcome>().notNull().default('pending'),
    touchReason: text().$type<VerdictReason>(),
    touchDay: date({ mode: 'string' }),
    closeVerdict: bigint({ mode: 'number' }),
    closeOutcome: text().$type<Outcome>().notNull().default('pending'),
    closeReason: text().$type<VerdictReason>(),
    closeDay: date({ mode: 'string' }),
    /** Chance of a hit when it was made, from the newest scores; null if luck has none. */
    touchLuck: doublePrecision(),
    closeLuck: doublePrecision(),
    /** The first statement of the same thesis, from the newest scores by touch; this one is then not counted. */
    repeats: text(),
    /** The folded summary for full-text search, words separated by single spaces. */
    search: text().notNull().default(''),
    createdAt: madeAt(),
  },
  (table) => [
    index('predictions_newest')
      .on(table.asset, falling(table.made), falling(table.createdAt), table.id)
      .where(sql`${table.withdrawnAt} is null`),
    index('predictions_supported')
      .on(
        table.asset,
        falling(table.voteScore),
        falling(table.made),
        falling(table.createdAt),
        table.id,
      )
      .where(sql`${table.withdrawnAt} is null`),
    index('predictions_due').on(table.asset, table.targetDate, table.id),
    index('predictions_touched').on(table.asset, table.touchOutcome, falling(table.made)),
    index('predictions_closed').on(table.asset, table.closeOutcome, falling(table.made)),
    // Covers all columns that are counted.
    index('predictions_counted')
      .on(
        table.asset,
        table.made,
        table.targetDate,
        table.touchOutcome,
        table.touchDay,
        table.closeOutcome,
        table.closeDay,
      )
      .where(sql`${table.withdrawnAt} is null`),
    // The default order of the History table; see `historyOrder`.
    index('predictions_by_status')
      .on(
        table.asset,
        sql`(case ${table.touchOutcome} when 'void' then 2 when 'pending' then 1 else 0 end)`,
        sql`(case ${table.touchOutcome} when 'pending' then ${table.targetDate} - date '1970-01-01' else date '1970-01-01' - coalesce(${table.touchDay}, ${table.targetDate}) end)`,
        falling(table.made),
        sql`${table.id} collate "C"`,
      )
      .where(sql`${table.withdrawnAt} is null`),
    index('predictions_words').using(
      'gin',
      sql`array_to_tsvector(string_to_array(${table.search}, ' '))`,
    ),
    index('predictions_of_influencer').on(table.influencerId),
    check('predictions_dates', sql`${table.targetDate} > ${table.made}`),
  ],
)

export const predictionKey = () =>
  text()
    .notNull()
    .references(() => predictions.id)

/** Verdicts with evidence. Rows are only added; the newest of a prediction and mode is in force. */
export const verdicts = pgTable(
  'verdicts',
  {
    id: id(),
    predictionId: predictionKey(),
    mode: text().$type<JudgeMode>().notNull(),
    outcome: text().$type<Outcome>().notNull(),
    reason: text().$type<VerdictReason>().notNull(),
    day: date({ mode: 'string' }),
    rule: integer().notNull(),
    /** The domain's `Verdict`. */
    evidence: jsonb().$type<Verdict>().notNull(),
    /** Why this row replaced the previous one. */
    change: text().$type<VerdictChange>().notNull(),
    computedAt: madeAt(),
  },
  (table) => [index('verdicts_in_force').on(table.predictionId, table.mode, table.id)],
)

/** `range`: highs and lows of a day with a known close were added; not news. */
export type VerdictChange =
  | 'first'
  | 'prices'
  | 'range'
  | 'rules'
  | 'statement'
  | 'override'
  | 'lift'

export type PredictionEventKind = 'published' | 'judged' | CorrectionKind

export const predictionEvents = pgTable(
  'prediction_events',
  {
    id: id(),
    predictionId: predictionKey(),
    at: madeAt(),
    kind: text().$type<PredictionEventKind>().notNull(),
    text: text().notNull(),
    verdictId: bigint({ mode: 'number' }).references(() => verdicts.id),
  },
  (table) => [
    index('prediction_events_of').on(table.predictionId, table.id),
    index('prediction_events_at').on(table.at),
  ],
)

/**
 * Versions of the record, in one row: `version` rises with each visible change, `prices` is the version that last
 * changed bars or splits. They start at the time of creation, ms since 1970, so that a restored database repeats none.
 * Not exported.
 */
export const recordState = pgTable('record_state', {
  id: integer().primaryKey(),
  version: bigint({ mode: 'number' }).notNull(),
  /** The version that last changed bars or splits. */
  prices: bigint({ mode: 'number' }).notNull(),
})

/** Facts about the database, such as that the starter data was loaded. */
export const facts = pgTable('facts', {
  name: text().primaryKey(),
  value: text().notNull(),
  recordedAt: madeAt(),
})

/** Former addresses of people's pages, which redirect. */
export const influencerSlugs = pgTable(
  'influencer_slugs',
  {
    slug: text().primaryKey(),
    influencerId: influencerKey(),
    replacedAt: moment().notNull(),
  },
  (table) => [index('influencer_slugs_of').on(table.influencerId)],
)

/** Decisions about pairs of calls whose later one looks like a revision. Undecided pairs are computed, not stored. */
export const revisionDecisions = pgTable(
  'revision_decisions',
  {
    earlierId: predictionKey(),
    laterId: predictionKey(),
    state: text().$type<'confirmed' | 'cut'>().notNull(),
    at: moment().notNull(),
    /** Name as in the audit log. */
    username: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.earlierId, table.laterId] }),
    check('revision_decisions_state', oneOf('state', ['confirmed', 'cut'])),
  ],
)
