import { z } from 'zod'
import { ROLES, SCOPES } from './access.ts'
import { uuidIn } from './address.ts'
import { defineRoute } from './route.ts'

export const LONGEST_USERNAME = 64
export const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 256
/** The most days that a token is valid. */
const LONGEST_TOKEN_DAYS = 365

export const password = z.string().max(LONGEST_PASSWORD)
/** A code of an authenticator app, or a recovery code, as people type it. */
export const code = z.string().max(40)
const RecoveryCodes = z.array(z.string())

export const Done = z.object({ success: z.literal(true), message: z.string() })
const SignedIn = Done.extend({ username: z.string() })
const SessionId = uuidIn('You have no such session.')
const TokenId = uuidIn('You have no such token.')
const Moment = z.string()
/** Input and output of the browser's WebAuthn calls; @simplewebauthn checks them. */
const Credential = z.record(z.string(), z.unknown())
const NewPasskeyOptions = z.looseObject({
  challenge: z.string(),
  rp: z.looseObject({ name: z.string() }),
  user: z.looseObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
})

export const login = defineRoute({
  method: 'POST',
  path: '/api/admin/login',
  access: 'public',
  summary:
    'Signs in; the session is sent as a cookie. 401 with code `second_factor` asks for `code`, of an authenticator app.',
  body: z.object({
    username: z.string().max(LONGEST_USERNAME),
    password,
    code: code.optional(),
  }),
  reply: SignedIn,
})

export const logout = defineRoute({
  method: 'POST',
  path: '/api/admin/logout',
  access: 'account',
  summary: 'Ends this session.',
  reply: Done,
})

export const probe = defineRoute({
  method: 'GET',
  path: '/api/admin/test',
  access: 'signed-in',
  summary: 'Who is signed in, with which role, and whether a second factor must be set up first.',
  reply: SignedIn.extend({ role: z.enum(ROLES), must_set_up_second_factor: z.boolean() }),
})

export const me = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/me',
  access: 'signed-in',
  summary: 'Who is signed in, and how the account is secured.',
  reply: z.object({
    username: z.string(),
    role: z.enum(ROLES),
    second_factor: z.boolean(),
    /** This site requires one for all accounts. */
    second_factor_required: z.boolean(),
    /** How many recovery codes are left. */
    recovery_codes: z.int(),
    from_environment: z.boolean(),
    passkeys: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        created_at: Moment,
        used_at: Moment.nullable(),
      }),
    ),
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
    tokens: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        created_at: Moment,
        used_at: Moment.nullable(),
        expires_at: Moment,
        scopes: z.array(z.enum(SCOPES)),
      }),
    ),
  }),
})

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/v1/admin/sessions/:id',
  access: 'account',
  summary: 'Signs out another of your sessions.',
  params: SessionId,
  reply: Done,
})

export const signOutEverywhere = defineRoute({
  method: 'DELETE',
  path: '/api/v1/admin/sessions',
  access: 'account',
  summary:
    'Signs out all your sessions, including this one, and revokes your tokens. Passkeys stay.',
  reply: Done,
})

export const createToken = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/tokens',
  access: 'account',
  summary:
    'Creates a bearer token for scripts; it is shown only once. If an authenticator app is set up, its code is needed.',
  body: z.object({
    password,
    code: code.optional(),
    name: z.string().trim().min(1, 'A name is needed, to know it again.').max(80),
    /** Days until it ends. */
    days: z
      .int()
      .min(1)
      .max(LONGEST_TOKEN_DAYS, 'A token is valid for at most a year.')
      .default(90),
    /** What it can be used for. */
    scopes: z.array(z.enum(SCOPES)).min(1, 'Please say what it is for.').default(['read']),
  }),
  reply: Done.extend({ token: z.string() }),
})

export const revokeToken = defineRoute({
  method: 'DELETE',
  path: '/api/v1/admin/tokens/:id',
  access: 'account',
  summary: 'Ends a bearer token.',
  params: TokenId,
  reply: Done,
})

export const changePassword = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/password',
  access: 'account',
  summary:
    'Sets a new password. All other sessions, all tokens and, unless they are kept, all passkeys end with the old one.',
  body: z.object({ current: password, next: password, keep_passkeys: z.boolean().default(false) }),
  reply: Done,
})

export const startSecondFactor = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/second-factor',
  access: 'account',
  summary: 'Creates a secret for an authenticator app; it is used once a code has confirmed it.',
  body: z.object({ password }),
  reply: z.object({ success: z.literal(true), secret: z.string(), uri: z.string() }),
})

export const confirmSecondFactor = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/second-factor/confirm',
  access: 'account',
  summary:
    'Turns on the second factor and ends all other sessions; the first second factor also ends all tokens. The recovery codes are shown only once.',
  body: z.object({ code }),
  reply: Done.extend({ recovery_codes: RecoveryCodes }),
})

export const renewRecoveryCodes = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/second-factor/recovery-codes',
  access: 'account',
  summary: 'Creates new recovery codes; the old ones end.',
  body: z.object({ password, code }),
  reply: Done.extend({ recovery_codes: RecoveryCodes }),
})

export const dropSecondFactor = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/second-factor/off',
  access: 'account',
  summary: 'Turns off the second factor.',
  body: z.object({ password, code }),
  reply: Done,
})

export const passkeyOptions = defineRoute({
  method: 'POST',
  path: '/api/admin/passkeys/options',
  access: 'public',
  summary: 'The challenge that a passkey signs to sign in.',
  reply: z.object({ success: z.literal(true), options: Credential }),
})

export const passkeyLogin = defineRoute({
  method: 'POST',
  path: '/api/admin/passkeys/login',
  access: 'public',
  summary: 'Signs in with a passkey.',
  body: z.object({ credential: Credential }),
  reply: SignedIn,
})

export const newPasskeyOptions = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/passkeys/options',
  access: 'account',
  summary:
    'The challenge that a new passkey signs. If an authenticator app is set up, its code is needed.',
  body: z.object({ password, code: code.optional() }),
  reply: z.object({ success: z.literal(true), options: NewPasskeyOptions }),
})

export const addPasskey = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/passkeys',
  access: 'account',
  summary:
    'Adds a passkey to your account. If it is your first second factor, all other sessions and all tokens end.',
  body: z.object({ name: z.string().trim().min(1).max(80), credential: Credential }),
  reply: Done,
})

export const dropPasskey = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/passkeys/:id/remove',
  access: 'account',
  summary:
    'Removes a passkey from your account. If you have an authenticator app, its code is needed.',
  params: z.object({ id: z.string().max(400, 'You have no such passkey.') }),
  body: z.object({ password, code: code.optional() }),
  reply: Done,
})
