import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { bytes, moment, oneOf } from '#server/database/columns.ts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'

/** Everybody's scores as of a day, with what they were computed from. */
export const scores = pgTable(
  'scores',
  {
    asOf: date({ mode: 'string' }).notNull(),
    mode: text().$type<JudgeMode>().notNull(),
    /** Of claims, bars, rule set and method: the same digest means the same scores. */
    digest: text().notNull(),
    rule: integer().notNull(),
    /** Repeats the replayed histories. */
    seed: text().notNull(),
    histories: integer().notNull(),
    /** The JSON of the answer, compressed (see packed-scores.ts); null in rows of earlier versions. */
    gzip: bytes(),
    /** Where its parts start. */
    starts: integer().array(),
    /** The JSON of the answer in rows of earlier versions. */
    reply: text(),
    /** Those of the day itself, kept for good; others were asked for later, and only the newest stay. */
    isDaily: boolean().notNull(),
    computedAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.asOf, table.mode] }),
    index('scores_asked')
      .on(table.computedAt)
      .where(sql`not ${table.isDaily}`),
    check('scores_mode', oneOf('mode', JUDGE_MODES)),
    check(
      'scores_reply',
      sql`num_nonnulls(${table.gzip}, ${table.reply}) = 1 and num_nonnulls(${table.gzip}, ${table.starts}) <> 1`,
    ),
  ],
)
