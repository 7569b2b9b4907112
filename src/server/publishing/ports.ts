import { type ImageType } from '#domain/publishing/image-file.ts'
import { type NostrEvent, type PictureFile, type RelayResult } from './nostr/ports.ts'

/** A picture that may be published: read, complete, and without what its camera noted in it. */
export type Picture = PictureFile & { readonly type: ImageType }

/** Reads an uploaded file as a picture. @returns `fault`: why it is not taken, as a sentence that says what to do */
export type ReadPicture = (
  file: Uint8Array,
) => Promise<
  | (Pick<Picture, 'bytes' | 'type'> & { readonly width: number; readonly height: number })
  | { readonly fault: string }
>

/** `read` throws where it cannot be done, and an AppError `unavailable` where too many wait. */
export type PictureReader = {
  readonly read: ReadPicture
  /** Makes a picture that was read before fit into so many bytes, as JPEG; the same picture always becomes the same. */
  readonly shrink: (file: Uint8Array, mostBytes: number) => ReturnType<ReadPicture>
  readonly close: () => Promise<void>
}

/**
 * Why a network did not take a post; the message is a sentence for the administrator and holds no secret.
 *
 * - `refused`: it will not take this post, however often it is sent.
 * - `limited`: it takes no more for now; `until` in milliseconds since 1970, null when it did not say.
 * - `unsent`: certainly not published, and worth another try, as when the network could not be reached.
 * - `unknown`: it may have been published or not, as when the connection broke after the request. Sending it once
 *   more could publish it twice, so the server never does that.
 */
export type NotPosted =
  | { readonly state: 'refused'; readonly reason: RefusalReason; readonly message: string }
  | { readonly state: 'limited'; readonly until: number | null; readonly message: string }
  | { readonly state: 'unsent'; readonly message: string }
  | { readonly state: 'unknown'; readonly message: string }

type RefusalReason =
  /** The account has posted exactly this before. */
  | 'duplicate'
  | 'too-long'
  /** The keys are wrong, or withdrawn. */
  | 'keys'
  /** The keys may not post, or the account may not. */
  | 'not-permitted'
  /** The network wants to be paid first. */
  | 'no-credit'
  | 'pictures'
  | 'other'

/** The windows in which X counts posts, as its last answers gave them. */
export type XLimits = {
  readonly window: XLimit | null
  /** Of the application, and of the account. */
  readonly appDay: XLimit | null
  readonly userDay: XLimit | null
}

/** @property resetMs when the count starts again, milliseconds since 1970 */
export type XLimit = {
  readonly limit: number
  readonly remaining: number
  readonly resetMs: number
}

type XPost = {
  readonly text: string
  readonly pictures: readonly Picture[]
}

/** One account on X. */
export type XPublisher = {
  /**
   * Asks X who we are; X takes money for it.
   *
   * @returns the name behind the @
   */
  readonly whoAmI: (
    signal: AbortSignal,
  ) => Promise<{ readonly state: 'known'; readonly handle: string } | NotPosted>
  /**
   * Uploads the pictures and posts once, without any second try.
   *
   * @param beforePost awaited just before the one request that publishes; when it throws, nothing is out
   * @param onLimits gets the limits in each answer to that request
   */
  readonly post: (
    post: XPost,
    ask: {
      readonly signal: AbortSignal
      readonly beforePost: () => Promise<void>
      readonly onLimits: (limits: XLimits) => void
    },
  ) => Promise<{ readonly state: 'posted'; readonly id: string } | NotPosted>
  /**
   * Searches the newest posts of the account for one of this text, whose outcome is unknown; X takes money for each post
   * it shows. `absent` only where the newest ones reach back to `sinceMs`.
   */
  readonly find: (
    ask: { readonly text: string; readonly sinceMs: number },
    signal: AbortSignal,
  ) => Promise<
    { readonly state: 'found'; readonly id: string } | { readonly state: 'absent' } | NotPosted
  >
}

/** One account on Bluesky, or on another server of its protocol. */
export type BlueskyPublisher = {
  /** As the settings name it. */
  readonly handle: string
  /** Signs in, where it has not yet. */
  readonly whoAmI: (
    signal: AbortSignal,
  ) => Promise<{ readonly state: 'known'; readonly handle: string } | NotPosted>
  /**
   * Uploads the pictures and puts the post under its key: sent again under the same key it is the same post.
   *
   * @param beforePost gets the address that the post is going to have, and is awaited just before the one request that
   *   publishes; when it throws, nothing is out
   */
  readonly post: (
    post: {
      readonly key: string
      readonly text: string
      readonly pictures: readonly Picture[]
    },
    ask: {
      readonly signal: AbortSignal
      readonly beforePost: (uri: string) => Promise<void>
    },
  ) => Promise<{ readonly state: 'posted'; readonly uri: string } | NotPosted>
  /** Whether the account has a post at this address. */
  readonly find: (
    uri: string,
    signal: AbortSignal,
  ) => Promise<{ readonly state: 'found' } | { readonly state: 'absent' } | NotPosted>
}

type NostrNote = {
  readonly text: string
  readonly pictures: readonly Picture[]
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The site's own key with its relays. */
export type NostrPublisher = {
  readonly npub: string
  /** Normalised, each once. */
  readonly relays: readonly string[]
  /** How many relays take a connection right now, and a sentence for each other one. */
  readonly connected: (
    signal: AbortSignal,
  ) => Promise<{ readonly count: number; readonly faults: readonly string[] }>
  /** Uploads the pictures and signs a note (kind 1). Nothing of it is public but the pictures. */
  readonly prepare: (
    note: NostrNote,
    signal: AbortSignal,
  ) => Promise<{ readonly state: 'ready'; readonly event: NostrEvent } | NotPosted>
  /**
   * Sends exactly this event, to all relays or to those given; sending it again is harmless. Never throws, and one relay
   * never stops another: there is one result for each.
   */
  readonly publish: (
    event: NostrEvent,
    signal: AbortSignal,
    relays?: readonly string[],
  ) => Promise<readonly RelayResult[]>
  /**
   * What each relay has made of an event by now, where an outbox goes on sending it to those that did not take it; null
   * without an outbox.
   */
  readonly results: ((eventId: string) => Promise<readonly RelayResult[]>) | null
}
