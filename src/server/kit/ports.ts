import { type Role } from '#contracts/access.ts'

/** The time, as an argument: tests and replays have their own. */
export type Clock = { readonly now: () => number }

/** The signed-in account. */
export type Admin = { readonly id: number; readonly username: string }

/** Structured logging; `detail` never holds a secret. */
export type Log = {
  readonly info: (detail: object, message: string) => void
  readonly warn: (detail: object, message: string) => void
  readonly error: (detail: object, message: string) => void
}

/** Why an external system failed: unreachable, rate-limited, refusing us, or with an invalid response. */
export type SourceFault = 'down' | 'busy' | 'refused' | 'nonsense'

/** An external system failed; the message is for people and holds no address and no key. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly fault: SourceFault
  /** How long it asked us to wait, ms; null if it didn't say. */
  readonly waitMs: number | null

  constructor(fault: SourceFault, message: string, waitMs: number | null = null) {
    super(message)
    this.fault = fault
    this.waitMs = waitMs
  }
}

/** The authenticated administrator of a request, with the session or token. */
export type SignedIn = {
  readonly admin: Admin
  readonly by: 'session' | 'token'
  readonly id: string
  readonly role: Role
  /** The account has an authenticator app or a passkey. */
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
