import { type ScoresReply } from '#contracts/scores.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { testLuck } from '#domain/scoring/luck-test.ts'
import { priceHistory } from '#domain/scoring/price-history.ts'
import { computeScores } from '#domain/scoring/scores.ts'
import { packScores, type PackedScores } from './packed-scores.ts'
import { readRequest, type RequestParts, type RequestText } from './score-request.ts'
import { personRow, scoresReply } from './scores-wire.ts'

/** Computes what was written down, in about a second of the processor: the server does it in a thread of its own. */
export async function computeReply({
  parts,
  digest,
}: Pick<RequestText, 'parts' | 'digest'>): Promise<ScoresReply> {
  const { scores, about } = await compute(parts(), digest)
  return scoresReply(scores, about, scores.people.map(personRow))
}

/** The same packed; the rows of a person are made as they are written. */
export async function computePacked(parts: RequestParts, digest: string): Promise<PackedScores> {
  const { scores, about } = await compute(parts, digest)
  function* people() {
    for (const person of scores.people) yield personRow(person)
  }
  return packScores(scoresReply(scores, about, []), people())
}

async function compute(parts: RequestParts, digest: string) {
  const { request, lastOver } = await readRequest(parts)
  const { seed, histories, mode, bars, asOf } = request
  const prices = ASSET_KEYS.map((key) => [key, priceHistory(key, bars[key] ?? [], asOf)])
  const inputs = { digest, seed, histories }
  const luckTest = testLuck(Object.fromEntries(prices), mode)
  return { scores: computeScores(request), about: { inputs, lastOver, luckTest } }
}
