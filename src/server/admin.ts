import { type AdminSettings } from './admin-settings.ts'
import { type Clock } from './ports.ts'
import { type SignInParts } from './routes/sign-in.ts'
import { accountService } from './services/account.ts'
import { passkeyService } from './services/passkeys.ts'
import { passwordHasher, type Passwords } from './services/passwords.ts'
import { signInService } from './services/sign-in.ts'
import { addAdmin, adminByName, changeAdmin, endOtherSessions } from './store/admins.ts'
import { writeAudit } from './store/audit.ts'
import { type Db } from './store/database.ts'

/** What the administrators' side is made of. */
export type AdminDesk = SignInParts

/** Puts together what administrators work with. */
export function openAdmin({
  db,
  clock,
  origin,
  passwords = passwordHasher(),
}: {
  db: Db
  clock: Clock
  origin: string
  passwords?: Passwords
}): AdminDesk {
  const signIn = signInService({ db, clock, passwords })
  return {
    signIn,
    accounts: accountService({ db, clock, passwords }),
    passkeys: passkeyService({ db, clock, origin, signIn }),
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
      passwordHash,
      fromEnvironment: true,
      createdAt: at,
    })
    if (added !== null) return note(added, 'admin created')
    const found = await adminByName(tx, username)
    if (!found || (found.passwordHash === passwordHash && found.fromEnvironment)) return
    await changeAdmin(tx, found.id, { passwordHash, fromEnvironment: true })
    if (found.passwordHash !== passwordHash) await endOtherSessions(tx, found.id, null, at)
    await note(found.id, 'password set')
  })
}
