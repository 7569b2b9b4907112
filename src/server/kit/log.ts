import { DrizzleQueryError } from 'drizzle-orm'
import { stdSerializers, pino, type Logger } from 'pino'
import { z } from 'zod'
import { sentenceCase } from '#domain/price-text.ts'
import { jsonOrNull } from './text.ts'

/** Structured logging; `detail` never contains a secret. */
export type Log = {
  readonly info: (detail: object, message: string) => void
  readonly warn: (detail: object, message: string) => void
  readonly error: (detail: object, message: string) => void
}

/** The output; `isTTY` for a terminal. */
export type Output = { readonly isTTY?: boolean; readonly write: (text: string) => unknown }

const ERROR = pino.levels.values['error'] ?? 50
const Line = z.object({
  level: z.number(),
  msg: z.string().default(''),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).optional(),
})

/** The log of the site: JSON for programs, and sentences on a terminal. */
export function siteLog(level: string, output: Output): Logger {
  const options = { level, serializers: { err: loggedError } }
  if (output.isTTY !== true) return pino(options, output)
  return pino(options, { write: (line) => output.write(`${sentences(line)}\n`) })
}

/** Formats a log line for a terminal. Internal errors keep their stack. */
function sentences(line: string): string {
  const read = Line.safeParse(jsonOrNull(line))
  if (!read.success) return line.trimEnd()
  const { level, msg, err } = read.data
  const cause = err?.message ?? ''
  const text = cause === '' || msg.includes(cause) ? msg : `${msg.replace(/[.:]$/, '')}: ${cause}`
  const first = sentenceCase(text)
  const sentence = /[.!?…]$/.test(first) ? first : `${first}.`
  const stack = level >= ERROR ? err?.stack : undefined
  return stack === undefined ? sentence : `${sentence}\n${stack}`
}

/**
 * An error that is safe to log. The message of a failed query quotes the row, including contacts and hashes, so
 * only the database's own message is used.
 */
export function loggedError(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!(at instanceof DrizzleQueryError)) continue
    const { cause } = at
    const code = cause && 'code' in cause ? String(cause.code) : null
    return { type: 'DrizzleQueryError', code, message: cause?.message ?? 'A query failed.' }
  }
  return error instanceof Error ? stdSerializers.err(error) : error
}
