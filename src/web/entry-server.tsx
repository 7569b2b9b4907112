import { renderToString } from 'react-dom/server'
import { type RenderPage } from '#contracts/page.ts'
import { day } from '#domain/day.ts'
import { App } from './app.tsx'
import { headMarkup } from './head/head-markup.ts'
import { headOf } from './head/head.ts'
import { pageView, type PageView } from './page-views.ts'
import { AboutPage } from './pages/about-page.tsx'
import { AssetPage } from './pages/asset-page.tsx'
import { ExpertPage } from './pages/expert-page.tsx'
import { LandingPage } from './pages/landing-page.tsx'
import { MethodologyPage } from './pages/methodology-page.tsx'
import { MissingPage } from './pages/missing-page.tsx'
import { PredictionPage } from './pages/prediction-page.tsx'
import { TermsPage } from './pages/terms-page.tsx'
import { UnavailablePage } from './pages/unavailable-page.tsx'
import { contentOf, type PageName } from './site.ts'

/** Written by vite.config.ts: for each page the script files it needs besides the entry. Missing in tests. */
declare const __PAGE_CHUNKS__: Readonly<Partial<Record<PageName, readonly string[]>>>

const VIEWS: Readonly<Record<PageName, PageView>> = {
  landing: pageView('landing', LandingPage),
  asset: pageView('asset', AssetPage),
  prediction: pageView('prediction', PredictionPage),
  expert: pageView('expert', ExpertPage),
  methodology: pageView('methodology', MethodologyPage),
  about: pageView('about', AboutPage),
  terms: pageView('terms', TermsPage),
  missing: pageView('missing', MissingPage),
  unavailable: pageView('unavailable', UnavailablePage),
}

/**
 * Draws a page on the server. The template is `dist/web/index.html` with three placeholders:
 *
 * - `<!--head-->` takes `head`,
 * - `<!--body-->`, the only child of `#root`, takes `body` with no white space around it,
 * - `<!--data-->` takes `<script type="application/json" id="page-data">…</script>` with the same PageInput as JSON in
 *   which every `<` is written as `\u003c`. The browser hydrates with it; without it, it asks `/api/v1/page`.
 *
 * Use replacer functions (`html.replace('<!--head-->', () => head)`): a `$` in the markup is no pattern. Markup and head
 * hold no inline style and no executable inline script, so `default-src 'self'` holds.
 */
export const render: RenderPage = (input) => {
  const content = contentOf(input.data)
  const chunks = typeof __PAGE_CHUNKS__ === 'undefined' ? {} : __PAGE_CHUNKS__
  const [path = '/'] = input.url.split('?')
  return {
    head: headMarkup(headOf(content, input.origin), input.origin, chunks[content.page] ?? []),
    body: renderToString(
      <App
        first={{ path, content, view: VIEWS[content.page] }}
        url={input.url}
        origin={input.origin}
        today={day(input.today)}
        priced={input.priced}
      />,
    ),
  }
}
