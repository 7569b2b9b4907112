import { type Kit } from '#server/kit/kit.ts'
import { openLimiter, type Limiter } from '#server/kit/limiter.ts'
import { type Passwords } from '#server/kit/passwords.ts'
import { type Secrets } from '#server/kit/secrets.ts'
import { refusalLog, type Refusals } from './refusals.service.ts'

export type AdminPorts = {
  readonly secrets: Secrets
  readonly passwords: Passwords
}

export type AdminKit = Pick<Kit, 'config' | 'db' | 'clock' | 'log' | 'outages'> &
  AdminPorts & { readonly limiter: Limiter; readonly refusals: Refusals }

export function openAdmins(
  { config, db, clock, log, outages }: Kit,
  { secrets, passwords }: AdminPorts,
): AdminKit {
  const refusals = refusalLog({ db, clock, log })
  const limiter = openLimiter({ db, clock, log })
  return { config, db, clock, log, limiter, outages, secrets, passwords, refusals }
}
