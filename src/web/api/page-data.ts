import { type PageInput } from '#contracts/page.ts'
import { fetchFresh, noteAnswer } from './reach.ts'

/** The element that holds the data of the first page; see entry-server.tsx. */
const ELEMENT = 'page-data'
/** The page's record version: the embedded one or that of the last stream event. */
let version = ''

export function pageVersion(): string {
  return version
}

/** @param id of an event; empty for one that has none */
export function noteVersion(id: string): void {
  version = id || version
}

/** Data embedded in this page by the server; null in development, where the page is drawn by the browser alone. */
export function inlinedPage(): PageInput | null {
  const text = document.getElementById(ELEMENT)?.textContent
  if (!text) return null
  const value: unknown = JSON.parse(text)
  if (!isPageInput(value)) return null
  noteVersion(value.version)
  return value
}

/** A missing page is an answer, too; anything that is not page data throws. */
export async function fetchPage(path: string, signal: AbortSignal): Promise<PageInput> {
  const url = `/api/v1/page?url=${encodeURIComponent(path)}&v=${pageVersion()}`
  const response = await fetchFresh(url, { signal })
  const value: unknown = await response.json()
  if (!isPageInput(value)) throw new Error(`no page data for ${path}`)
  noteAnswer(response.headers)
  return value
}

/** Only our own server answers here, in the same version as this page, so only the outline is checked. */
function isPageInput(value: unknown): value is PageInput {
  return (value as Partial<PageInput> | null)?.data?.page !== undefined
}
