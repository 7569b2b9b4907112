import { createHash } from 'node:crypto'
import { addressText } from '#chart/picture-text.ts'
import { plotOf } from '#chart/scene.ts'
import { THEMES, cssVariables } from '#chart/theme.ts'
import { type EmbedTheme, LICENCE } from '#contracts/data-files.ts'
import { type AssetKey, type AxisRules } from '#domain/asset.ts'
import { escapeMarkup } from '#domain/clean-text.ts'
import { type Day, showDayInWords } from '#domain/day.ts'
import { RULE_VERSION } from '#domain/judging/verdict.ts'
import { SITE_NAME } from '#domain/site.ts'

const LIGHT = oneLine(cssVariables(THEMES.light))
const DARK = oneLine(cssVariables(THEMES.dark))

const FROM = { middle: 460, wide: 760 } as const

/** Sizes in CSS pixels: as wide as the narrowest frame for each allows, so that no text is below 11 px. */
const DRAWINGS = [
  { width: 296, height: 240 },
  { width: FROM.middle - 24, height: 250 },
  { width: FROM.wide - 24, height: 300 },
] as const

/** Inline: avoids layout shifts and a request. */
const EMBED_STYLE = oneLine(`
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root:not([data-theme]){${DARK}}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;${DARK}}
*{box-sizing:border-box}
body{margin:0;padding:12px;background:var(--surface);color:var(--ink);font:15px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:18px;line-height:1.3}
p{margin:6px 0 0}
a{color:var(--brand-text)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--brand-text);outline-offset:2px}
small,.quiet,footer,details,th,td small{font-size:13px}
.quiet,footer,td small,th small{color:var(--ink-2)}
.head{display:flex;flex-wrap:wrap;gap:6px 12px;align-items:flex-start;justify-content:space-between}
.head h1{flex:1 1 15em}
.badge{display:inline-flex;gap:6px;align-items:center;padding:2px 10px;border:1.5px solid;border-radius:8px;font-weight:700;color:var(--tone);background:var(--tint)}
.hit{--tone:var(--hit);--tint:var(--hit-tint)}
.miss{--tone:var(--miss);--tint:var(--miss-tint)}
.pending{--tone:var(--pending);--tint:var(--pending-tint)}
.void{--tone:var(--ink-2);--tint:var(--page)}
.note{padding:8px 12px;border-radius:8px;background:var(--pending-tint)}
.picture{margin:10px 0 0}
.picture>svg{display:none;width:100%;height:auto;max-height:430px}
@media (max-width:${String(FROM.middle - 0.02)}px){.picture>svg:nth-child(1){display:block}}
@media (min-width:${String(FROM.middle)}px) and (max-width:${String(FROM.wide - 0.02)}px){.picture>svg:nth-child(2){display:block}}
@media (min-width:${String(FROM.wide)}px){.picture>svg:nth-child(3){display:block}}
.legend{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:13px;color:var(--ink-2)}
.legend span{display:inline-flex;gap:5px;align-items:center}
svg.strip{display:block;overflow:visible;margin-top:6px}
.strip .line,.strip .tick{stroke:var(--hairline)}
.strip .line{stroke-width:2}
.strip text{fill:var(--ink-2);font-size:13px}
.dot{stroke-width:1.75;stroke:var(--tone);fill:var(--surface)}
.dot.hit{fill:var(--tone)}
.dot.pending{stroke-dasharray:2.5 2}
a:focus-visible .dot{stroke:var(--ink);stroke-width:3}
dl{display:flex;flex-wrap:wrap;gap:4px 28px;margin:10px 0 0}
dt{color:var(--ink-2);font-size:13px}
dd{margin:0;font-weight:700}
table{width:100%;margin-top:8px;border-collapse:collapse;table-layout:fixed}
th,td{padding:5px 0;border-top:1px solid var(--hairline);text-align:left;font-weight:400;vertical-align:middle}
th{font-size:14px;padding-right:10px}
th small,td small{display:block}
td.figure{width:9.5em;text-align:right;font-size:14px}
td.strip{padding-right:10px}
summary{width:fit-content;padding:5px 0;cursor:pointer;color:var(--ink-2)}
details ul{margin:0;padding:0 0 0 18px}
details li{padding:3px 0}
footer{margin-top:10px;padding-top:6px;border-top:1px solid var(--hairline)}
footer p{margin:0}
footer a,details li a{display:inline-block;padding:2px 0}
@media (max-width:${String(FROM.middle - 0.02)}px){h1{font-size:16px}td.strip,.of-strips,.between{display:none}td.figure{width:8.5em}}
`)

/** For the content security policy. */
export const EMBED_STYLE_HASH = `'sha256-${createHash('sha256').update(EMBED_STYLE).digest('base64')}'`

function oneLine(css: string): string {
  return css.replaceAll(/\n/g, '').trim()
}

/** The policy's hash covers exactly these bytes. */
const STYLE = markup(`<style>${EMBED_STYLE}</style>`)

/** Rendering waits for the whole document, as a half-read table would shift. */
const DRAWN_WHOLE = markup('<link rel="expect" href="#end" blocking="render" />')

export const HEIGHT_SCRIPT_PATH = '/embed/height.js'

/** A constant, as an escape in the templates would double the memory of the server's bundle. */
const DOT = ' · '

/** @param at the query including its question mark @param sources price sources to be credited */
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

/** A link that opens in a new tab instead of the frame. */
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
  /** The finding in plain text. */
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

/** Markup with all texts escaped: html`<b>${name}</b>`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    html: texts.map((text, i) => (i === 0 ? text : written(parts[i - 1] ?? null) + text)).join(''),
  }
}

/** Marks escaped markup from elsewhere, such as a picture, as safe. */
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

/** Margin at the right of a plot for a sign at its edge; CSS pixels. */
const SIGN = 12
/** Top margin of a plot; nothing is written there. */
const ABOVE = 10

/** A chart per frame width, without a live chart's margin for the current price. */
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
