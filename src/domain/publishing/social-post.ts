export const NETWORKS_OF_POSTS = ['x', 'nostr'] as const
/** Where a post goes. */
export type SocialNetwork = (typeof NETWORKS_OF_POSTS)[number]

/**
 * The states of a post. `missed`: the server was off when it was due, and it asks an administrator instead of sending the
 * post late. `done`: every network has its result, good or bad.
 */
export const POST_STATES = ['draft', 'scheduled', 'sending', 'done', 'missed', 'cancelled'] as const
export type PostState = (typeof POST_STATES)[number]

// A post can be changed only before its sending has begun.
const NEXT: Readonly<Record<PostState, readonly PostState[]>> = {
  draft: ['draft', 'scheduled', 'sending', 'cancelled'],
  scheduled: ['draft', 'scheduled', 'sending', 'missed', 'cancelled'],
  missed: ['draft', 'scheduled', 'sending', 'cancelled'],
  sending: ['done'],
  done: ['sending'],
  cancelled: [],
}

export function mayTurn(from: PostState, to: PostState): boolean {
  return NEXT[from].includes(to)
}

/** The states from which a post may turn into this one. */
export function statesBefore(to: PostState): PostState[] {
  return POST_STATES.filter((from) => mayTurn(from, to))
}

/** The states of a post on one network; `unknown` may be published or not, and is never sent again automatically. */
export const RESULT_STATES = ['waiting', 'sending', 'posted', 'failed', 'unknown'] as const
export type ResultState = (typeof RESULT_STATES)[number]

/** What a post was made from. */
export const POST_KINDS = ['manual', 'prediction', 'verdict', 'correction'] as const
export type PostKind = (typeof POST_KINDS)[number]

/** Sent or cancelled posts, which need nothing more from an administrator. */
export const GONE_STATES: readonly PostState[] = ['sending', 'done', 'cancelled']

/** How many posts a list returns at once. */
export const MOST_LISTED = 200

/** A post overdue for longer than this is not sent without asking. */
export const MISSED_AFTER_MS = 10 * 60_000

/** `X`, `Nostr` or `X and Nostr`, for sentences. */
export function platformText(networks: readonly SocialNetwork[]): string {
  return NETWORKS_OF_POSTS.filter((one) => networks.includes(one))
    .map((one) => (one === 'x' ? 'X' : 'Nostr'))
    .join(' and ')
}
