import { type AdminSettings } from './admin-settings.ts'
import { type Clock, type Log } from './ports.ts'
import { type AdminSubmissionParts } from './routes/admin-submissions.ts'
import { type CorrectionParts } from './routes/corrections.ts'
import { type OperationParts } from './routes/operations.ts'
import { type ReviewParts } from './routes/review.ts'
import { type SignInParts } from './routes/sign-in.ts'
import { accountService } from './services/account.ts'
import { adminSubmissionService } from './services/admin-submissions.ts'
import { auditLogService } from './services/audit-log.ts'
import { type Catalog } from './services/catalog.ts'
import { correctionService } from './services/corrections.ts'
import { expertsAdminService } from './services/experts-admin.ts'
import { operationsService } from './services/operations.ts'
import { passkeyService } from './services/passkeys.ts'
import { refusalLog, type Refusals } from './services/refusals.ts'
import { aboutTotp } from './services/second-factor-codes.ts'
import { secondFactorService } from './services/second-factor.ts'
import { isSealed, type Secrets } from './services/secret-box.ts'
import { endAccess, EVERYTHING } from './services/account-access.ts'
import { passwordHasher, type Passwords } from './services/passwords.ts'
import { reviewCounts } from './services/review-counts.ts'
import { reviewDesk } from './services/review-desk.ts'
import { reviewService } from './services/review.ts'
import { signInService } from './services/sign-in.ts'
import { addAdmin, adminByName, changeAdmin, listAdmins, sealTotp } from './store/admins.ts'
import { writeAudit } from './store/audit.ts'
import { type Db } from './store/database.ts'
import { type Outages } from './store/outages.ts'

/** What the administrators' side is made of. */
export type AdminDesk = SignInParts &
  ReviewParts &
  CorrectionParts &
  OperationParts &
  AdminSubmissionParts & { readonly refusals: Refusals }

/** Puts together what administrators work with. */
export function openAdmin({
  db,
  clock,
  catalog,
  origin,
  log,
  secrets,
  outages,
  passwords = passwordHasher(),
  needsSecondFactor = false,
  metricsToken = null,
}: {
  db: Db
  clock: Clock
  catalog: Pick<Catalog, 'snapshot' | 'today'>
  origin: string
  log: Log
  /** What second factors are sealed with. */
  secrets: Secrets
  outages: Pick<Outages, 'notice'>
  passwords?: Passwords
  /** Whoever has no second factor may do nothing but set one up. */
  needsSecondFactor?: boolean
  /** What a program reads `/metrics` with; null leaves that to administrators. */
  metricsToken?: string | null
}): AdminDesk {
  const refusals = refusalLog({ db, clock, log })
  const parts = { db, clock, passwords, secrets, refusals, needsSecondFactor }
  const signIn = signInService({ ...parts, outages, log })
  const accounts = accountService(parts)
  const counts = reviewCounts(db)
  return {
    signIn,
    refusals,
    accounts,
    secondFactors: secondFactorService({ ...parts, accounts, signIn }),
    passkeys: passkeyService({ ...parts, origin, signIn }),
    corrections: correctionService({ db, clock }),
    experts: expertsAdminService({ db, clock }),
    operations: operationsService({ db, clock }),
    audit: auditLogService({ db, log }),
    metricsToken,
    review: reviewService({ db, clock, counts }),
    adminSubmissions: adminSubmissionService({ db, clock }),
    desk: reviewDesk({ db, clock, catalog, counts }),
  }
}

/** Makes the administrator of the environment, or brings their password to what the environment says. */
export async function adminOfEnvironment(
  db: Db,
  clock: Clock,
  first: AdminSettings['first'],
): Promise<void> {
  if (!first) return
  const at = new Date(clock.now()).toISOString()
  const { username, passwordHash } = first
  await db.transaction(async (tx) => {
    const note = (id: number, action: string): Promise<void> =>
      writeAudit(tx, {
        at,
        admin: null,
        username: 'environment',
        action,
        subject: { kind: 'admin', id },
        after: { username },
      })
    const added = await addAdmin(tx, {
      username,
      role: 'administrator',
      passwordHash,
      fromEnvironment: true,
      createdAt: at,
    })
    if (added !== null) return note(added, 'admin created')
    const found = await adminByName(tx, username)
    if (!found || (found.passwordHash === passwordHash && found.fromEnvironment)) return
    await changeAdmin(tx, found.id, { passwordHash, fromEnvironment: true })
    if (found.passwordHash !== passwordHash) await endAccess(tx, found.id, at, EVERYTHING)
    await note(found.id, 'password set')
  })
}

/** What of the settings says where the key of second factors is kept. */
type KeySettings = {
  readonly admin: Pick<AdminSettings, 'secretsKey'>
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/**
 * Seals the second factors that an earlier version kept in the clear, looks whether those that are sealed can be read, and
 * says whose are not sealed or cannot be read. The key is asked for only where there is one of these.
 */
export async function prepareSecondFactors(
  db: Db,
  secrets: Secrets,
  settings: KeySettings,
  log: { readonly warn: (text: string) => void; readonly error: (text: string) => void },
): Promise<void> {
  // Beside a database elsewhere the data folder may be one that is not kept: its key might be gone at the next start.
  const keepsKey = settings.admin.secretsKey !== null || settings.databaseUrl === null
  const [unreadable, unsealed]: [string[], string[]] = [[], []]
  for (const { id, username, totpSecret, totpPending, disabledAt } of await listAdmins(db)) {
    if (totpPending !== null && !isSealed(totpPending))
      await changeAdmin(db, id, { totpPending: null })
    if (totpSecret === null) continue
    const about = aboutTotp(id)
    if (isSealed(totpSecret)) {
      const isReadable = (await secrets()).open(totpSecret, about) !== null
      if (!isReadable && disabledAt === null) unreadable.push(username)
    } else if (keepsKey) {
      await sealTotp(db, id, totpSecret, (await secrets()).seal(totpSecret, about))
    } else {
      unsealed.push(username)
    }
  }
  if (unreadable.length > 0) log.error(lostKeyText(unreadable, settings))
  if (unsealed.length > 0) {
    log.warn(
      `The secrets of the authenticator apps of ${unsealed.join(', ')} are not encrypted in the database yet: set SECRETS_KEY, the same one for every process, and start again. See .env.example.`,
    )
  }
}

function lostKeyText(names: readonly string[], { admin, dataDir }: KeySettings): string {
  const key = admin.secretsKey === null ? `secrets.key in ${dataDir}` : 'SECRETS_KEY'
  return `The authenticator apps of ${names.join(', ')} cannot be checked: they were set up with another key. Put the right ${key} back and start again, or set their passwords with: admin password <name> --drop-second-factor`
}
