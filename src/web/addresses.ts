import { type Prediction } from '#domain/prediction.ts'

/** `coindesk.com`; null where there is no readable web address. */
export function sourceHost({ sourceUrl }: Prediction): string | null {
  if (!sourceUrl || !URL.canParse(sourceUrl)) return null
  const { protocol, hostname } = new URL(sourceUrl)
  return protocol === 'https:' || protocol === 'http:' ? hostname.replace(/^www\./, '') : null
}

export function predictionPath({ id }: { readonly id: string }): string {
  return `/predictions/${encodeURIComponent(id)}`
}

export function expertPath({ slug }: { readonly slug: string }): string {
  return `/experts/${encodeURIComponent(slug)}`
}

/** `@saylor`, however it was written down. */
export function handleText(handle: string): string {
  return `@${handle.replace(/^@/, '')}`
}
