import { type AdminSettings } from '#server/kit/settings/admins.ts'
import { type Clock } from '#server/kit/ports.ts'
import { aboutTotp } from './second-factor.service.ts'
import { isSealed, type Secrets } from '#server/kit/secrets.ts'
import { endAccess, EVERYTHING } from './sessions.service.ts'
import {
  addAdmin,
  adminByName,
  changeAdmin,
  listAdmins,
  NO_LINK,
  sealTotp,
} from './admins.store.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'

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
    await changeAdmin(tx, found.id, { passwordHash, fromEnvironment: true, ...NO_LINK })
    if (found.passwordHash !== passwordHash) await endAccess(tx, found.id, at, EVERYTHING)
    await note(found.id, 'password set')
  })
}

export async function hasAdmins(db: Db): Promise<boolean> {
  return (await listAdmins(db)).length > 0
}

/** Settings that locate the key of second factors. */
type KeySettings = {
  readonly admin: Pick<AdminSettings, 'secretsKey'>
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/** Seals second factors stored in the clear and reports unreadable ones; the key is read only where there is one of these. */
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
