import * as calls from '#contracts/accounts.ts'
import { serve, serveAdmin } from '#server/http/serve.ts'
import { accountOf, changeOwnPassword } from './account.service.ts'
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
  signOut,
  signOutOfAll,
  type Session,
  type Visitor,
  createOwnToken,
  revokeOwnToken,
  type AdminKit,
} from './sessions.service.ts'
import { signIn } from './sign-in.service.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  allAccounts,
  endSessionsOf,
  makeAccount,
  makeLink,
  changeOther,
  disabling,
  enabling,
  roleChange,
  choosePasswordByLink,
  ownerOfLink,
} from './accounts.service.ts'

const done = (message: string) => ({ success: true as const, message })

export function signInRoutes(app: FastifyInstance, kit: AdminKit): void {
  const welcome = async (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    // Signing in ends the browser's earlier session, whose token somebody else may have.
    const earlier = await app.sessions.who(request)
    if (earlier) await signOut(kit, earlier)
    app.sessions.give(reply, session.token)
    return { ...done('Logged in'), username: session.username }
  }

  serve(app, calls.login, async ({ body, request, reply }) => {
    app.sessions.refuseOtherSites(request, null)
    return welcome(request, reply, await signIn(kit, body, visitorOf(request)))
  })
  serve(app, calls.passkeyOptions, async () => ({
    success: true as const,
    options: await passkeySignInOptions(kit),
  }))
  serve(app, calls.passkeyLogin, async ({ body, request, reply }) => {
    app.sessions.refuseOtherSites(request, null)
    return welcome(request, reply, await passkeySignIn(kit, body.credential, visitorOf(request)))
  })
  serveAdmin(app, calls.probe, ({ admin, signedIn }) => ({
    ...done('Signed in'),
    username: admin.username,
    role: signedIn.role,
  }))
  serveAdmin(app, calls.logout, async ({ signedIn, reply }) => {
    await signOut(kit, signedIn)
    app.sessions.take(reply)
    return done('Logged out')
  })

  serveAdmin(app, calls.me, ({ signedIn }) => accountOf(kit, signedIn))
  serveAdmin(app, calls.endSession, async ({ signedIn, params }) => {
    await endOwnSession(kit, signedIn, params.id)
    return done('Session ended')
  })
  serveAdmin(app, calls.signOutEverywhere, async ({ signedIn, reply }) => {
    const message = await signOutOfAll(kit, signedIn)
    app.sessions.take(reply)
    return done(message)
  })
  serveAdmin(app, calls.createToken, async ({ signedIn, body }) => {
    await proveOwner(kit, signedIn, body)
    const token = await createOwnToken(kit, signedIn, body)
    return { ...done("Token created. Copy it now; it won't be shown again."), token }
  })
  serveAdmin(app, calls.revokeToken, async ({ signedIn, params }) => {
    await revokeOwnToken(kit, signedIn, params.id)
    return done('Token revoked')
  })
  serveAdmin(app, calls.changePassword, async ({ signedIn, body }) =>
    done(await changeOwnPassword(kit, signedIn, body)),
  )
  serveAdmin(app, calls.startSecondFactor, async ({ signedIn, body }) => ({
    success: true as const,
    ...(await startAuthenticator(kit, signedIn, body.password)),
  }))
  serveAdmin(app, calls.confirmSecondFactor, async ({ signedIn, body }) => ({
    success: true as const,
    ...(await confirmAuthenticator(kit, signedIn, body.code)),
  }))
  serveAdmin(app, calls.renewRecoveryCodes, async ({ signedIn, body }) => ({
    ...done('New recovery codes created. The old ones no longer work.'),
    recovery_codes: await renewOwnRecoveryCodes(kit, signedIn, body),
  }))
  serveAdmin(app, calls.dropSecondFactor, async ({ signedIn, body }) => {
    await dropAuthenticator(kit, signedIn, body)
    return done('The second factor is off.')
  })
  serveAdmin(app, calls.newPasskeyOptions, async ({ signedIn, body, admin }) => {
    await proveOwner(kit, signedIn, body)
    return { success: true as const, options: await optionsForNewPasskey(kit, admin) }
  })
  serveAdmin(app, calls.addPasskey, async ({ signedIn, body }) => {
    return done(await addOwnPasskey(kit, signedIn, body.name, body.credential))
  })
  serveAdmin(app, calls.dropPasskey, async ({ signedIn, params, body }) => {
    await proveOwner(kit, signedIn, body)
    await dropOwnPasskey(kit, signedIn, params.id)
    return done('Passkey removed')
  })
}

function visitorOf(request: FastifyRequest): Visitor {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '' }
}

export function accountRoutes(app: FastifyInstance, kit: AdminKit): void {
  serveAdmin(app, calls.listAccounts, ({ signedIn }) => allAccounts(kit, signedIn))
  serveAdmin(app, calls.createAccount, async ({ signedIn, body }) => {
    const { message, link } = await makeAccount(kit, signedIn, body)
    return { ...done(message), link }
  })
  serveAdmin(app, calls.makePasswordLink, async ({ signedIn, params, body }) => {
    const { message, link } = await makeLink(kit, signedIn, params.id, body)
    return { ...done(message), link }
  })
  serveAdmin(app, calls.changeRole, async ({ signedIn, params, body }) =>
    done(await changeOther(kit, signedIn, params.id, body, roleChange(body.role))),
  )
  for (const [route, change] of [
    [calls.disableAccount, disabling],
    [calls.enableAccount, enabling],
  ] as const) {
    serveAdmin(app, route, async ({ signedIn, params, body }) =>
      done(await changeOther(kit, signedIn, params.id, body, change)),
    )
  }
  serveAdmin(app, calls.endAccountSessions, async ({ signedIn, params }) =>
    done(await endSessionsOf(kit, signedIn, params.id)),
  )

  serve(app, calls.openPasswordLink, async ({ body, request }) => {
    app.sessions.refuseOtherSites(request, null)
    const { username } = await ownerOfLink(kit, body.token)
    return { success: true as const, username }
  })
  serve(app, calls.choosePassword, async ({ body, request }) => {
    app.sessions.refuseOtherSites(request, null)
    const username = await choosePasswordByLink(kit, body)
    return { ...done('Your password is set. Please sign in with it.'), username }
  })
}
