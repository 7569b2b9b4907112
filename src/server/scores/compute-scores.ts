import { type ScoresReply } from '#contracts/scores.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { testLuck } from '#domain/scoring/luck-test.ts'
import { priceHistory } from '#domain/scoring/price-history.ts'
import { computeScores } from '#domain/scoring/scores.ts'
import { packScores, type PackedScores } from './packed-scores.ts'
import { readRequest, type RequestText } from './score-request.ts'
import { personRow, scoresReply } from './scores-wire.ts'

type Request = Pick<RequestText, 'text' | 'digest'>

/** Computes what was written down, in about a second of the processor: the server does it in a thread of its own. */
export function computeReply(request: Request): ScoresReply {
  const { scores, about } = compute(request)
  return scoresReply(scores, about, scores.people.map(personRow))
}

/** The same packed; the rows of a person are made as they are written. */
export function computePacked(request: Request): PackedScores {
  const { scores, about } = compute(request)
  function* people() {
    for (const person of scores.people) yield personRow(person)
  }
  return packScores(scoresReply(scores, about, []), people())
}

function compute({ text, digest }: Request) {
  const { request, lastOver } = readRequest(text)
  const { seed, histories, mode, bars, asOf } = request
  const prices = ASSET_KEYS.map((key) => [key, priceHistory(key, bars[key] ?? [], asOf)])
  const inputs = { digest, seed, histories }
  const luckTest = testLuck(Object.fromEntries(prices), mode)
  return { scores: computeScores(request), about: { inputs, lastOver, luckTest } }
}
