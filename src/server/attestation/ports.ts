/** A calendar of OpenTimestamps. Its answers are bytes as it sent them: what they say is checked by those who ask. */
export type Calendar = {
  /** As the settings name it. */
  readonly address: string
  /**
   * Hands a digest in.
   *
   * @throws SourceError when it does not take it
   */
  readonly take: (digest: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>
  /**
   * Asks what has become of something that it promised.
   *
   * @returns null while it is in no block
   * @throws SourceError when it does not say
   */
  readonly look: (commitment: Uint8Array, signal: AbortSignal) => Promise<Uint8Array | null>
}

/** Gives the headers of blocks; they are checked by those who ask. */
export type BlockHeaders = {
  /** @throws SourceError when it has none */
  readonly at: (height: number, signal: AbortSignal) => Promise<Uint8Array>
  /** How much work a header must show, as a power of two; less than the usual only for a chain of tests. */
  readonly leastWorkBits?: number
}

/** What proofs in Bitcoin need from outside. */
export type ProofPorts = {
  /** Empty where none is set up: then the record is not stamped. */
  readonly calendars: readonly Calendar[]
  /** Null where none is set up: then readers compare the headers themselves. */
  readonly headers: BlockHeaders | null
}
