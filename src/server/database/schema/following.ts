import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  EVERY,
  FOLLOW_CHANNELS,
  FOLLOWED_KINDS,
  type Every,
  type FollowChannel,
  type FollowedKind,
} from '#domain/publishing/following.ts'
import { id, moment, oneOf } from '#server/database/columns.ts'
import { outbox } from './kit.ts'
import { predictions } from './predictions.ts'

/** Followers: a confirmed email address or a browser. Deleted with all their rows when they unsubscribe. */
export const followers = pgTable(
  'followers',
  {
    id: uuid().primaryKey(),
    channel: text().$type<FollowChannel>().notNull(),
    /** The email address, or the https address at the browser's push service. */
    address: text().notNull(),
    /** Keyed hash of the address, for look-ups. */
    addressHash: text().notNull(),
    /** SHA-256 of the token in the links of its messages. */
    tokenHash: text().notNull().unique(),
    every: text().$type<Every>().notNull(),
    /** Encryption key of push messages, base64url; null for an email address. */
    pushKey: text(),
    pushAuth: text(),
    /** Earliest time of the next message. */
    nextAt: moment().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    // Someone who knows only the push address becomes another follower and learns nothing about this one.
    unique('followers_once')
      .on(table.channel, table.addressHash, table.pushAuth)
      .nullsNotDistinct(),
    index('followers_due').on(table.nextAt),
    check('followers_channel', oneOf('channel', FOLLOW_CHANNELS)),
    check('followers_every', oneOf('every', EVERY)),
    check(
      'followers_push',
      sql`(${table.channel} = 'push') = (${table.pushKey} is not null and ${table.pushAuth} is not null)`,
    ),
  ],
)

const followedColumns = () => ({
  kind: text().$type<FollowedKind>().notNull(),
  /** Id of a person, asset or prediction. */
  subject: text().notNull(),
})

/** Followed people, assets and predictions. */
export const follows = pgTable(
  'follows',
  {
    followerId: uuid()
      .notNull()
      .references(() => followers.id, { onDelete: 'cascade' }),
    ...followedColumns(),
    /** Only events and days after the follow count. */
    sinceEvent: bigint({ mode: 'number' }).notNull(),
    sinceDay: date({ mode: 'string' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.kind, table.subject] }),
    index('follows_of').on(table.kind, table.subject),
    check('follows_kind', oneOf('kind', FOLLOWED_KINDS)),
  ],
)

/** Pending confirmations of email addresses; deleted when they expire. */
export const followQuestions = pgTable(
  'follow_questions',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the token in the link. */
    tokenHash: text().notNull().unique(),
    /** Null once confirmed. */
    address: text(),
    addressHash: text().notNull(),
    ...followedColumns(),
    every: text().$type<Every>().notNull(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    /** The resulting follower. */
    followerId: uuid().references(() => followers.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('follow_questions_of_address').on(table.addressHash, table.createdAt),
    index('follow_questions_of_follower').on(table.followerId),
    index('follow_questions_expire').on(table.expiresAt),
    check('follow_questions_kind', oneOf('kind', FOLLOWED_KINDS)),
    check('follow_questions_every', oneOf('every', EVERY)),
  ],
)

/** Updates to send: one row per follower and event. */
export const followNews = pgTable(
  'follow_news',
  {
    id: id(),
    followerId: uuid()
      .notNull()
      .references(() => followers.id, { onDelete: 'cascade' }),
    /** `event 12` of the history, or `deadline`: unique with the prediction. */
    event: text().notNull(),
    predictionId: text()
      .notNull()
      .references(() => predictions.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
    /** The message that includes it; null while it waits. */
    messageId: bigint({ mode: 'number' }).references(() => outbox.id, {
      onDelete: 'cascade',
    }),
  },
  (table) => [
    uniqueIndex('follow_news_once').on(table.followerId, table.predictionId, table.event),
    index('follow_news_waiting')
      .on(table.followerId)
      .where(sql`${table.messageId} is null`),
    index('follow_news_of_message').on(table.messageId),
    index('follow_news_of_prediction').on(table.predictionId),
  ],
)
