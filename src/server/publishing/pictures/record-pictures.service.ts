import { hedgehogPath } from '#contracts/paths.ts'
import { againstLuck } from '#contracts/year.ts'
import { hedgehogPicture } from '#chart/hedgehog.ts'
import { dashboardSize, SHARE_SIZE, type DashboardLayout } from '#chart/picture-sizes.ts'
import { addressText } from '#chart/picture-text.ts'
import { rangeLayer } from '#chart/ranges.ts'
import { makeSeries } from '#chart/series.ts'
import { sharePicture, sharePictureText } from '#chart/share-picture.ts'
import { dashboardPicture } from '#chart/view-picture.ts'
import { OPENING_VIEW } from '#chart/view-state.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { OPENING_SELECTION } from '#domain/listing/selection.ts'
import { punchLine } from '#domain/scoring/score-text.ts'
import { saidFinding, tallyOf } from '#domain/scoring/said-calls.ts'
import { SITE_NAME } from '#domain/site.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { failure } from '#server/kit/failure.ts'
import { spanOf } from '#server/predictions/pages.service.ts'
import { rangedDay } from '#server/predictions/predictions.service.ts'
import { saidCalls } from '#server/predictions/said-calls.ts'
import { type Picture } from '#server/publishing/ports.ts'
import { drawnIds } from '#server/record/drawn.ts'
import { barsOn } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type NewestOf } from '#server/scores/scores.service.ts'
import { years as yearsOf } from '#server/scores/scores.rows.ts'
import { drawingTag, type Drawing, type DrawnPictures } from './drawn-pictures.ts'

/** A new number has every picture of its kind drawn again. */
const DESIGN = { prediction: 8, dashboard: 1, hedgehog: 3 }

/** Pictures of the record. @throws AppError where there is nothing to show */
export function recordPictures({
  record,
  scores,
  drawn,
  config: { origin },
}: {
  readonly record: PublicRecord
  readonly scores: Pick<NewestOf, 'read'>
  readonly drawn: Pick<DrawnPictures, 'png'>
  readonly config: { readonly origin: string }
}) {
  async function prediction(
    id: string,
  ): Promise<Drawing & { readonly prediction: JudgedPrediction }> {
    const [found, prices] = await Promise.all([record.find(id), record.prices()])
    if (!found || found.withdrawn) {
      throw failure('not_found', 'There is no prediction at this address.')
    }
    const [from, to] = spanOf(found)
    const bars = prices[found.asset].closed.filter((bar) => bar.day >= from && bar.day <= to)
    const points = pointsOf(bars)
    const ranged = bars.flatMap((bar) => rangedDay(bar) ?? [])
    const today = record.today()
    // What is left of an open one is said as of today.
    const punch = punchLine(found, 'touch', today)
    const address = addressText(origin, `/predictions/${encodeURIComponent(id)}`)
    return {
      prediction: found,
      etag: drawingTag([DESIGN.prediction, found, points, ranged, punch]),
      svg: () =>
        sharePicture(
          { prediction: found, points, ranges: rangeLayer(ranged, [from, to]), today },
          { siteName: SITE_NAME, address },
        ),
    }
  }
  return {
    prediction,

    /** For a post of the site, which does not wait behind visitors. */
    async forPost(id: string): Promise<Picture> {
      const { prediction: shown, ...drawing } = await prediction(id)
      const bytes = await drawn.png(`prediction ${id}`, drawing, false)
      return { ...SHARE_SIZE, bytes, type: 'image/png', alt: sharePictureText(shown) }
    },

    /**
     * A dashboard as it opens, for browsers that run no scripts.
     *
     * @param day a past day; null, today and later days are now
     */
    async dashboard(key: AssetKey, layout: DashboardLayout, day: Day | null): Promise<Drawing> {
      const asset = ASSETS[key]
      const now = record.today()
      const asOf = day !== null && day < now ? day : null
      const today = asOf ?? now
      const bars = barsOn(await record.prices(), key, asOf)
      if (bars.length === 0) {
        throw failure('not_found', 'There is no picture: no price is on record.')
      }
      const etag = drawingTag([DESIGN.dashboard, layout, today, record.version()])
      const { ids } = await drawnIds(record, {
        asset: key,
        selection: OPENING_SELECTION,
        mode: OPENING_VIEW.mode,
        days: null,
        asOf,
      })
      const shown = await record.byIds(ids, asOf)
      const size = dashboardSize(layout, asset)
      const isPast = asOf !== null
      return {
        etag,
        svg: () =>
          dashboardPicture({ asset, points: pointsOf(bars), drawn: shown, today, isPast, size }),
      }
    },

    /** All calls of an asset over its price. @param year calls made in it are shown; null shows all */
    async hedgehog(asset: AssetKey, year: number | null): Promise<Drawing> {
      const found = await scores.read('touch', yearsOf)
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
        etag: drawingTag([DESIGN.hedgehog, calls, luck, last, year, address, today]),
        svg: () =>
          hedgehogPicture({
            axis: ASSETS[asset].axis,
            series: makeSeries(pointsOf(bars), today).series,
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

function pointsOf(bars: readonly { readonly day: Day; readonly close: number }[]) {
  return { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) }
}
