import { type Reach } from '#server/kit/reach.ts'
import { type SignedEvent } from '#domain/proof/record-event.ts'

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
 * What a relay made of an event: took it, had it already, may take the same one later, or never will. `reason` is a
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

/** Whether a relay could be reached just now. */
type RelayCheck = {
  readonly relay: string
  readonly connected: boolean
  readonly reason: string | null
}

/** The relays that the site publishes to. Nothing here throws: each relay has a result of its own, in bounded time. */
export type NostrRelays = {
  /** Normalised, each once. */
  readonly urls: readonly string[]
  /** Sends events to one relay over one connection, in their order; one result for each. */
  readonly send: (
    relay: string,
    events: readonly NostrEvent[],
    signal: AbortSignal,
  ) => Promise<RelayResult[]>
  /** The same to a relay that a stranger has named: which addresses may be called is guarded. */
  readonly sendToStranger: NostrRelays['send']
  /** Which of those may be called. */
  readonly strangers: Reach
  readonly check: (signal: AbortSignal) => Promise<RelayCheck[]>
}

/** A picture ready to be shown. */
export type PictureFile = {
  readonly bytes: Uint8Array
  /** Such as image/png. */
  readonly type: string
  readonly width: number
  readonly height: number
  /** What it shows, for people who cannot see it; empty where there is no text. */
  readonly alt: string
}

/** A picture at a public address. */
export type HostedPicture = Omit<PictureFile, 'bytes'> & {
  readonly url: string
  /** Of its bytes, hex. */
  readonly sha256: string
}

/** Servers that keep pictures for notes. */
export type PictureHost = {
  /** @throws SourceError with what each server said, when none took it */
  readonly upload: (picture: PictureFile, signal: AbortSignal) => Promise<HostedPicture>
}

/** Draws SVG; loads what it needs when first asked. */
export type Painter = {
  /** @returns PNG of the size that the markup names. @throws Error where it cannot draw */
  readonly png: (svg: string) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}
