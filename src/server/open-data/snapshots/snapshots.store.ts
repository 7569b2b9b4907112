import { snapshotContents, snapshots } from '#server/database/schema/proofs.ts'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'

/** Contents are read in pieces of this size, to limit the memory of concurrent downloads. */
const PIECE_BYTES = 1_000_000

export type StoredSnapshot = typeof snapshots.$inferSelect

export async function snapshotOf(db: Db, day: string): Promise<StoredSnapshot | null> {
  return (await db.select().from(snapshots).where(eq(snapshots.day, day)))[0] ?? null
}

export async function newestSnapshotDay(db: Db): Promise<string | null> {
  const [row] = await db
    .select({ day: snapshots.day })
    .from(snapshots)
    .orderBy(desc(snapshots.day))
    .limit(1)
  return row?.day ?? null
}

export async function snapshotPage(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly rows: readonly StoredSnapshot[] }> {
  const rows = await db
    .select()
    .from(snapshots)
    .orderBy(desc(snapshots.day))
    .limit(limit)
    .offset(offset)
  return { total: await db.$count(snapshots), rows }
}

/** Serializes processes that make a snapshot until their transaction ends. */
export async function lockSnapshots(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('proof-of-price snapshot'))`)
}

/** Stores contents; those already stored keep their compression. */
export async function keepContents(
  tx: Db,
  contents: typeof snapshotContents.$inferInsert,
): Promise<void> {
  await tx.insert(snapshotContents).values(contents).onConflictDoNothing()
}

export async function addSnapshot(tx: Db, snapshot: StoredSnapshot): Promise<void> {
  await tx.insert(snapshots).values(snapshot)
}

const Piece = z.array(z.object({ piece: z.instanceof(Uint8Array) }))

/** Compressed contents by checksum, in pieces. */
export async function* storedContents(db: Db, sha256: string): AsyncGenerator<Uint8Array> {
  for (let from = 1; ; from += PIECE_BYTES) {
    const found = await db.execute(
      sql`select substring(deflated from ${from}::int for ${PIECE_BYTES}::int) as piece
        from snapshot_contents where sha256 = ${sha256}`,
    )
    const [row] = Piece.parse(rowsOf(found))
    if (!row) throw new Error(`the contents ${sha256} of a snapshot are missing`)
    if (row.piece.length > 0) yield row.piece
    if (row.piece.length < PIECE_BYTES) return
  }
}
