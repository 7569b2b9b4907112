import { yearPath } from '#contracts/year.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { isoDay, type Day } from '#domain/day.ts'

/** Host of the best source: `coindesk.com`; null without a valid web address. */
export function sourceHost({ sources: [best] }: Pick<Prediction, 'sources'>): string | null {
  return best ? hostOf(best.url) : null
}

/** `coindesk.com`; null if it is not a web address. */
export function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? hostname.replace(/^www\./, '') : null
}

export function predictionPath({ id }: { readonly id: string }): string {
  return `/predictions/${encodeURIComponent(id)}`
}

/** Picture for link previews. The address includes the outcome, because networks cache pictures. */
export function sharePicturePath(prediction: Prediction): string {
  return `${predictionPath(prediction)}/picture.png?v=${prediction.verdicts.touch.outcome}`
}

export function expertPath({ slug }: { readonly slug: string }): string {
  return `/experts/${encodeURIComponent(slug)}`
}

/** `@saylor`, however it is stored. */
export function handleText(handle: string): string {
  return `@${handle.replace(/^@/, '')}`
}

export function boardPicturePath(asOf: string): string {
  return `/experts/picture.png?v=${asOf}`
}

export function yearPicturePath(
  asset: AssetKey,
  year: number,
  asOf: string,
  type: 'png' | 'svg' = 'png',
): string {
  return `${yearPath(asset, year)}/picture.${type}?v=${asOf}`
}

export function hedgehogPicturePath(
  asset: AssetKey,
  year: number | null,
  type: 'png' | 'svg' = 'png',
): string {
  return `/history/${asset}/picture.${type}${year === null ? '' : `?year=${String(year)}`}`
}

export function dashboardPicturePath(asset: AssetKey, lastPrice: Day): string {
  return `${hedgehogPicturePath(asset, null)}?v=${isoDay(lastPrice)}`
}

export function personPicturePath(person: { readonly slug: string }, asOf: string): string {
  return `${expertPath(person)}/picture.png?v=${asOf}`
}
