import { DrizzleQueryError } from 'drizzle-orm'
import { z, ZodError } from 'zod'

/** Error codes of a server that is away, stopping, starting, out of connections, or a read-only standby. */
const LOST =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08|57P0|53300|25006)/
const LOST_TEXT =
  /connection (was )?terminated|timeout expired|timeout exceeded when trying to connect|is not queryable|not currently accepting connections/i
const FULL = /^(53100|ENOSPC|EDQUOT)$/

/** Classifies an error of work on the database. */
export function troubleOf(error: unknown) {
  const inner = innermost(error, 5)
  const message = textOf(inner, 'message') || textOf(error, 'message')
  const code = textOf(inner, 'code') || textOf(error, 'code')
  const detail = message || code || (typeof inner === 'string' ? inner : 'no reason was given')
  // The socket file of the built-in database is missing while it restarts.
  const isUnreached = textOf(inner, 'syscall') === 'connect'
  return {
    /** Safe to log: the innermost message, without the statement and its values. */
    message: detail,
    /** Only the database connection was lost. */
    isLost: LOST.test(code) || LOST_TEXT.test(message) || isUnreached,
    isFull: FULL.test(code),
  }
}

/** A failure as a sentence for a terminal, without statement and values. */
export function sentenceOf(error: unknown): string {
  const { message, isFull } = troubleOf(error)
  if (isFull) return `The disk is full, or this user's share of it: ${message}`
  if (error instanceof ZodError) {
    return `This version cannot read what is stored: ${z.prettifyError(error).replaceAll(/\s+/g, ' ')}`
  }
  if (holdsStatement(error)) return `The database refused a statement: ${message}`
  return error instanceof Error && error.message !== '' ? error.message : message
}

function holdsStatement(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DrizzleQueryError) return true
  }
  return false
}

/** Libraries wrap errors as `cause`; a connection tried at several addresses fails with several errors. */
function innermost(error: unknown, depth: number): unknown {
  if (typeof error !== 'object' || error === null || depth === 0) return error
  if ('cause' in error && error.cause instanceof Error) return innermost(error.cause, depth - 1)
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    const first: unknown = error.errors[0]
    return innermost(first, depth - 1)
  }
  return error
}

function textOf(error: unknown, key: 'message' | 'code' | 'syscall'): string {
  if (typeof error !== 'object' || error === null) return ''
  const found: unknown = Reflect.get(error, key)
  return typeof found === 'string' ? found : ''
}
