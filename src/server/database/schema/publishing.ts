import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  type ImageType,
  POST_KINDS,
  POST_STATES,
  type PostKind,
  type PostState,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { bytes, moment, oneOf } from '#server/database/columns.ts'
import { type XLimits } from '#server/publishing/ports.ts'
import { admins } from './admins.ts'
import { predictionEvents, predictions, verdicts } from './predictions.ts'
import { submissions } from './submissions.ts'

/** Validated pictures of posts and drafts, without metadata. Unused ones are deleted after a while. */
export const socialPictures = pgTable('social_pictures', {
  id: uuid().primaryKey(),
  bytes: bytes().notNull(),
  type: text().$type<ImageType>().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: moment().notNull(),
})

/** Drafts, planned and sent posts, in the names of the wire. Rows are never deleted. */
export const socialPosts = pgTable(
  'social_posts',
  {
    id: uuid().primaryKey(),
    kind: text().$type<PostKind>().notNull(),
    state: text().$type<PostState>().notNull(),
    networks: text().array().$type<SocialNetwork[]>().notNull(),
    /** Text per network; empty without one. */
    x_text: text().notNull().default(''),
    nostr_text: text().notNull().default(''),
    bluesky_text: text().notNull().default(''),
    /** In display order. */
    pictures: jsonb().$type<{ id: string; alt: string }[]>().notNull(),
    /** When it is due; null for drafts. */
    scheduled_at: moment(),
    /** Time zone of the administrator who planned it, such as Europe/Berlin. */
    zone: text(),
    submission_id: uuid().references(() => submissions.id),
    prediction_id: text().references(() => predictions.id),
    verdict_id: bigint({ mode: 'number' }).references(() => verdicts.id),
    /** The event that proposed it; null if a person did. */
    event_id: bigint({ mode: 'number' }).references(() => predictionEvents.id),
    /** Created by the server. */
    automatic: boolean('is_automatic').notNull().default(false),
    /** SHA-256 of its Idempotency-Key and of the request. */
    idempotencyHash: text().unique(),
    fingerprint: text(),
    /** Whether the submission it is about was approved because of it; null without a submission. */
    approval: text().$type<'waiting' | 'done' | 'failed'>(),
    approvalError: text(),
    /** When an administrator dismissed its failure; null while undecided. */
    left_at: moment(),
    /** Who last sent or scheduled it; null until someone has. */
    askedBy: bigint({ mode: 'number' }).references(() => admins.id),
    createdBy: bigint({ mode: 'number' })
      .notNull()
      .references(() => admins.id),
    created_at: moment().notNull(),
    updated_at: moment().notNull(),
  },
  (table) => [
    index('social_posts_due')
      .on(table.scheduled_at)
      .where(sql`${table.state} = 'scheduled'`),
    index('social_posts_newest').on(table.created_at),
    // One announcement per verdict, across processes.
    uniqueIndex('social_posts_of_verdict')
      .on(table.verdict_id)
      .where(sql`${table.automatic}`),
    // One post per proposal, even if two administrators press at once.
    uniqueIndex('social_posts_of_event')
      .on(table.event_id)
      .where(sql`${table.state} <> 'cancelled'`),
    check('social_posts_state', oneOf('state', POST_STATES)),
    check('social_posts_kind', oneOf('kind', POST_KINDS)),
    check(
      'social_posts_time',
      sql`${table.state} in ('draft', 'cancelled') or ${table.scheduled_at} is not null`,
    ),
  ],
)

export const dismissedProposals = pgTable('dismissed_proposals', {
  eventId: bigint({ mode: 'number' })
    .primaryKey()
    .references(() => predictionEvents.id, { onDelete: 'cascade' }),
  dismissedBy: bigint({ mode: 'number' })
    .notNull()
    .references(() => admins.id),
  dismissedAt: moment().notNull(),
})

/** State of the account on X, one row per set of keys. */
export const socialAccounts = pgTable('social_accounts', {
  /** SHA-256 of the public halves of the keys. */
  keyHash: text().primaryKey(),
  handle: text(),
  /** When X last accepted or refused the keys. */
  checkedAt: moment(),
  error: text(),
  limits: jsonb().$type<XLimits>(),
  limitsAt: moment(),
})

/** Automatic posts, in the names of the wire: one row, off by default. */
export const socialSettings = pgTable(
  'social_settings',
  {
    id: integer().primaryKey(),
    auto_verdicts: boolean().notNull(),
    auto_networks: text().array().$type<SocialNetwork[]>().notNull(),
    auto_with_link: boolean().notNull(),
    /** Maximum automatic posts in 24 hours. */
    auto_daily_cap: integer().notNull(),
    /** When it was enabled: earlier verdicts are not announced. Null while off. */
    autoSince: moment(),
    /** Who changed the settings last. */
    changedBy: bigint({ mode: 'number' })
      .notNull()
      .references(() => admins.id),
    changed_at: moment().notNull(),
  },
  () => [check('social_settings_one', sql.raw('"id" = 1'))],
)
