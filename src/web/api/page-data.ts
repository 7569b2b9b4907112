import { type PageInput } from '#contracts/page.ts'
import { fetchFresh, noteAnswer } from './reach.ts'

/** Element with the embedded data of the first page; see entry-server.tsx. */
const ELEMENT = 'page-data'
/** The page's record version: the embedded one or that of the last stream event. */
let version = ''

export function pageVersion(): string {
  return version
}

/** @param id event id; may be empty */
export function noteVersion(id: string): void {
  version = id || version
}

/** Page data embedded by the server; null in development, where only the browser renders. */
export function inlinedPage(): PageInput | null {
  const text = document.getElementById(ELEMENT)?.textContent
  if (!text) return null
  const value: unknown = JSON.parse(text)
  if (!isPageInput(value)) return null
  noteVersion(value.version)
  return value
}

/**
 * "Not found" is a valid result.
 *
 * @throws if the reply is not page data
 */
export async function fetchPage(path: string, signal: AbortSignal): Promise<PageInput> {
  const url = `/api/v1/page?url=${encodeURIComponent(path)}&v=${pageVersion()}`
  const response = await fetchFresh(url, { signal })
  const value: unknown = await response.json()
  if (!isPageInput(value)) throw new Error(`no page data for ${path}`)
  noteAnswer(response.headers)
  return value
}

/** A shallow check is enough: the reply comes from our server, in the version of this page. */
function isPageInput(value: unknown): value is PageInput {
  return (value as Partial<PageInput> | null)?.data?.page !== undefined
}
