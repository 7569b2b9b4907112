import { type PostToRead } from '#domain/posts/reading-fields.ts'
import { type AssistantReading, type PostAssistant } from '#server/posts/ports.ts'

/** The assistant's reading of "$150k by EOY": a Bitcoin target for the end of 2026. */
export function assistantSays(overrides: Partial<AssistantReading> = {}): AssistantReading {
  return {
    has_prediction: true,
    asset_type: 'btc',
    prediction_type: 'target',
    price_target: 150_000,
    price_min: null,
    price_max: null,
    target_time: '2026-12-31',
    prediction_start_date: null,
    timing: null,
    direction: null,
    spans: {},
    confidence: 'medium',
    reasoning: 'It names a price and a deadline.',
    interpretation_challenges: '',
    tweet_proposals: [],
    expert_name: null,
    verification_status: 'unverified',
    notes: [],
    refuted: null,
    use: {
      model: 'stand-in-1',
      calls: 2,
      tokensIn: 900,
      tokensOut: 100,
      costUsd: 0.002,
    },
    ...overrides,
  }
}

/** An assistant that answers by a function, and records its input. */
export function standInAssistant(
  answer: (post: PostToRead, signal: AbortSignal) => AssistantReading | Promise<AssistantReading>,
): PostAssistant & { readonly seen: PostToRead[] } {
  const seen: PostToRead[] = []
  return {
    isGrok: true,
    seen,
    read: async (post, signal) => {
      seen.push(post)
      return answer(post, signal)
    },
  }
}
