import { SITE_NAME } from '#domain/site-name.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { headline } from '#domain/claim/prediction-text.ts'
import { outcomeWord, verdictSentence } from '#domain/judging/verdict-text.ts'
import { recentEvents } from '#server/judging/verdicts.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { Feed } from 'feed'
import { type Snapshot } from './catalog.service.ts'
import { hedgehogPath } from '#contracts/hedgehog.ts'
import { yearPath } from '#contracts/year.ts'
import { yearsDue } from './years-due.ts'

/** How many of the newest predictions and verdicts a feed carries. */
const ITEMS = 60

export type FeedName = 'rss' | 'json'
export const FEED_PATHS: Readonly<Record<FeedName, string>> = {
  rss: '/feed.xml',
  json: '/feed.json',
}

/** A feed as it is sent. */
export type FeedFile = { readonly type: string; readonly text: string }

/** Plain texts, as people wrote them: each format escapes for itself. */
type FeedItem = {
  readonly id: string
  readonly link: string
  readonly title: string
  readonly text: string
  readonly at: Date
  readonly tag: string
}

const DESCRIPTION = 'New price predictions of public figures, and what became of them.'

/**
 * New predictions and changed verdicts, newest first. A prediction already decided when published comes with its
 * verdict.
 */
export async function feedOf(
  { db, origin }: { db: Db; origin: string },
  snapshot: Snapshot,
  name: FeedName,
): Promise<FeedFile> {
  const events = (await recentEvents(db, ITEMS)).filter(({ id }) => snapshot.byId.has(id))
  const items: FeedItem[] = []
  for (const event of events) {
    const prediction = snapshot.byId.get(event.id)
    if (!prediction) continue
    const { outcome } = prediction.verdicts.touch
    const link = `${origin}/predictions/${encodeURIComponent(event.id)}`
    items.push({
      id: `${link}#${String(event.event)}`,
      link,
      title: `${outcome === 'pending' ? 'New' : outcomeWord(outcome)}: ${headline(prediction)}`,
      text: `${prediction.summary} ${verdictSentence(prediction, 'touch')}`.trim(),
      at: new Date(event.at),
      tag: ASSETS[prediction.asset].symbol,
    })
  }
  return name === 'rss' ? rssOf(origin, items) : jsonFeedOf(origin, items)
}

/** Readers take the texts of RSS for HTML, so they are escaped before they are put into XML. */
function rssOf(origin: string, items: readonly FeedItem[]): FeedFile {
  const feed = new Feed({
    id: `${origin}/`,
    title: SITE_NAME,
    description: DESCRIPTION,
    link: `${origin}/`,
    language: 'en',
    favicon: `${origin}/favicon.svg`,
    copyright: 'The sources of each prediction are named on its page.',
    ...(items[0] ? { updated: items[0].at } : {}),
    feedLinks: { rss: `${origin}${FEED_PATHS.rss}`, json: `${origin}${FEED_PATHS.json}` },
  })
  for (const { id, link, title, text, at, tag } of items) {
    feed.addItem({
      id,
      link,
      title: escaped(title),
      description: escaped(text),
      date: at,
      category: [{ name: tag }],
    })
  }
  return { type: 'application/rss+xml; charset=utf-8', text: feed.rss2() }
}

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/): `content_text` is never read as HTML, `content_html` would be. */
function jsonFeedOf(origin: string, items: readonly FeedItem[]): FeedFile {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: SITE_NAME,
    description: DESCRIPTION,
    home_page_url: `${origin}/`,
    feed_url: `${origin}${FEED_PATHS.json}`,
    favicon: `${origin}/favicon.svg`,
    language: 'en',
    items: items.map(({ id, link, title, text, at, tag }) => ({
      id,
      url: link,
      title,
      content_text: text,
      date_published: at.toISOString(),
      tags: [tag],
    })),
  }
  return { type: 'application/feed+json; charset=utf-8', text: JSON.stringify(feed, null, 2) }
}

/** Every permanent page, for search engines. */
export function sitemapOf(origin: string, snapshot: Snapshot): string {
  const paths = [
    '/',
    ...Object.values(ASSETS).map((asset) => asset.route),
    '/experts',
    '/years',
    ...ASSET_KEYS.filter((key) => snapshot.assets[key].predictions.length > 0).map(hedgehogPath),
    '/methodology',
    '/about',
    '/terms',
    ...[...snapshot.byId.keys()].map((id) => `/predictions/${encodeURIComponent(id)}`),
    ...[...snapshot.byExpert.keys()].map((slug) => `/experts/${encodeURIComponent(slug)}`),
    ...[...yearsDue(snapshot)].flatMap(([asset, years]) =>
      years.map((year) => yearPath(asset, year)),
    ),
  ]
  const urls = paths.map((path) => `<url><loc>${escaped(origin + path)}</loc></url>`).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`
}

export function robotsOf(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /admin\n\nSitemap: ${origin}/sitemap.xml\n`
}

/** Control characters that no XML may hold, even escaped: one of them makes a whole feed unreadable. */
const NOT_IN_XML = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&apos;')
    .replaceAll('"', '&quot;')
}
