import { and, eq, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { AdminExpert } from '#contracts/corrections.ts'
import {
  influencerNames,
  influencers,
  predictions,
  type NameKind,
  influencerSlugs,
} from '#server/database/schema/predictions.ts'
import { replies } from '#server/database/schema/replies.ts'
import { submissions } from '#server/database/schema/submissions.ts'
import { type Db, firstRow, PAGE_SIZE, readRows, wordsOf } from '#server/kit/db.ts'

const ExpertDetail = AdminExpert.extend({ merged_into: z.int().nullable() })
export type ExpertDetail = z.output<typeof ExpertDetail>

/** One page of influencers by name, without merged ones. */
export async function listExperts(db: Db, { q, page }: { q: string; page: number }) {
  const matches = wordsOf(q.replaceAll('@', '')).map(
    (word) =>
      sql`exists (select from influencer_names n where n.influencer_id = ${influencers.id} and n.text ilike ${word})`,
  )
  const where = and(isNull(influencers.mergedInto), ...matches)
  const order = sql`order by lower(name), id limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`
  const total = await db.$count(influencers, where)
  return { total, rows: await selectExperts(db, sql`${where} ${order}`) }
}

const Names = z.object({
  id: z.number(),
  names: z.array(z.string()),
  handles: z.array(z.string()),
})

export function allNames(db: Db) {
  return readRows(db, Names)`
    select influencer_id::float8 as id,
      coalesce(array_agg(text) filter (where kind = 'name'), '{}') as names,
      coalesce(array_agg(text) filter (where kind = 'handle'), '{}') as handles
    from influencer_names group by 1 order by 1`
}

export async function expertsById(db: Db, ids: readonly number[]) {
  const found = await selectExperts(db, sql`id = any(${sql.param([...ids])}::bigint[])`)
  return new Map(found.map((one) => [one.id, one]))
}

function selectExperts(db: Db, condition: SQL): Promise<ExpertDetail[]> {
  const texts = (which: string) =>
    sql.raw(`array(select n.text from influencer_names n
      where n.influencer_id = influencers.id and ${which} order by not n.main, n.text)`)
  return readRows(db, ExpertDetail)`
    select id::float8 as id, name, slug, is_firm, firm, version, merged_into::float8 as merged_into,
      ${texts(`n.kind = 'name' and n.text <> influencers.name`)} as aliases,
      ${texts(`n.kind = 'handle'`)} as handles,
      ${texts(`n.kind = 'handle' and not n.confirmed`)} as unconfirmed_handles,
      ${texts(`n.kind = 'npub'`)} as npubs,
      array(select s.slug from influencer_slugs s where s.influencer_id = influencers.id order by s.replaced_at) as old_slugs,
      (select count(*)::int from predictions p where p.influencer_id = influencers.id) as predictions
    from influencers where ${condition}`
}

/** Somebody else who has one of these names. @param folded as stored for comparison */
export function otherHolder(db: Db, id: number, kind: NameKind, folded: readonly string[]) {
  const isOne = and(eq(influencerNames.kind, kind), inArray(influencerNames.folded, [...folded]))
  return firstRow(
    db
      .select({ folded: influencerNames.folded, name: influencers.name })
      .from(influencerNames)
      .innerJoin(influencers, eq(influencers.id, influencerNames.influencerId))
      .where(and(isOne, ne(influencers.id, id)))
      .limit(1),
  )
}

const NamedNpub = z.object({ npub: z.string(), prediction_id: z.string() })

/** Keys that submissions named for a person, with the first resulting prediction; anyone can name any key. */
export function npubsNamed(db: Db, { id, npubs }: ExpertDetail) {
  return readRows(db, NamedNpub)`
    select distinct on (s.nostr_npub) s.nostr_npub as npub, p.id as prediction_id
    from submissions s join predictions p on p.id = s.prediction_id
    where p.influencer_id = ${id} and s.nostr_npub is not null and s.nostr_npub <> all(${sql.param(npubs)}::text[])
    order by s.nostr_npub, p.created_at, p.id`
}

/** Writes all names, handles or keys of an influencer, the main one first. */
export async function replaceNames(
  tx: Db,
  influencerId: number,
  kind: NameKind,
  names: readonly {
    readonly folded: string
    readonly text: string
    readonly confirmed?: boolean
  }[],
): Promise<void> {
  await tx
    .delete(influencerNames)
    .where(and(eq(influencerNames.influencerId, influencerId), eq(influencerNames.kind, kind)))
  if (names.length === 0) return
  await tx
    .insert(influencerNames)
    .values(names.map((one, i) => ({ ...one, kind, influencerId, main: i === 0 })))
}

/** Requires the writers' lock, under which the version was read. */
export async function changeExpert(
  tx: Db,
  id: number,
  version: number,
  set: Partial<typeof influencers.$inferInsert>,
): Promise<void> {
  const next = { ...set, version: version + 1 }
  await tx.update(influencers).set(next).where(eq(influencers.id, id))
}

/** Moves predictions, names, handles, submissions' suggestions and former addresses. */
export async function moveAll(tx: Db, from: number, into: number) {
  const moved = await tx
    .update(predictions)
    .set({ influencerId: into, version: sql`${predictions.version} + 1` })
    .where(eq(predictions.influencerId, from))
    .returning({ id: predictions.id })
  await tx.update(replies).set({ influencerId: into }).where(eq(replies.influencerId, from))
  const suggested = await tx
    .update(submissions)
    .set({ existingInfluencerId: into })
    .where(eq(submissions.existingInfluencerId, from))
    .returning({ id: submissions.id })
  const shows = (kind: 'name' | 'handle'): SQL<boolean> =>
    sql`(${influencerNames.kind} = ${kind} and ${influencerNames.main} and not exists (
      select from influencer_names n where n.influencer_id = ${into} and n.kind = ${kind} and n.main))`
  // If both have the same name, one of them is kept.
  const same = tx
    .select({ folded: influencerNames.folded })
    .from(influencerNames)
    .where(and(eq(influencerNames.influencerId, into), eq(influencerNames.kind, 'name')))
  const isTheirs = eq(influencerNames.influencerId, from)
  const isSame = and(eq(influencerNames.kind, 'name'), inArray(influencerNames.folded, same))
  await tx.delete(influencerNames).where(and(isTheirs, isSame))
  const names = await tx
    .update(influencerNames)
    // A main handle stays main if the other person has none.
    .set({ influencerId: into, main: sql`${shows('name')} or ${shows('handle')}` })
    .where(isTheirs)
    .returning({ text: influencerNames.text })
  await tx
    .update(influencerSlugs)
    .set({ influencerId: into })
    .where(eq(influencerSlugs.influencerId, from))
  await tx.update(influencers).set({ mergedInto: into }).where(eq(influencers.mergedInto, from))
  return {
    predictions: moved.map(({ id }) => id).toSorted(),
    submissions: suggested.length,
    names: names.map(({ text }) => text),
  }
}
