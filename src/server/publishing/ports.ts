import { type SignedEvent } from '#domain/proof/record-event.ts'
import { type ImageType, type SocialNetwork } from '#domain/publishing/social-post.ts'

export type NostrEvent = SignedEvent

export type NostrDraft = Pick<NostrEvent, 'created_at' | 'kind' | 'tags' | 'content'>

/** Signs with the site's key, without exposing it. */
export type NostrSigner = {
  /** Hex. */
  readonly publicKey: string
  readonly npub: string
  readonly sign: (draft: NostrDraft) => Promise<NostrEvent>
}

/**
 * A relay's answer to an event: accepted, duplicate, retry later, or rejected. `reason` is a sentence for
 * people; null if the relay gave none.
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
  /** Alternative text; may be empty. */
  readonly alt: string
}

/** Validates and re-encodes an uploaded file. @returns `fault`: why it is refused, and what to do, in a sentence */
export type ReadPicture = (
  file: Uint8Array,
) => Promise<Omit<Picture, 'alt'> | { readonly fault: string }>

/** @throws AppError `unavailable` if the queue is full; Error if reading fails */
export type PictureReader = {
  readonly read: ReadPicture
  /** Shrinks a validated picture to this size, as JPEG; deterministic. */
  readonly shrink: (file: Uint8Array, mostBytes: number) => ReturnType<ReadPicture>
  readonly close: () => Promise<void>
}

/**
 * Why a network did not accept a post; the message is a sentence for administrators, without secrets. `refused`: permanent.
 * `limited`: rate limit; `until` is Unix time in ms, null if unknown. `unsent`: certainly not published, and worth another
 * attempt. `unknown`: may have been published; never sent again automatically, as that could publish it twice.
 */
export type NotPosted =
  | { readonly state: 'refused'; readonly reason: RefusalReason; readonly message: string }
  | { readonly state: 'limited'; readonly until: number | null; readonly message: string }
  | { readonly state: 'unsent' | 'unknown'; readonly message: string }

/** `duplicate`: the account has already posted this. `no-credit`: the network requires payment. */
type RefusalReason =
  | 'duplicate'
  | 'too-long'
  | 'keys'
  | 'not-permitted'
  | 'no-credit'
  | 'pictures'
  | 'other'

export function refusedPost(reason: RefusalReason, message: string): NotPosted {
  return { state: 'refused', reason, message }
}

/** Thrown by publishers. */
export class PostFault extends Error {
  readonly not: NotPosted

  constructor(not: NotPosted) {
    super(not.message)
    this.not = not
  }
}

/** Rate limit windows for posts in X's last answers; an earlier version stored them by name. */
export type XLimits = readonly XLimit[]

/** @property resetMs Unix time in ms */
export type XLimit = {
  readonly limit: number
  readonly remaining: number
  readonly resetMs: number
}

/** One account on X or Bluesky. Everything throws `PostFault`. */
export type Publisher = {
  /** From the settings; null if only the network knows it. */
  readonly handle: string | null
  /** X charges for it. @returns the name after the @ */
  readonly whoAmI: (signal: AbortSignal) => Promise<string>
  /**
   * Uploads the pictures and posts once, without retries.
   * @param post `key` makes posting on Bluesky idempotent
   * @returns the post's id on X, its address on Bluesky
   */
  readonly post: (
    post: { readonly key: string; readonly text: string; readonly pictures: readonly Picture[] },
    ask: {
      readonly signal: AbortSignal
      /** Awaited just before the request that publishes; if it throws, nothing was published. Bluesky passes the address. */
      readonly beforePost: (address?: string) => Promise<void>
      readonly onLimits: (limits: XLimits) => void
    },
  ) => Promise<string>
  /**
   * Searches for a post of unknown outcome: on X by text among the newest ones, for which X charges, on Bluesky by address.
   * @returns its id; null if the account certainly has no such post
   */
  readonly find: (
    ask: { readonly text: string; readonly sinceMs: number; readonly remoteId: string | null },
    signal: AbortSignal,
  ) => Promise<string | null>
}

/** An account with a hash of the public halves of its keys. */
export type AccountParts = { readonly publisher: Publisher; readonly keyHash: string }

/** For posts to a network without keys. */
export const NOT_SET_UP: Readonly<Record<SocialNetwork, string>> = {
  x: 'X is not set up. Set X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET (see .env.example) and start the server again.',
  nostr:
    'Nostr is not set up. Add the setting NOSTR_PRIVATE_KEY (see .env.example) and start the server again.',
  bluesky:
    'Bluesky is not set up. Set BLUESKY_HANDLE and BLUESKY_APP_PASSWORD (see .env.example) and start the server again.',
}
