import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type HistoryColumn } from '#domain/listing/history-view.ts'
import { sql, type SQL } from 'drizzle-orm'
import { HIGHEST, LOWEST, decidedOn, outcomeOf, splitOf } from './list-query.ts'
import { type Prices } from './prices.ts'

const BY_ID = sql`predictions.id collate "C"`

export const BY_DAY = sql`predictions.made desc, ${BY_ID}`

/** Order of lists; times of recording are ignored for a past day. */
export function newestFirst(asOf: Day | null): SQL {
  return asOf === null ? sql`predictions.made desc, predictions.created_at desc, ${BY_ID}` : BY_DAY
}

/** Drawing order; votes are ignored for a past day. */
export function mostSupportedFirst(asOf: Day | null): SQL {
  return asOf === null ? sql`predictions.vote_score desc, ${newestFirst(null)}` : BY_DAY
}

export function historyOrder(column: HistoryColumn, isDescending: boolean, sorted: Sorted): SQL {
  const { mode, asOf, prices, places } = sorted
  const way = sql.raw(isDescending ? 'desc' : 'asc')
  const by = (...keys: SQL[]): SQL =>
    sql`${sql.join(
      keys.map((key) => sql`${key} ${way}`),
      sql`, `,
    )}, ${BY_DAY}`
  const figure = (value: SQL): SQL => by(sql`coalesce(${value}, '-Infinity'::float8)`)
  const outcome = outcomeOf(mode, asOf)
  switch (column) {
    case 'expert':
      return by(sql`(
        select place from unnest(${sql.param(places.ids)}::bigint[], ${sql.param(places.places)}::int[]) as one (id, place)
        where one.id = predictions.influencer_id)`)
    case 'prediction':
      return figure(sql`${LOWEST} / (${splitOf(prices.actions)})`)
    case 'made':
      return by(sql`predictions.made`)
    case 'target':
      return by(sql`predictions.target_date`)
    case 'price':
      return figure(sql`${referenceOf(sorted)} * (${splitOf(prices.actions)})`)
    case 'error':
      return figure(errorOf(sorted))
    case 'luck':
      return figure(asOf === null ? sql.raw(`predictions.${mode}_luck`) : sql`null::float8`)
    case 'status': {
      const decided = decidedOn(mode)
      return by(
        sql`(case ${outcome} when 'void' then 2 when 'pending' then 1 else 0 end)`,
        sql`(case ${outcome} when 'pending' then predictions.target_date - date '1970-01-01'
          else date '1970-01-01' - ${decided} end)`,
      )
    }
  }
}

export type Sorted = {
  readonly asset: AssetKey
  readonly mode: JudgeMode
  readonly asOf: Day | null
  readonly prices: Prices
  /** Ids of people in the order of their names. */
  readonly places: { readonly ids: readonly number[]; readonly places: readonly number[] }
}

/** The last close on or before a day of each prediction, USD; null before the first. */
export function closeOn(bars: readonly AgreedBar[], column: 'made' | 'target_date'): SQL {
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return sql`null::float8`
  const closes: number[] = []
  for (const { day, close } of bars) {
    while (closes.length < day - first.day) closes.push(closes.at(-1) ?? close)
    closes.push(close)
  }
  const day = sql.raw(`predictions.${column}`)
  return sql`(${sql.param(closes)}::float8[])[least(${day}, ${isoDay(last.day)}::date) - ${isoDay(first.day)}::date + 1]`
}

function barsKnown({ asset, asOf, prices }: Sorted): readonly AgreedBar[] {
  const { closed } = prices[asset]
  return asOf === null ? closed : closed.filter(({ day }) => day <= asOf)
}

/** The close on the day each prediction was made; for today, the last price. */
function referenceOf(sorted: Sorted): SQL {
  const { asset, asOf, prices } = sorted
  return closeOn(asOf === null ? prices[asset].series.bars : barsKnown(sorted), 'made')
}

/** Distance between the level of each prediction and the close of its deadline: see `deadlineError`. */
export function errorOf(sorted: Sorted): SQL {
  const split = splitOf(sorted.prices.actions)
  const usd = closeOn(barsKnown(sorted), 'target_date')
  const tooLow = sql`when usd < low then low / usd - 1`
  const tooHigh = sql`when usd > high then high / usd - 1`
  return sql`(
    select case
      when usd is null or usd <= 0 or outcome = 'void' then null
      when predictions.type = 'top' or predictions.type = 'target'
        and coalesce(predictions.direction = 'down', reference > low)
        then case ${tooHigh} else 0 end
      when predictions.type <> 'range' then case ${tooLow} else 0 end
      when predictions.timing <> 'by' or predictions.direction is null and reference between low and high
        then case ${tooLow} ${tooHigh} else 0 end
      when coalesce(predictions.direction = 'down', reference > high)
        then case ${tooHigh} else 0 end
      else case ${tooLow} else 0 end
    end
    from (select ${usd} as usd, ${referenceOf(sorted)} as reference, ${LOWEST} / (${split}) as low,
      ${HIGHEST} / (${split}) as high, ${outcomeOf(sorted.mode, sorted.asOf)} as outcome) figures)`
}
