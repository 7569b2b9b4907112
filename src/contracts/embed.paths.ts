/** What a reader's theme can be forced to. */
export const EMBED_THEMES = ['light', 'dark'] as const
export type EmbedTheme = (typeof EMBED_THEMES)[number]

/** The parameter of an embed that is not one of its page. */
export const THEME_PARAM = 'theme'

/** Enough for each kind in every width from 320 px on, CSS pixels; see docs/embeds.md. */
const HEIGHTS = { chart: 660, prediction: 660, person: 470, board: 840 } as const
type EmbedKind = keyof typeof HEIGHTS

function kindOf(path: string): EmbedKind | null {
  if (/^\/(?:btc|mstr|naka)$/.test(path)) return 'chart'
  if (path === '/experts') return 'board'
  if (/^\/predictions\/[^/]+$/.test(path)) return 'prediction'
  return /^\/experts\/[^/]+$/.test(path) ? 'person' : null
}

/** How high the frame of a page's embed should be, CSS pixels. */
export function embedHeight(path: string): number {
  return HEIGHTS[kindOf(path) ?? 'chart']
}

/**
 * The address under which a page can be framed, narrowed as it is: `/btc?status=miss` is `/embed/btc?status=miss`; null for
 * a page that has none.
 *
 * @param search with or without its question mark
 */
export function embedPath(
  path: string,
  search: string,
  theme: EmbedTheme | null = null,
): string | null {
  if (kindOf(path) === null) return null
  const query = [search.replace(/^\?/, ''), theme === null ? '' : `${THEME_PARAM}=${theme}`]
    .filter((part) => part !== '')
    .join('&')
  return `/embed${path}${query === '' ? '' : `?${query}`}`
}

/** Where other programs ask how to embed a page. @param url of the page, whole */
export function oembedPath(url: string, format: 'json' | 'xml'): string {
  return `/oembed?url=${encodeURIComponent(url)}&format=${format}`
}

/** Lets the embed tell its height and open links; it gets no access to the page around it, and sends no form. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'

/** The code to paste. @param src whole address of the embed */
export function embedCode(frame: {
  readonly src: string
  readonly title: string
  readonly width: number | '100%'
  readonly height: number
}): string {
  const { src, title, width, height } = frame
  return `<iframe src="${escaped(src)}" title="${escaped(title)}" width="${String(width)}" height="${String(height)}" loading="lazy" sandbox="${SANDBOX}" style="border:0"></iframe>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
