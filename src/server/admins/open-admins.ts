import { type AdminSettings } from '#server/kit/settings/admins.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { accountService } from './account.service.ts'
import { adminSubmissionService } from '#server/posts/admin-submissions.service.ts'
import { auditLogService } from '#server/operations/audit-log.service.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { correctionService } from '#server/corrections/corrections.service.ts'
import { expertsAdminService } from '#server/people/people.service.ts'
import { operationsService } from '#server/operations/operations.service.ts'
import { passkeyService } from './passkeys.service.ts'
import { refusalLog } from './refusals.service.ts'
import { aboutTotp } from './second-factor-codes.ts'
import { secondFactorService } from './second-factor.service.ts'
import { isSealed, type Secrets } from '#server/kit/secret-box.ts'
import { endAccess, EVERYTHING } from './account-access.service.ts'
import { passwordHasher, type Passwords } from '#server/kit/passwords.ts'
import { reviewCounts } from '#server/review/review-counts.service.ts'
import { reviewDesk } from '#server/review/submission-detail.service.ts'
import { reviewService } from '#server/review/review.service.ts'
import { signInService } from './sign-in.service.ts'
import { addAdmin, adminByName, changeAdmin, listAdmins, sealTotp } from './admins.store.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { type Outages } from '#server/database/outages.ts'

/** What the administrators' side is made of. */
export type AdminDesk = ReturnType<typeof openAdmin>

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
}) {
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

/** Whether anybody can sign in. */
export async function hasAdmins(db: Db): Promise<boolean> {
  return (await listAdmins(db)).length > 0
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
