import { dashboardPicture } from '#chart/dashboard-picture.ts'
import { dashboardSize, type DashboardLayout } from '#chart/picture-sizes.ts'
import { OPENING_VIEW } from '#chart/view-state.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { OPENING_SELECTION } from '#domain/listing/selection.ts'
import { failure } from '#server/kit/failure.ts'
import { drawnIds } from '#server/record/drawn.ts'
import { barsOn } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { drawingTag, type Drawing } from './drawn-pictures.ts'

/** A new number has every picture drawn again. */
const DESIGN = 1

export type DashboardPictures = ReturnType<typeof dashboardPictures>

/** Draws the chart of a dashboard as it opens, for browsers that run no scripts. */
export function dashboardPictures(record: PublicRecord) {
  return {
    /**
     * @param day a past day; null, today and later days are now
     * @throws AppError where no price is on record
     */
    async of(key: AssetKey, layout: DashboardLayout, day: Day | null): Promise<Drawing> {
      const asset = ASSETS[key]
      const now = record.today()
      const asOf = day !== null && day < now ? day : null
      const today = asOf ?? now
      const bars = barsOn(await record.prices(), key, asOf)
      if (bars.length === 0) {
        throw failure('not_found', 'There is no picture: no price is on record.')
      }
      const etag = drawingTag([DESIGN, layout, today, record.version()])
      const { ids } = await drawnIds(record, {
        asset: key,
        selection: OPENING_SELECTION,
        mode: OPENING_VIEW.mode,
        days: null,
        asOf,
      })
      const drawn = await record.byIds(ids, asOf)
      return {
        etag,
        svg: () =>
          dashboardPicture({
            asset,
            points: { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) },
            drawn,
            today,
            isPast: asOf !== null,
            size: dashboardSize(layout, asset),
          }),
      }
    },
  }
}
