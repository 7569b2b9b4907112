import { bareHandle, foldHandle, foldName, slugOf } from '#domain/people/name.ts'
import { and, asc, desc, eq, inArray, isNull, like, ne, notExists, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import { insertMany } from '#server/kit/insert-many.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { influencerSlugs } from '#server/database/schema/corrections.ts'
import { influencerNames, influencers, type NameKind } from '#server/database/schema/predictions.ts'

export type Influencer = {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly isFirm: boolean
  readonly score: number
  readonly handle: string | null
}

export type NewInfluencer = {
  readonly name: string
  readonly handle: string | null
  /** Somebody who is trusted with the record says that the handle is theirs; a submission alone does not. */
  readonly isHandleConfirmed: boolean
  readonly isFirm: boolean
}

const columns = {
  id: influencers.id,
  name: influencers.name,
  slug: influencers.slug,
  isFirm: influencers.isFirm,
  score: influencers.score,
  handle: sql<
    string | null
  >`(select text from influencer_names n where n.influencer_id = ${influencers.id} and n.kind = 'handle' and n.main)`,
}

export function listInfluencers(db: Db): Promise<Influencer[]> {
  return db
    .select(columns)
    .from(influencers)
    .where(isNull(influencers.mergedInto))
    .orderBy(influencers.name)
}

/** Whose address this is, or was before a change of name or a merge. */
export async function influencerBySlug(db: Db, slug: string): Promise<Influencer | null> {
  const [at] = await db
    .select({ id: influencers.id, into: influencers.mergedInto })
    .from(influencers)
    .where(
      or(
        eq(influencers.slug, slug),
        inArray(
          influencers.id,
          db
            .select({ id: influencerSlugs.influencerId })
            .from(influencerSlugs)
            .where(eq(influencerSlugs.slug, slug)),
        ),
      ),
    )
    // The address of today counts before an earlier one.
    .orderBy(sql`${influencers.slug} <> ${slug}`)
    .limit(1)
  if (!at) return null
  const rows = await db
    .select(columns)
    .from(influencers)
    .where(eq(influencers.id, at.into ?? at.id))
  return rows[0] ?? null
}

/** Also one that was merged into another. */
export async function influencerById(
  db: Db,
  id: number,
): Promise<(Influencer & { mergedInto: number | null; version: number }) | null> {
  const rows = await db
    .select({ ...columns, mergedInto: influencers.mergedInto, version: influencers.version })
    .from(influencers)
    .where(eq(influencers.id, id))
  return rows[0] ?? null
}

/**
 * The influencer known by this handle or, failing that, by this name, the one on record for longest; a new one where
 * neither is known.
 */
export async function findOrAddInfluencer(db: Db, given: NewInfluencer): Promise<number> {
  const found = await findInfluencer(db, given)
  if (found !== null) {
    if (given.handle !== null) await addHandle(db, found, given.handle, given.isHandleConfirmed)
    return found
  }
  return addInfluencer(db, given)
}

/**
 * Adds those of whom nothing is known: no name, no handle and no address, neither on record nor by another of these. All
 * others are left to `findOrAddInfluencer`.
 *
 * @param tx a transaction
 * @returns the numbers of those that were added
 */
export async function addUnknownInfluencers<Given extends NewInfluencer>(
  tx: Db,
  given: readonly Given[],
): Promise<ReadonlyMap<Given, number>> {
  const candidates = given.map((one) => {
    const [slug, names] = [slugOf(one.name), namesOf(one)]
    return { one, slug, names, keys: [`slug ${slug}`, ...names.map(keyOf)] }
  })
  const folded = candidates.flatMap(({ names }) => names.map((name) => name.folded))
  const slugs = candidates.map(({ slug }) => slug)
  const found = rowsOf(
    await tx.execute(sql`
      select kind || ' ' || folded as key from influencer_names where folded = any(${sql.param(folded)}::text[])
      union all select 'slug ' || slug from influencers where slug = any(${sql.param(slugs)}::text[])
      union all select 'slug ' || slug from influencer_slugs where slug = any(${sql.param(slugs)}::text[])`),
  ) as readonly { readonly key: string }[]
  const taken = new Set(found.map(({ key }) => key))
  const named = Map.groupBy(
    candidates.flatMap(({ keys }) => keys),
    (key) => key,
  )
  const isUnknown = ({ keys }: (typeof candidates)[number]): boolean =>
    keys.every((key) => named.get(key)?.length === 1 && !taken.has(key))
  const others = new Set(candidates.flatMap((one) => (isUnknown(one) ? [] : one.slug)))
  // An address that one of the others may get with a number is not taken before it is their turn.
  const unknown = candidates.filter(
    (one) => isUnknown(one) && !others.has(one.slug.replace(/-\d+$/, '')),
  )
  const answer = await insertMany(
    tx,
    influencers,
    unknown.map(({ one, slug }) => ({ name: one.name, slug, isFirm: one.isFirm })),
    sql`returning id::float8, slug`,
  )
  const bySlug = new Map(AddedRows.parse(answer).map(({ id, slug }) => [slug, id]))
  const added = unknown.map(({ one, slug, names }) => {
    const id = bySlug.get(slug)
    if (id === undefined) throw new Error(`${slug} was inserted and has no id`)
    return { one, id, names }
  })
  await insertMany(
    tx,
    influencerNames,
    added.flatMap(({ id, names }) =>
      names.map((name) => ({ ...name, influencerId: id, main: true })),
    ),
  )
  return new Map(added.map(({ one, id }) => [one, id]))
}

function namesOf({ name, handle, isHandleConfirmed }: NewInfluencer) {
  const all: Omit<typeof influencerNames.$inferInsert, 'influencerId' | 'main'>[] = [
    { kind: 'name', folded: foldOf('name', name), text: name, confirmed: true },
  ]
  if (handle !== null) {
    const text = bareHandle(handle)
    const folded = foldOf('handle', handle)
    all.push({ kind: 'handle', folded, text, confirmed: isHandleConfirmed })
  }
  return all
}

function keyOf({ kind, folded }: { readonly kind: NameKind; readonly folded: string }): string {
  return `${kind} ${folded}`
}

const AddedRows = z.array(z.object({ id: z.number(), slug: z.string() }))

/** Adds an influencer, even where another has the name; a known handle stays with its owner. */
export async function addInfluencer(db: Db, given: NewInfluencer): Promise<number> {
  const rows = await db
    .insert(influencers)
    .values({ name: given.name, slug: await freeSlug(db, given.name), isFirm: given.isFirm })
    .returning({ id: influencers.id })
  const id = rows[0]?.id
  if (id === undefined) throw new Error('an inserted influencer has no id')
  await addName(db, id, 'name', given.name)
  if (given.handle !== null) await addHandle(db, id, given.handle, given.isHandleConfirmed)
  return id
}

async function findInfluencer(db: Db, given: NewInfluencer): Promise<number | null> {
  const byHandle = given.handle === null ? null : await idOfName(db, 'handle', given.handle)
  return byHandle ?? (await idOfName(db, 'name', given.name))
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

/** @returns false where it was known already */
export function addHandle(
  db: Db,
  influencerId: number,
  handle: string,
  isConfirmed: boolean,
): Promise<boolean> {
  return addName(db, influencerId, 'handle', handle, isConfirmed)
}

/** The first name and the first handle of an influencer are the ones that screens show. */
async function addName(
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
  const kept = kind === 'handle' ? bareHandle(text) : text
  const added = await db
    .insert(influencerNames)
    .values({
      kind,
      folded: foldOf(kind, text),
      text: kept,
      influencerId,
      main: notExists(others),
      confirmed,
    })
    .onConflictDoNothing()
    .returning({ folded: influencerNames.folded })
  return added.length > 0
}

/** Removes a handle of an influencer. */
export async function dropHandle(db: Db, influencerId: number, handle: string): Promise<void> {
  await db
    .delete(influencerNames)
    .where(
      and(
        eq(influencerNames.influencerId, influencerId),
        eq(influencerNames.kind, 'handle'),
        eq(influencerNames.folded, foldOf('handle', handle)),
      ),
    )
}

/** A name of nothing but signs still has to differ from other such names. */
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

/** The keys on Nostr that an administrator has confirmed to be theirs, as npubs; the one that screens show in front. */
export async function npubsOf(db: Db, influencerId: number): Promise<string[]> {
  const rows = await db
    .select({ npub: influencerNames.text })
    .from(influencerNames)
    .where(and(eq(influencerNames.kind, 'npub'), eq(influencerNames.influencerId, influencerId)))
    .orderBy(desc(influencerNames.main), asc(influencerNames.text))
  return rows.map(({ npub }) => npub)
}

/** @param ownId an influencer who may take back an earlier address of their own */
export async function freeSlug(db: Db, name: string, ownId: number | null = null): Promise<string> {
  const slug = slugOf(name)
  const earlier = db
    .select({ slug: influencerSlugs.slug })
    .from(influencerSlugs)
    .where(
      and(
        or(eq(influencerSlugs.slug, slug), like(influencerSlugs.slug, `${slug}-%`)),
        ownId === null ? undefined : ne(influencerSlugs.influencerId, ownId),
      ),
    )
  const rows = await db
    .select({ slug: influencers.slug })
    .from(influencers)
    .where(or(eq(influencers.slug, slug), like(influencers.slug, `${slug}-%`)))
    .unionAll(earlier)
  const taken = new Set(rows.map((row) => row.slug))
  if (!taken.has(slug)) return slug
  let n = 2
  while (taken.has(`${slug}-${String(n)}`)) n += 1
  return `${slug}-${String(n)}`
}

export type KnownPerson = {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly handle: string | null
  readonly predictions: number
}

/** How an influencer is shown where one is chosen. */
export const person = {
  id: influencers.id,
  name: influencers.name,
  slug: influencers.slug,
  handle: sql<
    string | null
  >`(select text from influencer_names h where h.influencer_id = influencers.id and h.kind = 'handle' and h.main)`,
  predictions: sql<number>`(select count(*)::int from predictions p where p.influencer_id = influencers.id and p.withdrawn_at is null)`,
}

/** An influencer by number; of a merged one, whom it was merged into. */
export async function personById(db: Db, id: number): Promise<KnownPerson | null> {
  const into = db
    .select({ id: sql<number>`coalesce(${influencers.mergedInto}, ${influencers.id})` })
    .from(influencers)
    .where(eq(influencers.id, id))
  const rows = await db.select(person).from(influencers).where(inArray(influencers.id, into))
  return rows[0] ?? null
}

/** Everyone known by one of these names, each as often as they match. */
export async function peopleNamed(
  db: Db,
  wanted: readonly { readonly kind: 'name' | 'handle'; readonly folded: string }[],
): Promise<(KnownPerson & { readonly kind: NameKind; readonly main: boolean })[]> {
  if (wanted.length === 0) return []
  return db
    .select({ ...person, kind: influencerNames.kind, main: influencerNames.main })
    .from(influencerNames)
    .innerJoin(influencers, eq(influencers.id, influencerNames.influencerId))
    .where(
      or(
        ...wanted.map(({ kind, folded }) =>
          and(eq(influencerNames.kind, kind), eq(influencerNames.folded, folded)),
        ),
      ),
    )
    .orderBy(influencers.id)
}
