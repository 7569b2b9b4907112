import { hedgehogPath } from '#contracts/hedgehog.ts'
import { againstLuck, type YearsReply } from '#contracts/year.ts'
import { hedgehogPicture } from '#chart/hedgehog-picture.ts'
import { addressText } from '#chart/picture-text.ts'
import { makeSeries } from '#chart/series.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { saidFinding, tallyOf } from '#domain/scoring/said-calls.ts'
import { SITE_NAME } from '#domain/site-name.ts'
import { failure } from '#server/kit/failure.ts'
import { today as todayOf } from '#server/kit/now.ts'
import { type Clock } from '#server/kit/ports.ts'
import { closedBars, type Catalog } from '#server/predictions/catalog.service.ts'
import { saidCalls } from '#server/predictions/said-calls.ts'
import { drawingTag, SOON_SECONDS, type Drawing } from './drawn-pictures.ts'

/** A new number has every picture drawn again. */
const DESIGN = 3

export type HedgehogPictures = ReturnType<typeof hedgehogPictures>

/** Draws all calls of an asset over its price, for previews of links and for sharing. */
export function hedgehogPictures({
  catalog,
  years,
  config: { origin },
  clock,
}: {
  catalog: Catalog
  /** Calls against luck as of the newest scores; null while they are computed for the first time. */
  years: () => YearsReply | null
  config: { readonly origin: string }
  clock: Clock
}) {
  return {
    /**
     * @param year calls made in it are shown; null shows all
     * @throws AppError where there are no such calls, and while the record is not read yet
     */
    of(asset: AssetKey, year: number | null): Drawing {
      const snapshot = catalog.snapshot()
      if (!snapshot) {
        throw failure(
          'unavailable',
          'The record is being read. Please try again in a moment.',
          null,
          SOON_SECONDS,
        )
      }
      const calls = saidCalls(snapshot, asset)
      const tally = tallyOf(calls, year)
      if (tally.calls === 0) {
        throw failure('not_found', 'There is no picture: no such call is on record.')
      }
      const bars = closedBars(snapshot.assets[asset].judged)
      const last = bars.at(-1)
      const luck = year === null ? againstLuck(years(), asset) : null
      const today = todayOf({ clock })
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
