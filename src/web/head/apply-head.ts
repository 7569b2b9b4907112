import { type PageContent } from './site.ts'
import { headOf } from './head.ts'

/**
 * Gives the document the head of a page reached without a new answer from the server. Title, description and address
 * matter then; previews and search engines always fetch for themselves.
 */
export function applyHead(content: PageContent, origin: string): void {
  const head = headOf(content, origin)
  document.title = head.title
  document.querySelector('meta[name="description"]')?.setAttribute('content', head.description)
  const canonical = document.querySelector('link[rel="canonical"]')
  if (head.path !== null) canonical?.setAttribute('href', origin + head.path)
}
