import { MOST_LISTED } from '#contracts/predictions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, readDay } from '#domain/day.ts'
import { failure } from '#server/kit/failure.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { BY_DAY } from '#server/record/list-order.ts'
import { type PublicRecord } from '#server/record/record.service.ts'

/** What a page of a list is asked for with. */
type Part = { readonly limit?: number | undefined; readonly cursor?: string | undefined }
type Link = { readonly rel: 'first' | 'next'; readonly query: string }

/** A page of a list. It begins after a place in the order, so that none is left out when new ones come. */
export async function predictionPage(
  record: PublicRecord,
  asset: AssetKey,
  { limit = MOST_LISTED, cursor }: Part,
): Promise<{ readonly shown: readonly JudgedPrediction[]; readonly links: readonly Link[] }> {
  const query = { asset, ...(cursor !== undefined && { after: placeOf(cursor) }) }
  const found = await record.list(query, { order: BY_DAY, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const size = `limit=${String(limit)}`
  const next =
    last && found.length > limit
      ? [{ rel: 'next' as const, query: `${size}&cursor=${cursorOf(last)}` }]
      : []
  return { shown, links: [{ rel: 'first', query: size }, ...next] }
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
