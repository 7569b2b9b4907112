import { LICENCE, type EmbedTheme } from '#contracts/data-files.ts'
import { addressText } from '#chart/picture-text.ts'
import { showDayInWords, type Day } from '#domain/day.ts'
import { RULE_VERSION } from '#domain/judging/verdict.ts'
import { SITE_NAME } from '#domain/site.ts'
import { EMBED_STYLE, DRAWINGS } from './embed-style.ts'
import { type AssetKey, type AxisRules } from '#domain/asset.ts'
import { escapeMarkup } from '#domain/clean-text.ts'
import { plotOf } from '#chart/scene.ts'

/** Its policy names these very bytes. */
const STYLE = markup(`<style>${EMBED_STYLE}</style>`)

/** Nothing is drawn before all of it has been read: half a table would shift when the rest comes. */
const DRAWN_WHOLE = markup('<link rel="expect" href="#end" blocking="render" />')

export const HEIGHT_SCRIPT_PATH = '/embed/height.js'

/** Not written in the templates, where it cannot be escaped: the server's bundle would take twice its memory. */
const DOT = ' · '

/** @param at the query has its question mark @param sources whose prices it rests on, as they want to be named */
export function embedPage(
  embed: Embed,
  at: { readonly origin: string; readonly query: string; readonly theme: EmbedTheme | null },
  sources: readonly string[],
): string {
  const { origin, query, theme } = at
  const path = embed.path + query
  return page({
    title: embed.title,
    theme,
    head: html`<link rel="canonical" href="${origin + path}" />`,
    body: html`<main>${embed.body()}</main>
      <footer>
        <p>
          ${link(origin + path, SITE_NAME)}${DOT}As of ${showDayInWords(embed.asOf)}${DOT}Rule set
          ${RULE_VERSION}${DOT}${link(LICENCE.url, LICENCE.name, 'license')}
        </p>
        ${sources.length === 0 ? null : html`<p>Prices: ${sources.join(', ')}</p>`}
        <p>${link(origin + path, addressText(origin, embed.path) + query)}</p>
      </footer>`,
  })
}

export function embedFailure(origin: string, sentence: string): string {
  return page({
    title: sentence,
    theme: null,
    head: html``,
    body: html`<main><h1>${sentence}</h1></main>
      <footer><p>${link(origin, SITE_NAME)}</p></footer>`,
  })
}

/** A link that leaves the frame for a tab of its own. */
export function link(href: string, text: string | Html, rel = ''): Html {
  return html`<a href="${href}" target="_blank" rel="${`noopener ${rel}`.trim()}">${text}</a>`
}

function page(parts: {
  readonly title: string
  readonly theme: EmbedTheme | null
  readonly head: Html
  readonly body: Html
}): string {
  const { title, theme, head, body } = parts
  const of = theme === null ? html`` : html` data-theme="${theme}"`
  return `<!doctype html>\n${
    html`<html lang="en" ${of}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${SITE_NAME}</title>
        ${head} ${STYLE} ${DRAWN_WHOLE}
        <script src="${HEIGHT_SCRIPT_PATH}" defer></script>
      </head>
      <body>
        ${body}
        <span id="end"></span>
      </body>
    </html>`.html
  }\n`
}

export type Embed = {
  /** Its finding, in plain text. */
  readonly title: string
  readonly path: string
  readonly asOf: Day
  readonly assets: readonly AssetKey[]
  readonly author: { readonly name: string; readonly slug: string } | null
  readonly picture: {
    readonly path: string
    readonly width: number
    readonly height: number
  } | null
  readonly isWithdrawn: boolean
  readonly body: () => Html
}

export type Html = { readonly html: string }

type Part = string | number | null | Html | readonly Html[]

/** Markup in which every text is escaped: html`<b>${name}</b>`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    html: texts.map((text, i) => (i === 0 ? text : written(parts[i - 1] ?? null) + text)).join(''),
  }
}

/** Markup that was made elsewhere with its words escaped, such as a picture. */
export function markup(text: string): Html {
  return { html: text }
}

function written(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escapeMarkup(part)
  return 'html' in part ? part.html : part.map((one) => one.html).join('')
}

/** Reports the height of an embed to the page around it. A file of its own, as the policy allows no inline script. */
export const HEIGHT_SCRIPT = `if (parent !== window) {
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
    // The height of public words is no secret, and the page around may be any.
    parent.postMessage({ type: 'proof-of-price:height', height }, '*')
  }).observe(document.body)
}
`

type Size = { readonly width: number; readonly height: number }

/** Kept free at the right of a plot, for a sign on its edge; CSS pixels. */
const SIGN = 12
/** Nothing is written above a plot. */
const ABOVE = 10

/** A chart for each width of a frame, without the margin that a live chart has for the price of this moment. */
export function drawings(axis: AxisRules, draw: (size: Size) => string): Html {
  const all = DRAWINGS.map(({ width, height }) => {
    const plot = plotOf(width, height, axis)
    const spare = Math.max(0, width - plot.x - plot.width - SIGN)
    const svg = draw({ width: width + spare, height: height + ABOVE })
    const part = [0, ABOVE, width, height].join(' ')
    return html`<svg viewBox="${part}" width="${width}" height="${height}">${markup(svg)}</svg>`
  })
  return html`<div class="picture">${all}</div>`
}
