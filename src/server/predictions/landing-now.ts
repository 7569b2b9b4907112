import { type LandingNow, type PageMetrics } from '#contracts/page.ts'
import { type NowCall } from '#contracts/today.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { dayOf, isoDay, showDay, day } from '#domain/day.ts'
import { expertName, statementText } from '#domain/claim/prediction.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { BY_DAY } from '#server/record/list-order.ts'
import { type ListQuery, HIGHEST, LOWEST } from '#server/record/list-query.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { leftNote } from './today.service.ts'
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { levelFigures } from '#domain/level-figures.ts'

const MOST = 5

export async function landingNow(record: PublicRecord): Promise<LandingNow> {
  const today = record.today()
  const decidedLast = sql`touch_day desc nulls last, predictions.id collate "C"`
  const dueNext = sql`target_date, predictions.id collate "C"`
  const open: ListQuery = {
    outcomes: ['pending'],
    due: { first: today, last: dayOf(9999, 12, 31) },
  }
  const [prices, newest, decided, due] = await Promise.all([
    record.prices(),
    firstOfEach(record, {}, BY_DAY),
    record.list({ outcomes: ['hit', 'miss'] }, { order: decidedLast, limit: MOST }),
    firstOfEach(record, open, dueNext),
  ])
  return {
    closes: ASSET_KEYS.flatMap((asset) => {
      const bar = prices[asset].closed.at(-1)
      return bar ? [{ asset, day: isoDay(bar.day), usd: bar.close }] : []
    }),
    newest: newest.map((one) => call(one, showDay(one.made, one.madePrecision))),
    decided: decided.map((one) => call(one, showDay(one.verdicts.touch.day ?? one.by))),
    due: due.map((one) => call(one, leftNote(one, today))),
  }
}

function call(one: JudgedPrediction, note: string): NowCall {
  return {
    id: one.id,
    slug: one.expert.slug,
    name: expertName(one),
    text: statementText(one),
    outcome: one.verdicts.touch.outcome,
    note,
  }
}

/** One call of each person, so that nobody fills a list alone. */
async function firstOfEach(
  record: PublicRecord,
  query: ListQuery,
  order: SQL,
): Promise<JudgedPrediction[]> {
  const rows = await record.query(
    z.object({ id: z.string() }),
    query,
    (condition) => sql`
      select id from (
        select predictions.*, row_number() over (partition by influencer_id order by ${order}) as place
        from predictions where ${condition}
      ) predictions
      where place = 1 order by ${order} limit ${MOST}`,
  )
  return record.byIds(rows.map(({ id }) => id))
}

const Open = z.object({ usd: z.number(), by: z.iso.date().transform(day) })

export async function pageMetrics(record: PublicRecord): Promise<PageMetrics> {
  const [total, open] = await Promise.all([
    record.count({}),
    record.select(
      Open,
      sql`(${LOWEST} + ${HIGHEST}) / 2 as usd, target_date::text as by`,
      { asset: 'btc', outcomes: ['pending'] },
      sql`order by ${BY_DAY}`,
    ),
  ])
  const { average, spread, median, lowest, highest } = levelFigures(open, record.today())
  return {
    totalPredictions: total,
    averagePrediction: average,
    predictionSpread: spread,
    medianPrediction: median,
    lowestPrediction: lowest,
    highestPrediction: highest,
  }
}
