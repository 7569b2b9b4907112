/** What people are here for: an administrator runs the site, a reviewer decides what visitors sent in. */
export const ROLES = ['administrator', 'reviewer'] as const
export type Role = (typeof ROLES)[number]

/** What a bearer token may be made for; each adds to the others. */
export const SCOPES = ['read', 'review', 'publish', 'operate'] as const
export type Scope = (typeof SCOPES)[number]

type Rule = {
  readonly roles: readonly Role[]
  /** The scope a token needs; `any` for each token, null for none: a browser's session only. */
  readonly scope: Scope | 'any' | null
}

const ADMINISTRATOR: readonly Role[] = ['administrator']

/** Every right that a call can ask for, and who has it. */
const RULES = {
  /** To know who one is. */
  'signed-in': { roles: ROLES, scope: 'any' },
  /** To change the own account. */
  account: { roles: ROLES, scope: null },
  /** To see submissions, the queue of posts, published predictions and the people they are of. */
  read: { roles: ROLES, scope: 'read' },
  /** To see payments, jobs, prices' sources, posts to X and Nostr, the audit log and the metrics. */
  'read-all': { roles: ADMINISTRATOR, scope: 'read' },
  /** To extract, edit, approve and reject. */
  review: { roles: ROLES, scope: 'review' },
  /** To post on X and Nostr, and to correct what is published. */
  publish: { roles: ADMINISTRATOR, scope: 'publish' },
  /** To change settings, answer for prices and deal with payments. */
  operate: { roles: ADMINISTRATOR, scope: 'operate' },
} as const satisfies Readonly<Record<string, Rule>>

export type Right = keyof typeof RULES

/** Whose request it is, as far as rights go; `scopes` is null for a browser's session. */
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

/** Why somebody may not; null when they may. */
export function whyNot({ role, scopes }: Bearer, right: Right): 'role' | 'scope' | 'token' | null {
  const { scope }: Rule = RULES[right]
  if (!roleMay(role, right)) return 'role'
  if (scopes === null || scope === 'any') return null
  if (scope === null) return 'token'
  return scopes.includes(scope) ? null : 'scope'
}

/** The scope a token needs for a right; null where no token has it, or each does. */
export function scopeFor(right: Right): Scope | null {
  const { scope }: Rule = RULES[right]
  return scope === 'any' ? null : scope
}

/** The roles that have a right. */
export function rolesFor(right: Right): readonly Role[] {
  return RULES[right].roles
}

/** Why a right is held back. */
export const NEED_SECOND_FACTOR =
  'This site asks for a second factor. Please set one up under Account first: an authenticator app or a passkey.'
