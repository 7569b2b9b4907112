import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as calls from '#contracts/accounts.ts'
import { done, serve, serveAdmin } from '#server/http/serve.ts'
import { accountOf, changeOwnPassword } from './account.service.ts'
import * as accounts from './accounts.service.ts'
import * as passkeys from './passkeys.service.ts'
import * as secondFactor from './second-factor.service.ts'
import * as sessions from './sessions.service.ts'
import { signIn } from './sign-in.service.ts'

export function signInRoutes(app: FastifyInstance, kit: sessions.AdminKit): void {
  const welcome = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: sessions.Session,
  ) => {
    // Signing in ends the browser's earlier session, whose token somebody else may have.
    const earlier = await app.sessions.who(request)
    if (earlier) await sessions.signOut(kit, earlier)
    app.sessions.give(reply, session.token)
    return { ...done('Logged in'), username: session.username }
  }

  serve(app, calls.login, async ({ body, request, reply }) => {
    app.sessions.refuseOtherSites(request, null)
    return welcome(request, reply, await signIn(kit, body, visitorOf(request)))
  })
  serve(app, calls.passkeyOptions, async () => ({
    success: true as const,
    options: await passkeys.passkeySignInOptions(kit),
  }))
  serve(app, calls.passkeyLogin, async ({ body, request, reply }) => {
    app.sessions.refuseOtherSites(request, null)
    return welcome(
      request,
      reply,
      await passkeys.passkeySignIn(kit, body.credential, visitorOf(request)),
    )
  })
  serveAdmin(app, calls.probe, ({ admin, signedIn }) => ({
    ...done('Signed in'),
    username: admin.username,
    role: signedIn.role,
  }))
  serveAdmin(app, calls.logout, async ({ signedIn, reply }) => {
    await sessions.signOut(kit, signedIn)
    app.sessions.take(reply)
    return done('Logged out')
  })

  serveAdmin(app, calls.me, ({ signedIn }) => accountOf(kit, signedIn))
  serveAdmin(app, calls.endSession, async ({ signedIn, params }) => {
    await sessions.endOwnSession(kit, signedIn, params.id)
    return done('Session ended')
  })
  serveAdmin(app, calls.signOutEverywhere, async ({ signedIn, reply }) => {
    const message = await sessions.signOutOfAll(kit, signedIn)
    app.sessions.take(reply)
    return done(message)
  })
  serveAdmin(app, calls.createToken, async ({ signedIn, body }) => {
    await secondFactor.proveOwner(kit, signedIn, body)
    const token = await sessions.createOwnToken(kit, signedIn, body)
    return { ...done("Token created. Copy it now; it won't be shown again."), token }
  })
  serveAdmin(app, calls.revokeToken, async ({ signedIn, params }) => {
    await sessions.revokeOwnToken(kit, signedIn, params.id)
    return done('Token revoked')
  })
  serveAdmin(app, calls.changePassword, async ({ signedIn, body }) =>
    done(await changeOwnPassword(kit, signedIn, body)),
  )
  serveAdmin(app, calls.startSecondFactor, async ({ signedIn, body }) => ({
    success: true as const,
    ...(await secondFactor.startAuthenticator(kit, signedIn, body.password)),
  }))
  serveAdmin(app, calls.confirmSecondFactor, async ({ signedIn, body }) => ({
    success: true as const,
    ...(await secondFactor.confirmAuthenticator(kit, signedIn, body.code)),
  }))
  serveAdmin(app, calls.renewRecoveryCodes, async ({ signedIn, body }) => ({
    ...done('New recovery codes created. The old ones no longer work.'),
    recovery_codes: await secondFactor.renewOwnRecoveryCodes(kit, signedIn, body),
  }))
  serveAdmin(app, calls.dropSecondFactor, async ({ signedIn, body }) => {
    await secondFactor.dropAuthenticator(kit, signedIn, body)
    return done('The second factor is off.')
  })
  serveAdmin(app, calls.newPasskeyOptions, async ({ signedIn, body, admin }) => {
    await secondFactor.proveOwner(kit, signedIn, body)
    return { success: true as const, options: await passkeys.optionsForNewPasskey(kit, admin) }
  })
  serveAdmin(app, calls.addPasskey, async ({ signedIn, body }) => {
    return done(await passkeys.addOwnPasskey(kit, signedIn, body.name, body.credential))
  })
  serveAdmin(app, calls.dropPasskey, async ({ signedIn, params, body }) => {
    await secondFactor.proveOwner(kit, signedIn, body)
    await passkeys.dropOwnPasskey(kit, signedIn, params.id)
    return done('Passkey removed')
  })
}

function visitorOf(request: FastifyRequest): sessions.Visitor {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '' }
}

export function accountRoutes(app: FastifyInstance, kit: sessions.AdminKit): void {
  serveAdmin(app, calls.listAccounts, ({ signedIn }) => accounts.allAccounts(kit, signedIn))
  serveAdmin(app, calls.createAccount, async ({ signedIn, body }) => {
    const { message, link } = await accounts.makeAccount(kit, signedIn, body)
    return { ...done(message), link }
  })
  serveAdmin(app, calls.makePasswordLink, async ({ signedIn, params, body }) => {
    const { message, link } = await accounts.makeLink(kit, signedIn, params.id, body)
    return { ...done(message), link }
  })
  serveAdmin(app, calls.changeRole, async ({ signedIn, params, body }) =>
    done(
      await accounts.changeOther(kit, signedIn, params.id, body, accounts.roleChange(body.role)),
    ),
  )
  for (const [route, change] of [
    [calls.disableAccount, accounts.disabling],
    [calls.enableAccount, accounts.enabling],
  ] as const) {
    serveAdmin(app, route, async ({ signedIn, params, body }) =>
      done(await accounts.changeOther(kit, signedIn, params.id, body, change)),
    )
  }
  serveAdmin(app, calls.endAccountSessions, async ({ signedIn, params }) =>
    done(await accounts.endSessionsOf(kit, signedIn, params.id)),
  )

  serve(app, calls.openPasswordLink, async ({ body, request }) => {
    app.sessions.refuseOtherSites(request, null)
    const { username } = await accounts.ownerOfLink(kit, body.token)
    return { success: true as const, username }
  })
  serve(app, calls.choosePassword, async ({ body, request }) => {
    app.sessions.refuseOtherSites(request, null)
    const username = await accounts.choosePasswordByLink(kit, body)
    return { ...done('Your password is set. Please sign in with it.'), username }
  })
}
