import { type PageContent } from './site.ts'
import { headOf } from './head.ts'

/**
 * Updates the document's head after moving to a page in the browser. Only title, description and address matter then;
 * previews and search engines always fetch the page itself.
 */
export function applyHead(content: PageContent, origin: string): void {
  const head = headOf(content, origin)
  document.title = head.title
  document.querySelector('meta[name="description"]')?.setAttribute('content', head.description)
  const canonical = document.querySelector('link[rel="canonical"]')
  if (head.path !== null) canonical?.setAttribute('href', origin + head.path)
}
