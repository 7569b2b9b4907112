import { NETWORKS_OF_POSTS, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { type XLimits } from './ports.ts'
import { and, count, desc, eq, gte, ne, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { admins } from '#server/database/schema/admins.ts'
import { socialAccounts, socialPosts, socialSettings } from '#server/database/schema/publishing.ts'
import { verdicts } from '#server/database/schema/predictions.ts'
import { isOtherOutcome } from '#server/judging/verdicts.rows.ts'

export type StoredXAccount = typeof socialAccounts.$inferSelect

export async function storedXAccount(db: Db, keyHash: string): Promise<StoredXAccount | null> {
  const rows = await db.select().from(socialAccounts).where(eq(socialAccounts.keyHash, keyHash))
  return rows[0] ?? null
}

export async function noteXAccount(
  db: Db,
  keyHash: string,
  values: Partial<Omit<StoredXAccount, 'keyHash' | 'limits'>> & { readonly limits?: XLimits },
): Promise<void> {
  await db
    .insert(socialAccounts)
    .values({ keyHash, ...values })
    .onConflictDoUpdate({ target: socialAccounts.keyHash, set: values })
}

export type StoredSettings = {
  readonly autoVerdicts: boolean
  readonly autoNetworks: SocialNetwork[]
  readonly autoWithLink: boolean
  readonly autoDailyCap: number
  /** When it was turned on; null while it is off. */
  readonly autoSince: string | null
  /** Null until an administrator has changed them. */
  readonly changed: { readonly by: { id: number; username: string }; readonly at: string } | null
}

const FIRST: StoredSettings = {
  autoVerdicts: false,
  autoNetworks: [...NETWORKS_OF_POSTS],
  autoWithLink: false,
  autoDailyCap: 3,
  autoSince: null,
  changed: null,
}

export async function readSettings(db: Db): Promise<StoredSettings> {
  const [row] = await db
    .select({ settings: socialSettings, username: admins.username })
    .from(socialSettings)
    .innerJoin(admins, eq(admins.id, socialSettings.changedBy))
  if (!row) return FIRST
  const { changedBy, changedAt, id: _, ...settings } = row.settings
  return { ...settings, changed: { by: { id: changedBy, username: row.username }, at: changedAt } }
}

export async function saveSettings(
  tx: Db,
  values: Omit<typeof socialSettings.$inferInsert, 'id'>,
): Promise<void> {
  await tx
    .insert(socialSettings)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: socialSettings.id, set: values })
}

export async function automaticPostsSince(db: Db, since: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(socialPosts)
    .where(
      and(
        socialPosts.isAutomatic,
        ne(socialPosts.state, 'cancelled'),
        gte(socialPosts.createdAt, since),
      ),
    )
  return row?.n ?? 0
}

/**
 * Verdicts that prices have brought about since a moment, that still hold and have no automatic post yet. The same outcome on
 * better evidence is no news.
 */
export async function newVerdicts(
  db: Db,
  since: string,
): Promise<{ verdictId: number; predictionId: string; outcome: string }[]> {
  return db
    .select({
      verdictId: verdicts.id,
      predictionId: verdicts.predictionId,
      outcome: verdicts.outcome,
    })
    .from(verdicts)
    .where(
      and(
        eq(verdicts.mode, 'touch'),
        eq(verdicts.change, 'prices'),
        sql`${verdicts.outcome} in ('hit', 'miss')`,
        gte(verdicts.computedAt, since),
        sql`not exists (select from verdicts v where v.prediction_id = ${verdicts.predictionId} and v.mode = 'touch' and v.id > ${verdicts.id} and v.outcome <> ${verdicts.outcome})`,
        isOtherOutcome(),
        sql`not exists (select from social_posts s where s.verdict_id = ${verdicts.id} and s.is_automatic)`,
      ),
    )
    .orderBy(desc(verdicts.id))
    .limit(50)
}
