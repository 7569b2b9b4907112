export const ROLES = ['administrator', 'reviewer'] as const
export type Role = (typeof ROLES)[number]

type Rule = {
  readonly roles: readonly Role[]
  /** Whether a bearer token of the account has it, too; otherwise only a browser's session. */
  readonly byToken: boolean
}

const ADMINISTRATOR: readonly Role[] = ['administrator']

const RULES = {
  /** To see one's own user name and role. */
  'signed-in': { roles: ROLES, byToken: true },
  /** To change one's own account. */
  account: { roles: ROLES, byToken: false },
  /** To see submissions, the queue of posts, published predictions and their experts. */
  read: { roles: ROLES, byToken: true },
  /** To see payments, jobs, price sources, posts to social networks, the audit log and the metrics. */
  'read-all': { roles: ADMINISTRATOR, byToken: true },
  /** To extract, edit, approve and reject. */
  review: { roles: ROLES, byToken: true },
  /** To post on X, Nostr and Bluesky, and to correct what is published. */
  publish: { roles: ADMINISTRATOR, byToken: true },
  /** To make, disable and change the accounts of others; no token does, as it could make itself a way in. */
  accounts: { roles: ADMINISTRATOR, byToken: false },
  /** To change settings, confirm prices and settle payments. */
  operate: { roles: ADMINISTRATOR, byToken: true },
} as const satisfies Readonly<Record<string, Rule>>

export type Right = keyof typeof RULES

export function roleMay(role: Role, right: Right): boolean {
  return RULES[right].roles.includes(role)
}

/** Why the request may not do this; null when it may. */
export function whyNot(
  { role, by }: { readonly role: Role; readonly by: 'session' | 'token' },
  right: Right,
): 'role' | 'token' | null {
  if (!roleMay(role, right)) return 'role'
  return by === 'token' && !RULES[right].byToken ? 'token' : null
}

export function isForTokens(right: Right): boolean {
  return RULES[right].byToken
}

export function rolesFor(right: Right): readonly Role[] {
  return RULES[right].roles
}
