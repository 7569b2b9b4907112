import { type ImageType } from '#domain/publishing/image-file.ts'
import {
  POST_KINDS,
  POST_STATES,
  RESULT_STATES,
  type PostKind,
  type PostState,
  type ResultState,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { type NostrEvent, type RelayResult } from '#server/publishing/nostr/ports.ts'
import { type XLimits } from '#server/publishing/ports.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, moment, oneOf } from '#server/database/columns.ts'
import { admins } from './admins.ts'
import { submissions } from './submissions.ts'
import { predictionEvents, predictions, verdicts } from './predictions.ts'

/** Pictures of posts and drafts, checked and without metadata. Those that no post names are thrown away after a while. */
export const socialPictures = pgTable('social_pictures', {
  id: uuid().primaryKey(),
  bytes: bytes().notNull(),
  type: text().$type<ImageType>().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: moment().notNull(),
})

/** What is written for the networks: drafts, what waits for its time, and what was sent. Rows stay. */
export const socialPosts = pgTable(
  'social_posts',
  {
    id: uuid().primaryKey(),
    kind: text().$type<PostKind>().notNull(),
    state: text().$type<PostState>().notNull(),
    networks: text().array().$type<SocialNetwork[]>().notNull(),
    /** One text for each network; empty where it has none yet. */
    xText: text().notNull().default(''),
    nostrText: text().notNull().default(''),
    blueskyText: text().notNull().default(''),
    /** In their order. */
    pictures: jsonb().$type<{ id: string; alt: string }[]>().notNull(),
    /** When it is due; null for drafts. */
    scheduledAt: moment(),
    /** The administrator's zone when it was planned, such as Europe/Berlin. */
    zone: text(),
    submissionId: uuid().references(() => submissions.id),
    predictionId: text().references(() => predictions.id),
    verdictId: bigint({ mode: 'number' }).references(() => verdicts.id),
    /** What happened on record that proposed it; null where a person thought of it. */
    eventId: bigint({ mode: 'number' }).references(() => predictionEvents.id),
    /** Written and planned by the server itself. */
    isAutomatic: boolean().notNull().default(false),
    /** SHA-256 of the Idempotency-Key it was sent under, and of what was asked under it. */
    idempotencyHash: text().unique(),
    fingerprint: text(),
    /** Whether the submission it was made from has been approved because of it; null where there is nothing to approve. */
    approval: text().$type<'waiting' | 'done' | 'failed'>(),
    approvalError: text(),
    /** When an administrator left as it is what a network did not take; null: that waits for a decision. */
    leftAt: moment(),
    /** Who pressed send, or chose its time, last; null until someone has. */
    askedBy: bigint({ mode: 'number' }).references(() => admins.id),
    createdBy: bigint({ mode: 'number' })
      .notNull()
      .references(() => admins.id),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [
    index('social_posts_due')
      .on(table.scheduledAt)
      .where(sql`${table.state} = 'scheduled'`),
    index('social_posts_newest').on(table.createdAt),
    // However many processes see a verdict, it is announced once.
    uniqueIndex('social_posts_of_verdict')
      .on(table.verdictId)
      .where(sql`${table.isAutomatic}`),
    // Two administrators who take up a proposal at the same moment make one post.
    uniqueIndex('social_posts_of_event')
      .on(table.eventId)
      .where(sql`${table.state} <> 'cancelled'`),
    check('social_posts_state', oneOf('state', POST_STATES)),
    check('social_posts_kind', oneOf('kind', POST_KINDS)),
    check(
      'social_posts_time',
      sql`${table.state} in ('draft', 'cancelled') or ${table.scheduledAt} is not null`,
    ),
  ],
)

/** What happened on record, and is not to be posted about. */
export const dismissedProposals = pgTable('dismissed_proposals', {
  eventId: bigint({ mode: 'number' })
    .primaryKey()
    .references(() => predictionEvents.id, { onDelete: 'cascade' }),
  dismissedBy: bigint({ mode: 'number' })
    .notNull()
    .references(() => admins.id),
  dismissedAt: moment().notNull(),
})

/** What became of a post on each network. */
export const socialResults = pgTable(
  'social_results',
  {
    postId: uuid()
      .notNull()
      .references(() => socialPosts.id),
    network: text().$type<SocialNetwork>().notNull(),
    state: text().$type<ResultState>().notNull(),
    /** Which worker holds it; one that no longer holds it may not begin to post. */
    lease: uuid(),
    /** When it is taken up: the next try, or the end of a lease that was left behind. Null: nothing to do. */
    nextTryAt: moment(),
    attempts: integer().notNull().default(0),
    /** Set just before the one request that publishes: once it is set it may be out, without it surely nothing is. */
    postingAt: moment(),
    /** The post's number on X, the event's id on Nostr; its address on Bluesky, written down before it is sent there. */
    remoteId: text(),
    /** Why not, as a sentence, and its kind: a reason of refusal, `limited`, `unsent` or `unknown`. */
    error: text(),
    fault: text(),
    /** Nostr: the signed event, stored before it is sent, and what each relay said. */
    event: jsonb().$type<NostrEvent>(),
    relays: jsonb().$type<RelayResult[]>(),
    finishedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.network] }),
    index('social_results_due')
      .on(table.nextTryAt)
      .where(sql`${table.nextTryAt} is not null`),
    check('social_results_state', oneOf('state', RESULT_STATES)),
  ],
)

/** What is known of the account on X: one row for each set of keys. */
export const socialAccounts = pgTable('social_accounts', {
  /** SHA-256 of the public halves of the keys. */
  keyHash: text().primaryKey(),
  handle: text(),
  /** When X last took the keys, or refused them. */
  checkedAt: moment(),
  error: text(),
  limits: jsonb().$type<XLimits>(),
  limitsAt: moment(),
})

/** Whether the server posts verdicts by itself: one row, off until an administrator turns it on. */
export const socialSettings = pgTable(
  'social_settings',
  {
    id: integer().primaryKey(),
    autoVerdicts: boolean().notNull(),
    autoNetworks: text().array().$type<SocialNetwork[]>().notNull(),
    autoWithLink: boolean().notNull(),
    /** The most automatic posts in 24 hours. */
    autoDailyCap: integer().notNull(),
    /** When it was turned on: earlier verdicts are not announced. Null while it is off. */
    autoSince: moment(),
    /** Who changed the settings last. */
    changedBy: bigint({ mode: 'number' })
      .notNull()
      .references(() => admins.id),
    changedAt: moment().notNull(),
  },
  () => [check('social_settings_one', sql.raw('"id" = 1'))],
)
