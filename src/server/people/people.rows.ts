import { and, asc, desc, eq, inArray, isNull, notExists, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { bareHandle, foldHandle, foldName, slugOf } from '#domain/people/name.ts'
import { influencerNames, influencers, type NameKind } from '#server/database/schema/predictions.ts'
import { type Db, firstRow, hasEffect, readRows } from '#server/kit/db.ts'

export type Influencer = Awaited<ReturnType<typeof listInfluencers>>[number]

export type NewInfluencer = {
  readonly name: string
  readonly handle: string | null
  /** Confirmed by an administrator; a submission alone does not confirm a handle. */
  readonly isHandleConfirmed: boolean
  readonly isFirm: boolean
  readonly firm?: string | null
}

const handle = sql<string | null>`(
  select text from influencer_names h
  where h.influencer_id = influencers.id and h.kind = 'handle' and h.main)`

const columns = {
  id: influencers.id,
  name: influencers.name,
  slug: influencers.slug,
  isFirm: influencers.isFirm,
  firm: influencers.firm,
  score: influencers.score,
  handle,
}

export function listInfluencers(db: Db) {
  return db
    .select(columns)
    .from(influencers)
    .where(isNull(influencers.mergedInto))
    .orderBy(influencers.name)
}

/** The influencer with this slug, or else formerly with it. */
export async function influencerBySlug(db: Db, slug: string): Promise<Influencer | null> {
  const [at] = await readRows(db, z.object({ id: z.number() }))`
    select coalesce(merged_into, id)::float8 as id from influencers
    where slug = ${slug} or id in (select influencer_id from influencer_slugs s where s.slug = ${slug})
    order by slug <> ${slug} limit 1`
  return at ? influencerById(db, at.id) : null
}

/** The influencer with any of the firm's names; null without one. */
export function firmNamed(db: Db, firm: string): Promise<Influencer | null> {
  const isNamed = and(eq(influencerNames.kind, 'name'), eq(influencerNames.folded, foldName(firm)))
  return firstRow(
    db
      .select(columns)
      .from(influencers)
      .innerJoin(influencerNames, eq(influencerNames.influencerId, influencers.id))
      .where(and(eq(influencers.isFirm, true), isNull(influencers.mergedInto), isNamed))
      .orderBy(influencers.id)
      .limit(1),
  )
}

/** People who speak for a firm, by name. */
export async function peopleOfFirm(db: Db, id: number): Promise<Influencer[]> {
  const names = db
    .select({ name: sql`lower(${influencerNames.text})` })
    .from(influencerNames)
    .where(and(eq(influencerNames.influencerId, id), eq(influencerNames.kind, 'name')))
  return db
    .select(columns)
    .from(influencers)
    .where(and(isNull(influencers.mergedInto), inArray(sql`lower(${influencers.firm})`, names)))
    .orderBy(influencers.name)
}

/** Includes merged influencers. */
export function influencerById(db: Db, id: number) {
  const all = { ...columns, mergedInto: influencers.mergedInto }
  return firstRow(db.select(all).from(influencers).where(eq(influencers.id, id)))
}

/** Finds the oldest influencer by handle, else by name; adds one if nobody matches. */
export async function findOrAddInfluencer(db: Db, person: NewInfluencer): Promise<number> {
  const byHandle = person.handle === null ? null : await idOfName(db, 'handle', person.handle)
  const found = byHandle ?? (await idOfName(db, 'name', person.name))
  if (found !== null) {
    if (person.handle !== null)
      await addName(db, found, 'handle', person.handle, person.isHandleConfirmed)
    return found
  }
  return addInfluencer(db, person)
}

/** Adds an influencer even if the name exists; a known handle stays with its owner. */
export async function addInfluencer(db: Db, person: NewInfluencer): Promise<number> {
  const { name, isFirm, firm = null } = person
  const added = { name, slug: await freeSlug(db, name), isFirm, firm }
  const row = await firstRow(db.insert(influencers).values(added).returning())
  if (!row) throw new Error('inserted influencer has no id')
  await addName(db, row.id, 'name', name)
  if (person.handle !== null)
    await addName(db, row.id, 'handle', person.handle, person.isHandleConfirmed)
  return row.id
}

async function idOfName(db: Db, kind: 'name' | 'handle', text: string): Promise<number | null> {
  const rows = await db
    .select({ id: influencerNames.influencerId })
    .from(influencerNames)
    .where(and(eq(influencerNames.kind, kind), eq(influencerNames.folded, foldOf(kind, text))))
    .orderBy(influencerNames.influencerId)
    .limit(1)
  return rows[0]?.id ?? null
}

/** The first name and the first handle become the main ones. */
export function addName(
  db: Db,
  influencerId: number,
  kind: 'name' | 'handle',
  text: string,
  confirmed = true,
): Promise<boolean> {
  const others = db
    .select({ text: influencerNames.text })
    .from(influencerNames)
    .where(and(eq(influencerNames.influencerId, influencerId), eq(influencerNames.kind, kind)))
  const stored = kind === 'handle' ? bareHandle(text) : text
  const [folded, main] = [foldOf(kind, text), notExists(others)]
  const added = { kind, folded, text: stored, influencerId, main, confirmed }
  return hasEffect(db.insert(influencerNames).values(added).onConflictDoNothing())
}

/** Removes a handle or a secondary name. */
export async function dropName(
  db: Db,
  influencerId: number,
  kind: 'name' | 'handle',
  text: string,
): Promise<void> {
  await db
    .delete(influencerNames)
    .where(
      and(
        eq(influencerNames.influencerId, influencerId),
        eq(influencerNames.kind, kind),
        eq(influencerNames.folded, foldOf(kind, text)),
      ),
    )
}

/** Names made only of symbols must still be distinct. */
export function foldOf(kind: NameKind, text: string): string {
  switch (kind) {
    case 'name':
      return foldName(text) || text.trim()
    case 'handle':
      return foldHandle(text)
    case 'npub':
      return text
  }
}

/** Confirmed Nostr keys as npubs, the main one first. */
export async function npubsOf(db: Db, influencerId: number): Promise<string[]> {
  const rows = await db
    .select({ npub: influencerNames.text })
    .from(influencerNames)
    .where(and(eq(influencerNames.kind, 'npub'), eq(influencerNames.influencerId, influencerId)))
    .orderBy(desc(influencerNames.main), asc(influencerNames.text))
  return rows.map(({ npub }) => npub)
}

/** @param ownId an influencer who may reuse their own former address */
export async function freeSlug(db: Db, name: string, ownId: number | null = null): Promise<string> {
  const slug = slugOf(name)
  const rows = await readRows(db, z.object({ slug: z.string() }))`
    select slug from influencers where slug = ${slug} or slug like ${`${slug}-%`}
    union all select slug from influencer_slugs
    where (slug = ${slug} or slug like ${`${slug}-%`}) and influencer_id is distinct from ${ownId}::bigint`
  const taken = new Set(rows.map((row) => row.slug))
  let free = slug
  for (let n = 2; taken.has(free); n += 1) free = `${slug}-${String(n)}`
  return free
}

export type KnownPerson = NonNullable<Awaited<ReturnType<typeof personById>>>

export const person = {
  id: influencers.id,
  name: influencers.name,
  slug: influencers.slug,
  handle,
  predictions: sql<number>`(select count(*)::int from predictions p where p.influencer_id = influencers.id and p.withdrawn_at is null)`,
}

/** An influencer by id; for a merged one, its target. */
export function personById(db: Db, id: number) {
  const into = db
    .select({ id: sql<number>`coalesce(${influencers.mergedInto}, ${influencers.id})` })
    .from(influencers)
    .where(eq(influencers.id, id))
  return firstRow(db.select(person).from(influencers).where(inArray(influencers.id, into)))
}

/** Everyone with one of these names, once per match. */
export async function peopleNamed(
  db: Db,
  names: readonly { readonly kind: 'name' | 'handle'; readonly folded: string }[],
): Promise<(KnownPerson & { readonly kind: NameKind; readonly main: boolean })[]> {
  if (names.length === 0) return []
  return db
    .select({ ...person, kind: influencerNames.kind, main: influencerNames.main })
    .from(influencerNames)
    .innerJoin(influencers, eq(influencers.id, influencerNames.influencerId))
    .where(
      or(
        ...names.map(({ kind, folded }) =>
          and(eq(influencerNames.kind, kind), eq(influencerNames.folded, folded)),
        ),
      ),
    )
    .orderBy(influencers.id)
}
