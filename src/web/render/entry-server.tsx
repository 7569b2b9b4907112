import { PAGE_CHUNKS } from 'virtual:page-chunks'
import { type PageAddress, type RenderPage } from '#contracts/page.ts'
import { pageAddress } from '#web/public/page-address.ts'
import { stillPartsReady } from '#web/ui/still.tsx'
import { renderPage } from './render-page.tsx'

await stillPartsReady()

/**
 * Renders a page on the server. The template is `dist/web/index.html` with three placeholders:
 *
 * - `<!--head-->` takes `head`,
 * - `<!--body-->`, the only child of `#root`, takes `body` with no white space around it,
 * - `<!--data-->` takes `<script type="application/json" id="page-data">…</script>` with the same PageInput as JSON in
 *   which every `<` is written as `\u003c`. The browser hydrates with it; without it, it fetches `/api/v1/page`.
 *
 * Use replacer functions (`html.replace('<!--head-->', () => head)`): a `$` in the markup must not act as a pattern. Markup and
 * head contain no inline style and no executable inline script, so the policy `default-src 'self'` is enough.
 */
export const render: RenderPage = (input) => renderPage(input, PAGE_CHUNKS)

export const address: PageAddress = pageAddress
