import { type Handlers, type Patience, type Plan } from '#server/kit/reconnecting.ts'

const PATIENCE: Patience = {
  connectMs: 10_000,
  silenceMs: 90_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  stableMs: 30_000,
}

/** The payment hash that a message names; null when it tells of a payment without naming it, undefined when of none. */
export type ReadPush = (message: unknown) => string | null | undefined

/**
 * How a wallet's messages about payments are followed, over a web socket or in lines. They are hints and no more; what is
 * missed while the connection is broken is found by polling.
 */
export function pushMessages(
  read: ReadPush,
  onHint: (paymentHash: string | null) => void,
): Pick<Plan, 'patience' | 'opened'> {
  return {
    patience: PATIENCE,
    opened: ({ works }): Handlers => {
      works()
      return {
        message: (message) => {
          const hint = read(message)
          if (hint !== undefined) onHint(hint)
        },
      }
    },
  }
}
