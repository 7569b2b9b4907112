import { type Role } from '#contracts/access.ts'
import { auditLog } from '#server/database/schema/admins.ts'
import { type Db } from './db.ts'
import { onlyTexts } from '#domain/clean-text.ts'

export type Admin = { readonly id: number; readonly username: string }

/** The authenticated administrator of a request, with the session or token. */
export type SignedIn = {
  readonly admin: Admin
  readonly by: 'session' | 'token'
  readonly id: string
  readonly role: Role
  /** Whether the account has an authenticator app or a passkey. */
  readonly hasSecondFactor: boolean
}

/** Codes of refused calls. */
export const REASONS = [
  'not signed in',
  'token not valid',
  'role',
  'token for the account',
  'another site',
] as const
export type Reason = (typeof REASONS)[number]

/** The subject of an entry: one row of a kind, or the kind as a whole. */
type AuditSubject = { readonly kind: string; readonly id: string | number | null }

/** Plain values of the fields that changed. */
export type AuditState = Readonly<Record<string, unknown>> | null

export type AuditEntry = {
  /** ISO moment. */
  readonly at: string
  /** Null for the server and the command line, whose name is then in `username`. */
  readonly admin: Admin | null
  readonly username?: string
  /** For example `submission approved`. */
  readonly action: string
  readonly subject: AuditSubject
  readonly before?: AuditState
  readonly after?: AuditState
  readonly reason?: string | null
}

/** Adds an audit entry. Call it in the transaction of the change. */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  await tx.insert(auditLog).values({
    at: entry.at,
    adminId: entry.admin?.id ?? null,
    username: entry.admin?.username ?? entry.username ?? 'server',
    action: entry.action,
    subjectKind: entry.subject.kind,
    subjectId: entry.subject.id === null ? null : String(entry.subject.id),
    before: onlyTexts(entry.before ?? null),
    after: onlyTexts(entry.after ?? null),
    reason: entry.reason ?? null,
  })
}
