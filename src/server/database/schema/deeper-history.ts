import { type AssetKey } from '#domain/asset.ts'
import { type RangeChange } from '#domain/judging/known-range.ts'
import {
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { id, moment } from '#server/database/columns.ts'
import { assets } from './predictions.ts'

const asset = () =>
  text()
    .$type<AssetKey>()
    .notNull()
    .references(() => assets.key)

/**
 * Daily highs and lows of days of which the record knows the close alone. They are kept apart from `bars`, and decide
 * nothing, until all venues of the asset have answered; what was refused stays here with its reason.
 */
export const deeperBars = pgTable(
  'deeper_bars',
  {
    asset: asset(),
    day: date({ mode: 'string' }).notNull(),
    source: text().notNull(),
    open: doublePrecision(),
    high: doublePrecision(),
    low: doublePrecision(),
    close: doublePrecision(),
    /** Why it is not used, in a sentence; null while it may be. */
    refused: text(),
    recordedAt: moment().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.asset, table.day, table.source] })],
)

/** How far back each source was asked for the highs and lows of earlier days. */
export const deeperSources = pgTable(
  'deeper_sources',
  {
    asset: asset(),
    source: text().notNull(),
    /** The days that were asked for, both included; asked from the newest to the oldest. */
    askedFrom: date({ mode: 'string' }),
    askedTo: date({ mode: 'string' }),
    /** The oldest day of which it gave a bar. */
    reaches: date({ mode: 'string' }),
    daysRead: integer().notNull().default(0),
    daysRefused: integer().notNull().default(0),
    /** When all it may have was asked for. */
    doneAt: moment(),
    /** Why no older days are asked for, in a sentence. */
    note: text(),
    failures: integer().notNull().default(0),
    lastError: text(),
    failingSince: moment(),
    nextRunAt: moment(),
  },
  (table) => [primaryKey({ columns: [table.asset, table.source] })],
)

/** Each time that highs and lows went into the record, and what they changed. */
export const deeperRounds = pgTable(
  'deeper_rounds',
  {
    id: id(),
    asset: asset(),
    publishedAt: moment().notNull().defaultNow(),
    /** Who published it; null for the site itself. */
    publishedBy: text(),
    days: integer().notNull(),
    fromDay: date({ mode: 'string' }).notNull(),
    toDay: date({ mode: 'string' }).notNull(),
    /** Verdicts whose outcome or day changed, the first ones of many. */
    changes: jsonb().$type<RangeChange[]>().notNull(),
    changed: integer().notNull(),
    /** Verdicts that stayed the same on better evidence. */
    completed: integer().notNull(),
  },
  (table) => [index('deeper_rounds_newest').on(table.asset, table.id)],
)
