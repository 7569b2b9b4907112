import { dashboardPicture } from '#chart/dashboard-picture.ts'
import { dashboardSize, type DashboardLayout } from '#chart/picture-sizes.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { failure } from '#server/kit/failure.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { recordOn, versionOf } from '#server/predictions/past.service.ts'
import { drawingTag, SOON_SECONDS, type Drawing } from './drawn-pictures.ts'

/** A new number has every picture drawn again. */
const DESIGN = 1

export type DashboardPictures = ReturnType<typeof dashboardPictures>

/** Draws the chart of a dashboard as it opens, for browsers that run no scripts. */
export function dashboardPictures({ catalog }: { catalog: Pick<Catalog, 'snapshot' | 'today'> }) {
  return {
    /**
     * @param day a past day; null, today and later days are now
     * @throws AppError where no price is on record, and while the record is not read yet
     */
    of(key: AssetKey, layout: DashboardLayout, day: Day | null): Drawing {
      const snapshot = catalog.snapshot()
      if (!snapshot) {
        throw failure(
          'unavailable',
          'The record is being read. Please try again in a moment.',
          null,
          SOON_SECONDS,
        )
      }
      const asset = ASSETS[key]
      const now = catalog.today()
      const isPast = day !== null && day < now
      const today = isPast ? day : now
      return {
        etag: drawingTag([DESIGN, layout, today, versionOf(snapshot, key)]),
        svg: () => {
          const { bars, predictions } = recordOn(snapshot.assets[key], isPast ? today : null)
          if (bars.length === 0) {
            throw failure('not_found', 'There is no picture: no price is on record.')
          }
          return dashboardPicture({
            asset,
            points: { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) },
            predictions,
            today,
            isPast,
            size: dashboardSize(layout, asset),
          })
        },
      }
    },
  }
}
