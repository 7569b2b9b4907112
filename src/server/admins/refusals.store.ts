import { eq } from 'drizzle-orm'
import { auditLog } from '#server/database/schema/admins.ts'
import { type Db } from '#server/kit/db.ts'
import { type Admin } from '#server/kit/ports.ts'

type Facts = Readonly<Record<string, string | number>>

/** Adds the entry of a refusal. @param refusal `admin` is whose account was tried @returns its number */
export async function addRefusal(
  db: Db,
  refusal: { at: string; action: string; admin: Admin | null; after: Facts },
): Promise<number | null> {
  const { at, action, admin, after } = refusal
  const rows = await db
    .insert(auditLog)
    .values({
      at,
      username: 'visitor',
      action,
      subjectKind: 'admin',
      subjectId: admin === null ? null : String(admin.id),
      after,
    })
    .returning({ id: auditLog.id })
  return rows[0]?.id ?? null
}

/** Counts an entry up: those of refusals are the only ones that change. */
export async function countRefusals(db: Db, id: number, after: Facts): Promise<void> {
  await db.update(auditLog).set({ after }).where(eq(auditLog.id, id))
}
