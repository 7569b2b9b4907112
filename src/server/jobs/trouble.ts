/** What PostgreSQL and the network say when the server is away, stops or comes back. */
const LOST = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08|57P0)/
const LOST_TEXT = /connection (was )?terminated|timeout exceeded when trying to connect/i

/**
 * An error as a log may show it: what lies at its bottom, without the statement that failed.
 *
 * @returns `isLost` when only the connection to the database was away
 */
export function troubleOf(error: unknown): { readonly said: string; readonly isLost: boolean } {
  const inner = innermost(error, 5)
  const message = textOf(inner, 'message') || textOf(error, 'message')
  const code = textOf(inner, 'code') || textOf(error, 'code')
  const said = message || code || (typeof inner === 'string' ? inner : 'no reason was given')
  return { said, isLost: LOST.test(code) || LOST_TEXT.test(message) }
}

/** Libraries wrap errors as `cause`; a connection tried at several addresses fails with several. */
function innermost(error: unknown, depth: number): unknown {
  if (typeof error !== 'object' || error === null || depth === 0) return error
  if ('cause' in error && error.cause instanceof Error) return innermost(error.cause, depth - 1)
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    const first: unknown = error.errors[0]
    return innermost(first, depth - 1)
  }
  return error
}

function textOf(error: unknown, key: 'message' | 'code'): string {
  if (typeof error !== 'object' || error === null) return ''
  const found: unknown = Reflect.get(error, key)
  return typeof found === 'string' ? found : ''
}
