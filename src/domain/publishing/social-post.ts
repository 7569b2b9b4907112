export const NETWORKS_OF_POSTS = ['x', 'nostr', 'bluesky'] as const
export type SocialNetwork = (typeof NETWORKS_OF_POSTS)[number]

/** Network names in sentences. */
export const NETWORK_NAMES: Readonly<Record<SocialNetwork, string>> = {
  x: 'X',
  nostr: 'Nostr',
  bluesky: 'Bluesky',
}

/** The field of a network's text in calls and rows; empty if not posted there. */
export const fieldOf = (network: SocialNetwork) => `${network}_text` as const

export type NetworkTexts = ReturnType<typeof textFields<string>>

export function textFields<T>(text: (network: SocialNetwork) => T) {
  return { x_text: text('x'), nostr_text: text('nostr'), bluesky_text: text('bluesky') }
}

/** The first non-empty text, on one line, for lists. */
export function anyText(texts: NetworkTexts): string {
  const lines = NETWORKS_OF_POSTS.map((one) => texts[fieldOf(one)].replaceAll(/\s+/g, ' ').trim())
  return lines.find((line) => line !== '') ?? ''
}

/**
 * Networks without idempotent posting: a post that may already be out is only retried on purpose. The others recognize
 * a repeated post.
 */
export const ONCE_ONLY: readonly SocialNetwork[] = ['x']

/**
 * States of a post. `missed`: the server was off when it was due; an administrator decides whether to send it late.
 * `done`: every network has its result, good or bad.
 */
export const POST_STATES = ['draft', 'scheduled', 'sending', 'done', 'missed', 'cancelled'] as const
export type PostState = (typeof POST_STATES)[number]

// A post can only be changed before it is sent.
const NEXT: Readonly<Record<PostState, readonly PostState[]>> = {
  draft: ['draft', 'scheduled', 'sending', 'cancelled'],
  scheduled: ['draft', 'scheduled', 'sending', 'missed', 'cancelled'],
  missed: ['draft', 'scheduled', 'sending', 'cancelled'],
  sending: ['done'],
  done: ['sending'],
  cancelled: [],
}

export function canTransition(from: PostState, to: PostState): boolean {
  return NEXT[from].includes(to)
}

/** States that may change to `to`. */
export function statesBefore(to: PostState): PostState[] {
  return POST_STATES.filter((from) => canTransition(from, to))
}

/** States of a post on one network; `unknown` may be published or not, and is never retried automatically. */
export const RESULT_STATES = ['waiting', 'sending', 'posted', 'failed', 'unknown'] as const
export type ResultState = (typeof RESULT_STATES)[number]

export const POST_KINDS = ['manual', 'prediction', 'verdict', 'correction'] as const
export type PostKind = (typeof POST_KINDS)[number]

/** States that need nothing more from an administrator. */
export const GONE_STATES: readonly PostState[] = ['sending', 'done', 'cancelled']

/** Maximum posts per list. */
export const MOST_LISTED = 200

/** Posts overdue for longer than this need confirmation. */
export const MISSED_AFTER_MS = 10 * 60_000

/** `X`, `X and Nostr` or `X, Nostr and Bluesky`, for sentences. */
export function platformText(networks: readonly SocialNetwork[]): string {
  const names = NETWORKS_OF_POSTS.filter((one) => networks.includes(one)).map(
    (one) => NETWORK_NAMES[one],
  )
  return new Intl.ListFormat('en-GB').format(names)
}

/** Accepted picture types. Animated GIFs stay; other pictures become PNG. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** Maximum picture size on X. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024
/** Maximum picture size on Bluesky; larger pictures are shrunk for it. */
export const MOST_BLUESKY_IMAGE_BYTES = 1_000_000
/** Exclusive limit: a small file may unpack to more pixels than a browser can handle. */
const IMAGE_PIXELS_BELOW = 40_000_000
const MOST_IMAGE_SIDE = 8_192
/** Maximum length of an alternative text on X, in characters. */
export const MOST_ALT_TEXT = 1_000

/** Reasons for rejecting a picture, with the remedy. */
export const IMAGE_FAULTS = {
  empty: 'The file is empty. Please choose a picture.',
  foreign: 'The site cannot use this file. Please choose a JPEG, PNG, WebP or GIF picture.',
  damaged:
    'The picture is incomplete or damaged. Please upload it again, or save it again with another program.',
  slow: 'The picture takes too long to read. Please make it smaller, or save it as JPEG.',
} as const

/** @returns why a picture of this size in pixels is rejected; null if accepted */
export function sizeFault(width: number, height: number): string | null {
  const isHuge = width * height >= IMAGE_PIXELS_BELOW
  if (!isHuge && width <= MOST_IMAGE_SIDE && height <= MOST_IMAGE_SIDE) return null
  return `The picture has ${String(width)} × ${String(height)} pixels, which is too many. Please make it smaller.`
}

/** @param how why it became so large, if the uploaded file was not */
export function tooLargeFault(how = ''): string {
  const size = `${String(MOST_IMAGE_BYTES / 1024 / 1024)} MB`
  return `The picture is larger than ${size}${how}. Please make it smaller, or save it as JPEG.`
}
