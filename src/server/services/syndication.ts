import { ASSETS } from '#domain/asset.ts'
import { headline } from '#domain/prediction-text.ts'
import { outcomeWord } from '#domain/verdict-text.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { recentEvents } from '#server/store/verdicts.ts'
import { type Db } from '#server/store/database.ts'
import { Feed } from 'feed'
import { type Snapshot } from './catalog.ts'
import { sentencesOf } from './records.ts'

/** How many of the newest predictions and verdicts a feed carries. */
const ITEMS = 60

export type FeedName = 'rss' | 'json'
export const FEED_PATHS: Readonly<Record<FeedName, string>> = {
  rss: '/feed.xml',
  json: '/feed.json',
}

/**
 * New predictions and changed verdicts, newest first. A prediction already decided when published comes with its
 * verdict.
 *
 * @param name readers take the texts of RSS for HTML, those of a JSON feed for plain text
 */
export async function feedOf(
  { db, origin }: { db: Db; origin: string },
  snapshot: Snapshot,
  name: FeedName,
): Promise<Feed> {
  const written = (text: string): string => (name === 'rss' ? escaped(text) : text)
  const events = (await recentEvents(db, ITEMS)).filter(({ id }) => snapshot.byId.has(id))
  const feed = new Feed({
    id: `${origin}/`,
    title: 'Proof of Price',
    description: 'New price predictions of public figures, and what became of them.',
    link: `${origin}/`,
    language: 'en',
    favicon: `${origin}/favicon.svg`,
    copyright: 'The sources of each prediction are named on its page.',
    ...(events[0] ? { updated: new Date(events[0].at) } : {}),
    feedLinks: { rss: `${origin}${FEED_PATHS.rss}`, json: `${origin}${FEED_PATHS.json}` },
  })
  for (const event of events) {
    const found = snapshot.byId.get(event.id)
    const prediction = found && predictionOfRow(found.row)
    if (!found || !prediction) continue
    const { outcome } = prediction.verdicts.touch
    const link = `${origin}/predictions/${encodeURIComponent(event.id)}`
    feed.addItem({
      id: `${link}#${String(event.event)}`,
      link,
      title: written(
        `${outcome === 'pending' ? 'New' : outcomeWord(outcome)}: ${headline(prediction)}`,
      ),
      description: written(`${prediction.summary} ${sentencesOf(found).sentences.touch}`.trim()),
      date: new Date(event.at),
      category: [{ name: ASSETS[prediction.asset].symbol }],
    })
  }
  return feed
}

/** Every page that stands for good, for search engines. */
export function sitemapOf(origin: string, snapshot: Snapshot): string {
  const paths = [
    '/',
    ...Object.values(ASSETS).map((asset) => asset.route),
    '/methodology',
    '/about',
    '/terms',
    ...[...snapshot.byId.keys()].map((id) => `/predictions/${encodeURIComponent(id)}`),
    ...[...snapshot.byExpert.keys()].map((slug) => `/experts/${encodeURIComponent(slug)}`),
  ]
  const urls = paths.map((path) => `<url><loc>${escaped(origin + path)}</loc></url>`).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`
}

export function robotsOf(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /admin\n\nSitemap: ${origin}/sitemap.xml\n`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&apos;')
    .replaceAll('"', '&quot;')
}
