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
import { ROLES, type Role, type Scope } from '#contracts/access.ts'
import { bytes, id, moment, oneOf } from '#server/database/columns.ts'

const adminId = () =>
  bigint({ mode: 'number' })
    .notNull()
    .references(() => admins.id)

/** Who may administer the site. Rows stay: the audit log names them. */
export const admins = pgTable(
  'admins',
  {
    id: id(),
    role: text().$type<Role>().notNull(),
    /** As typed when it was made; signing in ignores case. */
    username: text().notNull(),
    folded: text().notNull().unique(),
    /** argon2id in PHC form. */
    passwordHash: text().notNull(),
    /** Of an authenticator app, sealed by a `SecretBox`; null until it was set up and tried once. */
    totpSecret: text(),
    /** Set up, not tried yet; sealed, too. */
    totpPending: text(),
    /** The last time step that was used: a code opens once. */
    totpLastStep: bigint({ mode: 'number' }).notNull().default(0),
    /** SHA-256 of the codes for a lost authenticator; each opens once and is then taken out. */
    recoveryCodes: text().array().notNull().default([]),
    /** Kept by the environment: ADMIN_PASSWORD_HASH sets its password at every start. */
    fromEnvironment: boolean().notNull().default(false),
    createdAt: moment().notNull(),
    disabledAt: moment(),
    /** SHA-256 of the token in a link by which its owner chooses the password; until then there is none. */
    linkHash: text().unique(),
    linkExpiresAt: moment(),
  },
  () => [check('admins_role', oneOf('role', ROLES))],
)

/** Sessions of browsers, by the SHA-256 of their token. */
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
  /** What it may be used for. */
  scopes: text().array().$type<Scope[]>().notNull(),
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

/** What a passkey is asked to sign: valid once, for minutes. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  /** SHA-256 of the challenge. */
  id: text().primaryKey(),
  /** Whose passkey is being added; null for signing in. */
  adminId: bigint({ mode: 'number' }).references(() => admins.id),
  expiresAt: moment().notNull(),
})

/** Failed tries to sign in, by address and by user name, so that a restart forgets none. */
export const signInTries = pgTable('sign_in_tries', {
  /** `account …` or `name …`. */
  key: text().primaryKey(),
  failures: integer().notNull(),
  lastAt: moment().notNull(),
  /** No try is looked at before. */
  notBefore: moment().notNull(),
})

/** Who did what, when, and what it changed. Rows are only ever added. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: moment().notNull(),
    /** Null for the command line and for the server itself. */
    adminId: bigint({ mode: 'number' }).references(() => admins.id),
    /** The name at that time. */
    username: text().notNull(),
    action: text().notNull(),
    subjectKind: text().notNull(),
    subjectId: text(),
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
