import { loggedError } from '#server/kit/log.ts'
import { AppError, failureBody, STATUS } from '#server/kit/failure.ts'
import { type OutageKind, type Outages } from '#server/database/outages.ts'
import { type FastifyError, type FastifyInstance } from 'fastify'
import { isResponseSerializationError } from 'fastify-type-provider-zod'
import { drain } from './bodies.ts'
import { PRIVATE } from './answer-cache.ts'

const TOO_LARGE =
  'What was sent is too large for this call. Please shorten it, or send it in parts.'
const OUR_FAULT = 'Something went wrong on our side. Please try again.'

export const BUSY = 'The site is busy. Please try again in a moment.'
const READ_AWAY = 'This cannot be read for a moment. Please try again shortly.'
const SAVE_AWAY = 'Nothing can be saved for a moment. Please try again shortly.'

/** In seconds: a database is usually back at once; a full disk needs a person. */
const RETRY_AFTER: Readonly<Record<OutageKind, number>> = { away: 5, full: 60 }

declare module 'fastify' {
  // Declaration merging needs an interface.
  export interface FastifyContextConfig {
    unavailableText?: string
  }
}

/**
 * Sends every failure in the shape of the `Failure` contract and hides internals.
 *
 * @param outages gets failures first: those of a database outage are not logged per call
 */
export function answerErrors(app: FastifyInstance, outages: Pick<Outages, 'notice'>): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    // These headers described the response that failed.
    for (const name of ['content-encoding', 'etag', 'last-modified']) reply.removeHeader(name)
    reply.header('cache-control', PRIVATE)
    if (error instanceof AppError) {
      if (error.retryAfterS !== null) reply.header('retry-after', String(error.retryAfterS))
      const body = failureBody(error.code, error.message, error.fields ?? undefined)
      return reply.code(STATUS[error.code]).send(body)
    }
    if (isResponseSerializationError(error)) {
      request.log.error(
        { err: loggedError(error.cause), route: request.routeOptions.url ?? 'none' },
        'a reply breaks its contract',
      )
      return reply.code(500).send(failureBody('internal', OUR_FAULT))
    }
    if (hasCode(error, UNSTORABLE)) {
      return reply
        .code(400)
        .send(failureBody('invalid', 'The input holds a character that cannot be stored.'))
    }
    if (hasCode(error, LOCKED)) {
      return reply
        .code(503)
        .header('retry-after', String(RETRY_AFTER.away))
        .send(failureBody('unavailable', BUSY))
    }
    const status = error.statusCode ?? 500
    const outage = status >= 500 ? outages.notice(error) : null
    if (outage !== null) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const text = request.routeOptions.config.unavailableText ?? (isRead ? READ_AWAY : SAVE_AWAY)
      return reply
        .code(503)
        .header('retry-after', String(RETRY_AFTER[outage]))
        .send(failureBody('unavailable', text))
    }
    if (status === 429) {
      return reply
        .code(429)
        .send(failureBody('too_many', 'Too many requests. Please wait a minute.'))
    }
    if (status === 413) {
      await drain(request.raw)
      return reply.code(413).send(failureBody('invalid', TOO_LARGE))
    }
    if (status >= 400 && status < 500) {
      return reply.code(status).send(failureBody('invalid', error.message))
    }
    // The route, not the address, which may hold a receipt token.
    request.log.error(
      { err: loggedError(error), route: request.routeOptions.url ?? 'none' },
      'a call failed',
    )
    return reply.code(500).send(failureBody('internal', OUR_FAULT))
  })
}

/** PostgreSQL rejects NUL characters in text (22021, and 22P05 in JSON). */
const UNSTORABLE = ['22021', '22P05']
/** Lock timeout: see `acquireLock`. */
const LOCKED = ['55P03']

function hasCode(error: unknown, codes: readonly unknown[]): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && codes.includes(at.code)) return true
  }
  return false
}
