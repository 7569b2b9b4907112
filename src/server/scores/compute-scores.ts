import { type ScoresReply } from '#contracts/scores.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { testLuck } from '#domain/scoring/luck-test.ts'
import { priceHistory } from '#domain/scoring/price-history.ts'
import { computeScores } from '#domain/scoring/scores.ts'
import { readRequest, type RequestText } from './score-request.ts'
import { scoresReply } from './scores-wire.ts'

/** Computes what was written down, in about a second of the processor: the server does it in a thread of its own. */
export function computeReply({ text, digest }: Pick<RequestText, 'text' | 'digest'>): ScoresReply {
  const { request, lastOver } = readRequest(text)
  const { seed, histories, mode, bars, asOf } = request
  const prices = ASSET_KEYS.map((key) => [key, priceHistory(key, bars[key] ?? [], asOf)])
  return scoresReply(computeScores(request), {
    inputs: { digest, seed, histories },
    lastOver,
    luckTest: testLuck(Object.fromEntries(prices), mode),
  })
}
