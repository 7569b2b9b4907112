import { embedPath, oembedPath } from '#contracts/data-files.ts'
import { escapeMarkup } from '#domain/clean-text.ts'
import { SITE_NAME } from '#domain/site.ts'
import { type Head } from './head.ts'

const SITE_IMAGE = {
  path: '/icons/share.png',
  width: 1_200,
  height: 630,
  alt: 'A price line, and a stated level it reaches',
}

/**
 * @param search the query with the page's filters, without question mark
 * @param preload script addresses needed besides the entry
 * @param data address of the data fetched first, if any
 */
export function headMarkup(
  head: Head,
  origin: string,
  search: string,
  preload: readonly string[],
  data: string | null,
): string {
  const url = head.path === null ? null : origin + head.path
  const image = head.image ?? SITE_IMAGE
  // JSON that cannot close its script element.
  const jsonLd = head.jsonLd && JSON.stringify(head.jsonLd).replaceAll('<', '\\u003c')
  return [
    `<title>${escapeMarkup(head.title)}</title>`,
    meta('name', 'description', head.description),
    url === null
      ? meta('name', 'robots', 'noindex')
      : `<link rel="canonical" href="${escapeMarkup(url)}">`,
    meta('property', 'og:site_name', SITE_NAME),
    meta('property', 'og:type', head.kind),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', head.description),
    ...(url === null ? [] : [meta('property', 'og:url', url)]),
    meta('property', 'og:image', origin + image.path),
    meta('property', 'og:image:width', String(image.width)),
    meta('property', 'og:image:height', String(image.height)),
    meta('property', 'og:image:alt', image.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', head.title),
    meta('name', 'twitter:description', head.description),
    meta('name', 'twitter:image', origin + image.path),
    meta('name', 'twitter:image:alt', image.alt),
    ...(head.path !== null && WITH_FEEDS.test(head.path) ? feeds(`${head.path}/`, head.title) : []),
    ...feeds('/', SITE_NAME),
    ...embedLinks(head, origin, search),
    ...(data === null
      ? []
      : [`<link rel="preload" as="fetch" crossorigin href="${escapeMarkup(data)}">`]),
    ...preload.map(
      (file) => `<link rel="modulepreload" fetchpriority="low" href="${escapeMarkup(file)}">`,
    ),
    ...(jsonLd ? [`<script type="application/ld+json">${jsonLd}</script>`] : []),
  ].join('\n    ')
}

const WITH_FEEDS = /^\/(?:btc|mstr|naka|corrections|reports|experts\/[^/]+)$/

function feeds(folder: string, title: string): string[] {
  const link = (type: string, file: string): string =>
    `<link rel="alternate" type="application/${type}" title="${escapeMarkup(title)}" href="${escapeMarkup(folder)}${file}">`
  return [link('rss+xml', 'feed.xml'), link('feed+json', 'feed.json')]
}

function embedLinks({ path, title }: Head, origin: string, search: string): string[] {
  if (path === null || embedPath(path, search) === null) return []
  const url = `${origin}${path}${search === '' ? '' : `?${search}`}`
  return (['json', 'xml'] as const).map((format) => {
    const type = format === 'json' ? 'application/json+oembed' : 'text/xml+oembed'
    return `<link rel="alternate" type="${type}" title="${escapeMarkup(title)}" href="${escapeMarkup(origin + oembedPath(url, format))}">`
  })
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeMarkup(content)}">`
}
