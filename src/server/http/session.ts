import cookie from '@fastify/cookie'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { whyNot, type Right } from '#contracts/access.ts'
import { failure } from '#server/errors.ts'
import { type SignedIn, type SignIn } from '#server/services/sign-in.ts'

declare module 'fastify' {
  // Fastify takes what is added to it by declaration merging, which needs interfaces.
  export interface FastifyRequest {
    /** Set by the guard; null on calls that anybody may make. */
    signedIn: SignedIn | null
  }
  export interface FastifyInstance {
    readonly sessions: Sessions
  }
}

export type Sessions = {
  /** Lets through who is signed in and has the right; runs before a body is read. @throws AppError */
  readonly guard: (right: Right) => (request: FastifyRequest) => Promise<void>
  /** Who makes this request; null for everybody else. @throws AppError `forbidden` for a request from another site */
  readonly who: (request: FastifyRequest) => Promise<SignedIn | null>
  readonly give: (reply: FastifyReply, token: string) => void
  readonly take: (reply: FastifyReply) => void
}

const MAX_AGE_S = 7 * 86_400
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Teaches the server who is signed in: by the cookie of a session, or by a bearer token. */
export async function addSessions(
  app: FastifyInstance,
  { signIn, origin }: { signIn: SignIn; origin: string },
): Promise<void> {
  await app.register(cookie)
  const secure = origin.startsWith('https:')
  // A browser takes a cookie of this prefix from this very host only, and over TLS.
  const name = secure ? '__Host-session' : 'session'
  const options = { httpOnly: true, sameSite: 'strict', secure, path: '/' } as const

  async function who(request: FastifyRequest): Promise<SignedIn | null> {
    const bearer = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]
    // What carries a token of its own was not made by a browser that was lured.
    if (bearer !== undefined) return signIn.byToken(bearer)
    const token = request.cookies[name]
    if (token === undefined || !/^[\w-]{20,200}$/.test(token)) return null
    const signedIn = await signIn.bySession(token)
    if (signedIn && !SAFE.has(request.method)) refuseOtherSites(request)
    return signedIn
  }

  const sessions: Sessions = {
    who,
    guard: (right) => async (request) => {
      const signedIn = await who(request)
      if (!signedIn) throw failure('unauthorized', 'Please sign in.')
      askRight(signedIn, right)
      request.signedIn = signedIn
    },
    give: (reply, token) => void reply.setCookie(name, token, { ...options, maxAge: MAX_AGE_S }),
    take: (reply) => void reply.clearCookie(name, options),
  }
  app.decorateRequest('signedIn', null)
  app.decorate('sessions', sessions)
}

/**
 * Refuses what another site makes a browser send. Browsers say where a request comes from; programs say nothing.
 *
 * @throws AppError `forbidden`
 */
export function refuseOtherSites({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const isOurs =
    site === undefined
      ? headers.origin === undefined || hostOf(headers.origin) === headers.host
      : site === 'same-origin' || site === 'none'
  if (!isOurs) throw failure('forbidden', 'This request came from another site and was refused.')
}

const REFUSALS = {
  role: 'This needs an administrator. You are signed in as a reviewer.',
  scope: 'This token was not made for that.',
  token: 'A token cannot change the account. Please sign in with a browser.',
} as const

/** @throws AppError `forbidden` for who has not this right */
export function askRight(signedIn: SignedIn, right: Right): void {
  const why = whyNot(signedIn, right)
  if (why !== null) throw failure('forbidden', REFUSALS[why])
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
