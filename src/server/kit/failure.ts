import { type ErrorCode, type Failure } from '#contracts/fields.ts'

/** An expected failure: its message is for people, its code for programs. Made by `failure`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Readonly<Record<string, string>> | null
  /** Retry delay in seconds; null if unknown. */
  readonly retryAfterS: number | null

  constructor(
    code: ErrorCode,
    message: string,
    fields: Readonly<Record<string, string>> | null,
    retryAfterS: number | null,
  ) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.fields = fields
    this.retryAfterS = retryAfterS
  }
}

export function failure(
  code: ErrorCode,
  message: string,
  fields: Readonly<Record<string, string>> | null = null,
  retryAfterS: number | null = null,
): AppError {
  return new AppError(code, message, fields, retryAfterS)
}

/** A refusal with a message per invalid field; the first one is the overall message. */
export function invalid(faults: Readonly<Record<string, string>>): AppError {
  return failure('invalid', Object.values(faults)[0] ?? 'Please check the form.', faults)
}

export const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthorized: 401,
  second_factor: 401,
  forbidden: 403,
  payment_required: 402,
  not_found: 404,
  conflict: 409,
  too_many: 429,
  internal: 500,
  unavailable: 503,
}

export function failureBody(code: ErrorCode, message: string, fields?: Failure['fields']): Failure {
  return { success: false, code, error: message, message, ...(fields ? { fields } : {}) }
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
