import cookie from '@fastify/cookie'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { whyNot, type Right } from '#contracts/access.ts'
import { type Admin, type Reason, type SignedIn } from '#server/kit/admin.ts'
import { failure } from '#server/kit/failure.ts'

declare module 'fastify' {
  // Declaration merging needs an interface.
  export interface FastifyRequest {
    /** Set by `requireRight`; null on public calls. */
    signedIn: SignedIn | null
  }
  export interface FastifyInstance {
    readonly sessions: Sessions
  }
}

type Sessions = ReturnType<typeof sessionsOf>

type Parts = {
  readonly bySession: (token: string) => Promise<SignedIn | null>
  readonly byToken: (token: string) => Promise<SignedIn | null>
  readonly refusals: {
    readonly call: (reason: Reason, admin: Admin | null, address: string, call: string) => void
    readonly stop: () => Promise<void>
  }
  readonly origin: string
}

const MAX_AGE_S = 7 * 86_400
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Authenticates requests by session cookie or bearer token. */
export async function addSessions(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(cookie)
  app.addHook('onClose', () => parts.refusals.stop())
  app.decorateRequest('signedIn', null)
  app.decorate('sessions', sessionsOf(parts))
}

function sessionsOf({ bySession, byToken, refusals, origin }: Parts) {
  const secure = origin.startsWith('https:')
  // Browsers accept this prefix only from the same host over TLS.
  const name = secure ? '__Host-session' : 'session'
  const options = { httpOnly: true, sameSite: 'strict', secure, path: '/' } as const

  function refused(request: FastifyRequest, reason: Reason, admin: Admin | null): void {
    refusals.call(reason, admin, request.ip, `${request.method} ${request.routeOptions.url ?? '?'}`)
  }

  /** @throws AppError `forbidden` for cross-site requests, which browsers mark; programs send no mark */
  function refuseOtherSites(request: FastifyRequest, admin: Admin | null): void {
    if (isOfThisSite(request, origin)) return
    refused(request, 'another site', admin)
    throw failure('forbidden', 'This request came from another site and was refused.')
  }

  /** @throws AppError `forbidden` without this right */
  function ask(request: FastifyRequest, signedIn: SignedIn, right: Right): void {
    const why = whyNot(signedIn, right)
    if (why !== null) {
      refused(request, REASON_OF[why], signedIn.admin)
      throw failure('forbidden', REFUSALS[why])
    }
  }

  /** The authenticated administrator; null for all others. @throws AppError `forbidden` for a request from another site */
  async function who(request: FastifyRequest): Promise<SignedIn | null> {
    const bearer = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]
    // A request with a bearer token cannot be forged by another site.
    if (bearer !== undefined) {
      const found = await byToken(bearer)
      if (!found) refused(request, 'token not valid', null)
      return found
    }
    const token = request.cookies[name]
    if (token === undefined || !/^[\w-]{20,200}$/.test(token)) return null
    const signedIn = await bySession(token)
    if (signedIn && !SAFE.has(request.method)) refuseOtherSites(request, signedIn.admin)
    return signedIn
  }

  return {
    who,
    ask,
    refuseOtherSites,
    /** Refuses a request without a session or the right, before a body is read. @throws AppError */
    requireRight: (right: Right) => async (request: FastifyRequest) => {
      const signedIn = await who(request)
      if (!signedIn) {
        refused(request, 'not signed in', null)
        throw failure('unauthorized', 'Please sign in.')
      }
      ask(request, signedIn, right)
      request.signedIn = signedIn
    },
    give: (reply: FastifyReply, token: string): void =>
      void reply.setCookie(name, token, { ...options, maxAge: MAX_AGE_S }),
    take: (reply: FastifyReply): void => void reply.clearCookie(name, options),
  }
}

const REFUSALS = {
  role: 'This needs an administrator. You are signed in as a reviewer.',
  token: 'A token cannot change the account. Please sign in with a browser.',
} as const
const REASON_OF = { role: 'role', token: 'token for the account' } as const

/** @param own the public address of the site, which an untrusted proxy does not forward */
function isOfThisSite({ headers, protocol }: FastifyRequest, own: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host = '' } = headers
  return origin === undefined || origin === own || origin === `${protocol}://${host}`
}
