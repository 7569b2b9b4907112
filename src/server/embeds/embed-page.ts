import { LICENCE } from '#contracts/open-data.paths.ts'
import { type EmbedTheme } from '#contracts/embed.paths.ts'
import { addressText } from '#chart/picture-text.ts'
import { showDayInWords } from '#domain/day.ts'
import { RULE_VERSION } from '#domain/judging/verdict.ts'
import { SITE_NAME } from '#domain/site-name.ts'
import { type Embed } from './embed.ts'
import { EMBED_STYLE } from './embed-style.ts'
import { html, markup, type Html } from './html.ts'

/** Its policy names these very bytes. */
const STYLE = markup(`<style>${EMBED_STYLE}</style>`)

/** Nothing is drawn before all of it has been read: half a table would shift when the rest comes. */
const DRAWN_WHOLE = markup('<link rel="expect" href="#end" blocking="render" />')

/** Where the script of `height-script.ts` is. */
export const HEIGHT_SCRIPT_PATH = '/embed/height.js'

/** Not written in the templates, where it cannot be escaped: the server's bundle would take twice its memory. */
const DOT = ' · '

/**
 * An embed as a page.
 *
 * @param at the address of the site, and the query of the page with its question mark
 * @param sources whose prices it rests on, as they want to be named
 */
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

/** What stands in place of an embed that there is not. */
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
