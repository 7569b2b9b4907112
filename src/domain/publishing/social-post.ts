export const NETWORKS_OF_POSTS = ['x', 'nostr', 'bluesky'] as const
/** Where a post goes. */
export type SocialNetwork = (typeof NETWORKS_OF_POSTS)[number]

/** Their names in sentences. */
export const NETWORK_NAMES: Readonly<Record<SocialNetwork, string>> = {
  x: 'X',
  nostr: 'Nostr',
  bluesky: 'Bluesky',
}

/** Text per network; empty without one. */
export type NetworkTexts = Readonly<Record<SocialNetwork, string>>

/** Something of each network. */
export function eachNetwork<T>(make: (network: SocialNetwork) => T): Record<SocialNetwork, T> {
  return { x: make('x'), nostr: make('nostr'), bluesky: make('bluesky') }
}

/** The texts of a post as calls and rows name them. */
export function textFields<T>(text: (network: SocialNetwork) => T) {
  return { x_text: text('x'), nostr_text: text('nostr'), bluesky_text: text('bluesky') }
}

/** The texts of a post by network. */
export function textsOfFields(fields: ReturnType<typeof textFields<string>>): NetworkTexts {
  return eachNetwork((network) => fields[`${network}_text` as const])
}

/** The first text that says something, on one line, for lists; empty where none does. */
export function anyText(texts: NetworkTexts): string {
  const lines = NETWORKS_OF_POSTS.map((one) => texts[one].replaceAll(/\s+/g, ' ').trim())
  return lines.find((line) => line !== '') ?? ''
}

/**
 * Networks that take a post sent again for a second one: what may be out there already is sent again only on purpose. On the
 * others a post is known again.
 */
export const ONCE_ONLY: readonly SocialNetwork[] = ['x']

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

export function canTransition(from: PostState, to: PostState): boolean {
  return NEXT[from].includes(to)
}

/** States that may change to this one. */
export function statesBefore(to: PostState): PostState[] {
  return POST_STATES.filter((from) => canTransition(from, to))
}

/** The states of a post on one network; `unknown` may be published or not, and is never sent again automatically. */
export const RESULT_STATES = ['waiting', 'sending', 'posted', 'failed', 'unknown'] as const
export type ResultState = (typeof RESULT_STATES)[number]

/** Origins of posts. */
export const POST_KINDS = ['manual', 'prediction', 'verdict', 'correction'] as const
export type PostKind = (typeof POST_KINDS)[number]

/** Sent or cancelled posts, which need nothing more from an administrator. */
export const GONE_STATES: readonly PostState[] = ['sending', 'done', 'cancelled']

/** How many posts a list returns at once. */
export const MOST_LISTED = 200

/** A post overdue for longer than this is not sent without asking. */
export const MISSED_AFTER_MS = 10 * 60_000

/** `X`, `X and Nostr` or `X, Nostr and Bluesky`, for sentences. */
export function platformText(networks: readonly SocialNetwork[]): string {
  const names = NETWORKS_OF_POSTS.filter((one) => networks.includes(one)).map(
    (one) => NETWORK_NAMES[one],
  )
  return new Intl.ListFormat('en-GB').format(names)
}

/** Types of uploaded pictures. A GIF is stored only if animated; others become PNG. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** The largest picture that X accepts. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024
/** The largest picture that Bluesky accepts; larger ones are made smaller for it. */
export const MOST_BLUESKY_IMAGE_BYTES = 1_000_000
/** A picture must have fewer pixels: a small file may unpack to more than a browser can hold. */
const IMAGE_PIXELS_BELOW = 40_000_000
const MOST_IMAGE_SIDE = 8_192
/** The longest alternative text that X accepts, characters. */
export const MOST_ALT_TEXT = 1_000

/** Why a picture is refused, as sentences that say what to do. */
export const IMAGE_FAULTS = {
  empty: 'The file is empty. Please choose a picture.',
  foreign: 'The site cannot use this file. Please choose a JPEG, PNG, WebP or GIF picture.',
  damaged:
    'The picture is incomplete or damaged. Please upload it again, or save it again with another program.',
  slow: 'The picture takes too long to read. Please make it smaller, or save it as JPEG.',
} as const

/** @returns why a picture of this size in pixels is refused; null when it is fine */
export function sizeFault(width: number, height: number): string | null {
  const isHuge = width * height >= IMAGE_PIXELS_BELOW
  if (!isHuge && width <= MOST_IMAGE_SIDE && height <= MOST_IMAGE_SIDE) return null
  return `The picture has ${String(width)} × ${String(height)} pixels, which is too many. Please make it smaller.`
}

/** @param how what makes it so large, where that is not the file as it came */
export function tooLargeFault(how = ''): string {
  const size = `${String(MOST_IMAGE_BYTES / 1024 / 1024)} MB`
  return `The picture is larger than ${size}${how}. Please make it smaller, or save it as JPEG.`
}
