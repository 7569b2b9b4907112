import { type PredictionMessage, type VerdictMessage } from '#contracts/live.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'

/** A price with the moment it was received, milliseconds since 1970 by the server's clock; null for the close of a day. */
export type HeardPrice = {
  readonly usd: number
  readonly at: number | null
  readonly source: string | null
  /** The server's clock as it was sent; null where it is not sent. */
  readonly now: number | null
}

/** A prediction that has changed, and its expert. */
export type PredictionChange = Pick<PredictionMessage, 'id' | 'expert'>

const OUTCOMES = ['hit', 'miss', 'pending', 'void'] as const

// The schemas of these messages would weigh more than all the code that uses them, so the few fields are checked by hand.

/** Reads a `price` event of the stream, or the answer of `/live-price`; null when it is not one. */
export function readPrice(value: unknown): HeardPrice | null {
  if (!isRecord(value)) return null
  const { price, at, source, now } = value
  if (!isUsd(price)) return null
  const moment = typeof at === 'string' ? Date.parse(at) : at
  return {
    usd: price,
    at: typeof moment === 'number' && Number.isFinite(moment) ? moment : null,
    source: typeof source === 'string' && source !== '' ? source : null,
    now: typeof now === 'number' && Number.isFinite(now) ? now : null,
  }
}

/** Reads the data of a `verdict` event; null when it is not one. */
export function readVerdict(value: unknown): VerdictMessage | null {
  if (!isRecord(value) || typeof value['id'] !== 'string') return null
  const asset = ASSET_KEYS.find((key) => key === value['asset'])
  const mode = JUDGE_MODES.find((one) => one === value['mode'])
  const outcome = OUTCOMES.find((one) => one === value['outcome'])
  return asset && mode && outcome ? { id: value['id'], asset, mode, outcome } : null
}

/** Reads the data of a `prediction` event; null when it is not one. */
export function readChange(value: unknown): PredictionChange | null {
  if (!isRecord(value)) return null
  const { id, expert } = value
  return typeof id === 'string' && typeof expert === 'string' ? { id, expert } : null
}

function isUsd(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

/** The value of a JSON text, or null when it is not one. */
export function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
