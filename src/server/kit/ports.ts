import { type Role, type Scope } from '#contracts/access.ts'

/** The time, as an argument: tests and replays have their own. */
export type Clock = { readonly now: () => number }

/** Who is signed in. */
export type Admin = { readonly id: number; readonly username: string }

/** Structured logging; `detail` never holds a secret. */
export type Log = {
  readonly info: (detail: object, message: string) => void
  readonly warn: (detail: object, message: string) => void
  readonly error: (detail: object, message: string) => void
}

/** Why an outside system did not help: not there, asks to wait, refuses us, or answers what makes no sense. */
export type SourceFault = 'down' | 'busy' | 'refused' | 'nonsense'

/** An outside system failed; the message is a sentence for people and holds no address and no key. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly fault: SourceFault
  /** How long it asked to be left alone, milliseconds; null when it did not say. */
  readonly waitMs: number | null

  constructor(fault: SourceFault, message: string, waitMs: number | null = null) {
    super(message)
    this.fault = fault
    this.waitMs = waitMs
  }
}

/** A request's right to administer: whose, and by which session or token. */
export type SignedIn = {
  readonly admin: Admin
  readonly by: 'session' | 'token'
  readonly id: string
  readonly role: Role
  /** What a token was made for; null for a session. */
  readonly scopes: readonly Scope[] | null
  /** An authenticator app or a passkey belongs to the account. */
  readonly hasSecondFactor: boolean
}

/** Why a call was not answered. */
export const REASONS = [
  'not signed in',
  'token not valid',
  'role',
  'scope',
  'token for the account',
  'another site',
  'second factor missing',
] as const
export type Reason = (typeof REASONS)[number]
