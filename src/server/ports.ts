/** The time, as an argument: tests and replays have their own. */
export type Clock = { readonly now: () => number }

/** Structured logging; `detail` never holds a secret. */
export type Log = {
  readonly info: (detail: object, message: string) => void
  readonly warn: (detail: object, message: string) => void
  readonly error: (detail: object, message: string) => void
}
