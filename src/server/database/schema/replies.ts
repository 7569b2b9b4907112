import { type SignedEvent } from '#domain/proof/record-event.ts'
import { REPLY_STATES, REPLY_WAYS, type ReplyState, type ReplyWay } from '#domain/reply.ts'
import { sql } from 'drizzle-orm'
import { bigint, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment, oneOf } from '#server/database/columns.ts'
import { influencers, predictions } from './predictions.ts'

/** How the author of a reply was known. */
export type ReplyEvidence =
  | {
      readonly way: 'nostr'
      readonly npub: string
      readonly event: SignedEvent
    }
  | {
      readonly way: 'post'
      readonly url: string
      readonly code: string
      /** On record when it came. */
      readonly handles: readonly string[]
      /** What was read at that address; null where it could not be read, and why. */
      readonly read: {
        readonly handle: string | null
        readonly text: string
        readonly source: string
        readonly fetchedAt: string
      } | null
      readonly unread: string | null
      /** Whether account and code are those that they should be. */
      readonly isMatch: boolean
    }
  | { readonly way: 'email'; readonly note: string; readonly by: string }

/** What people answered to the record about them. A text is stored as it came and never changed; a withdrawn one is deleted. */
export const replies = pgTable(
  'replies',
  {
    id: uuid().primaryKey(),
    influencerId: bigint({ mode: 'number' })
      .notNull()
      .references(() => influencers.id),
    /** Null for a reply to the page of the person. */
    predictionId: text().references(() => predictions.id, { onDelete: 'cascade' }),
    /** Empty once withdrawn. */
    text: text().notNull(),
    link: text(),
    way: text().$type<ReplyWay>().notNull(),
    /** Null once withdrawn. */
    evidence: jsonb().$type<ReplyEvidence>(),
    /** The challenge or the code, which counts once. */
    proof: text().unique(),
    /** Of the link by which its author withdraws it; SHA-256. */
    tokenHash: text().notNull().unique(),
    state: text().$type<ReplyState>().notNull().default('waiting'),
    receivedAt: moment().notNull(),
    publishedAt: moment(),
    /** When it was declined or withdrawn. */
    endedAt: moment(),
    /** Of the last decision. */
    decidedBy: text(),
    /** Why it was declined; its author reads it. */
    reason: text(),
    /** How the administrator who published it made sure of its author. */
    note: text(),
  },
  (table) => [
    index('replies_of_prediction').on(table.predictionId),
    index('replies_of_influencer').on(table.influencerId),
    index('replies_in_state').on(table.state, table.receivedAt, table.id),
    check('replies_state', oneOf('state', REPLY_STATES)),
    check('replies_way', oneOf('way', REPLY_WAYS)),
    check('replies_published', sql`"state" <> 'published' or "published_at" is not null`),
    check('replies_ended', sql`("state" in ('declined', 'withdrawn')) = ("ended_at" is not null)`),
    check('replies_withdrawn', sql`("state" = 'withdrawn') = ("evidence" is null)`),
    check(
      'replies_text',
      sql`char_length("text") <= 1000 and ("state" = 'withdrawn') = ("text" = '')`,
    ),
  ],
)
