import { type LuckMethod } from '#contracts/luck-method.ts'
import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { type YearCardReply } from '#contracts/year.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { testLuck } from '#domain/scoring/luck-test.ts'
import { priceHistory } from '#domain/scoring/price-history.ts'
import { computeScores } from '#domain/scoring/scores.ts'
import { luckMethodOf } from './luck-method.ts'
import { readRequest, type RequestText } from './score-request.ts'
import { personRow, scoresReply } from './scores-wire.ts'
import { yearPages, type YearsFound } from './year-report.ts'

type Asked = Pick<RequestText, 'text' | 'digest'>

/** Everybody's scores as rows; JSON as texts, which are stored and sent as they are. */
export type ScoreRows = {
  /** The reply without people. */
  readonly about: string
  /** What pages about all calls together show; see `ScorePages`. */
  readonly pages: string | null
  /** In the order of the reply. */
  readonly people: readonly PersonTexts[]
  /** The chance of luck of each call. */
  readonly luck: { readonly ids: readonly string[]; readonly chances: readonly (number | null)[] }
}

type PersonTexts = {
  readonly slug: string
  readonly ranked: boolean
  readonly figures: string
  readonly calls: string
}

/** What pages about all calls together show. */
type ScorePages = {
  readonly method: LuckMethod
  readonly years: YearsFound
  /** By asset and year, as in `btc 2025`: of each year in which a call is due. */
  readonly cards: Readonly<Record<string, YearCardReply>>
}

/** Computes what was written down, in about a second of the processor: the server does it in a thread of its own. */
export function computeReply(asked: Asked): ScoresReply {
  return compute(asked).reply
}

/** The same as rows. */
export function computeRows(asked: Asked): ScoreRows {
  const { reply, series } = compute(asked)
  const pages: ScorePages = { method: luckMethodOf(reply), ...yearPages(reply, series) }
  const calls = reply.people.flatMap((person) => person.calls)
  return {
    ...textsOf(reply),
    pages: JSON.stringify(pages),
    luck: {
      ids: calls.map(({ id }) => id),
      chances: calls.map(({ luck }) => luck ?? null),
    },
  }
}

export function textsOf(reply: ScoresReply): Pick<ScoreRows, 'about' | 'people'> {
  return {
    about: JSON.stringify({ ...reply, people: [] }),
    people: reply.people.map(textsOfPerson),
  }
}

function textsOfPerson({ calls, ...figures }: PersonScoreRow): PersonTexts {
  const { slug, band } = figures
  return {
    slug,
    ranked: band !== null,
    figures: JSON.stringify(figures),
    calls: JSON.stringify(calls),
  }
}

function compute({ text, digest }: Asked) {
  const { request, lastOver } = readRequest(text)
  const { seed, histories, mode, bars, asOf } = request
  const prices = ASSET_KEYS.map((key) => priceHistory(key, bars[key] ?? [], asOf))
  const inputs = { digest, seed, histories }
  const byAsset = Object.fromEntries(prices.map((history, i) => [ASSET_KEYS[i], history]))
  const luckTest = testLuck(byAsset, mode)
  const scores = computeScores(request)
  return {
    reply: scoresReply(scores, { inputs, lastOver, luckTest }, scores.people.map(personRow)),
    series: Object.fromEntries(prices.map(({ series }, i) => [ASSET_KEYS[i], series])),
  }
}
