import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { moment, oneOf } from '#server/database/columns.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  json,
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
    /** The answer without people. As `json`, which keeps the text as it was written. */
    about: json().$type<ScoresReply>().notNull(),
    /** What pages about all calls together show (scores/compute-scores.ts); kept of the newest days only. */
    pages: json(),
    /** The newest version of the record that is known to have these scores; null for those of before there was one. */
    recordVersion: bigint({ mode: 'number' }),
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
  ],
)

/** A person's figures and calls as of a day. */
export const personScores = pgTable(
  'person_scores',
  {
    asOf: date({ mode: 'string' }).notNull(),
    mode: text().$type<JudgeMode>().notNull(),
    slug: text().notNull(),
    /** The place in the answer, from 0. */
    place: integer().notNull(),
    /** Enough calls are decided to say something. */
    ranked: boolean().notNull(),
    callCount: integer().notNull(),
    figures: json().$type<Omit<PersonScoreRow, 'calls'>>().notNull(),
    calls: json().$type<PersonScoreRow['calls']>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.asOf, table.mode, table.place] }),
    index('person_scores_of_person').on(table.slug, table.mode, table.asOf),
    foreignKey({
      columns: [table.asOf, table.mode],
      foreignColumns: [scores.asOf, scores.mode],
    }).onDelete('cascade'),
  ],
)
