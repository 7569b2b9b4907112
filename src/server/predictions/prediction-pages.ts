import { assetPredictionRow, predictionRow } from './wire.ts'
import { MOST_LISTED } from '#contracts/predictions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, readDay } from '#domain/day.ts'
import { type HotList } from '#server/http/hot-list.ts'
import { failure } from '#server/kit/failure.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { newestFirst } from './catalog.service.ts'
import { keptLists } from './kept-lists.ts'
import { type Records } from './predictions.service.ts'

const MOST_BYTES = 8_000_000

/** What a page of a list is asked for with. */
type Part = { readonly limit?: number | undefined; readonly cursor?: string | undefined }
type Link = { readonly rel: 'first' | 'next'; readonly query: string }

/** The lists of predictions in pages. A page begins after a place in the order, so that none is left out when new ones come. */
export function predictionPages({ snapshot }: Pick<Records, 'snapshot'>) {
  const kept = keptLists(snapshot, MOST_BYTES)

  return async (
    asset: AssetKey,
    { limit = MOST_LISTED, cursor }: Part,
  ): Promise<{ readonly list: HotList; readonly links: readonly Link[] }> => {
    const after = cursor === undefined ? null : placeOf(cursor)
    const all = snapshot().assets[asset].predictions
    const found = after === null ? 0 : all.findIndex((one) => newestFirst(after, one) < 0)
    const from = found < 0 ? all.length : found
    const shown = all.slice(from, from + limit)
    const last = shown.at(-1)
    const list = await kept([asset, limit, cursor].join(' '), () => {
      const rows = shown.map(asset === 'btc' ? predictionRow : assetPredictionRow)
      return JSON.stringify(asset === 'btc' ? rows : { success: true, data: rows })
    })
    const size = `limit=${String(limit)}`
    const next =
      last && from + limit < all.length
        ? [{ rel: 'next' as const, query: `${size}&cursor=${cursorOf(last)}` }]
        : []
    return { list, links: [{ rel: 'first', query: size }, ...next] }
  }
}

/** Its place in the order, in letters that an address may have. */
function cursorOf({ made, id }: Pick<JudgedPrediction, 'made' | 'id'>): string {
  return Buffer.from(`${isoDay(made)} ${id}`).toString('base64url')
}

function placeOf(cursor: string): Pick<JudgedPrediction, 'made' | 'id'> {
  const text = Buffer.from(cursor, 'base64url').toString()
  const made = readDay(text.slice(0, 10))
  const id = text.slice(11)
  if (made === null || id === '' || cursorOf({ made, id }) !== cursor) {
    throw failure('invalid', 'cursor: Please take it from the link to the next page.')
  }
  return { made, id }
}
