/** Result of a link check. */
export type PageReply =
  | { readonly kind: 'page' }
  /** Undetermined: the site blocks checks, or may not be called. `said` is a sentence. */
  | { readonly kind: 'closed'; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** Whether a server answered; otherwise our own connection may be down. */
      readonly isAnswer: boolean
    }

export type SourcePages = {
  /** @throws only the abort reason of `signal` */
  readonly ask: (url: string, signal: AbortSignal) => Promise<PageReply>
}
