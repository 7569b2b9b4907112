import { type PageInput } from '#contracts/page.ts'
import { fetchFresh } from './fetch-fresh.ts'
import { newestHeard, noteVersion } from './heard.ts'
import { noteAnswer, noteSilence } from './reach.ts'

/** The element that holds the data of the first page; see entry-server.tsx. */
const ELEMENT = 'page-data'
const PATIENCE_MS = 15_000

/** What the server put into this page; null in development, where the page is drawn by the browser alone. */
export function inlinedPage(): PageInput | null {
  const text = document.getElementById(ELEMENT)?.textContent
  if (!text) return null
  const value: unknown = JSON.parse(text)
  if (!isPageInput(value)) return null
  noteVersion(value.version)
  return value
}

/**
 * Asks the server for the data of an address. A missing page is an answer too (status 404 with its page data); anything
 * else that is not page data throws.
 */
export async function fetchPage(path: string, signal: AbortSignal): Promise<PageInput> {
  const response = await fetchFresh(
    `/api/v1/page?url=${encodeURIComponent(path)}&v=${newestHeard()}`,
    {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    },
  ).catch((cause: unknown) => {
    if (!signal.aborted) noteSilence()
    throw cause
  })
  const value: unknown = await response.json()
  if (!isPageInput(value)) throw new Error(`no page data for ${path}`)
  noteAnswer(response.headers)
  return value
}

/** Only our own server answers here, in the same version as this page, so only the outline is checked. */
function isPageInput(value: unknown): value is PageInput {
  return (value as Partial<PageInput> | null)?.data?.page !== undefined
}
