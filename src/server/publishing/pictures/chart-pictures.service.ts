import { SITE_NAME } from '#domain/site-name.ts'
import { punchLine } from '#domain/scoring/punch-line.ts'
import { addressText } from '#chart/picture-text.ts'
import { rangeLayer, type RangedDay } from '#chart/ranges.ts'
import { SHARE_SIZE } from '#chart/picture-sizes.ts'
import { sharePicture, sharePictureText } from '#chart/share-picture.ts'
import { failure } from '#server/kit/failure.ts'
import { type PictureFile } from '#server/publishing/nostr/ports.ts'
import { rangedDay } from '#server/predictions/ranges.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { type AssetPrices } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { drawingTag, type Drawing, type DrawnPictures } from './drawn-pictures.ts'
import { spanOf } from '#server/predictions/pages.service.ts'

/** A new number has every picture drawn again. */
const DESIGN = 8

/** The chart of one prediction as PNG. */
export type ChartPicture = PictureFile & { readonly type: 'image/png' }

export type ChartPictures = ReturnType<typeof chartPictures>

/** Draws predictions for posts and previews of links. A picture is kept until its verdict or its prices change. */
export function chartPictures({
  record,
  config: { origin },
  drawn,
}: {
  config: { readonly origin: string }
  record: Pick<PublicRecord, 'find' | 'prices' | 'today'>
  drawn: DrawnPictures
}) {
  /** @throws AppError for an unknown or withdrawn prediction */
  async function drawingOf(
    id: string,
  ): Promise<Drawing & { readonly prediction: JudgedPrediction }> {
    const [prediction, prices] = await Promise.all([record.find(id), record.prices()])
    if (!prediction || prediction.withdrawn) {
      throw failure('not_found', 'There is no prediction at this address.')
    }
    const { points, ranged } = pricesOf(prices[prediction.asset], prediction)
    const today = record.today()
    // What is left of an open one is said as of today.
    const punch = punchLine(prediction, 'touch', today)
    return {
      prediction,
      etag: drawingTag([DESIGN, prediction, points, ranged, punch]),
      svg: () =>
        sharePicture(
          { prediction, points, ranges: rangeLayer(ranged, spanOf(prediction)), today },
          {
            siteName: SITE_NAME,
            address: addressText(origin, `/predictions/${encodeURIComponent(id)}`),
          },
        ),
    }
  }

  return {
    /** For visitors. @throws AppError for an unknown or withdrawn prediction */
    of: drawingOf,

    /**
     * For a post of the site, which does not wait behind visitors.
     *
     * @throws AppError when there is no such prediction, or it cannot be drawn now
     */
    async forPost(id: string): Promise<ChartPicture> {
      const { prediction, ...drawing } = await drawingOf(id)
      const bytes = await drawn.png(`prediction ${id}`, drawing, false)
      return { ...SHARE_SIZE, bytes, type: 'image/png', alt: sharePictureText(prediction) }
    },
  }
}

/** The closes of its time, and the days of it of which more is known. */
type Prices = {
  readonly points: { readonly days: readonly number[]; readonly closes: readonly number[] }
  readonly ranged: readonly RangedDay[]
}

function pricesOf({ closed }: AssetPrices, prediction: JudgedPrediction): Prices {
  const [from, to] = spanOf(prediction)
  const bars = closed.filter((bar) => bar.day >= from && bar.day <= to)
  return {
    points: { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) },
    ranged: bars.flatMap((bar) => rangedDay(bar) ?? []),
  }
}
