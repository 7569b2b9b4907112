/** Brings an encrypted message to the push service of a browser. */
export type PushCourier = {
  /**
   * @param url https, chosen by a stranger
   * @throws SourceError when no answer came, or the address is none that may be called
   */
  readonly post: (
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    signal: AbortSignal,
  ) => Promise<{ readonly status: number; readonly waitMs: number | null }>
  /** Whether it may be called at all. */
  readonly isAllowed: (url: URL) => boolean
}
