import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '#server/database/columns.ts'
import { influencers } from './predictions.ts'
import { payments } from './submissions.ts'

/** Former addresses of people's pages, which redirect. */
export const influencerSlugs = pgTable(
  'influencer_slugs',
  {
    slug: text().primaryKey(),
    influencerId: bigint({ mode: 'number' })
      .notNull()
      .references(() => influencers.id),
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
