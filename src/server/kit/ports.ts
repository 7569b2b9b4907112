import { type Role } from '#contracts/access.ts'

/** Injected, so that tests and replays control time. */
export type Clock = { readonly now: () => number }

export type Admin = { readonly id: number; readonly username: string }

/** Structured logging; `detail` never contains a secret. */
export type Log = {
  readonly info: (detail: object, message: string) => void
  readonly warn: (detail: object, message: string) => void
  readonly error: (detail: object, message: string) => void
}

/** Why an external system failed: unreachable, rate-limited, refusing us, with an invalid response, or perhaps not at all. */
export type SourceFault = 'down' | 'busy' | 'refused' | 'nonsense' | 'unsure'

/** An external system failed; the message is for people and contains no address or key. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly fault: SourceFault
  /** Requested retry delay in ms; null if unknown. */
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
  /** Whether the account has an authenticator app or a passkey. */
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
