import { SITE_NAME, type Head } from './head.ts'

/** The picture of a shared link, 1200 × 630. */
const IMAGE = '/icons/share.png'

/**
 * The head of a page as markup.
 *
 * @param preload addresses of the script files that the page needs besides its entry
 */
export function headMarkup(head: Head, origin: string, preload: readonly string[]): string {
  const url = head.path === null ? null : origin + head.path
  return [
    `<title>${escaped(head.title)}</title>`,
    meta('name', 'description', head.description),
    url === null
      ? meta('name', 'robots', 'noindex')
      : `<link rel="canonical" href="${escaped(url)}">`,
    meta('property', 'og:site_name', SITE_NAME),
    meta('property', 'og:type', head.kind),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', head.description),
    ...(url === null ? [] : [meta('property', 'og:url', url)]),
    meta('property', 'og:image', origin + IMAGE),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', 'A price line, and a stated level it reaches'),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', head.title),
    meta('name', 'twitter:description', head.description),
    meta('name', 'twitter:image', origin + IMAGE),
    '<link rel="alternate" type="application/rss+xml" title="Proof of Price" href="/feed.xml">',
    '<link rel="alternate" type="application/feed+json" title="Proof of Price" href="/feed.json">',
    ...preload.map(
      (file) => `<link rel="modulepreload" fetchpriority="low" href="${escaped(file)}">`,
    ),
    ...(head.jsonLd
      ? [`<script type="application/ld+json">${inScript(JSON.stringify(head.jsonLd))}</script>`]
      : []),
  ].join('\n    ')
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escaped(content)}">`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** JSON that cannot end the script element it stands in. */
function inScript(json: string): string {
  return json.replaceAll('<', '\\u003c')
}
