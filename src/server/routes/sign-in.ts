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
  revokeToken,
  startSecondFactor,
} from '#contracts/sign-in.ts'
import { serve, serveAdmin } from '#server/http/serve.ts'
import { refuseOtherSites } from '#server/http/session.ts'
import { type Accounts } from '#server/services/account.ts'
import { type Passkeys } from '#server/services/passkeys.ts'
import { type SignIn, type Visitor } from '#server/services/sign-in.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

export type SignInParts = {
  readonly signIn: SignIn
  readonly accounts: Accounts
  readonly passkeys: Passkeys
}

const TRIES_A_MINUTE = 30
const done = (message: string) => ({ success: true as const, message })

/** Signing in and out, and the own account. */
export function signInRoutes(
  app: FastifyInstance,
  { signIn, accounts, passkeys }: SignInParts,
): void {
  const welcome = async (
    request: FastifyRequest,
    reply: FastifyReply,
    opened: { token: string; username: string },
  ) => {
    // A session that was here before ends with this one's beginning: nobody else may hold its token.
    const earlier = await app.sessions.who(request)
    if (earlier) await signIn.logout(earlier)
    app.sessions.give(reply, opened.token)
    return { ...done('Logged in'), username: opened.username }
  }

  serve(
    app,
    login,
    async ({ body, request, reply }) => {
      refuseOtherSites(request)
      return welcome(request, reply, await signIn.login(body, visitorOf(request)))
    },
    TRIES_A_MINUTE,
  )
  serve(
    app,
    passkeyOptions,
    async () => ({ success: true as const, options: await passkeys.options() }),
    30,
  )
  serve(
    app,
    passkeyLogin,
    async ({ body, request, reply }) => {
      refuseOtherSites(request)
      return welcome(request, reply, await passkeys.login(body.credential, visitorOf(request)))
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(app, probe, ({ admin }) => ({ ...done('Signed in'), username: admin.username }))
  serveAdmin(app, logout, async ({ signedIn, reply }) => {
    await signIn.logout(signedIn)
    app.sessions.take(reply)
    return done('Logged out')
  })

  serveAdmin(app, me, ({ signedIn }) => accounts.me(signedIn))
  serveAdmin(app, endSession, async ({ signedIn, params }) => {
    await accounts.endSession(signedIn, params.id)
    return done('Session ended')
  })
  serveAdmin(app, createToken, async ({ signedIn, body }) => ({
    ...done('Token created. It is shown only now.'),
    token: await accounts.createToken(signedIn, body),
  }))
  serveAdmin(app, revokeToken, async ({ signedIn, params }) => {
    await accounts.revokeToken(signedIn, params.id)
    return done('Token revoked')
  })
  serveAdmin(
    app,
    changePassword,
    async ({ signedIn, body }) => {
      await accounts.changePassword(signedIn, body)
      return done('Password changed. All other sessions have ended.')
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    startSecondFactor,
    async ({ signedIn, body }) => ({
      success: true as const,
      ...(await accounts.startSecondFactor(signedIn, body.password)),
    }),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    confirmSecondFactor,
    async ({ signedIn, body }) => {
      await accounts.confirmSecondFactor(signedIn, body.code)
      return done('The second factor is on.')
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    dropSecondFactor,
    async ({ signedIn, body }) => {
      await accounts.dropSecondFactor(signedIn, body.password)
      return done('The second factor is off.')
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    newPasskeyOptions,
    async ({ signedIn, body, admin }) => {
      await accounts.askPassword(signedIn, body.password)
      return { success: true as const, options: await passkeys.newOptions(admin) }
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(app, addPasskey, async ({ admin, body }) => {
    await passkeys.add(admin, body.name, body.credential)
    return done('Passkey added')
  })
  serveAdmin(app, dropPasskey, async ({ admin, params }) => {
    await passkeys.drop(admin, params.id)
    return done('Passkey removed')
  })
}

function visitorOf(request: FastifyRequest): Visitor {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '' }
}
