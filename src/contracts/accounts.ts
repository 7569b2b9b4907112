import { z } from 'zod'
import { ROLES } from './access.ts'
import { numberIn } from './address.ts'
import { code, Done, LONGEST_USERNAME, password } from './admins.ts'
import { defineRoute } from './route.ts'

const AccountId = numberIn('There is no such account.')
/** Who changes an account proves who they are: the password and, if an authenticator app is set up, a code. */
const proof = { password, code: code.optional() }

const Link = z.object({
  /** An address of this site; it opens once, and is shown only now. */
  path: z.string(),
  expires_at: z.string(),
})
export type PasswordLink = z.infer<typeof Link>

const Account = z.object({
  id: z.int(),
  username: z.string(),
  role: z.enum(ROLES),
  /** It is the account of the person who asks. */
  own: z.boolean(),
  /** An authenticator app or a passkey. */
  second_factor: z.boolean(),
  /** Its password comes from the environment. */
  from_environment: z.boolean(),
  created_at: z.string(),
  disabled_at: z.string().nullable(),
  /** Until when a password can be chosen by the link that was made; null when there is none. */
  link_expires_at: z.string().nullable(),
  /** How many browsers are signed in, and how many scripts have a token. */
  sessions: z.int(),
  tokens: z.int(),
  seen_at: z.string().nullable(),
})
export type Account = z.infer<typeof Account>

export const listAccounts = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/accounts',
  access: 'accounts',
  summary: 'Who may sign in, with which role, and how each account is secured.',
  reply: z.object({ now: z.string(), accounts: z.array(Account) }),
})

export const createAccount = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/accounts',
  access: 'accounts',
  summary:
    'Makes an account; its owner chooses the password by the link, which is shown only once.',
  body: z.strictObject({
    username: z.string().max(LONGEST_USERNAME),
    role: z.enum(ROLES),
    ...proof,
  }),
  reply: Done.extend({ link: Link }),
})

export const makePasswordLink = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/link',
  access: 'accounts',
  summary:
    'For a lost password: makes a link by which its owner chooses another one. The old password, all sessions, tokens and passkeys end.',
  params: AccountId,
  body: z.strictObject({
    /** Removes the authenticator app too, if that is lost. */
    drop_second_factor: z.boolean().default(false),
    ...proof,
  }),
  reply: Done.extend({ link: Link }),
})

export const changeRole = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/role',
  access: 'accounts',
  summary: 'Makes an account one of an administrator or of a reviewer.',
  params: AccountId,
  body: z.strictObject({ role: z.enum(ROLES), ...proof }),
  reply: Done,
})

export const disableAccount = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/disable',
  access: 'accounts',
  summary: 'Keeps a person from signing in, and ends their sessions, tokens and passkeys.',
  params: AccountId,
  body: z.strictObject(proof),
  reply: Done,
})

export const enableAccount = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/enable',
  access: 'accounts',
  summary: 'Lets a disabled person sign in again.',
  params: AccountId,
  body: z.strictObject(proof),
  reply: Done,
})

export const endAccountSessions = defineRoute({
  method: 'DELETE',
  path: '/api/v1/admin/accounts/:id/sessions',
  access: 'accounts',
  summary: 'Signs a person out everywhere; tokens and passkeys stay.',
  params: AccountId,
  reply: Done,
})

const token = z.string().max(100)

export const openPasswordLink = defineRoute({
  method: 'POST',
  path: '/api/admin/password-link',
  access: 'public',
  summary: 'Whose password can be chosen by a link.',
  body: z.strictObject({ token }),
  reply: z.object({ success: z.literal(true), username: z.string() }),
})

export const choosePassword = defineRoute({
  method: 'POST',
  path: '/api/admin/password-link/use',
  access: 'public',
  summary: 'Sets the password by a link, which is used up by it.',
  body: z.strictObject({ token, password }),
  reply: Done.extend({ username: z.string() }),
})
