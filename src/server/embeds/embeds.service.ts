import { EMBED_THEMES, THEME_PARAM, type EmbedTheme } from '#contracts/embed.paths.ts'
import { findAsset } from '#domain/asset.ts'
import { pagePath } from '#domain/page-path.ts'
import { failure } from '#server/kit/failure.ts'
import { queryOf } from '#server/kit/query-of.ts'
import { chartEmbed } from './chart-embed.ts'
import { embedPage } from './embed-page.ts'
import { type Embed } from './embed.ts'
import { boardEmbed, personEmbed, type PeopleParts } from './people-embeds.ts'
import { predictionEmbed } from './prediction-embed.ts'

export type Embeds = ReturnType<typeof embedService>

/** Views of pages to be framed by other sites. */
export function embedService(parts: PeopleParts) {
  const { record, origin } = parts

  /**
   * What a page shows, before it is drawn.
   *
   * @param path of the page, such as `/btc`
   * @throws AppError `not_found`, `invalid` for an impossible filter, `unavailable`
   */
  async function of(path: string, params: URLSearchParams): Promise<Embed> {
    const asset = findAsset(path.slice(1))
    if (asset?.route === path) return chartEmbed(parts, asset, params)
    if (path === '/experts') return boardEmbed(parts, params)
    const [, place, name = '', ...rest] = path.split('/')
    if (name !== '' && rest.length === 0) {
      if (place === 'predictions') return predictionEmbed(parts, decoded(name), params)
      if (place === 'experts') return personEmbed(parts, decoded(name), params)
    }
    throw failure('not_found', 'No page at this address can be embedded.')
  }

  async function sourcesOf({ assets }: Embed): Promise<readonly string[]> {
    const prices = await record.prices()
    return [...new Set(assets.flatMap((key) => prices[key].known.sources))]
  }

  return {
    of,

    /**
     * An embed as a page: its normal address, and how to draw it.
     *
     * @throws AppError `invalid` for a theme that does not exist; drawing throws as `of`
     */
    page(path: string, query: string): { address: string; draw: () => Promise<string> } {
      const params = new URLSearchParams(query)
      const theme = takeTheme(params)
      const own = { path: pagePath(path), query: queryOf(params) }
      return {
        address: `/embed ${String(theme)} ${own.path}${own.query}`,
        async draw() {
          const embed = await of(own.path, params)
          return embedPage(embed, { origin, query: own.query, theme }, await sourcesOf(embed))
        },
      }
    },
  }
}

/** The theme that an address forces, which is none of its page's parameters. @throws AppError `invalid` */
function takeTheme(params: URLSearchParams): EmbedTheme | null {
  const given = params.get(THEME_PARAM)
  params.delete(THEME_PARAM)
  if (given === null) return null
  const theme = EMBED_THEMES.find((known) => known === given)
  if (theme) return theme
  throw failure('invalid', `The theme is “${given.slice(0, 60)}”, but has to be light or dark.`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
