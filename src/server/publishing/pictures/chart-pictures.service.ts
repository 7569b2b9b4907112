import { SITE_NAME } from '#domain/site-name.ts'
import { SHARE_SIZE, sharePicture, sharePictureText } from '#chart/share-picture.ts'
import { failure } from '#server/kit/failure.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { type Painter, type PictureFile } from '#server/publishing/nostr/ports.ts'
import { type Log } from '#server/kit/ports.ts'
import { createHash } from 'node:crypto'
import { closedBars, type Catalog, type Snapshot } from '#server/predictions/catalog.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { keepRecent } from '#server/kit/kept.ts'
import { spanOf } from '#server/predictions/pages.service.ts'

/** A new number has every picture drawn again. */
const DESIGN = 4
/** A picture takes about 70 kB, so a few hundred are kept. */
const MOST_BYTES = 16_000_000

/** The chart of one prediction as PNG, as of one state of the record. */
export type ChartPicture = PictureFile & { readonly type: 'image/png'; readonly etag: string }

export type ChartPictures = ReturnType<typeof chartPictures>

/** Draws predictions for posts and previews of links. A picture is kept until its verdict or its prices change. */
export function chartPictures({
  catalog,
  painter,
  log,
}: {
  catalog: Pick<Catalog, 'snapshot' | 'today'>
  painter: Painter
  log: Log
}) {
  /** By prediction. */
  const kept = keepRecent<ChartPicture>({
    mostBytes: MOST_BYTES,
    bytesOf: ({ bytes }) => bytes.length,
  })
  const drawing = new Map<string, Promise<ChartPicture>>()

  async function draw(
    prediction: JudgedPrediction,
    points: Points,
    etag: string,
  ): Promise<ChartPicture> {
    const svg = sharePicture({ prediction, points, today: catalog.today() }, SITE_NAME)
    const bytes = await painter.png(svg)
    return { ...SHARE_SIZE, bytes, type: 'image/png', alt: sharePictureText(prediction), etag }
  }

  /** What the picture shows, with a tag that changes with it; null for an unknown or withdrawn prediction. */
  function contentOf(
    id: string,
  ): { prediction: JudgedPrediction; points: Points; etag: string } | null {
    const snapshot = catalog.snapshot()
    const prediction = snapshot?.byId.get(id)
    if (!snapshot || !prediction) return null
    const points = pointsOf(snapshot, prediction)
    const content = JSON.stringify([DESIGN, prediction, points])
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
    return { prediction, points, etag: `"${hash}"` }
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
      const { prediction, points, etag } = state
      const had = kept.get(id)
      if (had?.etag === etag) return had
      const key = id + etag
      const work = drawing.get(key) ?? draw(prediction, points, etag)
      drawing.set(key, work)
      try {
        const made = await work
        kept.set(id, made)
        return made
      } catch (error) {
        log.warn({ prediction: id }, messageOf(error))
        throw failure(
          'unavailable',
          'The picture cannot be drawn now. Please try again in a moment.',
        )
      } finally {
        drawing.delete(key)
      }
    },
  }
}

type Points = { readonly days: readonly number[]; readonly closes: readonly number[] }

function pointsOf(snapshot: Snapshot, prediction: JudgedPrediction): Points {
  const [from, to] = spanOf(prediction)
  const { judged } = snapshot.assets[prediction.asset]
  const bars = closedBars(judged).filter((bar) => bar.day >= from && bar.day <= to)
  return { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) }
}
