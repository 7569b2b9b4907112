import { type AssetKey } from '#domain/asset.ts'
import { type SaidDirection, type Timing } from '#domain/claim/claim.ts'
import { type DatePrecision } from '#domain/day.ts'
import { type PredictionType } from '#domain/claim/fields.ts'
import { BAR_STATES, type BarState } from '#domain/judging/settle.ts'
import {
  type JudgeMode,
  type Outcome,
  type Verdict,
  type VerdictReason,
} from '#domain/judging/verdict.ts'
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
} from 'drizzle-orm/pg-core'
import { id, moment } from '#server/database/columns.ts'

/** When a row was made, unless it is given. */
const madeAt = () => moment().notNull().defaultNow()

/** The assets of the registry in the code, here for the sake of references. */
export const assets = pgTable('assets', {
  key: text().$type<AssetKey>().primaryKey(),
  symbol: text().notNull(),
  name: text().notNull(),
})

/** Daily prices in USD, adjusted for splits: one row a source and day. */
export const bars = pgTable(
  'bars',
  {
    asset: text()
      .$type<AssetKey>()
      .notNull()
      .references(() => assets.key),
    day: date({ mode: 'string' }).notNull(),
    source: text().notNull(),
    open: doublePrecision(),
    high: doublePrecision(),
    low: doublePrecision(),
    close: doublePrecision().notNull(),
    /** Files bring final bars; those of live sources settle (docs/decisions/0004-prices.md). */
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
    asset: text()
      .$type<AssetKey>()
      .notNull()
      .references(() => assets.key),
    day: date({ mode: 'string' }).notNull(),
    ratio: doublePrecision().notNull(),
    note: text().notNull().default(''),
    recordedAt: madeAt(),
  },
  (table) => [
    primaryKey({ columns: [table.asset, table.day] }),
    check('corporate_actions_ratio', sql`${table.ratio} > 0`),
  ],
)

/** How each outside source of prices is doing; one row a source and asset, written by whichever process asked it last. */
export const priceSources = pgTable(
  'price_sources',
  {
    asset: text()
      .$type<AssetKey>()
      .notNull()
      .references(() => assets.key),
    source: text().notNull(),
    /** Every day up to this one has been asked for and answered. */
    askedThrough: date({ mode: 'string' }),
    lastSuccessAt: moment(),
    /** The last failure, as a sentence without secrets. */
    lastError: text(),
    lastErrorAt: moment(),
    /** When the failures that have not been followed by a success began. */
    failingSince: moment(),
    failures: integer().notNull().default(0),
    nextRunAt: moment(),
    /** The source asked to be left alone until then. */
    notBefore: moment(),
  },
  (table) => [primaryKey({ columns: [table.asset, table.source] })],
)

/** Jumps of a close that nothing explains: held back until an administrator answers. */
export const priceQuestions = pgTable(
  'price_questions',
  {
    asset: text()
      .$type<AssetKey>()
      .notNull()
      .references(() => assets.key),
    day: date({ mode: 'string' }).notNull(),
    /** The sources that reported it, joined by ` + `. */
    sources: text().notNull(),
    beforeDay: date({ mode: 'string' }).notNull(),
    beforeUsd: doublePrecision().notNull(),
    afterUsd: doublePrecision().notNull(),
    askedAt: madeAt(),
    /**
     * `real`: the price did move like that; `split`: see corporate_actions; `withdrawn`: its source corrected itself;
     * null: not answered yet.
     */
    answer: text().$type<'real' | 'split' | 'withdrawn'>(),
    answeredAt: moment(),
  },
  (table) => [primaryKey({ columns: [table.asset, table.day] })],
)

/** The people and firms whose predictions are on record. */
export const influencers = pgTable('influencers', {
  id: id(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  isFirm: boolean().notNull().default(false),
  score: doublePrecision().notNull().default(0),
  /** Their predictions are shown under this one since the two were found to be one. */
  mergedInto: bigint({ mode: 'number' }).references((): AnyPgColumn => influencers.id),
  /** Counts the changes made by administrators: an edit of an older state is refused. */
  version: integer().notNull().default(0),
  createdAt: madeAt(),
})

/** `npub`: a key on Nostr that an administrator has confirmed to be theirs. */
export type NameKind = 'name' | 'handle' | 'npub'

/** Every name, handle and key that means an influencer, folded for comparison. */
export const influencerNames = pgTable(
  'influencer_names',
  {
    kind: text().$type<NameKind>().notNull(),
    folded: text().notNull(),
    /** As written. */
    text: text().notNull(),
    influencerId: bigint({ mode: 'number' })
      .notNull()
      .references(() => influencers.id),
    /** The one that screens show. */
    main: boolean().notNull().default(false),
    /** False for a handle that a submission brought, until an administrator confirms that it is theirs: it proves nothing. */
    confirmed: boolean().notNull().default(true),
  },
  (table) => [
    // Two people may have one name; a handle is one account's. A key is one person's, which people.service.ts ensures.
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

/** Published predictions; levels are kept as they were said. */
export const predictions = pgTable(
  'predictions',
  {
    id: text().primaryKey(),
    asset: text()
      .$type<AssetKey>()
      .notNull()
      .references(() => assets.key),
    influencerId: bigint({ mode: 'number' })
      .notNull()
      .references(() => influencers.id),
    type: text().$type<PredictionType>().notNull(),
    priceTarget: doublePrecision(),
    priceMin: doublePrecision(),
    priceMax: doublePrecision(),
    timing: text().$type<Timing>().notNull().default('by'),
    direction: text().$type<SaidDirection>(),
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
    /** Counts the changes made by administrators: an edit of an older state is refused. */
    version: integer().notNull().default(0),
    /** Its verdicts stay as they are, whatever prices come. */
    frozenAt: moment(),
    /** Taken off the lists; its page says so and why. */
    withdrawnAt: moment(),
    withdrawnReason: text(),
    /** The verdicts in force: those of the newest rows of `verdicts`, null before the first. */
    touchVerdict: bigint({ mode: 'number' }),
    touchOutcome: text().$type<Outcome>().notNull().default('pending'),
    touchReason: text().$type<VerdictReason>(),
    touchDay: date({ mode: 'string' }),
    closeVerdict: bigint({ mode: 'number' }),
    closeOutcome: text().$type<Outcome>().notNull().default('pending'),
    closeReason: text().$type<VerdictReason>(),
    closeDay: date({ mode: 'string' }),
    /** The chance of a hit when it was made, from the newest scores; null where luck says nothing. */
    touchLuck: doublePrecision(),
    closeLuck: doublePrecision(),
    /** The summary folded for searching: words with one space between them. */
    search: text().notNull().default(''),
    createdAt: madeAt(),
  },
  (table) => [
    index('predictions_newest')
      .on(
        table.asset,
        table.made.desc().nullsFirst(),
        table.createdAt.desc().nullsFirst(),
        table.id,
      )
      .where(sql`${table.withdrawnAt} is null`),
    index('predictions_supported')
      .on(
        table.asset,
        table.voteScore.desc().nullsFirst(),
        table.made.desc().nullsFirst(),
        table.createdAt.desc().nullsFirst(),
        table.id,
      )
      .where(sql`${table.withdrawnAt} is null`),
    index('predictions_due').on(table.asset, table.targetDate, table.id),
    index('predictions_touched').on(
      table.asset,
      table.touchOutcome,
      table.made.desc().nullsFirst(),
    ),
    index('predictions_closed').on(table.asset, table.closeOutcome, table.made.desc().nullsFirst()),
    index('predictions_words').using(
      'gin',
      sql`array_to_tsvector(string_to_array(${table.search}, ' '))`,
    ),
    index('predictions_of_influencer').on(table.influencerId),
    check('predictions_dates', sql`${table.targetDate} > ${table.made}`),
  ],
)

/** Decisions with their evidence; rows are only ever added. The newest row of a prediction and mode is in force. */
export const verdicts = pgTable(
  'verdicts',
  {
    id: id(),
    predictionId: text()
      .notNull()
      .references(() => predictions.id),
    mode: text().$type<JudgeMode>().notNull(),
    outcome: text().$type<Outcome>().notNull(),
    reason: text().$type<VerdictReason>().notNull(),
    day: date({ mode: 'string' }),
    rule: integer().notNull(),
    /** The whole verdict, as the domain has it. */
    evidence: jsonb().$type<Verdict>().notNull(),
    /** Why this row was added to the one before it. */
    change: text().$type<VerdictChange>().notNull(),
    computedAt: madeAt(),
  },
  (table) => [index('verdicts_in_force').on(table.predictionId, table.mode, table.id)],
)

/** `range`: the highs and lows of a day became known of which the record had the close; it is no news. */
export type VerdictChange =
  | 'first'
  | 'prices'
  | 'range'
  | 'rules'
  | 'statement'
  | 'override'
  | 'lift'

export type PredictionEventKind =
  | 'published'
  | 'judged'
  | 'changed'
  | 'overridden'
  | 'edited'
  | 'frozen'
  | 'thawed'
  | 'withdrawn'
  | 'restored'

export const predictionEvents = pgTable(
  'prediction_events',
  {
    id: id(),
    predictionId: text()
      .notNull()
      .references(() => predictions.id),
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
 * The state of the record in one row: both numbers rise with each change that a visitor can see. They begin with the time
 * the row was made, ms since 1970, so that none comes twice where a database is restored. No export holds it.
 */
export const recordState = pgTable('record_state', {
  id: integer().primaryKey(),
  version: bigint({ mode: 'number' }).notNull(),
  /** The version that last changed bars or splits. */
  prices: bigint({ mode: 'number' }).notNull(),
})

/** Facts about the database itself, such as that the starter data went in. */
export const facts = pgTable('facts', {
  name: text().primaryKey(),
  value: text().notNull(),
  recordedAt: madeAt(),
})
