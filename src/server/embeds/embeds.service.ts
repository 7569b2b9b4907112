import { EMBED_THEMES, THEME_PARAM, type EmbedTheme } from '#contracts/embed.paths.ts'
import { findAsset } from '#domain/asset.ts'
import { pagePath } from '#domain/page-path.ts'
import { hotList, weightOf, type HotList } from '#server/http/hot-list.ts'
import { failure } from '#server/kit/failure.ts'
import { queryOf } from '#server/kit/query-of.ts'
import { keepRecent } from '#server/kit/kept.ts'
import { chartEmbed } from './chart-embed.ts'
import { embedPage } from './embed-page.ts'
import { type Embed } from './embed.ts'
import { boardEmbed, personEmbed, type PeopleParts } from './people-embeds.ts'
import { predictionEmbed } from './prediction-embed.ts'

export type Embeds = ReturnType<typeof embedService>

/** Views of pages to be framed by other sites. @param version another one whenever they have to be drawn again */
export function embedService(parts: PeopleParts & { readonly version: () => unknown }) {
  const { records, today, origin, version } = parts
  let keptFor: unknown = null
  const kept = keepRecent<HotList>({
    mostBytes: 24_000_000,
    bytesOf: weightOf,
  })

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

  function sourcesOf({ assets }: Embed): readonly string[] {
    const now = records.snapshot().assets
    return [...new Set(assets.flatMap((key) => now[key].known.sources))]
  }

  return {
    of,

    /**
     * An embed as a page.
     *
     * @param beforeDrawing called for one that is not kept; what it throws keeps it from being drawn
     * @throws AppError as `of`
     */
    async page(path: string, query: string, beforeDrawing: () => Promise<void>): Promise<HotList> {
      const now = version()
      if (keptFor !== now) kept.clear()
      keptFor = now
      const params = new URLSearchParams(query)
      const theme = takeTheme(params)
      const own = { path: pagePath(path), query: queryOf(params) }
      const key = `${String(today())} ${String(theme)} ${own.path}${own.query}`
      const found = kept.get(key)
      if (found) return found
      await beforeDrawing()
      const embed = await of(own.path, params)
      const made = await hotList(
        embedPage(embed, { origin, query: own.query, theme }, sourcesOf(embed)),
      )
      if (keptFor === now) kept.set(key, made)
      return made
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
