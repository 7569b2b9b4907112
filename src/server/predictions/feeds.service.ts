import { Feed } from 'feed'
import { hedgehogPath } from '#contracts/paths.ts'
import * as contract from '#contracts/public-logs.ts'
import { TODAY_PATH, type TodayItem } from '#contracts/today.ts'
import { yearPath } from '#contracts/year.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { headline } from '#domain/claim/prediction.ts'
import { escapeMarkup, onlyText } from '#domain/clean-text.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { REPORT_KIND_NAMES, type ReportState } from '#domain/report.ts'
import { SITE_NAME, expertPath, predictionPath } from '#domain/site.ts'
import { listCorrections } from '#server/corrections/corrections-log.service.ts'
import { recentEvents } from '#server/judging/verdicts.rows.ts'
import { failure } from '#server/kit/failure.ts'
import { BY_DAY } from '#server/record/list-query.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { listReports } from '#server/reports/reports.service.ts'
import { type PublicSite } from './predictions.service.ts'
import { yearsDue } from './stated-calls.ts'
import { newsSince } from './today.service.ts'

const ITEMS = 60
const EVERYTHING = { asset: null, kind: null, person: null }

export type FeedFormat = 'rss' | 'json'
export const FEED_FILES: Readonly<Record<FeedFormat, string>> = {
  rss: 'feed.xml',
  json: 'feed.json',
}
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

/** Subject of a feed: everything, an asset, a person, corrections, reports, or all news. */
export type FeedTopic =
  | AssetKey
  | { readonly slug: string }
  | 'corrections'
  | 'reports'
  | 'today'
  | null

type Content = {
  readonly name: string | null
  readonly about: string
  readonly page: string
  readonly items: readonly FeedItem[]
}

type FeedItem = ReturnType<typeof itemOf>

/** @param part distinguishes the items about one page */
function itemOf({
  part,
  at,
  asset,
  ...item
}: {
  readonly link: string
  readonly part: string | number
  readonly title: string
  readonly text: string
  readonly at: string
  readonly asset: AssetKey
}) {
  const id = `${item.link}#${String(part)}`
  return { id, ...item, at: new Date(at), tag: ASSETS[asset].symbol }
}

const CALLS = 'New price predictions of public figures, and what became of them.'

async function contentOf(site: PublicSite, topic: FeedTopic): Promise<Content> {
  const { readDb, record } = site
  const { origin } = site.config
  if (topic === 'reports') {
    const newest = await listReports(site, { state: null, prediction: null }, ITEMS)
    return {
      name: 'Reported errors',
      about: 'Reported errors in the record and their outcomes.',
      page: contract.REPORTS_PATH,
      items: reportItems(origin, newest),
    }
  }
  if (topic === 'today') {
    return {
      name: 'What is new',
      about: 'New calls, verdicts, corrections and replies.',
      page: TODAY_PATH,
      items: newsItems(origin, await newsSince(site, null, ITEMS)),
    }
  }
  if (topic === 'corrections') {
    const newest = await listCorrections(readDb, record, EVERYTHING, { skip: 0, most: ITEMS })
    return {
      name: 'Corrections',
      about: 'Every change of the record after it was published: what, and why.',
      page: contract.CORRECTIONS_PATH,
      items: correctionItems(origin, newest),
    }
  }
  if (topic === null)
    return { name: null, about: CALLS, page: '/', items: await callItems(site, {}) }
  if (typeof topic === 'string') {
    const { name, route: page } = ASSETS[topic]
    return { name, about: CALLS, page, items: await callItems(site, { asset: topic }) }
  }
  const [person] = await record.people({ experts: [topic.slug] })
  if (!person) throw failure('not_found', 'There is no expert at this address.')
  const page = expertPath(person.slug)
  return {
    name: person.name,
    about: CALLS,
    page,
    items: await callItems(site, { expertId: person.id }),
  }
}

/** Newest first, each with its verdict at that time, as published items must not change. */
async function callItems(
  { readDb, record, config: { origin } }: PublicSite,
  of: Parameters<typeof recentEvents>[2],
): Promise<FeedItem[]> {
  const events = await recentEvents(readDb, ITEMS, of)
  const all = await record.byIds([...new Set(events.map(({ id }) => id))])
  const visible = new Map(all.filter((one) => !one.withdrawn).map((one) => [one.id, one]))
  return events.flatMap((event) => {
    const now = visible.get(event.id)
    if (!now) return []
    const touch = event.verdict ?? now.verdicts.touch
    const prediction = { ...now, verdicts: { ...now.verdicts, touch } }
    return itemOf({
      link: origin + predictionPath(event.id),
      part: event.event,
      title: `${touch.outcome === 'pending' ? 'New' : outcomeWord(touch.outcome)}: ${headline(prediction)}`,
      text: `${prediction.summary} ${verdictSentence(prediction, 'touch')}`.trim(),
      at: event.at,
      asset: prediction.asset,
    })
  })
}

/** @throws AppError `not_found` for an unknown person */
export async function feedOf(site: PublicSite, topic: FeedTopic, format: FeedFormat) {
  const content = await contentOf(site, topic)
  const head = headOf(site.config.origin, content)
  return format === 'rss' ? rssOf(head, content.items) : jsonFeedOf(head, content.items)
}

type FeedHead = ReturnType<typeof headOf>

function headOf(origin: string, { name, about: description, page }: Content) {
  const base = page === '/' ? origin : origin + page
  return {
    title: name === null ? SITE_NAME : `${SITE_NAME}: ${name}`,
    description,
    link: origin + page,
    language: 'en',
    favicon: `${origin}/favicon.svg`,
    files: { rss: `${base}/${FEED_FILES.rss}`, json: `${base}/${FEED_FILES.json}` },
  }
}

function correctionItems(origin: string, all: readonly contract.Correction[]): FeedItem[] {
  return all.map(({ number: part, at, kind, prediction, what, why, reports }) => {
    const { id, asset, statement, person } = prediction
    const title = `${contract.CORRECTION_NAMES[kind]}: ${person.name}: ${statement}`
    const texts = [what, why === null ? '' : `Reason: ${why}`, reportedText(origin, reports)]
    const text = texts.filter(Boolean).join(' ')
    return itemOf({ link: origin + predictionPath(id), part, title, text, at, asset })
  })
}

/** Reports that led to a correction, with their addresses. */
function reportedText(origin: string, reports: readonly number[]): string {
  const named = reports.map((one) => `report ${String(one)}, ${origin}${contract.reportPath(one)}`)
  return named.length === 0 ? '' : `Reported: ${named.join('; ')}.`
}

function reportItems(origin: string, all: readonly contract.PublicReport[]): FeedItem[] {
  const items = all.flatMap(({ number, at, kind, state, prediction, decided, corrections }) => {
    const { asset, statement, person } = prediction
    const link = origin + contract.reportPath(number)
    const item = (part: ReportState, at: string, outcome: readonly (string | null)[] = []) => {
      const title = `Report ${String(number)}, ${part}: ${REPORT_KIND_NAMES[kind]}`
      const text = [`${person.name}: ${statement}.`, ...outcome].filter(Boolean).join(' ')
      return itemOf({ link, part, title, text, at, asset })
    }
    if (!decided) return [item('open', at)]
    const outcome = [decided.reason, decided.answer, ...corrections.map(({ text }) => text)]
    return [item(state, decided.at, outcome), item('open', at)]
  })
  return newest(items)
}

function newest(items: readonly FeedItem[]): FeedItem[] {
  return items.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, ITEMS)
}

function newsItems(origin: string, all: readonly TodayItem[]): FeedItem[] {
  const items = all.map(({ kind, number, at, id, asset, name, text, outcome, note, detail }) => {
    const labels: Partial<Record<typeof kind, string>> = {
      call: 'New',
      verdict: outcomeWord(outcome),
      reply: 'Reply',
    }
    const label = labels[kind] ?? note
    const link = origin + predictionPath(id)
    const title = `${label}: ${name}: ${text}`
    return itemOf({ link, part: number ?? '', title, text: detail ?? note, at, asset })
  })
  return newest(items)
}

/** RSS readers interpret texts as HTML, so these are escaped twice. */
function rssOf({ files, ...head }: FeedHead, items: readonly FeedItem[]): string {
  const feed = new Feed({
    ...head,
    id: head.link,
    copyright: 'The sources of each prediction are named on its page.',
    ...(items[0] ? { updated: items[0].at } : {}),
    feedLinks: files,
  })
  for (const { id, link, title, text, at, tag } of items) {
    feed.addItem({
      id,
      link,
      title: escapeMarkup(title),
      description: escapeMarkup(text),
      date: at,
      category: [{ name: tag }],
    })
  }
  // A single invalid character would make a feed unreadable.
  return onlyText(feed.rss2())
}

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/); unlike `content_html`, `content_text` needs no escaping. */
function jsonFeedOf(
  { title, description, link, files, favicon, language }: FeedHead,
  items: readonly FeedItem[],
): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    home_page_url: link,
    feed_url: files.json,
    favicon,
    language,
    items: items.map((item) => ({
      id: item.id,
      url: item.link,
      title: item.title,
      content_text: item.text,
      date_published: item.at.toISOString(),
      tags: [item.tag],
    })),
  }
  return JSON.stringify(feed, null, 2)
}

export async function sitemapOf(origin: string, record: PublicRecord): Promise<string> {
  const [ids, people, due] = await Promise.all([
    record.ids({}, { order: BY_DAY }),
    record.people({}),
    yearsDue(record),
  ])
  const paths = [
    '/',
    ...Object.values(ASSETS).map((asset) => asset.route),
    TODAY_PATH,
    '/experts',
    '/years',
    ...[...due.keys()].map(hedgehogPath),
    '/data',
    '/methodology',
    contract.CORRECTIONS_PATH,
    contract.REPORTS_PATH,
    '/about',
    '/terms',
    ...ids.map((id) => predictionPath(id)),
    ...people.map(({ slug }) => expertPath(slug)),
    ...[...due].flatMap(([asset, years]) => years.map((year) => yearPath(asset, year))),
  ]
  const urls = paths
    .map((path) => `<url><loc>${escapeMarkup(origin + path)}</loc></url>`)
    .join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`
}
