import { index, pgTable, text, uuid, check, primaryKey } from 'drizzle-orm/pg-core'
import { moment, oneOf } from '#server/database/columns.ts'
import { predictionKey, influencerKey } from './predictions.ts'
import { payments } from './submissions.ts'

/** Former addresses of people's pages, which redirect. */
export const influencerSlugs = pgTable(
  'influencer_slugs',
  {
    slug: text().primaryKey(),
    influencerId: influencerKey(),
    replacedAt: moment().notNull(),
  },
  (table) => [index('influencer_slugs_of').on(table.influencerId)],
)

/** Odd payments that an administrator settled outside the site, such as by a refund. */
export const paymentSettlements = pgTable('payment_settlements', {
  paymentId: uuid()
    .primaryKey()
    .references(() => payments.id),
  at: moment().notNull(),
  username: text().notNull(),
  note: text().notNull(),
})

/** Decisions about pairs of calls of which the later one looks like a revision. Undecided pairs are computed, not stored. */
export const revisionDecisions = pgTable(
  'revision_decisions',
  {
    earlierId: predictionKey(),
    laterId: predictionKey(),
    state: text().$type<'confirmed' | 'cut'>().notNull(),
    at: moment().notNull(),
    /** Name as in the audit log. */
    username: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.earlierId, table.laterId] }),
    check('revision_decisions_state', oneOf('state', ['confirmed', 'cut'])),
  ],
)
