import {
  changeRole,
  choosePassword,
  createAccount,
  disableAccount,
  enableAccount,
  endAccountSessions,
  listAccounts,
  makePasswordLink,
  openPasswordLink,
} from '#contracts/accounts.ts'
import { serve, serveAdmin } from '#server/http/serve.ts'
import { type FastifyInstance } from 'fastify'
import {
  allAccounts,
  endSessionsOf,
  makeAccount,
  makeLink,
  setEnabled,
  setRole,
} from './accounts.service.ts'
import { type AdminKit } from './open-admins.ts'
import { choosePasswordByLink, ownerOfLink } from './password-links.service.ts'

const TRIES_A_MINUTE = 30
const done = (message: string) => ({ success: true as const, message })

/** The accounts of all, for administrators, and the links by which people choose their password. */
export function accountRoutes(app: FastifyInstance, kit: AdminKit): void {
  serveAdmin(app, listAccounts, ({ signedIn }) => allAccounts(kit, signedIn))
  serveAdmin(
    app,
    createAccount,
    async ({ signedIn, body }) => {
      const { message, link } = await makeAccount(kit, signedIn, body)
      return { ...done(message), link }
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    makePasswordLink,
    async ({ signedIn, params, body }) => {
      const { message, link } = await makeLink(kit, signedIn, params.id, body)
      return { ...done(message), link }
    },
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    changeRole,
    async ({ signedIn, params, body }) => done(await setRole(kit, signedIn, params.id, body)),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    disableAccount,
    async ({ signedIn, params, body }) =>
      done(await setEnabled(kit, signedIn, params.id, false, body)),
    TRIES_A_MINUTE,
  )
  serveAdmin(
    app,
    enableAccount,
    async ({ signedIn, params, body }) =>
      done(await setEnabled(kit, signedIn, params.id, true, body)),
    TRIES_A_MINUTE,
  )
  serveAdmin(app, endAccountSessions, async ({ signedIn, params }) =>
    done(await endSessionsOf(kit, signedIn, params.id)),
  )

  serve(
    app,
    openPasswordLink,
    async ({ body, request }) => {
      app.sessions.refuseOtherSites(request, null)
      const { username } = await ownerOfLink(kit, body.token)
      return { success: true as const, username }
    },
    TRIES_A_MINUTE,
  )
  serve(
    app,
    choosePassword,
    async ({ body, request }) => {
      app.sessions.refuseOtherSites(request, null)
      const username = await choosePasswordByLink(kit, body)
      return { ...done('Your password is set. Please sign in with it.'), username }
    },
    TRIES_A_MINUTE,
  )
}
