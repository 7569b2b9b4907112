import { type Kit } from '#server/kit/kit.ts'
import { type Passwords } from '#server/kit/passwords.ts'
import { type Secrets } from '#server/kit/secret-box.ts'
import { passkeyService } from './passkeys.service.ts'
import { refusalLog } from './refusals.service.ts'
import { secondFactorService } from './second-factor.service.ts'
import { signInService } from './sign-in.service.ts'

/** What signing in needs from outside. */
export type AdminPorts = {
  /** What second factors are sealed with. */
  readonly secrets: Secrets
  readonly passwords: Passwords
}

/** Who may administer, and how they sign in. */
export function openAdmins(kit: Kit, ports: AdminPorts) {
  const { origin, admin } = kit.config
  const refusals = refusalLog(kit)
  const parts = { ...kit, ...ports, refusals, needsSecondFactor: admin.needsSecondFactor }
  const signIn = signInService(parts)
  return {
    signIn,
    refusals,
    account: parts,
    secondFactors: secondFactorService({ ...parts, account: parts, signIn }),
    passkeys: passkeyService({ ...parts, origin, signIn }),
  }
}
