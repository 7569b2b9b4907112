import { type SignedEvent } from '#domain/proof/record-event.ts'
import { type ImageType, type SocialNetwork } from '#domain/publishing/social-post.ts'

export type NostrEvent = SignedEvent

export type NostrDraft = Pick<NostrEvent, 'created_at' | 'kind' | 'tags' | 'content'>

/** Signs with the site's key, which it never shows. */
export type NostrSigner = {
  /** Hex. */
  readonly publicKey: string
  readonly npub: string
  readonly sign: (draft: NostrDraft) => Promise<NostrEvent>
}

/**
 * A relay's answer to an event: accepted, duplicate, retry later, or rejected. `reason` is a
 * sentence for people; null where it was taken without a word.
 */
export type RelayResult = {
  readonly relay: string
  readonly state: 'accepted' | 'already' | 'later' | 'refused'
  readonly reason: string | null
}

export function hasNote({ state }: Pick<RelayResult, 'state'>): boolean {
  return state === 'accepted' || state === 'already'
}

/** A validated picture without metadata. */
export type Picture = {
  readonly bytes: Uint8Array
  readonly type: ImageType
  readonly width: number
  readonly height: number
  /** Alternative text; empty without one. */
  readonly alt: string
}

/** Reads an uploaded file as a picture. @returns `fault`: why it is refused, as a sentence that says what to do */
export type ReadPicture = (
  file: Uint8Array,
) => Promise<Omit<Picture, 'alt'> | { readonly fault: string }>

/** @throws AppError `unavailable` where too many wait; Error where the reader fails */
export type PictureReader = {
  readonly read: ReadPicture
  /** Makes a picture that was read before fit into so many bytes, as JPEG; deterministic. */
  readonly shrink: (file: Uint8Array, mostBytes: number) => ReturnType<ReadPicture>
  readonly close: () => Promise<void>
}

/**
 * Why a network did not take a post; the message is a sentence for the administrator and holds no secret.
 *
 * - `refused`: it never takes this post.
 * - `limited`: it takes no more for now; `until` in ms since 1970, null when it did not say.
 * - `unsent`: certainly not published, and worth another try.
 * - `unknown`: it may have been published. Sending it again could publish it twice, so the server never does.
 */
export type NotPosted =
  | { readonly state: 'refused'; readonly reason: RefusalReason; readonly message: string }
  | { readonly state: 'limited'; readonly until: number | null; readonly message: string }
  | { readonly state: 'unsent' | 'unknown'; readonly message: string }

/** `duplicate`: the account has posted exactly this before. `no-credit`: the network wants to be paid first. */
type RefusalReason =
  | 'duplicate'
  | 'too-long'
  | 'keys'
  | 'not-permitted'
  | 'no-credit'
  | 'pictures'
  | 'other'

/** Thrown by publishers. */
export class PostFault extends Error {
  readonly not: NotPosted

  constructor(not: NotPosted) {
    super(not.message)
    this.not = not
  }
}

/** The windows in which X counts posts, from its last answers; a version of before stored them by name. */
export type XLimits = readonly XLimit[]

/** @property resetMs ms since 1970 */
export type XLimit = {
  readonly limit: number
  readonly remaining: number
  readonly resetMs: number
}

/** One account on X or Bluesky. Everything throws `PostFault`. */
export type Publisher = {
  /** From the settings; null where only the network knows it. */
  readonly handle: string | null
  /** X charges for it. @returns the name behind the @ */
  readonly whoAmI: (signal: AbortSignal) => Promise<string>
  /**
   * Uploads the pictures and posts once, without a second try.
   *
   * @param post `key`: on Bluesky, the same post under the same key is the same post
   * @returns the post's number on X, its address on Bluesky
   */
  readonly post: (
    post: { readonly key: string; readonly text: string; readonly pictures: readonly Picture[] },
    ask: {
      readonly signal: AbortSignal
      /** Awaited just before the one request that publishes; when it throws, nothing is out. Bluesky passes the address. */
      readonly beforePost: (address?: string) => Promise<void>
      readonly onLimits: (limits: XLimits) => void
    },
  ) => Promise<string>
  /**
   * Looks for a post of unknown outcome: on X by its text among the newest ones, for which X charges, on Bluesky by its
   * address.
   *
   * @returns its id; null where the account certainly has no such post
   */
  readonly find: (
    ask: { readonly text: string; readonly sinceMs: number; readonly remoteId: string | null },
    signal: AbortSignal,
  ) => Promise<string | null>
}

/** An account with a hash of the public halves of its keys. */
export type AccountParts = { readonly publisher: Publisher; readonly keyHash: string }

/** For posts sent to a network without keys. */
export const NOT_SET_UP: Readonly<Record<SocialNetwork, string>> = {
  x: 'X is not set up. Set X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET (see .env.example) and start the server again.',
  nostr:
    'Nostr is not set up. Add the setting NOSTR_PRIVATE_KEY (see .env.example) and start the server again.',
  bluesky:
    'Bluesky is not set up. Set BLUESKY_HANDLE and BLUESKY_APP_PASSWORD (see .env.example) and start the server again.',
}
