import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { ROLES, type Role } from '#contracts/access.ts'
import { type AssetKey } from '#domain/asset.ts'
import { bytes, id, moment, oneOf } from '#server/database/columns.ts'

const adminId = () =>
  bigint({ mode: 'number' })
    .notNull()
    .references(() => admins.id)

/** Administrators. Rows are never deleted: the audit log refers to them. */
export const admins = pgTable(
  'admins',
  {
    id: id(),
    role: text().$type<Role>().notNull(),
    /** As first typed; sign-in ignores case. */
    username: text().notNull(),
    folded: text().notNull().unique(),
    /** argon2id in PHC form. */
    passwordHash: text().notNull(),
    /** Secret of the authenticator app, encrypted by a `SecretBox`; null until it was confirmed. */
    totpSecret: text(),
    /** Not confirmed yet; encrypted, too. */
    totpPending: text(),
    /** The last time step used: a code is valid once. */
    totpLastStep: bigint({ mode: 'number' }).notNull().default(0),
    /** SHA-256 of unused recovery codes. */
    recoveryCodes: text().array().notNull().default([]),
    /** Managed by the environment: ADMIN_PASSWORD_HASH sets its password at every start. */
    fromEnvironment: boolean().notNull().default(false),
    createdAt: moment().notNull(),
    disabledAt: moment(),
    /** SHA-256 of the token of a password link; there is no password until it is used. */
    linkHash: text().unique(),
    linkExpiresAt: moment(),
  },
  () => [check('admins_role', oneOf('role', ROLES))],
)

/** Browser sessions, by the SHA-256 of their token. */
export const adminSessions = pgTable(
  'admin_sessions',
  {
    id: uuid().primaryKey(),
    tokenHash: text().notNull().unique(),
    adminId: adminId(),
    how: text().$type<'password' | 'passkey'>().notNull(),
    address: text().notNull(),
    agent: text().notNull(),
    createdAt: moment().notNull(),
    seenAt: moment().notNull(),
    expiresAt: moment().notNull(),
    endedAt: moment(),
  },
  (table) => [index('admin_sessions_of').on(table.adminId, table.createdAt)],
)

/** Bearer tokens of scripts, by their SHA-256. */
export const adminTokens = pgTable('admin_tokens', {
  id: uuid().primaryKey(),
  tokenHash: text().notNull().unique(),
  adminId: adminId(),
  name: text().notNull(),
  createdAt: moment().notNull(),
  usedAt: moment(),
  expiresAt: moment().notNull(),
  revokedAt: moment(),
})

export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential's own id, base64url. */
    id: text().primaryKey(),
    adminId: adminId(),
    name: text().notNull(),
    publicKey: bytes().notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    createdAt: moment().notNull(),
    usedAt: moment(),
  },
  (table) => [index('passkeys_of').on(table.adminId)],
)

/** Passkey challenges: valid once, for minutes. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  /** SHA-256 of the challenge. */
  id: text().primaryKey(),
  /** Owner of the passkey being added; null for sign-in. */
  adminId: bigint({ mode: 'number' }).references(() => admins.id),
  expiresAt: moment().notNull(),
})

/** Failed sign-ins by address and user name; in the database, so that a restart keeps them. */
export const signInTries = pgTable('sign_in_tries', {
  /** `account …` or `name …`. */
  key: text().primaryKey(),
  failures: integer().notNull(),
  lastAt: moment().notNull(),
  /** Earlier attempts are refused unchecked. */
  notBefore: moment().notNull(),
})

/** The audit log. Rows are only added. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: moment().notNull(),
    /** Null for the command line and the server. */
    adminId: bigint({ mode: 'number' }).references(() => admins.id),
    /** The name at that time. */
    username: text().notNull(),
    action: text().notNull(),
    subjectKind: text().notNull(),
    subjectId: text(),
    /** The subject's name at that time, such as `Tom Lee: BTC $150,000 by 31/12/2026`. */
    subjectName: text(),
    subjectAsset: text().$type<AssetKey>(),
    before: jsonb(),
    after: jsonb(),
    reason: text(),
  },
  (table) => [
    index('audit_log_of').on(table.subjectKind, table.subjectId, table.id),
    index('audit_log_by').on(table.username, table.id),
    index('audit_log_action').on(table.action, table.id),
    index('audit_log_at').on(sql`${table.at} desc`),
  ],
)
