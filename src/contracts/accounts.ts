import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { ROLES } from './access.ts'
import { Done, numberIn, uuidIn } from './fields.ts'
import { del, get, post, postAtMost } from './route.ts'

/** Limits calls by which passwords or codes could be guessed. */
const postTry = postAtMost(30)

export const LONGEST_USERNAME = 64
export const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 256
/** Maximum validity of a token. */
const LONGEST_TOKEN_DAYS = 365

const password = z.string().max(LONGEST_PASSWORD)
/** A typed code of an authenticator app, or a recovery code. */
const code = z.string().max(40)
/** The code is required if an authenticator app is set up. */
const proof = { password, code: code.optional() }
const RecoveryCodes = z.array(z.string())

const SignedIn = Done.extend({ username: z.string() })
const SessionId = uuidIn('You have no such session.')
const TokenId = uuidIn('You have no such token.')
const Moment = z.string()
const use = { name: z.string(), created_at: Moment, used_at: Moment.nullable() }
const Credential = z.record(z.string(), z.unknown())
const NewPasskeyOptions = z.looseObject({
  challenge: z.string(),
  rp: z.looseObject({ name: z.string() }),
  user: z.looseObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
})

export const login = postTry('/api/admin/login', 'public', {
  summary:
    'Signs in and sets the session cookie. 401 with code `second_factor` asks for the `code` of an authenticator app.',
  body: z.object({ username: z.string().max(LONGEST_USERNAME), ...proof }),
  reply: SignedIn,
})

export const logout = post('/api/admin/logout', 'account', {
  summary: 'Ends this session.',
  reply: Done,
})

export const probe = get('/api/admin/test', 'signed-in', {
  summary: 'The signed-in account and its role.',
  reply: SignedIn.extend({ role: z.enum(ROLES) }),
})

/** Pending decisions other than reviews; null without the right to see them. */
export const ToDo = z.object({
  /** Replies; `answer_by` is the deadline of the oldest. */
  replies: z
    .object({ waiting: z.int(), overdue: z.int(), answer_by: z.iso.datetime().nullable() })
    .nullable(),
  posts: z.int().nullable(),
  price_questions: z.int().nullable(),
  payments: z.int().nullable(),
  /** Failed jobs and deliveries, and deliveries that may have arrived; without posts. */
  failed: z.int().nullable(),
  reports: z.int(),
})

export const reviewWaiting = get('/api/v1/admin/review/waiting', 'read', {
  summary: 'How many items of each kind await a decision.',
  reply: z.object({
    waiting: z.array(z.object({ asset_type: z.enum(ASSET_KEYS), pending: z.int() })),
    to_do: ToDo,
  }),
})

export const me = get('/api/v1/admin/me', 'signed-in', {
  summary: 'The signed-in account and how it is secured.',
  reply: z.object({
    username: z.string(),
    role: z.enum(ROLES),
    second_factor: z.boolean(),
    recovery_codes: z.int(),
    from_environment: z.boolean(),
    passkeys: z.array(z.object({ id: z.string(), ...use })),
    sessions: z.array(
      z.object({
        id: z.uuid(),
        current: z.boolean(),
        how: z.enum(['password', 'passkey']),
        address: z.string(),
        agent: z.string(),
        created_at: Moment,
        seen_at: Moment,
      }),
    ),
    tokens: z.array(z.object({ id: z.uuid(), ...use, expires_at: Moment })),
  }),
})

export const endSession = del('/api/v1/admin/sessions/:id', 'account', {
  summary: 'Signs out another of your sessions.',
  params: SessionId,
  reply: Done,
})

export const signOutEverywhere = del('/api/v1/admin/sessions', 'account', {
  summary:
    'Signs out all your sessions, including this one, and revokes your tokens. Passkeys stay.',
  reply: Done,
})

export const createToken = postTry('/api/v1/admin/tokens', 'account', {
  summary:
    'Creates a bearer token, with which a script may do what your role may, except change accounts. It is shown only once. If an authenticator app is set up, its code is required.',
  body: z.object({
    ...proof,
    name: z.string().trim().min(1, 'Please give it a name to recognize it by.').max(80),
    /** Days until it expires. */
    days: z
      .int()
      .min(1)
      .max(LONGEST_TOKEN_DAYS, 'A token is valid for at most a year.')
      .default(90),
  }),
  reply: Done.extend({ token: z.string() }),
})

export const revokeToken = del('/api/v1/admin/tokens/:id', 'account', {
  summary: 'Revokes a bearer token.',
  params: TokenId,
  reply: Done,
})

export const changePassword = postTry('/api/v1/admin/password', 'account', {
  summary:
    'Sets a new password. Ends all other sessions, all tokens and, unless you keep them, all passkeys.',
  body: z.object({ current: password, next: password, keep_passkeys: z.boolean().default(false) }),
  reply: Done,
})

export const startSecondFactor = postTry('/api/v1/admin/second-factor', 'account', {
  summary: 'Creates a secret for an authenticator app, to be confirmed by a code.',
  body: z.object({ password }),
  reply: z.object({ success: z.literal(true), secret: z.string(), uri: z.string() }),
})

export const confirmSecondFactor = postTry('/api/v1/admin/second-factor/confirm', 'account', {
  summary:
    'Turns on the second factor and ends all other sessions; the first second factor also ends all tokens. The recovery codes are shown only once.',
  body: z.object({ code }),
  reply: Done.extend({ recovery_codes: RecoveryCodes }),
})

export const renewRecoveryCodes = postTry('/api/v1/admin/second-factor/recovery-codes', 'account', {
  summary: 'Creates new recovery codes and invalidates the old ones.',
  body: z.object({ password, code }),
  reply: Done.extend({ recovery_codes: RecoveryCodes }),
})

export const dropSecondFactor = postTry('/api/v1/admin/second-factor/off', 'account', {
  summary: 'Turns off the second factor.',
  body: z.object({ password, code }),
  reply: Done,
})

export const passkeyOptions = postTry('/api/admin/passkeys/options', 'public', {
  summary: 'A challenge for signing in with a passkey.',
  reply: z.object({ success: z.literal(true), options: Credential }),
})

export const passkeyLogin = postTry('/api/admin/passkeys/login', 'public', {
  summary: 'Signs in with a passkey.',
  body: z.object({ credential: Credential }),
  reply: SignedIn,
})

export const newPasskeyOptions = postTry('/api/v1/admin/passkeys/options', 'account', {
  summary:
    'A challenge for a new passkey. If an authenticator app is set up, its code is required.',
  body: z.object(proof),
  reply: z.object({ success: z.literal(true), options: NewPasskeyOptions }),
})

export const addPasskey = post('/api/v1/admin/passkeys', 'account', {
  summary:
    'Adds a passkey to your account. If it is your first second factor, all other sessions and all tokens end.',
  body: z.object({ name: z.string().trim().min(1).max(80), credential: Credential }),
  reply: Done,
})

export const dropPasskey = postTry('/api/v1/admin/passkeys/:id/remove', 'account', {
  summary:
    'Removes a passkey from your account. If an authenticator app is set up, its code is required.',
  params: z.object({ id: z.string().max(400, 'You have no such passkey.') }),
  body: z.object(proof),
  reply: Done,
})

const AccountId = numberIn('There is no such account.')
const Link = z.object({ path: z.string(), expires_at: z.string() })
export type PasswordLink = z.infer<typeof Link>

const Account = z.object({
  id: z.int(),
  username: z.string(),
  role: z.enum(ROLES),
  own: z.boolean(),
  second_factor: z.boolean(),
  /** Its password is set by the environment. */
  from_environment: z.boolean(),
  created_at: z.string(),
  disabled_at: z.string().nullable(),
  /** Expiry of the current link for choosing a password. */
  link_expires_at: z.string().nullable(),
  sessions: z.int(),
  tokens: z.int(),
  seen_at: z.string().nullable(),
})
export type Account = z.infer<typeof Account>

export const listAccounts = get('/api/v1/admin/accounts', 'accounts', {
  summary: 'All accounts with their roles and how each is secured.',
  reply: z.object({ now: z.string(), accounts: z.array(Account) }),
})

export const createAccount = postTry('/api/v1/admin/accounts', 'accounts', {
  summary:
    'Creates an account. Its owner chooses a password through the link, which is shown only once.',
  body: z.strictObject({
    username: z.string().max(LONGEST_USERNAME),
    role: z.enum(ROLES),
    ...proof,
  }),
  reply: Done.extend({ link: Link }),
})

export const makePasswordLink = postTry('/api/v1/admin/accounts/:id/link', 'accounts', {
  summary:
    'For a lost password: creates a link for choosing a new one. Ends the old password and all sessions, tokens and passkeys.',
  params: AccountId,
  body: z.strictObject({ drop_second_factor: z.boolean().default(false), ...proof }),
  reply: Done.extend({ link: Link }),
})

export const changeRole = postTry('/api/v1/admin/accounts/:id/role', 'accounts', {
  summary: 'Sets the role of an account: administrator or reviewer.',
  params: AccountId,
  body: z.strictObject({ role: z.enum(ROLES), ...proof }),
  reply: Done,
})

export const disableAccount = postTry('/api/v1/admin/accounts/:id/disable', 'accounts', {
  summary: 'Disables an account and ends its sessions, tokens and passkeys.',
  params: AccountId,
  body: z.strictObject(proof),
  reply: Done,
})

export const enableAccount = postTry('/api/v1/admin/accounts/:id/enable', 'accounts', {
  summary: 'Enables a disabled account.',
  params: AccountId,
  body: z.strictObject(proof),
  reply: Done,
})

export const endAccountSessions = del('/api/v1/admin/accounts/:id/sessions', 'accounts', {
  summary: 'Ends all sessions of an account; tokens and passkeys stay.',
  params: AccountId,
  reply: Done,
})

const token = z.string().max(100)

export const openPasswordLink = postTry('/api/admin/password-link', 'public', {
  summary: 'The account whose password a link sets.',
  body: z.strictObject({ token }),
  reply: z.object({ success: z.literal(true), username: z.string() }),
})

export const choosePassword = postTry('/api/admin/password-link/use', 'public', {
  summary: 'Sets the password through a link, which works once.',
  body: z.strictObject({ token, password }),
  reply: Done.extend({ username: z.string() }),
})
