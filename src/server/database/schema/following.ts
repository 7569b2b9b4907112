import { NOTICE_STATUSES, type NoticeStatus } from '#domain/publishing/notice.ts'
import {
  EVERY,
  FOLLOW_CHANNELS,
  FOLLOWED_KINDS,
  type Every,
  type FollowChannel,
  type FollowedKind,
} from '#domain/publishing/following.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, moment, oneOf } from '#server/database/columns.ts'
import { predictions } from './predictions.ts'

/** Who gets news: an e-mail address that has confirmed, or a browser. Deleted when they end it, with all that hangs on it. */
export const followers = pgTable(
  'followers',
  {
    id: uuid().primaryKey(),
    channel: text().$type<FollowChannel>().notNull(),
    /** The e-mail address, or the https address at the browser's push service. */
    address: text().notNull(),
    /** A keyed hash of the address, to find it by. */
    addressHash: text().notNull(),
    /** SHA-256 of the token in the links of its messages. */
    tokenHash: text().notNull().unique(),
    every: text().$type<Every>().notNull(),
    /** What messages to a browser are encrypted with, as base64url; null for an e-mail address. */
    pushKey: text(),
    pushAuth: text(),
    /** The next message is not made before. */
    nextAt: moment().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    // Who knows the address of a browser alone is another follower, and learns nothing about this one.
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
  /** The number of a person, the key of an asset, the id of a prediction. */
  subject: text().notNull(),
})

/** What a follower gets news of. */
export const follows = pgTable(
  'follows',
  {
    followerId: uuid()
      .notNull()
      .references(() => followers.id, { onDelete: 'cascade' }),
    ...followedColumns(),
    /** Only later events of the record are news, and only later days. */
    sinceEvent: bigint({ mode: 'number' }).notNull(),
    sinceDay: date({ mode: 'string' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.followerId, table.kind, table.subject] }),
    index('follows_of').on(table.kind, table.subject),
    check('follows_kind', oneOf('kind', FOLLOWED_KINDS)),
  ],
)

/** Questions to e-mail addresses whether they want news; they are sent as messages are, and deleted when they expire. */
export const followQuestions = pgTable(
  'follow_questions',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the token in the link. */
    tokenHash: text().notNull().unique(),
    /** Null once it has been answered. */
    address: text(),
    addressHash: text().notNull(),
    ...followedColumns(),
    every: text().$type<Every>().notNull(),
    status: text().$type<NoticeStatus>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    nextTryAt: moment().notNull(),
    lastError: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    /** The follower that it made. */
    followerId: uuid().references(() => followers.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('follow_questions_of_address').on(table.addressHash, table.createdAt),
    index('follow_questions_of_follower').on(table.followerId),
    index('follow_questions_expire').on(table.expiresAt),
    index('follow_questions_to_send')
      .on(table.nextTryAt)
      .where(sql`${table.status} in ('waiting', 'sending')`),
    check('follow_questions_status', oneOf('status', NOTICE_STATUSES)),
    check('follow_questions_kind', oneOf('kind', FOLLOWED_KINDS)),
    check('follow_questions_every', oneOf('every', EVERY)),
  ],
)

/** Messages to followers, each with the news it took along. */
export const followMessages = pgTable(
  'follow_messages',
  {
    id: id(),
    followerId: uuid()
      .notNull()
      .references(() => followers.id, { onDelete: 'cascade' }),
    status: text().$type<NoticeStatus>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    nextTryAt: moment().notNull(),
    lastError: text(),
    createdAt: moment().notNull(),
    sentAt: moment(),
  },
  (table) => [
    index('follow_messages_of').on(table.followerId),
    index('follow_messages_created').on(table.createdAt),
    index('follow_messages_to_send')
      .on(table.nextTryAt)
      .where(sql`${table.status} in ('waiting', 'sending')`),
    check('follow_messages_status', oneOf('status', NOTICE_STATUSES)),
  ],
)

/** What happened to what is followed: one row for each follower and event. */
export const followNews = pgTable(
  'follow_news',
  {
    id: id(),
    followerId: uuid()
      .notNull()
      .references(() => followers.id, { onDelete: 'cascade' }),
    /** `event 12` of the history, or `deadline`: with the prediction it happens once. */
    event: text().notNull(),
    predictionId: text()
      .notNull()
      .references(() => predictions.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
    /** The message that took it along; null while it waits. */
    messageId: bigint({ mode: 'number' }).references(() => followMessages.id, {
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
