import { hedgehogPath } from '#contracts/hedgehog.ts'
import { againstLuck } from '#contracts/year.ts'
import { type YearsFound } from '#server/scores/year-report.ts'
import { hedgehogPicture } from '#chart/hedgehog-picture.ts'
import { addressText } from '#chart/picture-text.ts'
import { makeSeries } from '#chart/series.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { saidFinding, tallyOf } from '#domain/scoring/said-calls.ts'
import { SITE_NAME } from '#domain/site-name.ts'
import { failure } from '#server/kit/failure.ts'
import { saidCalls } from '#server/predictions/said-calls.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { drawingTag, type Drawing } from './drawn-pictures.ts'

/** A new number has every picture drawn again. */
const DESIGN = 3

export type HedgehogPictures = ReturnType<typeof hedgehogPictures>

/** Draws all calls of an asset over its price, for previews of links and for sharing. */
export function hedgehogPictures({
  record,
  years,
  config: { origin },
}: {
  record: PublicRecord
  /** Calls against luck as of the newest scores; null while they are computed for the first time. */
  years: () => Promise<YearsFound | null>
  config: { readonly origin: string }
}) {
  return {
    /**
     * @param year calls made in it are shown; null shows all
     * @throws AppError where there are no such calls
     */
    async of(asset: AssetKey, year: number | null): Promise<Drawing> {
      const found = await years()
      const calls = await saidCalls(record, asset, { repeats: found?.repeats })
      const tally = tallyOf(calls, year)
      if (tally.calls === 0) {
        throw failure('not_found', 'There is no picture: no such call is on record.')
      }
      const bars = (await record.prices())[asset].closed
      const last = bars.at(-1)
      const luck = year === null ? againstLuck(found, asset) : null
      const today = record.today()
      const query = year === null ? '' : `?year=${String(year)}`
      const address = addressText(origin, hedgehogPath(asset)) + query
      const upTo = last ? ` up to ${showDay(last.day)}` : ''
      return {
        etag: drawingTag([DESIGN, calls, luck, last, year, address, today]),
        svg: () =>
          hedgehogPicture({
            axis: ASSETS[asset].axis,
            series: makeSeries(
              { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) },
              today,
            ).series,
            calls,
            today,
            year,
            finding: saidFinding(asset, tally, luck),
            source: `${String(tally.calls)} calls, each with its source; judged by intraday prices${upTo}`,
            address,
            siteName: SITE_NAME,
          }),
      }
    },
  }
}
