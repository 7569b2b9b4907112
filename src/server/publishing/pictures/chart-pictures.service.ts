import { SITE_NAME } from '#domain/site-name.ts'
import { punchLine } from '#domain/scoring/punch-line.ts'
import { addressText } from '#chart/picture-text.ts'
import { rangeLayer, type RangedDay } from '#chart/ranges.ts'
import { SHARE_SIZE } from '#chart/picture-sizes.ts'
import { sharePicture, sharePictureText } from '#chart/share-picture.ts'
import { failure } from '#server/kit/failure.ts'
import { type Painter, type PictureFile } from '#server/publishing/nostr/ports.ts'
import { type Log } from '#server/kit/ports.ts'
import { closedBars, type Catalog, type Snapshot } from '#server/predictions/catalog.service.ts'
import { rangedDay } from '#server/predictions/ranges.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { drawingTag, drawnPictures } from './drawn-pictures.ts'
import { spanOf } from '#server/predictions/pages.service.ts'

/** A new number has every picture drawn again. */
const DESIGN = 8

/** The chart of one prediction as PNG, as of one state of the record. */
export type ChartPicture = PictureFile & { readonly type: 'image/png'; readonly etag: string }

export type ChartPictures = ReturnType<typeof chartPictures>

/** Draws predictions for posts and previews of links. A picture is kept until its verdict or its prices change. */
export function chartPictures({
  catalog,
  config: { origin },
  painter,
  log,
}: {
  config: { readonly origin: string }
  catalog: Pick<Catalog, 'snapshot' | 'today'>
  painter: Painter
  log: Log
}) {
  const drawn = drawnPictures({ painter, log })

  /** What the picture shows, with a tag that changes with it; null for an unknown or withdrawn prediction. */
  function contentOf(
    id: string,
  ): { prediction: JudgedPrediction; prices: Prices; etag: string } | null {
    const snapshot = catalog.snapshot()
    const prediction = snapshot?.byId.get(id)
    if (!snapshot || !prediction) return null
    const prices = pricesOf(snapshot, prediction)
    // What is left of an open one is said as of today.
    const punch = punchLine(prediction, 'touch', catalog.today())
    return { prediction, prices, etag: drawingTag([DESIGN, prediction, prices, punch]) }
  }

  return {
    etagOf: (id: string): string | null => contentOf(id)?.etag ?? null,

    /**
     * The picture of a published prediction.
     *
     * @throws AppError when there is no such prediction, or it cannot be drawn now
     */
    async of(id: string): Promise<ChartPicture> {
      const state = contentOf(id)
      if (!state) throw failure('not_found', 'There is no prediction at this address.')
      const { prediction, prices, etag } = state
      const { points, ranged } = prices
      const ranges = rangeLayer(ranged, spanOf(prediction))
      const svg = (): string =>
        sharePicture(
          { prediction, points, ranges, today: catalog.today() },
          {
            siteName: SITE_NAME,
            address: addressText(origin, `/predictions/${encodeURIComponent(id)}`),
          },
        )
      const bytes = await drawn.png(id, { etag, svg })
      return { ...SHARE_SIZE, bytes, type: 'image/png', alt: sharePictureText(prediction), etag }
    },
  }
}

/** The closes of its time, and the days of it of which more is known. */
type Prices = {
  readonly points: { readonly days: readonly number[]; readonly closes: readonly number[] }
  readonly ranged: readonly RangedDay[]
}

function pricesOf(snapshot: Snapshot, prediction: JudgedPrediction): Prices {
  const [from, to] = spanOf(prediction)
  const { judged } = snapshot.assets[prediction.asset]
  const bars = closedBars(judged).filter((bar) => bar.day >= from && bar.day <= to)
  return {
    points: { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) },
    ranged: bars.flatMap((bar) => rangedDay(bar) ?? []),
  }
}
