export const ROLES = ['administrator', 'reviewer'] as const
export type Role = (typeof ROLES)[number]

type Rule = {
  readonly roles: readonly Role[]
  /** Whether the account's bearer tokens have this right, too. */
  readonly byToken: boolean
}

const ADMINISTRATOR: readonly Role[] = ['administrator']

export const RULES = {
  /** See one's own user name and role. */
  'signed-in': { roles: ROLES, byToken: true },
  /** Change one's own account. */
  account: { roles: ROLES, byToken: false },
  /** See submissions, the queue of posts, published predictions and their experts. */
  read: { roles: ROLES, byToken: true },
  /** See payments, jobs, price sources, posts to social networks, the audit log and the metrics. */
  'read-all': { roles: ADMINISTRATOR, byToken: true },
  /** Extract, edit, approve and reject. */
  review: { roles: ROLES, byToken: true },
  /** Post on X, Nostr and Bluesky, and correct published predictions. */
  publish: { roles: ADMINISTRATOR, byToken: true },
  /** Create, disable and change others' accounts; never by token, which could then grant itself access. */
  accounts: { roles: ADMINISTRATOR, byToken: false },
  /** Change settings, confirm prices and settle payments. */
  operate: { roles: ADMINISTRATOR, byToken: true },
} as const satisfies Readonly<Record<string, Rule>>

export type Right = keyof typeof RULES

export function roleMay(role: Role, right: Right): boolean {
  return RULES[right].roles.includes(role)
}

/** Why a request is not allowed; null if it is. */
export function whyNot(
  { role, by }: { readonly role: Role; readonly by: 'session' | 'token' },
  right: Right,
): 'role' | 'token' | null {
  if (!roleMay(role, right)) return 'role'
  return by === 'token' && !RULES[right].byToken ? 'token' : null
}
