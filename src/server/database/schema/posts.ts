import { QUEUE_STATUSES, type QueueStatus } from '#domain/posts/post-queue.ts'
import { type Post, type PostSourceName } from '#server/posts/ports.ts'
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
import { id, moment, oneOf } from '#server/database/columns.ts'
import { submissions } from './submissions.ts'

/** Posts as they were read last, so that reading one again costs nothing and outlives the post. */
export const posts = pgTable('posts', {
  /** X's own number. */
  id: text().primaryKey(),
  fetchedAt: moment().notNull(),
  source: text().$type<PostSourceName>().notNull(),
  content: jsonb().$type<Post>().notNull(),
})

/** What was read out of posts, one row a run; rows stay. */
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
    /** USD; null where no model was asked or its price is not known. */
    costUsd: doublePrecision(),
    durationMs: integer().notNull(),
    at: moment().notNull(),
  },
  (table) => [index('extractions_of_post').on(table.postId, table.id)],
)

/** How a field of a draft fared in the final decision. */
export type FieldFate = 'kept' | 'changed' | 'added' | 'removed'

/** What an administrator made of a draft, one row a submission. */
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

/** Links of posts to be read, worked off in the background. */
export const tweetQueue = pgTable(
  'tweet_queue',
  {
    id: id(),
    url: text().notNull(),
    postId: text().notNull(),
    status: text().$type<QueueStatus>().notNull(),
    /** What is being done, or waited for, in a few words. */
    step: text().notNull(),
    /** Since when it is to be worked on; null leaves it until it is asked for. */
    wantedAt: moment(),
    /** Tries since it was last asked for; the number also distinguishes tries. */
    attempts: integer().notNull().default(0),
    expertName: text(),
    extractionId: bigint({ mode: 'number' }).references(() => extractions.id),
    errorMessage: text(),
    createdAt: moment().notNull(),
    processedAt: moment(),
    deletedAt: moment(),
    /** Counts the changes of this row: the sum over all rows shows whether anything has changed. */
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
