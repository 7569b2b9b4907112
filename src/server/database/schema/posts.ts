import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { QUEUE_STATUSES, type QueueStatus } from '#domain/posts/post-url.ts'
import { id, moment, oneOf } from '#server/database/columns.ts'
import { type Post, type PostSourceName } from '#server/posts/ports.ts'
import { submissions } from './submissions.ts'

/** Posts as last fetched: reading one again is free, and it outlives the original. */
export const posts = pgTable('posts', {
  /** Id at X. */
  id: text().primaryKey(),
  fetchedAt: moment().notNull(),
  source: text().$type<PostSourceName>().notNull(),
  content: jsonb().$type<Post>().notNull(),
})

/** Readings of posts, one row per run. Rows are never deleted. */
export const extractions = pgTable(
  'extractions',
  {
    id: id(),
    /** Null for pasted text. */
    postId: text(),
    /** In the shape of the `TweetExtraction` contract. */
    result: jsonb().notNull(),
    method: text().$type<'grok_ai' | 'text_parsing'>().notNull(),
    model: text(),
    /** USD; null without a model or a known price. */
    costUsd: doublePrecision(),
    durationMs: integer().notNull(),
    at: moment().notNull(),
  },
  (table) => [index('extractions_of_post').on(table.postId, table.id)],
)

/** How the final decision treated a drafted field. */
type FieldFate = 'kept' | 'changed' | 'added' | 'removed'

/** Decisions about drafts, one row per submission. */
export const extractionDecisions = pgTable(
  'extraction_decisions',
  {
    id: id(),
    extractionId: bigint({ mode: 'number' })
      .notNull()
      .references(() => extractions.id),
    submissionId: uuid()
      .notNull()
      .unique()
      .references(() => submissions.id),
    draft: jsonb().notNull(),
    final: jsonb().notNull(),
    /** Fields that are empty on both sides are left out. */
    differences: jsonb().$type<Readonly<Record<string, FieldFate>>>().notNull(),
    admin: text().notNull(),
    at: moment().notNull(),
  },
  (table) => [index('extraction_decisions_of').on(table.extractionId)],
)

/** Queue of links to posts. */
export const tweetQueue = pgTable(
  'tweet_queue',
  {
    id: id(),
    url: text().notNull(),
    postId: text().notNull(),
    status: text().$type<QueueStatus>().notNull(),
    /** Current step, in a few words. */
    step: text().notNull(),
    /** When processing was requested; null until then. */
    wantedAt: moment(),
    /** Attempts since the last request; also identifies the attempt. */
    attempts: integer().notNull().default(0),
    expertName: text(),
    extractionId: bigint({ mode: 'number' }).references(() => extractions.id),
    errorMessage: text(),
    createdAt: moment().notNull(),
    processedAt: moment(),
    deletedAt: moment(),
    /** Row version; the sum over all rows reveals any change. */
    version: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex('tweet_queue_once')
      .on(table.postId)
      .where(sql`${table.deletedAt} is null`),
    index('tweet_queue_to_do')
      .on(table.status)
      .where(sql`${table.deletedAt} is null and ${table.status} in ('pending', 'processing')`),
    check('tweet_queue_status', oneOf('status', QUEUE_STATUSES)),
  ],
)
