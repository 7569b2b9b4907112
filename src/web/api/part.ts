import { type DashboardPart } from '#contracts/dashboard.ts'
import { listedOfRow } from '#contracts/prediction-wire.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { readDay, type Day } from '#domain/day.ts'
import {
  type ExpertOption,
  type Listed,
  type Paged,
  type Part,
  type Some,
  type Question,
} from '#domain/listing/part.ts'

export type LoadedPart = Part<Listed> & {
  readonly version: string
  /** All predictions in any of the lists, once each. */
  readonly rows: readonly Listed[]
  readonly prices: {
    readonly version: string
    /** Null without prices. */
    readonly first: Day | null
    readonly last: { readonly day: Day; readonly usd: number } | null
  }
}

/** With its question; `isAnswer` is false while the part for another question is loading. */
export type VisiblePart = LoadedPart & { readonly question: Question; readonly isAnswer: boolean }

export type FoundPrediction = { readonly prediction: Prediction; readonly replies: number }
export type CallsPart = Paged<Listed>
export type PeoplePart = { readonly total: number; readonly people: readonly ExpertOption[] }

export function loadedPart(reply: DashboardPart, asset: AssetKey): LoadedPart {
  // Invalid rows are left out of every list.
  const read = reply.rows.map((row) => listedOfRow(row, asset))
  const some = ({ total, rows }: { total: number; rows: readonly number[] }): Some<Listed> => ({
    total,
    ones: rows.flatMap((place) => read[place] ?? []),
  })
  const { has_luck: hasLuck, ...history } = reply.history
  const { first, last, version } = reply.prices
  const lastDay = last && readDay(last.date)
  return {
    version: reply.version,
    rows: read.filter((one) => one !== null),
    total: reply.total,
    first: readDay(reply.first),
    prices: {
      version,
      first: readDay(first),
      last: last && lastDay !== null ? { day: lastDay, usd: last.usd } : null,
    },
    counts: reply.counts,
    totals: reply.totals,
    chosen: reply.chosen,
    listed: { ...some(reply.listed), next: reply.listed.next },
    drawn: some(reply.drawn),
    history: {
      ...history,
      hasLuck,
      rows: history.rows.flatMap(({ at, price, error, so_far: isSoFar, luck }) => {
        const prediction = read[at]
        return prediction ? [{ prediction, priceThen: price, error, isSoFar, luck }] : []
      }),
    },
  }
}
