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
import { type BoardRow } from '#contracts/board.ts'
import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { moment, oneOf } from '#server/database/columns.ts'

/** Scores as of a day, with the digest of their inputs. */
export const scores = pgTable(
  'scores',
  {
    asOf: date({ mode: 'string' }).notNull(),
    mode: text().$type<JudgeMode>().notNull(),
    /** Digest of claims, bars, rule set and method: equal digests mean equal scores. */
    digest: text().notNull(),
    rule: integer().notNull(),
    /** Seed of the replayed histories. */
    seed: text().notNull(),
    histories: integer().notNull(),
    /** The reply without people, as `json` to preserve its text. */
    about: json().$type<ScoresReply>().notNull(),
    /** Aggregates for pages (scores/compute-scores.ts); only for the newest days. */
    pages: json(),
    /** The newest record version known to have these scores; null for scores older than versions. */
    recordVersion: bigint({ mode: 'number' }),
    /** The day's own scores are stored permanently; of others only the newest stay. */
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
    /** Position in the reply, from 0. */
    place: integer().notNull(),
    /** Enough decided calls for a rank. */
    ranked: boolean().notNull(),
    /** Without repeats. */
    callCount: integer().notNull(),
    /** Calls on the strip of the board. */
    marks: json().$type<BoardRow['calls']>().notNull().default([]),
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
