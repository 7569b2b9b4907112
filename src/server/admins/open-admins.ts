import { type Kit } from '#server/kit/kit.ts'
import { type Passwords } from '#server/kit/passwords.ts'
import { type Secrets } from '#server/kit/secret-box.ts'
import { refusalLog, type Refusals } from './refusals.service.ts'

/** What signing in needs from outside. */
export type AdminPorts = {
  /** What second factors are sealed with. */
  readonly secrets: Secrets
  readonly passwords: Passwords
}

/** What signing in and the accounts of administrators need. */
export type AdminKit = Pick<Kit, 'config' | 'db' | 'clock' | 'log' | 'outages'> &
  AdminPorts & { readonly refusals: Refusals }

export function openAdmins(
  { config, db, clock, log, outages }: Kit,
  { secrets, passwords }: AdminPorts,
): AdminKit {
  const refusals = refusalLog({ db, clock, log })
  return { config, db, clock, log, outages, secrets, passwords, refusals }
}
