/** Result of a link check. */
export type AskedPage =
  /** There is a page. */
  | { readonly kind: 'page' }
  /** It cannot be known: it does not let us look, or may not be asked. `said` is a sentence. */
  | { readonly kind: 'closed'; readonly said: string }
  | {
      readonly kind: 'failed'
      readonly said: string
      /** A server answered; otherwise this site's own connection may be what is missing. */
      readonly isAnswer: boolean
    }

/** Asks pages of the web whether they are there. */
export type SourcePages = {
  /** @throws what `signal` was aborted with, and nothing else */
  readonly ask: (url: string, signal: AbortSignal) => Promise<AskedPage>
}
