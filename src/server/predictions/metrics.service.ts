import { type PageMetrics } from '#contracts/page.ts'
import { levelFigures } from '#domain/intro-metrics.ts'
import { BY_DAY } from '#server/record/list-order.ts'
import { HIGHEST, LOWEST } from '#server/record/list-query.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { day } from '#domain/day.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'

const Open = z.object({ usd: z.number(), by: z.iso.date().transform(day) })

/** The figures of the landing page, of Bitcoin’s open levels. */
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
