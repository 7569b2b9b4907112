/** What people do here: an administrator runs the site, a reviewer decides submissions. */
export const ROLES = ['administrator', 'reviewer'] as const
export type Role = (typeof ROLES)[number]

/** The purposes of a bearer token; it may have several. */
export const SCOPES = ['read', 'review', 'publish', 'operate'] as const
export type Scope = (typeof SCOPES)[number]

type Rule = {
  readonly roles: readonly Role[]
  /** The scope a token needs; `any`: every token will do, null: no token, only a browser's session. */
  readonly scope: Scope | 'any' | null
}

const ADMINISTRATOR: readonly Role[] = ['administrator']

/** Every right that a call can require, and who has it. */
const RULES = {
  /** To see one's own user name and role. */
  'signed-in': { roles: ROLES, scope: 'any' },
  /** To change one's own account. */
  account: { roles: ROLES, scope: null },
  /** To see submissions, the queue of posts, published predictions and their experts. */
  read: { roles: ROLES, scope: 'read' },
  /** To see payments, jobs, price sources, posts to social networks, the audit log and the metrics. */
  'read-all': { roles: ADMINISTRATOR, scope: 'read' },
  /** To extract, edit, approve and reject. */
  review: { roles: ROLES, scope: 'review' },
  /** To post on X, Nostr and Bluesky, and to correct what is published. */
  publish: { roles: ADMINISTRATOR, scope: 'publish' },
  /** To make, disable and change the accounts of others; no token does, as it could make itself a way in. */
  accounts: { roles: ADMINISTRATOR, scope: null },
  /** To change settings, confirm prices and settle payments. */
  operate: { roles: ADMINISTRATOR, scope: 'operate' },
} as const satisfies Readonly<Record<string, Rule>>

export type Right = keyof typeof RULES

/** The role and scopes of a request; `scopes` is null for a browser's session. */
export type Bearer = { readonly role: Role; readonly scopes: readonly Scope[] | null }

/** Whether people of a role have a right, signed in with a browser. */
export function roleMay(role: Role, right: Right): boolean {
  return RULES[right].roles.includes(role)
}

/** The scopes that tokens of a role can have. */
export function scopesOf(role: Role): readonly Scope[] {
  return SCOPES.filter((scope) =>
    Object.values<Rule>(RULES).some((rule) => rule.scope === scope && rule.roles.includes(role)),
  )
}

/** Why the request may not do this; null when it may. */
export function whyNot({ role, scopes }: Bearer, right: Right): 'role' | 'scope' | 'token' | null {
  const { scope }: Rule = RULES[right]
  if (!roleMay(role, right)) return 'role'
  if (scopes === null || scope === 'any') return null
  if (scope === null) return 'token'
  return scopes.includes(scope) ? null : 'scope'
}

/** The scope a token needs for a right; null when no token has the right, or every one does. */
export function scopeFor(right: Right): Scope | null {
  const { scope }: Rule = RULES[right]
  return scope === 'any' ? null : scope
}

/** The roles that have a right. */
export function rolesFor(right: Right): readonly Role[] {
  return RULES[right].roles
}

/** Why a right is withheld. */
export const NEED_SECOND_FACTOR =
  'This site requires a second factor. Please set one up under Account first: an authenticator app or a passkey.'
