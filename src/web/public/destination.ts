import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { fetchPage } from '#web/api/page-data.ts'
import { loadView, type PageView } from './page-views.ts'
import { contentOf, type PageContent } from '#web/head/site.ts'

export type Destination = {
  readonly path: string
  readonly content: PageContent
  readonly view: PageView
}

/** The asset whose page is at a path; null for every other page. */
export function assetAt(path: string): AssetKey | null {
  return Object.values(ASSETS).find((asset) => asset.route === path)?.key ?? null
}

/** Pages seen before, so that Back shows them at once. */
const seen = new Map<string, Destination>()
const MOST_SEEN = 30

export function remember(destination: Destination): void {
  seen.delete(destination.path)
  seen.set(destination.path, destination)
  const oldest = seen.keys().next()
  if (seen.size > MOST_SEEN && !oldest.done) seen.delete(oldest.value)
}

export function forget(): void {
  seen.clear()
}

export function remembered(path: string): Destination | null {
  return seen.get(path) ?? null
}

/** Code and data at the same time; the page of an asset asks for its lists itself. */
export async function travelTo(path: string, signal: AbortSignal): Promise<Destination> {
  const asset = assetAt(path)
  const content: PageContent = asset
    ? { page: 'asset', asset, seed: null }
    : contentOf((await fetchPage(path, signal)).data)
  return { path, content, view: await loadView(content.page) }
}
