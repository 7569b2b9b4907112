import { type LuckMethod } from '#contracts/page.ts'
import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { type YearCardReply } from '#contracts/year.ts'
import { byAsset } from '#domain/asset.ts'
import { testLuck } from '#domain/scoring/luck.ts'
import { priceHistory } from '#domain/scoring/price-history.ts'
import { computeScores } from '#domain/scoring/scores.ts'
import { luckMethodOf } from './luck-method.ts'
import { type DayRequest } from './score-request.ts'
import { personRow, scoresReply } from './scores-wire.ts'
import { yearPages, type YearsFound } from './year-report.ts'

/** Everybody's scores as rows; `about` and `pages` are JSON. */
export type ScoreRows = {
  readonly about: string
  readonly pages: string | null
  readonly people: readonly PersonScoreRow[]
  readonly calls: CallNotes
}

/** Luck of each call, and the first statement that it repeats. */
export type CallNotes = {
  readonly ids: readonly string[]
  readonly chances: readonly (number | null)[]
  readonly repeats: readonly (string | null)[]
}

type ScorePages = {
  readonly method: LuckMethod
  readonly years: YearsFound
  /** Keys such as `btc 2025`, for each asset and year with due calls. */
  readonly cards: Readonly<Record<string, YearCardReply>>
}

/** Takes about a second of CPU time: the server uses a thread. */
export function computeReply(request: DayRequest): ScoresReply {
  return compute(request).reply
}

export function computeRows(request: DayRequest): ScoreRows {
  const { reply, series } = compute(request)
  const pages: ScorePages = { method: luckMethodOf(reply), ...yearPages(reply, series) }
  const calls = reply.people.flatMap((person) => person.calls)
  return {
    ...rowsOfReply(reply),
    pages: JSON.stringify(pages),
    calls: {
      ids: calls.map(({ id }) => id),
      chances: calls.map(({ luck }) => luck ?? null),
      repeats: calls.map(({ repeats }) => repeats),
    },
  }
}

export function rowsOfReply(reply: Pick<ScoresReply, 'people'>) {
  return { about: JSON.stringify({ ...reply, people: [] }), people: reply.people }
}

function compute({ request, lastOver, digest }: DayRequest) {
  const { seed, histories, mode, bars, asOf } = request
  const prices = byAsset((key) => priceHistory(key, bars[key] ?? [], asOf))
  const inputs = { digest, seed, histories }
  const luckTest = testLuck(prices, mode)
  const scores = computeScores(request)
  return {
    reply: scoresReply(scores, { inputs, lastOver, luckTest }, scores.people.map(personRow)),
    series: byAsset((key) => prices[key].series),
  }
}
