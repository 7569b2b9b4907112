import {
  addPasskey,
  changePassword,
  confirmSecondFactor,
  createToken,
  dropPasskey,
  dropSecondFactor,
  endSession,
  login,
  logout,
  me,
  newPasskeyOptions,
  passkeyLogin,
  passkeyOptions,
  probe,
  renewRecoveryCodes,
  revokeToken,
  signOutEverywhere,
  startSecondFactor,
} from '#contracts/admins.ts'
import { serve, serveAdmin } from '#server/http/serve.ts'
import { accountOf, changeOwnPassword } from './account.service.ts'
import { type AdminKit } from './open-admins.ts'
import {
  addOwnPasskey,
  dropOwnPasskey,
  optionsForNewPasskey,
  passkeySignIn,
  passkeySignInOptions,
} from './passkeys.service.ts'
import {
  confirmAuthenticator,
  dropAuthenticator,
  proveOwner,
  renewOwnRecoveryCodes,
  startAuthenticator,
} from './second-factor.service.ts'
import {
  endOwnSession,
  isHeldBack,
  signOut,
  signOutOfAll,
  type Session,
  type Visitor,
} from './sessions.service.ts'
import { signIn } from './sign-in.service.ts'
import { createOwnToken, revokeOwnToken } from './tokens.service.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

const TRIES_A_MINUTE = 30
const done = (message: string) => ({ success: true as const, message })

/** Signing in and out, and one's own account. */
export function signInRoutes(app: FastifyInstance, kit: AdminKit): void {
  const welcome = async (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    // A session that was here before ends with this one's beginning: no one else may hold its token.
    const earlier = await app.sessions.who(request)
    if (earlier) await signOut(kit, earlier)
    app.sessions.give(reply, session.token)
    return { ...done('Logged in'), username: session.username }
  }

  serve(
    app,
    login,
    async ({ body, request, reply }) => {
      app.sessions.refuseOtherSites(request, null)
      return welcome(request, reply, await signIn(kit, body, visitorOf(request)))
    },
    TRIES_A_MINUTE,
  )
  serve(
    app,
    passkeyOptions,
    async () => ({ success: true as const, options: await passkeySignInOptions(kit) }),
    30,
  )
  serve(
    app,
    passkeyLogin,
    async ({ body, request, reply }) => {
      app.sessions.refuseOtherSites(request, null)
      return welcome(request, reply, await passkeySignIn(kit, body.credential, visitorOf(request)))
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(app, probe, ({ admin, signedIn }) => ({
    ...done('Signed in'),
    username: admin.username,
    role: signedIn.role,
    must_set_up_second_factor: isHeldBack(kit, signedIn, 'read'),
  }))
  serveAdmin(app, logout, async ({ signedIn, reply }) => {
    await signOut(kit, signedIn)
    app.sessions.take(reply)
    return done('Logged out')
  })

  serveAdmin(app, me, ({ signedIn }) => accountOf(kit, signedIn))
  serveAdmin(app, endSession, async ({ signedIn, params }) => {
    await endOwnSession(kit, signedIn, params.id)
    return done('Session ended')
  })
  serveAdmin(app, signOutEverywhere, async ({ signedIn, reply }) => {
    const message = await signOutOfAll(kit, signedIn)
    app.sessions.take(reply)
    return done(message)
  })
  serveAdmin(
    app,
    createToken,
    async ({ signedIn, body }) => {
      await proveOwner(kit, signedIn, body)
      const token = await createOwnToken(kit, signedIn, body)
      return { ...done("Token created. Copy it now; it won't be shown again."), token }
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(app, revokeToken, async ({ signedIn, params }) => {
    await revokeOwnToken(kit, signedIn, params.id)
    return done('Token revoked')
  })
  serveAdmin(
    app,
    changePassword,
    async ({ signedIn, body }) => done(await changeOwnPassword(kit, signedIn, body)),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    startSecondFactor,
    async ({ signedIn, body }) => ({
      success: true as const,
      ...(await startAuthenticator(kit, signedIn, body.password)),
    }),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    confirmSecondFactor,
    async ({ signedIn, body }) => ({
      success: true as const,
      ...(await confirmAuthenticator(kit, signedIn, body.code)),
    }),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    renewRecoveryCodes,
    async ({ signedIn, body }) => ({
      ...done('New recovery codes created. The old ones no longer work.'),
      recovery_codes: await renewOwnRecoveryCodes(kit, signedIn, body),
    }),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    dropSecondFactor,
    async ({ signedIn, body }) => {
      await dropAuthenticator(kit, signedIn, body)
      return done('The second factor is off.')
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    newPasskeyOptions,
    async ({ signedIn, body, admin }) => {
      await proveOwner(kit, signedIn, body)
      return { success: true as const, options: await optionsForNewPasskey(kit, admin) }
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(app, addPasskey, async ({ signedIn, body }) => {
    return done(await addOwnPasskey(kit, signedIn, body.name, body.credential))
  })
  serveAdmin(
    app,
    dropPasskey,
    async ({ signedIn, params, body }) => {
      await proveOwner(kit, signedIn, body)
      await dropOwnPasskey(kit, signedIn, params.id)
      return done('Passkey removed')
    },
    TRIES_A_MINUTE,
  )
}

function visitorOf(request: FastifyRequest): Visitor {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '' }
}
