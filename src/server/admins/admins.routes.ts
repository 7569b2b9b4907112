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
import {
  accountOf,
  changeOwnPassword,
  createOwnToken,
  endOwnSession,
  revokeOwnToken,
  signOutOfAll,
  type AccountKit,
} from './account.service.ts'
import { type Passkeys } from './passkeys.service.ts'
import { type SecondFactors } from './second-factor.service.ts'
import { type SignIn, type Visitor } from './sign-in.service.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

export type SignInParts = {
  readonly signIn: SignIn
  readonly account: AccountKit
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
}

const TRIES_A_MINUTE = 30
const done = (message: string) => ({ success: true as const, message })

/** Signing in and out, and the own account. */
export function signInRoutes(
  app: FastifyInstance,
  { signIn, account, secondFactors, passkeys }: SignInParts,
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
      app.sessions.refuseOtherSites(request, null)
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
      app.sessions.refuseOtherSites(request, null)
      return welcome(request, reply, await passkeys.login(body.credential, visitorOf(request)))
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(app, probe, ({ admin, signedIn }) => ({
    ...done('Signed in'),
    username: admin.username,
    role: signedIn.role,
    must_set_up_second_factor: signIn.isHeldBack(signedIn, 'read'),
  }))
  serveAdmin(app, logout, async ({ signedIn, reply }) => {
    await signIn.logout(signedIn)
    app.sessions.take(reply)
    return done('Logged out')
  })

  serveAdmin(app, me, ({ signedIn }) => accountOf(account, signedIn))
  serveAdmin(app, endSession, async ({ signedIn, params }) => {
    await endOwnSession(account, signedIn, params.id)
    return done('Session ended')
  })
  serveAdmin(app, signOutEverywhere, async ({ signedIn, reply }) => {
    const message = await signOutOfAll(account, signedIn)
    app.sessions.take(reply)
    return done(message)
  })
  serveAdmin(app, createToken, async ({ signedIn, body }) => ({
    ...done("Token created. Copy it now; it won't be shown again."),
    token: await createOwnToken(account, signedIn, body),
  }))
  serveAdmin(app, revokeToken, async ({ signedIn, params }) => {
    await revokeOwnToken(account, signedIn, params.id)
    return done('Token revoked')
  })
  serveAdmin(
    app,
    changePassword,
    async ({ signedIn, body }) => done(await changeOwnPassword(account, signedIn, body)),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    startSecondFactor,
    async ({ signedIn, body }) => ({
      success: true as const,
      ...(await secondFactors.start(signedIn, body.password)),
    }),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    confirmSecondFactor,
    async ({ signedIn, body }) => ({
      success: true as const,
      ...(await secondFactors.confirm(signedIn, body.code)),
    }),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    renewRecoveryCodes,
    async ({ signedIn, body }) => ({
      ...done('New recovery codes created. The old ones no longer work.'),
      recovery_codes: await secondFactors.renewCodes(signedIn, body),
    }),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    dropSecondFactor,
    async ({ signedIn, body }) => {
      await secondFactors.drop(signedIn, body)
      return done('The second factor is off.')
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    newPasskeyOptions,
    async ({ signedIn, body, admin }) => {
      await secondFactors.prove(signedIn, body)
      return { success: true as const, options: await passkeys.newOptions(admin) }
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(app, addPasskey, async ({ signedIn, body }) => {
    return done(await passkeys.add(signedIn, body.name, body.credential))
  })
  serveAdmin(
    app,
    dropPasskey,
    async ({ signedIn, params, body }) => {
      await secondFactors.prove(signedIn, body)
      await passkeys.drop(signedIn, params.id)
      return done('Passkey removed')
    },
    TRIES_A_MINUTE,
  )
}

function visitorOf(request: FastifyRequest): Visitor {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '' }
}
