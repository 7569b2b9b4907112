import { type z } from 'zod'
import * as contract from '#contracts/data-files.ts'
import { type oembed, type OEmbedQuery } from '#contracts/open-data.ts'
import { findAsset } from '#domain/asset.ts'
import { escapeMarkup, onlyText } from '#domain/clean-text.ts'
import { pagePath, SITE_NAME, expertPath } from '#domain/site.ts'
import { failure } from '#server/kit/failure.ts'
import { decoded, queryOf } from '#server/kit/text.ts'
import { checkFilters, FILTERS, type Filters } from '#server/open-data/check-filters.ts'
import { type PublicSite } from '#server/predictions/predictions.service.ts'
import { chartEmbed, predictionEmbed } from './chart-embed.ts'
import { embedPage, type Embed } from './embed-page.ts'
import { boardEmbed, personEmbed } from './people-embeds.ts'

type Place = {
  readonly filters: keyof typeof FILTERS
  readonly embed: (site: PublicSite, filters: Filters) => Promise<Embed>
}

/** @param path of the page, such as `/btc` @throws AppError `not_found` */
function placeAt(path: string): Place {
  const asset = findAsset(path.slice(1))
  if (asset?.route === path) {
    return { filters: 'asset', embed: (site, filters) => chartEmbed(site, asset, filters) }
  }
  if (path === '/experts') return { filters: 'board', embed: boardEmbed }
  const [, place, name = '', ...rest] = path.split('/')
  if (name !== '' && rest.length === 0) {
    const key = decoded(name) ?? name
    if (place === 'predictions')
      return { filters: 'none', embed: (site) => predictionEmbed(site, key) }
    if (place === 'experts') return { filters: 'none', embed: (site) => personEmbed(site, key) }
  }
  throw failure('not_found', 'No page at this address can be embedded.')
}

/** @throws AppError `not_found`, `invalid`, `unavailable` */
async function embedOf(site: PublicSite, path: string, params: URLSearchParams): Promise<Embed> {
  const { filters, embed } = placeAt(path)
  return embed(site, checkFilters(params, filters))
}

/**
 * The canonical address of an embed, and a function that draws it.
 * @throws AppError `invalid` for an unknown theme; `draw` throws as `embedOf`
 */
export function embedPageOf(site: PublicSite, path: string, query: string) {
  const { record } = site
  const { origin } = site.config
  const params = new URLSearchParams(query)
  const theme = takeTheme(params)
  const own = { path: pagePath(path), query: queryOf(params) }
  return {
    address: `/embed ${String(theme)} ${own.path}${own.query}`,
    draw: async (): Promise<string> => {
      const embed = await embedOf(site, own.path, params)
      const prices = await record.prices()
      const sources = [...new Set(embed.assets.flatMap((key) => prices[key].known.sources))]
      return embedPage(embed, { origin, query: own.query, theme }, sources)
    },
  }
}

/** Removes the theme, which is not a parameter of the page. @throws AppError `invalid` */
function takeTheme(params: URLSearchParams): contract.EmbedTheme | null {
  const value = params.get(contract.THEME_PARAM)
  params.delete(contract.THEME_PARAM)
  if (value === null) return null
  const theme = contract.EMBED_THEMES.find((known) => known === value)
  if (theme) return theme
  throw failure('invalid', `The theme is “${value.slice(0, 60)}”, but has to be light or dark.`)
}

/** Wider embeds would gain only empty space. */
const WIDTH = 640
const CACHE_SECONDS = 3_600

export type OEmbed = z.output<typeof oembed.reply>

/**
 * Answers oEmbed requests (https://oembed.com).
 * @throws AppError `not_found` for a page that cannot be embedded, `invalid` for an impossible filter
 */
export async function oembedReply(site: PublicSite, query: OEmbedQuery): Promise<OEmbed> {
  const { origin } = site.config
  const { path, params } = placeOf(query.url, origin)
  const embed = await embedOf(site, path, params)
  if (embed.isWithdrawn) {
    throw failure('not_found', 'This prediction was withdrawn, so it is not offered any more.')
  }
  const { maxwidth = Infinity, maxheight = Infinity } = query
  const width = Math.min(WIDTH, maxwidth)
  const height = Math.min(contract.embedHeight(path), maxheight)
  const { picture } = embed
  const isSmall = picture && picture.width <= maxwidth && picture.height <= maxheight
  // Direction marks around names are for screens.
  const title = embed.title.replaceAll(/[\u2066-\u2069]/g, '')
  const src = origin + (contract.embedPath(embed.path, queryOf(params)) ?? '')
  return {
    version: '1.0',
    type: 'rich',
    title,
    ...(embed.author && {
      author_name: embed.author.name,
      author_url: origin + expertPath(embed.author.slug),
    }),
    provider_name: SITE_NAME,
    provider_url: origin,
    cache_age: CACHE_SECONDS,
    html: contract.embedCode({ src, title, width, height }),
    width,
    height,
    ...(isSmall && {
      thumbnail_url: origin + picture.path,
      thumbnail_width: picture.width,
      thumbnail_height: picture.height,
    }),
  }
}

/** The path of an address and the parameters used by the page; drops others, such as tracking. */
function placeOf(url: string, origin: string): { path: string; params: URLSearchParams } {
  const target = URL.canParse(url) ? new URL(url) : null
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw failure('not_found', 'Please give the whole address of a page, such as https://….')
  }
  const own = new URL(origin)
  if (target.host !== own.host) {
    throw failure(
      'not_found',
      `${target.host} is another site: only pages of ${own.host} can be embedded from here.`,
    )
  }
  const path = plainPath(target.pathname).replace(/^\/embed(?=\/)/, '')
  const known = FILTERS[placeAt(path).filters]
  const params = new URLSearchParams(
    [...target.searchParams].filter(([name]) => Object.hasOwn(known, name)),
  )
  return { path, params }
}

/** Lower-cases the path, except the id of a prediction, which is case-sensitive. */
function plainPath(path: string): string {
  return pagePath(path).replace(/^(?:\/embed)?\/(?:predictions(?=\/)|.*$)/i, (place) =>
    place.toLowerCase(),
  )
}

export function oembedXml(reply: OEmbed): string {
  const parts = Object.entries(reply).map(
    ([name, value]) => `  <${name}>${escapeMarkup(onlyText(String(value)))}</${name}>\n`,
  )
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${parts.join('')}</oembed>\n`
}
