import { type PredictionMessage, type PriceMessage, type VerdictMessage } from '#contracts/live.ts'
import { OutcomeSchema } from '#contracts/predictions.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { z } from 'zod'
import { jsonOrNull } from '#server/kit/json-or-null.ts'

export type LiveEvent =
  | ({ readonly kind: 'price' } & PriceMessage)
  | { readonly kind: 'verdicts'; readonly verdicts: readonly VerdictMessage[] }
  | { readonly kind: 'predictions'; readonly predictions: readonly PredictionMessage[] }

/** A verdict with its number on record. */
export type RecordedVerdict = VerdictMessage & { readonly verdict: number }

export type LivePrices = ReturnType<typeof livePrices>

const LATE_MS = 10_000

const Line = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('price'),
    asset: z.enum(ASSET_KEYS),
    price: z.number().positive(),
    at: z.number(),
    source: z.string(),
  }),
  z.object({
    kind: z.literal('verdicts'),
    asset: z.enum(ASSET_KEYS),
    verdicts: z.array(z.tuple([z.string(), z.enum(['touch', 'close']), OutcomeSchema, z.number()])),
  }),
])

/**
 * What is live in this process: the last price of each asset, and those who listen. Prices come from this process's own
 * desk or, over the line, from the one that leads.
 */
export function livePrices() {
  const last = new Map<AssetKey, PriceMessage>()
  const listeners = new Set<(event: LiveEvent) => void>()
  /** The newest verdict that was told, by prediction and mode. */
  const toldVerdicts = new Map<string, number>()

  function tell(event: LiveEvent): void {
    for (const listener of listeners) listener(event)
  }

  /** Tells of each verdict once, and of none that a later one has replaced: they come by two ways, in any order. */
  function judged(given: readonly RecordedVerdict[]): void {
    const verdicts = given.flatMap(({ verdict, ...message }) => {
      const key = `${message.mode} ${message.id}`
      if (verdict <= (toldVerdicts.get(key) ?? 0)) return []
      toldVerdicts.set(key, verdict)
      return [message]
    })
    if (verdicts.length > 0) tell({ kind: 'verdicts', verdicts })
  }

  function offer(message: PriceMessage): void {
    // What another process sent may come late; a clock that was set back is something else.
    const behindMs = (last.get(message.asset)?.at ?? -Infinity) - message.at
    if (behindMs > 0 && behindMs < LATE_MS) return
    last.set(message.asset, message)
    tell({ kind: 'price', ...message })
  }

  return {
    offer,
    last: (asset: AssetKey): PriceMessage | null => last.get(asset) ?? null,
    /**
     * Takes a message of another process; what is none is passed over.
     *
     * @returns what it told of; null for nothing
     */
    hear(text: string): LiveEvent['kind'] | null {
      const parsed = Line.safeParse(jsonOrNull(text))
      if (!parsed.success) return null
      if (parsed.data.kind === 'price') {
        const { kind, ...message } = parsed.data
        offer(message)
        return kind
      }
      const { asset, verdicts } = parsed.data
      judged(
        verdicts.map(([id, mode, outcome, verdict]) => ({ verdict, id, asset, mode, outcome })),
      )
      return parsed.data.kind
    },
    judged,
    /** Tells of predictions that came, went or were changed; each process finds them for itself. */
    recorded(predictions: readonly PredictionMessage[]): void {
      if (predictions.length > 0) tell({ kind: 'predictions', predictions })
    },
    /** @returns how to stop listening */
    listen(listener: (event: LiveEvent) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A price as it goes to other processes. */
export function lineOf(message: PriceMessage): string {
  return JSON.stringify({ kind: 'price', ...message })
}
