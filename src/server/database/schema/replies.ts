import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { type SignedEvent } from '#domain/proof/record-event.ts'
import { REPLY_STATES, REPLY_WAYS, type ReplyState, type ReplyWay } from '#domain/reply.ts'
import { moment, oneOf } from '#server/database/columns.ts'
import { predictions, influencerKey } from './predictions.ts'

/** How the author of a reply was verified. */
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
      /** Handles on record when it arrived. */
      readonly handles: readonly string[]
      /** The post at that address; null if unreadable, with the reason. */
      readonly read: {
        readonly handle: string | null
        readonly text: string
        readonly source: string
        readonly fetchedAt: string
      } | null
      readonly unread: string | null
      /** Whether account and code match. */
      readonly isMatch: boolean
    }
  | { readonly way: 'email'; readonly note: string; readonly by: string }

/** Replies of people on record. Texts are immutable; withdrawn ones are deleted. */
export const replies = pgTable(
  'replies',
  {
    id: uuid().primaryKey(),
    influencerId: influencerKey(),
    /** Null for a reply to the page of the person. */
    predictionId: text().references(() => predictions.id, { onDelete: 'cascade' }),
    /** Empty once withdrawn. */
    text: text().notNull(),
    link: text(),
    way: text().$type<ReplyWay>().notNull(),
    /** Null once withdrawn. */
    evidence: jsonb().$type<ReplyEvidence>(),
    /** The challenge or code, usable once. */
    proof: text().unique(),
    /** SHA-256 of the author's withdrawal token. */
    tokenHash: text().notNull().unique(),
    state: text().$type<ReplyState>().notNull().default('waiting'),
    receivedAt: moment().notNull(),
    publishedAt: moment(),
    /** Whether followers were notified of its publication. */
    announced: boolean().notNull().default(false),
    endedAt: moment(),
    /** Administrator of the last decision. */
    decidedBy: text(),
    /** Reason for declining, shown to the author. */
    reason: text(),
    /** How the publishing administrator verified the author. */
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
